// SPDX-License-Identifier: Apache-2.0
//
// Keccak-f[1600] by the simulated unit, for C programs. Little-endian machines; one thread.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int nttforge_keccak(uint64_t *state);

/* The model: see simulate/cycle_ports.cpp. Its first bytes in are the block, then the bits that
 * start it, fresh; its first bytes out are the state, then whether it is there. */
void *nttforge_cycles_open(void);
void nttforge_cycles_run(void *model, uint64_t count, const uint8_t *in, uint8_t *out);
uint64_t nttforge_cycles_in_bytes(void);
uint64_t nttforge_cycles_out_bytes(void);

enum { STATE_BYTES = 200, CYCLES = 26, START = 1, FRESH = 2, VALID = 1 };

static void *model;
static uint8_t *in, *out;
static uint64_t permutations;

/* Where permutations are counted, if the environment names a file: a line a process. */
static void count(void) {
  const char *name = getenv("NTTFORGE_KECCAK_COUNT");
  FILE *file = name != 0 && permutations != 0 ? fopen(name, "a") : 0;
  if (file == 0) return;
  fprintf(file, "%llu\n", (unsigned long long)permutations);
  fclose(file);
}

/* 0, or -1 if there is no memory for the model. */
static int open_model(void) {
  in = (uint8_t *)calloc(CYCLES, (size_t)nttforge_cycles_in_bytes());
  out = (uint8_t *)calloc(CYCLES, (size_t)nttforge_cycles_out_bytes());
  if (in == 0 || out == 0) return -1;
  model = nttforge_cycles_open();
  in[STATE_BYTES] = START | FRESH; /* in the first cycle alone */
  atexit(count);
  return model == 0 ? -1 : 0;
}

/* Permutes a state of 25 words in place; 0, or -1 and nothing has happened. */
int nttforge_keccak(uint64_t *state) {
  uint64_t cycle;
  if (model == 0 && open_model() != 0) return -1;
  memcpy(in, state, STATE_BYTES);
  nttforge_cycles_run(model, CYCLES, in, out);
  for (cycle = 1; cycle < CYCLES; ++cycle) {
    const uint8_t *seen = out + cycle * nttforge_cycles_out_bytes();
    if ((seen[STATE_BYTES] & VALID) == 0) continue;
    memcpy(state, seen, STATE_BYTES);
    ++permutations;
    return 0;
  }
  fprintf(stderr, "nttforge: the Keccak unit gives no result\n");
  abort();
}
