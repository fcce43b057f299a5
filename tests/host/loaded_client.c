/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines "load PLACE Q ROOT", "ntt PLACE WORDS ...", "intt PLACE WORDS ..." from standard input: to the
 * library's core, which pauses; what came of each, a line. */

#include "nttforge.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  static uint64_t words[DUT_N];
  char verb[8];
  unsigned place, i;
  uint64_t q, root;
  nttforge *core = nttforge_open(0.3, 1);
  dut *device;
  if (core == 0) return 1;
  device = nttforge_device(core);
  while (scanf("%7s %u", verb, &place) == 2) {
    if (strcmp(verb, "load") == 0) {
      if (scanf("%" SCNu64 " %" SCNu64, &q, &root) != 2) return 1;
      printf("%d\n", dut_load(device, place, q, root));
      continue;
    }
    for (i = 0; i < DUT_N; ++i)
      if (scanf("%" SCNu64, &words[i]) != 1) return 1;
    printf("%d", dut_transform(device, place, strcmp(verb, "ntt") ? DUT_INTT : DUT_NTT, words, words));
    for (i = 0; i < DUT_N; ++i) printf(" %" PRIu64, words[i]);
    printf("\n");
  }
  nttforge_close(core);
  return 0;
}
