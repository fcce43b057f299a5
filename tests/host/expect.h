// SPDX-License-Identifier: Apache-2.0
//
// What programs say that try misuse: each difference a line.

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static int failures;

static void expect(const char *what, int code, int expected) {
  if (code == expected) return;
  printf("%s: %d, not %d\n", what, code, expected);
  ++failures;
}

static int all_zero(const uint8_t *bytes, size_t count) {
  while (count != 0 && bytes[count - 1] == 0) --count;
  return count == 0;
}
