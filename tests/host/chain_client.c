/* SPDX-License-Identifier: Apache-2.0
 *
 * To a core that pauses, a line each from standard input, and what came of it:
 *   "load PLACE Q ROOT"           the return value as text
 *   "multiply PLACE WORDS ..."    of two polynomials: return value, words
 *   "sum PLACE COUNT WORDS ..."   of pairs of polynomials: the same */

#include "nttforge.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 4 };

static uint64_t a[MOST][CHAIN_N], b[MOST][CHAIN_N], out[CHAIN_N];

static int words_of(uint64_t *words) {
  unsigned i;
  for (i = 0; i < CHAIN_N; ++i)
    if (scanf("%" SCNu64, &words[i]) != 1) return 1;
  return 0;
}

int main(void) {
  char verb[16];
  unsigned place, count, i;
  uint64_t q, root;
  int code;
  const uint64_t *polynomials[MOST], *keys[MOST];
  nttforge *core = nttforge_open(0.3, 5);
  chain *device;
  if (core == 0) return 1;
  device = nttforge_device(core);
  while (scanf("%15s %u", verb, &place) == 2) {
    if (strcmp(verb, "load") == 0) {
      if (scanf("%" SCNu64 " %" SCNu64, &q, &root) != 2) return 1;
      printf("%s\n", chain_error(chain_load(device, place, q, root)));
      continue;
    }
    count = 1;
    if (strcmp(verb, "sum") == 0 && (scanf("%u", &count) != 1 || count > MOST)) return 1;
    for (i = 0; i < count; ++i) {
      if (words_of(a[i]) || words_of(b[i])) return 1;
      polynomials[i] = a[i];
      keys[i] = b[i];
    }
    if (strcmp(verb, "sum") == 0) {
      for (code = 0, i = 0; code == 0 && i < count; ++i) code = chain_values(device, place, b[i], b[i]);
      if (code == 0) code = chain_sum(device, place, count, polynomials, keys, out);
    } else {
      code = chain_multiply(device, place, a[0], b[0], out);
    }
    printf("%d", code);
    for (i = 0; i < CHAIN_N; ++i) printf(" %" PRIu64, out[i]);
    printf("\n");
  }
  nttforge_close(core);
  return 0;
}
