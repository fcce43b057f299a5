// SPDX-License-Identifier: Apache-2.0
//
// A program that links libnttforge: does what lines of its input say, all of them as requests under
// way at the same time, and prints results in hexadecimal, a line each.
//
//   client STALL SEED INTERRUPT < lines of: keygen SET D Z | encaps SET EK M | decaps SET DK C |
//     decaps_seed SET DZ C
//
// A seed may be "-": from the entropy port.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hex.h"
#include "nttforge.h"

enum { MOST = 64, LONGEST = 4000 };

typedef struct job {
  ml_kem_coprocessor_request request;
  uint8_t in[2][LONGEST], out[2][LONGEST];
  size_t in_bytes[2], out_bytes[2];
} job;

static job jobs[MOST];

static int prepare(job *at, const char *what, uint32_t set) {
  static const size_t ek[] = {800, 1184, 1568}, dk[] = {1632, 2400, 3168}, c[] = {768, 1088, 1568};
  const uint8_t *second = at->in_bytes[1] == 0 ? 0 : at->in[1];
  if (strcmp(what, "keygen") == 0) {
    at->out_bytes[0] = ek[set];
    at->out_bytes[1] = dk[set];
    return ml_kem_coprocessor_prepare_keygen(&at->request, set, second == 0 ? 0 : at->in[0],
                                             second, at->out[0], ek[set], at->out[1], dk[set]);
  }
  at->out_bytes[1] = 32;
  if (strcmp(what, "encaps") == 0) {
    at->out_bytes[0] = c[set];
    return ml_kem_coprocessor_prepare_encaps(&at->request, set, at->in[0], at->in_bytes[0], second,
                                             at->out[0], c[set], at->out[1], 32);
  }
  if (strcmp(what, "decaps_seed") == 0)
    return ml_kem_coprocessor_prepare_decaps_seed(&at->request, set, at->in[0], at->in[0] + 32,
                                                  at->in[1], at->in_bytes[1], at->out[1], 32);
  return ml_kem_coprocessor_prepare_decaps(&at->request, set, 1, at->in[0], at->in_bytes[0],
                                           at->in[1], at->in_bytes[1], at->out[1], 32);
}

int main(int count, char **words) {
  static char what[16], first[2 * LONGEST], second[2 * LONGEST];
  nttforge_options options;
  nttforge *core;
  unsigned set;
  int i, given = 0;
  if (count != 4) return 2;
  options.stall = atof(words[1]);
  options.seed = strtoul(words[2], 0, 10);
  options.interrupt = atoi(words[3]);
  options.patience = 0;
  if (nttforge_open(&core, &options) != 0) return 3;
  while (given < MOST && scanf("%15s %u %7999s %7999s", what, &set, first, second) == 4) {
    job *at = &jobs[given++];
    int code;
    at->in_bytes[0] = from_hex(first, at->in[0], LONGEST);
    at->in_bytes[1] = from_hex(second, at->in[1], LONGEST);
    code = prepare(at, what, set);
    if (code == 0) code = ml_kem_coprocessor_submit(nttforge_device(core), &at->request);
    if (code != 0) return 4;
  }
  for (i = 0; i < given; ++i) {
    job *at = &jobs[i];
    const int code = ml_kem_coprocessor_finish(nttforge_device(core), &at->request);
    printf("%d %u", code, (unsigned)at->request.cycles);
    print_hex(at->out[0], at->out_bytes[0]);
    print_hex(at->out[1], at->out_bytes[1]);
    printf("\n");
  }
  nttforge_close(core);
  return 0;
}
