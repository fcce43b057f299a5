// SPDX-License-Identifier: Apache-2.0

/* ML-KEM by mlkem-native's C, for a SoC's firmware: one more way beside the hardware's. */
#include "soc_cases.h"

#define LEVEL(n)                                                                                   \
  int mlk##n##_keypair_derand(uint8_t *, uint8_t *, const uint8_t *);                              \
  int mlk##n##_enc_derand(uint8_t *, uint8_t *, const uint8_t *, const uint8_t *);                 \
  int mlk##n##_dec(uint8_t *, const uint8_t *, const uint8_t *)

LEVEL(512);
LEVEL(768);
LEVEL(1024);

typedef struct level {
  int (*keypair)(uint8_t *ek, uint8_t *dk, const uint8_t *seeds);
  int (*encaps)(uint8_t *c, uint8_t *secret, const uint8_t *ek, const uint8_t *m);
  int (*decaps)(uint8_t *secret, const uint8_t *c, const uint8_t *dk);
} level;

static const level levels[] = {
    { mlk512_keypair_derand, mlk512_enc_derand, mlk512_dec },
    { mlk768_keypair_derand, mlk768_enc_derand, mlk768_dec },
    { mlk1024_keypair_derand, mlk1024_enc_derand, mlk1024_dec },
};

static int by_software(const soc_case *given, uint8_t *first, uint8_t *second, uint32_t *cycles) {
  const level *used = &levels[given->set];
  uint8_t seeds[64];
  uint32_t at;
  (void)cycles;
  if (given->operation == SOC_KEYGEN) {
    for (at = 0; at < sizeof seeds; ++at) seeds[at] = given->input[at / 32][at % 32];
    return used->keypair(first, second, seeds);
  }
  if (given->operation == SOC_ENCAPS)
    return used->encaps(first, second, given->input[0], given->input[1]);
  return used->decaps(first, given->input[1], given->input[0]);
}

const soc_way soc_ways[] = { { "software", by_software } };
const uint32_t soc_way_count = 1;
