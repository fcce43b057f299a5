/* SPDX-License-Identifier: Apache-2.0
 *
 * To a core that pauses, a line each from standard input, and what came of it:
 *   "load PLACE Q ROOT"           the return value as text
 *   "multiply PLACE WORDS ..."    of two polynomials: return value, words
 *   "sum PLACE COUNT WORDS ..."   of pairs of polynomials: the same
 * and of a core with registers (REGISTERS):
 *   "written PLACE Q ROOT"        a load through registers: the return value as text
 *   "begun PLACE WORD"            the first word of such a load of the inverse pipeline alone
 *   "place PLACE"                 status and modulus of both pipelines' places
 *   "last"                        status, place and pipeline of the last load */

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

#ifdef REGISTERS
/* Whether a line was one of registers. */
static int of_registers(chain *device, const char *verb, unsigned place) {
  chain_bus *bus = &device->bus;
  uint64_t q, root;
  unsigned inverse, status;
  if (strcmp(verb, "written") == 0) {
    if (scanf("%" SCNu64 " %" SCNu64, &q, &root) != 2) return 0;
    printf("%s\n", chain_error(chain_load_by_registers(device, place, q, root)));
  } else if (strcmp(verb, "begun") == 0) {
    if (scanf("%" SCNu64, &q) != 1) return 0;
    printf("%d\n", bus->write(bus->context, 0x0c, 256 | place) ||
                       bus->write(bus->context, 0x28, (uint32_t)q) ||
                       bus->write(bus->context, 0x2c, (uint32_t)(q >> 32)));
  } else if (strcmp(verb, "place") == 0) {
    for (inverse = 0; inverse < 2; ++inverse) {
      if (chain_place(device, place, inverse, &status, &q)) return 0;
      printf("%s, %" PRIu64 "%s", chain_status(status), q, inverse ? "\n" : "; ");
    }
  } else if (strcmp(verb, "last") == 0) {
    if (chain_last_load(device, &status, &place, &inverse)) return 0;
    printf("%s, %u, %u\n", chain_status(status), place, inverse);
  } else {
    return 0;
  }
  return 1;
}
#endif

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
#ifdef REGISTERS
    if (of_registers(device, verb, place)) continue;
#endif
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
