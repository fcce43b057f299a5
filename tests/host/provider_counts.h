// SPDX-License-Identifier: Apache-2.0
//
// What the provider counted, as test programs print it.

#include <stdio.h>
#include <stdlib.h>

#include <openssl/params.h>
#include <openssl/provider.h>

static void print_counts(OSSL_PROVIDER *ours) {
  uint64_t requests = 0, most = 0, cycles = 0;
  OSSL_PARAM params[4];
  params[0] = OSSL_PARAM_construct_uint64("requests", &requests);
  params[1] = OSSL_PARAM_construct_uint64("most-under-way", &most);
  params[2] = OSSL_PARAM_construct_uint64("cycles", &cycles);
  params[3] = OSSL_PARAM_construct_end();
  if (!OSSL_PROVIDER_get_params(ours, params)) exit(7);
  printf("%lu requests, %lu at most under way, %lu cycles\n", (unsigned long)requests,
         (unsigned long)most, (unsigned long)cycles);
}
