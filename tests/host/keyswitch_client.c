/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of KeySwitch from lines of standard input, on the library's engine; what came of each, a line:
 *   size CALLS                       the work size
 *   fault KIND                       spoils a stream once
 *   call N DECOMP KEY RNS COUNT TABLES  moduli, factors, TABLES * 4 * N * KEY twiddle factors, polynomial, pair, keys
 *   seeded SEED call ...             the same with a seed, as words of 8 bytes, and first halves of keys alone
 *   done                             the code, then the pair of each call since the last one */

#include "nttforge.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 8 };

static uint64_t *results[SLOTS], *blocks[SLOTS], lengths[SLOTS];
static const uint64_t **keys[SLOTS];
#ifdef SEEDED
static uint64_t seeds[SLOTS][KS_SMALL_SEED / 8];
#endif
static unsigned slots;

static ks_small_bus real;
static char fault[16];
static int dropping;

/* Passes beats on, but for one. */
static int spoiled(void *context, int stream, const uint64_t *words, int last) {
  uint64_t other[KS_SMALL_WIDEST] = {0};
  int taken;
  const size_t count = stream == KS_SMALL_PROGRAM_IN ? 2 : stream == KS_SMALL_DATA_IN ? KS_SMALL_LANES : KS_SMALL_WIDEST;
  memcpy(other, words, count * sizeof *words);
  if (dropping && stream == dropping) {
    if (last) dropping = 0;
    return 1;
  }
  if (strcmp(fault, "channel") == 0 && stream == KS_SMALL_KEY_IN) {
    fault[0] = 0;
    return -1;
  }
  if (strcmp(fault, "dead") == 0 && stream == KS_SMALL_KEY_IN) return 0;
  if ((strcmp(fault, "key early") == 0 && stream == KS_SMALL_KEY_IN && !last) ||
      (strcmp(fault, "data early") == 0 && stream == KS_SMALL_DATA_IN && !last)) {
    taken = real.send(context, stream, words, 1);
    if (taken > 0) {
      dropping = stream;
      fault[0] = 0;
    }
    return taken;
  }
  if (strcmp(fault, "key late") == 0 && stream == KS_SMALL_KEY_IN && last) {
    taken = real.send(context, stream, words, 0);
    if (taken > 0) strcpy(fault, "key later");
    return 0; /* the same beat comes again, with the mark */
  }
  if (strcmp(fault, "program") == 0 && stream == KS_SMALL_PROGRAM_IN) other[0] |= 15;
  if (strcmp(fault, "word") == 0 && stream == KS_SMALL_DATA_IN) other[0] = UINT64_MAX >> (64 - KS_SMALL_BITS);
  taken = real.send(context, stream, other, last);
  if (taken > 0 && memcmp(other, words, sizeof *words) != 0) fault[0] = 0;
  if (taken > 0 && strcmp(fault, "key later") == 0 && stream == KS_SMALL_KEY_IN) fault[0] = 0;
  return taken;
}

static uint64_t *block(uint64_t count) {
  uint64_t *words = (uint64_t *)malloc((count + 1) * sizeof *words), i;
  for (i = 0; i < count; ++i)
    if (scanf("%" SCNu64, &words[i]) != 1) exit(1);
  return words;
}

/* A call, whose keys have so many halves: of one the other is expanded from the seed. */
static void call(unsigned halves, const uint64_t *seed) {
  uint64_t n, decomp, key, rns, count, tables, i;
  uint64_t *moduli, *factors, *twiddles;
  if (scanf("%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64, &n, &decomp, &key, &rns, &count,
            &tables) != 6 || slots == SLOTS)
    exit(1);
  moduli = block(key);
  factors = block(decomp);
  twiddles = block(tables * 4 * n * key);
  blocks[slots] = block(decomp * n);
  lengths[slots] = 2 * decomp * n;
  results[slots] = block(lengths[slots]);
  keys[slots] = (const uint64_t **)calloc(decomp + 1, sizeof **keys);
  for (i = 0; i < decomp; ++i) keys[slots][i] = block(halves * key * n);
#ifdef SEEDED
  if (halves == 1) {
    uint8_t *bytes = (uint8_t *)seeds[slots];
    for (i = 0; i < KS_SMALL_SEED; ++i) bytes[i] = (uint8_t)(seed[i / 8] >> i % 8 * 8);
    printf("%d\n", nttforge_KeySwitchSeeded(results[slots], blocks[slots], n, decomp, key, rns, count, moduli,
                                            keys[slots], bytes, factors, tables ? twiddles : 0));
    ++slots;
    return;
  }
#else
  (void)seed;
#endif
  printf("%d\n", nttforge_KeySwitch(results[slots], blocks[slots], n, decomp, key, rns, count, moduli, keys[slots],
                                    factors, tables ? twiddles : 0));
  ++slots;
}

static void done(void) {
  unsigned slot;
  uint64_t i;
  printf("%d\n", nttforge_KeySwitchCompleted());
  for (slot = 0; slot < slots; ++slot) {
    for (i = 0; i < lengths[slot]; ++i) printf("%" PRIu64 " ", results[slot][i]);
    printf("\n");
  }
  slots = 0;
}

int main(void) {
  char verb[16];
  uint64_t size, seed[KS_SMALL_SEED / 8], *words;
  ks_small *device = nttforge_device(nttforge_KeySwitch_engine());
  real = device->bus;
  device->bus.send = spoiled;
  device->patience = 2000;
  while (scanf("%15s", verb) == 1) {
    if (strcmp(verb, "size") == 0) {
      if (scanf("%" SCNu64, &size) != 1) return 1;
      printf("%d\n", nttforge_set_worksize_KeySwitch(size));
    } else if (strcmp(verb, "fault") == 0) {
      if (scanf(" %15[^\n]", fault) != 1) return 1;
    } else if (strcmp(verb, "call") == 0) {
      call(KS_SMALL_HALVES, 0);
    } else if (strcmp(verb, "seeded") == 0) {
      words = block(KS_SMALL_SEED / 8);
      memcpy(seed, words, sizeof seed);
      free(words);
      if (scanf("%15s", verb) != 1) return 1;
      call(1, seed);
    } else {
      done();
    }
  }
  nttforge_KeySwitch_release();
  return 0;
}
