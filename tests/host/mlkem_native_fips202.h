// SPDX-License-Identifier: Apache-2.0
//
// A backend of mlkem-native: its Keccak-f[1600] is done by libnttforge_keccak.
#ifndef NTTFORGE_MLKEM_NATIVE_FIPS202_H
#define NTTFORGE_MLKEM_NATIVE_FIPS202_H

#define MLK_USE_NATIVE_FIPS202_X1

#if !defined(__ASSEMBLER__)
#include <stdint.h>

#include "src/fips202/native/api.h"

int nttforge_keccak(uint64_t *state);

MLK_MUST_CHECK_RETURN_VALUE
static MLK_INLINE int mlk_keccak_f1600_x1_native(uint64_t *state) {
  return nttforge_keccak(state) == 0 ? MLK_NATIVE_FUNC_SUCCESS : MLK_NATIVE_FUNC_FALLBACK;
}
#endif

#endif
