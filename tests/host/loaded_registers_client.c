/* SPDX-License-Identifier: Apache-2.0
 *
 * To a core with registers, which pauses, a line each from standard input, and what came of it:
 *   "load PLACE Q ROOT"         a load by the driver: its return value
 *   "written PLACE Q ROOT"      the same through registers
 *   "begun PLACE WORD"          a load's first word through registers, and no other one: its return value
 *   "raw USER COUNT WORDS ..."  a packet past the driver: status and place of the last load
 *   "stray USER"                a transform of zeros past the driver: tuser of the last beat
 *   "place PLACE"               status and modulus
 *   "unloaded"                  whether a transform named a place that was not loaded
 *   "multiply PLACE WORDS ..."  the product of two polynomials: return value, words */

#include "nttforge.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint64_t a[DUT_N], b[DUT_N];

static int words_of(uint64_t *words) {
  unsigned i;
  for (i = 0; i < DUT_N; ++i)
    if (scanf("%" SCNu64, &words[i]) != 1) return 1;
  return 0;
}

static int raw(dut *device, uint32_t user, unsigned count) {
  uint64_t beat[DUT_LANES] = {0};
  for (; count != 0; --count) {
    if (scanf("%" SCNu64, &beat[0]) != 1) return 1;
    if (device->bus.send(device->bus.context, beat, user, count == 1)) return 1;
  }
  return 0;
}

static int begun(dut *device, unsigned place, uint64_t word) {
  dut_bus *bus = &device->bus;
  if (bus->write(bus->context, 0x0c, place)) return 1;
  return bus->write(bus->context, 0x28, (uint32_t)word) ||
         bus->write(bus->context, 0x2c, (uint32_t)(word >> 32));
}

static int stray(dut *device, uint32_t user) {
  uint64_t beat[DUT_LANES] = {0};
  unsigned at;
  int last = 0;
  for (at = DUT_LANES; at <= DUT_N; at += DUT_LANES)
    if (device->bus.send(device->bus.context, beat, user, at == DUT_N)) return 1;
  while (!last)
    if (device->bus.receive(device->bus.context, beat, &user, &last)) return 1;
  printf("%" PRIu32 "\n", user);
  return 0;
}

int main(void) {
  char verb[16];
  unsigned place, status = 0, count, i;
  uint64_t q, root;
  uint32_t user;
  int happened, code;
  nttforge *core = nttforge_open(0.3, 7);
  dut *device;
  if (core == 0) return 1;
  device = nttforge_device(core);
  while (scanf("%15s", verb) == 1) {
    if (strcmp(verb, "unloaded") == 0) {
      if (dut_unloaded(device, &happened)) return 1;
      printf("%d\n", happened);
    } else if (strcmp(verb, "stray") == 0) {
      if (scanf("%" SCNu32, &user) != 1 || stray(device, user)) return 1;
    } else if (strcmp(verb, "raw") == 0) {
      if (scanf("%" SCNu32 " %u", &user, &count) != 2 || raw(device, user, count)) return 1;
      /* A packet of one word is behind the input's registers for a few clocks. */
      for (i = 0; i < 8 || status == DUT_LOAD_UNDER_WAY; ++i)
        if (dut_last_load(device, &status, &place)) return 1;
      printf("%s, %u\n", dut_status(status), place);
    } else if (scanf("%u", &place) != 1) {
      return 1;
    } else if (strcmp(verb, "place") == 0) {
      code = dut_place(device, place, &status, &q);
      if (code != DUT_OK) printf("%s\n", dut_error(code));
      else printf("%s, %" PRIu64 "\n", dut_status(status), q);
    } else if (strcmp(verb, "load") == 0 || strcmp(verb, "written") == 0) {
      if (scanf("%" SCNu64 " %" SCNu64, &q, &root) != 2) return 1;
      code = verb[0] == 'l' ? dut_load(device, place, q, root)
                            : dut_load_by_registers(device, place, q, root);
      printf("%s\n", dut_error(code));
    } else if (strcmp(verb, "begun") == 0) {
      if (scanf("%" SCNu64, &q) != 1) return 1;
      printf("%d\n", begun(device, place, q));
    } else {
      if (words_of(a) || words_of(b)) return 1;
      printf("%d", dut_multiply(device, place, a, b, a));
      for (i = 0; i < DUT_N; ++i) printf(" %" PRIu64, a[i]);
      printf("\n");
    }
  }
  nttforge_close(core);
  return 0;
}
