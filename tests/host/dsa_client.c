// SPDX-License-Identifier: Apache-2.0
//
// A program that links libnttforge of an ML-DSA coprocessor: does what lines of its input say, all of them as
// requests under way at the same time, and prints results in hexadecimal, a line each.
//
//   dsa_client STALL SEED INTERRUPT < lines of: WHAT SET KEY RND FORM DATA CONTEXT SIGNATURE
//
// WHAT is keygen, sign, verify, load, load_seed or drop; FORM a number of ml_dsa_coprocessor_form. "-" is
// none: of a seed or rnd that it comes from the entropy port, of a private key that it is loaded; "0" of rnd
// is a deterministic signature.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hex.h"
#include "nttforge.h"

enum { MOST = 64, LONGEST = 6000 };

typedef struct job {
  ml_dsa_coprocessor_request request;
  uint8_t key[LONGEST], rnd[32], data[LONGEST], context[300], signature[LONGEST], out[2][LONGEST];
  size_t key_bytes, rnd_bytes, signature_bytes, out_bytes[2];
  ml_dsa_coprocessor_what what;
} job;

static job jobs[MOST];

static int prepare(job *at, const char *what, uint32_t set) {
  static const size_t pk[] = {1312, 1952, 2592}, sk[] = {2560, 4032, 4896};
  static const size_t signature[] = {2420, 3309, 4627};
  const uint8_t *key = at->key_bytes == 0 ? 0 : at->key;
  const uint8_t *rnd = at->rnd_bytes == 0 ? 0 : at->rnd_bytes == 1 ? ml_dsa_coprocessor_zeros : at->rnd;
  if (strcmp(what, "keygen") == 0) {
    at->out_bytes[0] = pk[set];
    at->out_bytes[1] = sk[set];
    return ml_dsa_coprocessor_prepare_keygen(&at->request, set, key, at->out[0], pk[set], at->out[1],
                                             sk[set]);
  }
  if (strcmp(what, "load_seed") == 0) {
    at->out_bytes[0] = pk[set];
    return ml_dsa_coprocessor_prepare_load_seed(&at->request, set, key, at->out[0], pk[set]);
  }
  if (strcmp(what, "load") == 0)
    return ml_dsa_coprocessor_prepare_load(&at->request, set, key, at->key_bytes);
  if (strcmp(what, "drop") == 0) return ml_dsa_coprocessor_prepare_drop(&at->request);
  if (strcmp(what, "sign") == 0) {
    at->out_bytes[0] = signature[set];
    return ml_dsa_coprocessor_prepare_sign(&at->request, set, key, at->key_bytes, rnd, &at->what,
                                           at->out[0], signature[set]);
  }
  return ml_dsa_coprocessor_prepare_verify(&at->request, set, key, at->key_bytes, &at->what,
                                           at->signature, at->signature_bytes);
}

int main(int count, char **words) {
  static char what[16], field[5][2 * LONGEST];
  nttforge_options options;
  nttforge *core;
  unsigned set, form;
  int i, given = 0;
  if (count != 4) return 2;
  options.stall = atof(words[1]);
  options.seed = strtoul(words[2], 0, 10);
  options.interrupt = atoi(words[3]);
  options.patience = 0;
  if (nttforge_open(&core, &options) != 0) return 3;
  while (given < MOST && scanf("%15s %u %11999s %11999s %u %11999s %11999s %11999s", what, &set, field[0],
                               field[1], &form, field[2], field[3], field[4]) == 8) {
    job *at = &jobs[given++];
    int code;
    at->key_bytes = from_hex(field[0], at->key, LONGEST);
    at->rnd_bytes = field[1][0] == '0' && field[1][1] == 0 ? 1 : from_hex(field[1], at->rnd, 32);
    at->what.form = (ml_dsa_coprocessor_form)form;
    at->what.data = at->data;
    at->what.bytes = from_hex(field[2], at->data, LONGEST);
    at->what.context = at->context;
    at->what.context_bytes = from_hex(field[3], at->context, sizeof at->context);
    at->signature_bytes = from_hex(field[4], at->signature, LONGEST);
    code = prepare(at, what, set);
    if (code == 0) code = ml_dsa_coprocessor_submit(nttforge_device(core), &at->request);
    if (code != 0) {
      fprintf(stderr, "%s: %d\n", what, code);
      return 4;
    }
  }
  for (i = 0; i < given; ++i) {
    job *at = &jobs[i];
    const int code = ml_dsa_coprocessor_finish(nttforge_device(core), &at->request);
    printf("%d %u", code, (unsigned)at->request.cycles);
    print_hex(at->out[0], at->out_bytes[0]);
    print_hex(at->out[1], at->out_bytes[1]);
    printf("\n");
  }
  nttforge_close(core);
  return 0;
}
