// SPDX-License-Identifier: Apache-2.0
//
// ML-KEM's transforms and products by the simulated engine and the simulated unit of base
// multiplication, for C programs: words are mlkem-native's, signed 16 bits, and so are its factors of
// 2^16. Little-endian machines; one thread.

#define _GNU_SOURCE

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models.h" /* ENGINE, UNIT: libraries; LATENCY: of the engine; GAMMAS: of the pairs */

enum { N = 256, PAIRS = N / 2, Q = 3329, MONT = 65536 % Q, UNMONT = 169, LONGEST = 4096 };
enum { NTT = 0, INTT = 1, UNIT_LATENCY = 8 };

int nttforge_ntt(int16_t *p);
int nttforge_intt_tomont(int16_t *p);
int nttforge_products(int16_t *r, const int16_t *a, const int16_t *b, unsigned count);

/* A model: see simulate/cycle_ports.cpp. Each has its own names, which are the same. */
typedef struct model {
  void *handle;
  void (*run)(void *handle, uint64_t count, const uint8_t *in, uint8_t *out);
  uint64_t in_bytes, out_bytes;
  uint8_t *in, *out;
} model;

static const uint16_t gammas[PAIRS] = {GAMMAS};
static model engine, unit;
static unsigned long transforms[2], products;

/* Where calls are counted, if the environment names a file: a line a process. */
static void count(void) {
  const char *name = getenv("NTTFORGE_TRANSFORM_COUNT");
  FILE *file = name != 0 ? fopen(name, "a") : 0;
  if (file == 0) return;
  fprintf(file, "%lu %lu %lu\n", transforms[NTT], transforms[INTT], products);
  fclose(file);
}

static void fail(const char *what) {
  fprintf(stderr, "nttforge: %s\n", what);
  abort();
}

static void *symbol(void *library, const char *name) {
  void *found = dlsym(library, name);
  if (found == 0) fail(dlerror());
  return found;
}

static void open_model(model *to, const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  void *(*open)(void);
  uint64_t (*bytes)(void);
  if (library == 0) fail(dlerror());
  *(void **)&open = symbol(library, "nttforge_cycles_open");
  *(void **)&to->run = symbol(library, "nttforge_cycles_run");
  *(void **)&bytes = symbol(library, "nttforge_cycles_in_bytes");
  to->in_bytes = bytes();
  *(void **)&bytes = symbol(library, "nttforge_cycles_out_bytes");
  to->out_bytes = bytes();
  to->in = (uint8_t *)calloc(LONGEST, (size_t)to->in_bytes);
  to->out = (uint8_t *)calloc(LONGEST, (size_t)to->out_bytes);
  to->handle = open();
  if (to->in == 0 || to->out == 0 || to->handle == 0) fail("there is no memory");
}

static void open_models(void) {
  if (engine.handle != 0) return;
  open_model(&engine, ENGINE);
  open_model(&unit, UNIT);
  (void)atexit(count);
}

static uint32_t residue(int16_t word) { return (uint32_t)((word % Q + Q) % Q); }

/* Two words of 12 bits in three bytes. */
static void put(uint8_t *at, uint32_t low, uint32_t high) {
  const uint32_t both = low | high << 12;
  at[0] = (uint8_t)both;
  at[1] = (uint8_t)(both >> 8);
  at[2] = (uint8_t)(both >> 16);
}

static void take(const uint8_t *at, int16_t *low, int16_t *high) {
  *low = (int16_t)(at[0] | (at[1] & 15) << 8);
  *high = (int16_t)(at[1] >> 4 | at[2] << 4);
}

/* In a transform's domain a beat has neighbours, outside of it words that are 128 apart. */
static void transform(int16_t *p, int operation) {
  const int cycles = LATENCY + 2, first_in = operation == NTT ? 1 : 2;
  const int apart_in = operation == NTT ? PAIRS : 1, first_out = 3 - first_in;
  const int apart_out = operation == NTT ? 1 : PAIRS;
  int i, beat = 0;
  memset(engine.in, 0, (size_t)cycles * engine.in_bytes);
  for (i = 0; i < cycles; ++i) {
    uint8_t *at = engine.in + (size_t)i * engine.in_bytes;
    at[3] = 8; /* ready */
    if (i >= PAIRS) continue;
    put(at, residue(p[first_in * i]), residue(p[first_in * i + apart_in]));
    at[3] = (uint8_t)(8 | 1 | (i == PAIRS - 1) << 1 | operation << 2);
  }
  engine.run(engine.handle, (uint64_t)cycles, engine.in, engine.out);
  for (i = 0; i < cycles; ++i) {
    const uint8_t *at = engine.out + (size_t)i * engine.out_bytes;
    if (i < PAIRS && (at[3] & 2) == 0) fail("the engine takes no beat");
    if ((at[3] & 1) == 0 || beat == PAIRS) continue;
    take(at, &p[first_out * beat], &p[first_out * beat + apart_out]);
    ++beat;
  }
  if (beat != PAIRS) fail("the engine gives no result");
  ++transforms[operation];
}

/* r = a b + r, pair by pair; of a, which is a public matrix or not, 12 bits matter. */
static void multiply(int16_t *r, const int16_t *a, const int16_t *b) {
  const int cycles = PAIRS + UNIT_LATENCY;
  int i;
  memset(unit.in, 0, (size_t)cycles * unit.in_bytes);
  for (i = 0; i < cycles; ++i) {
    uint8_t *at = unit.in + (size_t)i * unit.in_bytes;
    at[10] = 16; /* enabled */
    if (i >= PAIRS) continue;
    put(at, (uint32_t)a[2 * i], (uint32_t)a[2 * i + 1]);
    put(at + 3, (uint32_t)b[2 * i], (uint32_t)b[2 * i + 1]);
    put(at + 6, (uint32_t)r[2 * i], (uint32_t)r[2 * i + 1]);
    at[9] = (uint8_t)gammas[i];
    at[10] = (uint8_t)(16 | gammas[i] >> 8);
  }
  unit.run(unit.handle, (uint64_t)cycles, unit.in, unit.out);
  for (i = 0; i < PAIRS; ++i)
    take(unit.out + (size_t)(i + UNIT_LATENCY) * unit.out_bytes, &r[2 * i], &r[2 * i + 1]);
}

/* Times a number, by the same unit. */
static void scale(int16_t *p, int16_t by) {
  int16_t factor[N] = {0}, r[N] = {0};
  int i;
  for (i = 0; i < N; i += 2) factor[i] = by;
  multiply(r, p, factor);
  memcpy(p, r, sizeof r);
}

static void reduce(int16_t *to, const int16_t *from) {
  int i;
  for (i = 0; i < N; ++i) to[i] = (int16_t)residue(from[i]);
}

int nttforge_ntt(int16_t *p) {
  open_models();
  transform(p, NTT);
  return 0;
}

int nttforge_intt_tomont(int16_t *p) {
  open_models();
  reduce(p, p);
  scale(p, MONT);
  transform(p, INTT);
  return 0;
}

int nttforge_products(int16_t *r, const int16_t *a, const int16_t *b, unsigned count_of) {
  int16_t sum[N] = {0}, factor[N];
  unsigned i;
  open_models();
  for (i = 0; i < count_of; ++i) {
    reduce(factor, b + i * N);
    multiply(sum, a + i * N, factor);
  }
  scale(sum, UNMONT);
  memcpy(r, sum, sizeof sum);
  ++products;
  return 0;
}
