// SPDX-License-Identifier: Apache-2.0
//
// Bytes as test programs read and print them.

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* At most so many bytes, and how many they are; "-" is none. */
static size_t from_hex(const char *text, uint8_t *bytes, size_t most) {
  size_t count = 0;
  unsigned value;
  if (text[0] == '-') return 0;
  for (; count < most && sscanf(text + 2 * count, "%2x", &value) == 1; ++count)
    bytes[count] = (uint8_t)value;
  return count;
}

static void print_hex(const uint8_t *bytes, size_t count) {
  size_t i;
  printf(" ");
  for (i = 0; i < count; ++i) printf("%02x", bytes[i]);
}
