// SPDX-License-Identifier: Apache-2.0
//
// What a program may do wrong with libnttforge: each ends in its code, and in bounded time.

#include <stdio.h>
#include <string.h>

#include "dma.h"
#include "expect.h"
#include "nttforge.h"

#define SET ML_KEM_COPROCESSOR_COMMAND_SET_512

static uint8_t ek[ML_KEM_COPROCESSOR_512_EK_BYTES], dk[ML_KEM_COPROCESSOR_512_DK_BYTES];
static uint8_t c[ML_KEM_COPROCESSOR_512_CIPHERTEXT_BYTES], secret[32], seed[32];

static void lengths_and_pointers(nttforge *core) {
  ml_kem_coprocessor_request request;
  expect("no core", nttforge_keygen(0, SET, seed, seed, ek, sizeof ek, dk, sizeof dk),
         NTTFORGE_ARGUMENT);
  expect("no such set", nttforge_keygen(core, 3, seed, seed, ek, sizeof ek, dk, sizeof dk),
         NTTFORGE_ARGUMENT);
  expect("half a seed", nttforge_keygen(core, SET, seed, 0, ek, sizeof ek, dk, sizeof dk),
         NTTFORGE_ARGUMENT);
  expect("ek null", nttforge_keygen(core, SET, seed, seed, 0, sizeof ek, dk, sizeof dk),
         NTTFORGE_ARGUMENT);
  expect("short ek", nttforge_keygen(core, SET, seed, seed, ek, sizeof ek - 1, dk, sizeof dk),
         NTTFORGE_LENGTH);
  expect("ek of another set",
         nttforge_encaps(core, SET + 1, ek, sizeof ek, seed, c, sizeof c, secret, 32),
         NTTFORGE_LENGTH);
  expect("long c", nttforge_encaps(core, SET, ek, sizeof ek, seed, c, sizeof c + 8, secret, 32),
         NTTFORGE_LENGTH);
  expect("no secret", nttforge_decaps(core, SET, 1, dk, sizeof dk, c, sizeof c, 0, 32),
         NTTFORGE_ARGUMENT);
  expect("half a seed", nttforge_decaps_seed(core, SET, seed, 0, c, sizeof c, secret, 32),
         NTTFORGE_ARGUMENT);
  expect("short c", nttforge_decaps_seed(core, SET, seed, seed, c, sizeof c - 8, secret, 32),
         NTTFORGE_LENGTH);
  expect("short dk", nttforge_decaps(core, SET, 1, dk, 64, c, sizeof c, secret, 32),
         NTTFORGE_LENGTH);
  /* What was refused cannot be queued, nor what has been queued. */
  expect("refused",
         ml_kem_coprocessor_prepare_decaps(&request, SET, 1, dk, 64, c, sizeof c, secret, 32),
         NTTFORGE_LENGTH);
  expect("submit it", ml_kem_coprocessor_submit(nttforge_device(core), &request),
         NTTFORGE_ARGUMENT);
  expect("prepare",
         ml_kem_coprocessor_prepare_keygen(&request, SET, seed, seed, ek, sizeof ek, dk, sizeof dk),
         0);
  expect("finish what was not queued",
         ml_kem_coprocessor_finish(nttforge_device(core), &request), NTTFORGE_ARGUMENT);
  expect("submit", ml_kem_coprocessor_submit(nttforge_device(core), &request), 0);
  expect("again", ml_kem_coprocessor_submit(nttforge_device(core), &request), NTTFORGE_ARGUMENT);
  expect("finish", ml_kem_coprocessor_finish(nttforge_device(core), &request), 0);
  expect("finish again", ml_kem_coprocessor_finish(nttforge_device(core), &request), 0);
}

static void what_the_hardware_refuses(nttforge *core) {
  memset(ek, 255, 384);
  expect("modulus", nttforge_encaps(core, SET, ek, sizeof ek, seed, c, sizeof c, secret, 32),
         ML_KEM_COPROCESSOR_RESULT_ERROR_MODULUS);
  if (!all_zero(c, sizeof c) || !all_zero(secret, 32)) expect("outputs are cleared", 1, 0);
  dk[sizeof dk - 40] ^= 1;
  expect("hash", nttforge_decaps(core, SET, 1, dk, sizeof dk, c, sizeof c, secret, 32),
         ML_KEM_COPROCESSOR_RESULT_ERROR_HASH);
  expect("then all is well", nttforge_keygen(core, SET, seed, seed, ek, sizeof ek, dk, sizeof dk),
         0);
}

static void a_busy_core(nttforge *core) {
  ml_kem_coprocessor second, *first = nttforge_device(core);
  ml_kem_coprocessor_request request;
  const nttforge_io io = first->io;
  const ml_kem_coprocessor_streams streams = first->streams;
  expect("prepare",
         ml_kem_coprocessor_prepare_keygen(&request, SET, seed, seed, ek, sizeof ek, dk, sizeof dk),
         0);
  expect("submit", ml_kem_coprocessor_submit(first, &request), 0);
  expect("advance", ml_kem_coprocessor_advance(first), 1);
  expect("busy", ml_kem_coprocessor_open(&second, &io, &streams), NTTFORGE_BUSY);
  expect("the lost one",
         ml_kem_coprocessor_keygen(&second, SET, seed, seed, ek, sizeof ek, dk, sizeof dk),
         NTTFORGE_LOST);
  expect("finish", ml_kem_coprocessor_finish(first, &request), 0);
  expect("idle again", ml_kem_coprocessor_close(first), 0);
  expect("closed", ml_kem_coprocessor_submit(first, &request), NTTFORGE_ARGUMENT);
}

/* Encaps, whose secret Decaps must find, too, in buffers that no other request has had. */
static int encaps(ml_kem_coprocessor *device) {
  static uint8_t sealed[sizeof c], mine[32], theirs[32];
  int code = ml_kem_coprocessor_encaps(device, SET, ek, sizeof ek, seed, sealed, sizeof sealed, mine, 32);
  if (code == 0)
    code = ml_kem_coprocessor_decaps(device, SET, 1, dk, sizeof dk, sealed, sizeof sealed, theirs, 32);
  return code != 0 ? code : memcmp(mine, theirs, 32) != 0;
}

static void transfers_outlast_a_call(nttforge *core) {
  static uint8_t wrong[sizeof ek];
  ml_kem_coprocessor device, *first = nttforge_device(core);
  const nttforge_io io = first->io;
  ml_kem_coprocessor_streams streams = first->streams;
  dma_words = streams.pull;
  streams.pull = dma_pull;
  streams.stop = dma_stop;
  expect("open", ml_kem_coprocessor_open(&device, &io, &streams), 0);
  memset(wrong, 255, sizeof wrong);
  expect("modulus",
         ml_kem_coprocessor_encaps(&device, SET, wrong, sizeof wrong, seed, c, sizeof c, secret, 32),
         ML_KEM_COPROCESSOR_RESULT_ERROR_MODULUS);
  expect("the next one", encaps(&device), 0);
  if (!all_zero(c, sizeof c) || !all_zero(secret, 32)) expect("outputs stay cleared", 1, 0);
}

/* Zeroized after each number of rounds: what follows is right, or says that the core is lost. */
static void a_core_that_is_zeroized(void) {
  static uint8_t new_ek[sizeof ek], new_dk[sizeof dk];
  ml_kem_coprocessor_request request;
  int at, rounds, next, result = NTTFORGE_PENDING, cut = 0;
  for (rounds = 0; result == NTTFORGE_PENDING; rounds += 3) {
    nttforge *core;
    ml_kem_coprocessor *device;
    expect("open", nttforge_open(&core, 0), 0);
    device = nttforge_device(core);
    expect("prepare",
           ml_kem_coprocessor_prepare_keygen(&request, SET, seed, seed, new_ek, sizeof new_ek, new_dk,
                                             sizeof new_dk),
           0);
    expect("submit", ml_kem_coprocessor_submit(device, &request), 0);
    for (at = 0; at < rounds && request.result == NTTFORGE_PENDING; ++at)
      (void)ml_kem_coprocessor_advance(device);
    result = request.result;
    expect("zeroize", device->io.write(device->io.context, ML_KEM_COPROCESSOR_ZEROIZE, 1), 0);
    if (ml_kem_coprocessor_finish(device, &request) != 0)
      expect("zeroized", request.result, ML_KEM_COPROCESSOR_RESULT_ERROR_ZEROIZED);
    next = encaps(device);
    if (next == NTTFORGE_LOST) ++cut;
    expect("the next one", next, request.result == 0 || next == 0 ? 0 : NTTFORGE_LOST);
    nttforge_close(core);
  }
  expect("moments", cut > 20, 1);
}

static void a_core_that_stands_still(int interrupt) {
  nttforge_options options = {1.0, 0, 0, 200};
  ml_kem_coprocessor_request request;
  nttforge *core;
  options.interrupt = interrupt;
  expect("open", nttforge_open(&core, &options), 0);
  memset(ek, 7, sizeof ek);
  memset(dk, 7, sizeof dk);
  expect("time-out", nttforge_keygen(core, SET, seed, seed, ek, sizeof ek, dk, sizeof dk),
         NTTFORGE_TIMEOUT);
  if (!all_zero(ek, sizeof ek) || !all_zero(dk, sizeof dk)) expect("outputs are cleared", 1, 0);
  expect("lost", nttforge_keygen(core, SET, seed, seed, ek, sizeof ek, dk, sizeof dk),
         NTTFORGE_LOST);
  nttforge_close(core);
  /* Closed while a request is under way. */
  expect("open", nttforge_open(&core, &options), 0);
  expect("prepare",
         ml_kem_coprocessor_prepare_keygen(&request, SET, seed, seed, ek, sizeof ek, dk, sizeof dk),
         0);
  expect("submit", ml_kem_coprocessor_submit(nttforge_device(core), &request), 0);
  expect("pending", request.result, NTTFORGE_PENDING);
  nttforge_close(core);
  expect("closed under way", request.result, NTTFORGE_LOST);
}

int main(void) {
  nttforge_options options = {2.0, 0, 0, 0};
  nttforge *core;
  expect("nowhere", nttforge_open(0, 0), NTTFORGE_ARGUMENT);
  expect("stall of 2", nttforge_open(&core, &options), NTTFORGE_ARGUMENT);
  nttforge_close(0);
  expect("open", nttforge_open(&core, 0), 0);
  lengths_and_pointers(core);
  what_the_hardware_refuses(core);
  transfers_outlast_a_call(core);
  a_busy_core(core);
  nttforge_close(core);
  a_core_that_is_zeroized();
  a_core_that_stands_still(0);
  a_core_that_stands_still(1);
  if (failures == 0) printf("all as documented\n");
  return failures != 0;
}
