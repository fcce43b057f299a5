// SPDX-License-Identifier: Apache-2.0
//
// A backend of mlkem-native: its transforms and products are done by libnttforge_transforms.
#ifndef NTTFORGE_MLKEM_NATIVE_ARITH_H
#define NTTFORGE_MLKEM_NATIVE_ARITH_H

#define MLK_USE_NATIVE_NTT
#define MLK_USE_NATIVE_INTT
#define MLK_USE_NATIVE_POLYVEC_BASEMUL_ACC_MONTGOMERY_CACHED

#if !defined(__ASSEMBLER__)
#include <stdint.h>

#include "src/native/api.h"

int nttforge_ntt(int16_t *p);
int nttforge_intt_tomont(int16_t *p);
int nttforge_products(int16_t *r, const int16_t *a, const int16_t *b, unsigned count);

#define NTTFORGE_ENDED(code) ((code) == 0 ? MLK_NATIVE_FUNC_SUCCESS : MLK_NATIVE_FUNC_FALLBACK)

MLK_MUST_CHECK_RETURN_VALUE
static MLK_INLINE int mlk_ntt_native(int16_t p[MLKEM_N]) { return NTTFORGE_ENDED(nttforge_ntt(p)); }

MLK_MUST_CHECK_RETURN_VALUE
static MLK_INLINE int mlk_intt_native(int16_t p[MLKEM_N]) {
  return NTTFORGE_ENDED(nttforge_intt_tomont(p));
}

#define NTTFORGE_PRODUCTS(k)                                                          \
  MLK_MUST_CHECK_RETURN_VALUE                                                         \
  static MLK_INLINE int mlk_polyvec_basemul_acc_montgomery_cached_k##k##_native(      \
      int16_t r[MLKEM_N], const int16_t a[k * MLKEM_N], const int16_t b[k * MLKEM_N], \
      const int16_t b_cache[k * (MLKEM_N / 2)]) {                                     \
    (void)b_cache;                                                                    \
    return NTTFORGE_ENDED(nttforge_products(r, a, b, k));                             \
  }

#if defined(MLK_CONFIG_MULTILEVEL_WITH_SHARED) || MLKEM_K == 2
NTTFORGE_PRODUCTS(2)
#endif
#if defined(MLK_CONFIG_MULTILEVEL_WITH_SHARED) || MLKEM_K == 3
NTTFORGE_PRODUCTS(3)
#endif
#if defined(MLK_CONFIG_MULTILEVEL_WITH_SHARED) || MLKEM_K == 4
NTTFORGE_PRODUCTS(4)
#endif
#endif

#endif
