// SPDX-License-Identifier: Apache-2.0
//
// What a program may do wrong with the driver of an ML-DSA coprocessor: each ends in its code.

#include <stdio.h>
#include <string.h>

#include "dma.h"
#include "expect.h"
#include "nttforge.h"

#define SET ML_DSA_COPROCESSOR_COMMAND_SET_44
#define KEY ML_DSA_COPROCESSOR_RESULT_ERROR_KEY

static uint8_t pk[ML_DSA_COPROCESSOR_44_PK_BYTES], sk[ML_DSA_COPROCESSOR_44_SK_BYTES];
static uint8_t signature[ML_DSA_COPROCESSOR_44_SIGNATURE_BYTES], seed[32], text[300];

static int sign(ml_dsa_coprocessor *device, const ml_dsa_coprocessor_what *what) {
  return ml_dsa_coprocessor_sign(device, SET, sk, sizeof sk, seed, what, signature, sizeof signature);
}

/* A message of this form, and what preparing a signature of it says. */
static int form(int of, size_t bytes, size_t context_bytes) {
  ml_dsa_coprocessor_request request;
  ml_dsa_coprocessor_what what = {ML_DSA_COPROCESSOR_MESSAGE, text, 0, text, 0};
  what.form = (ml_dsa_coprocessor_form)of;
  what.bytes = bytes;
  what.context_bytes = context_bytes;
  return ml_dsa_coprocessor_prepare_sign(&request, SET, 0, 0, 0, &what, signature, sizeof signature);
}

static void lengths_and_pointers(ml_dsa_coprocessor *device) {
  const ml_dsa_coprocessor_what what = ML_DSA_COPROCESSOR_TEXT(text, 3);
  const ml_dsa_coprocessor_what nothing = ML_DSA_COPROCESSOR_TEXT(0, 3);
  ml_dsa_coprocessor_request request;
  expect("no device", ml_dsa_coprocessor_keygen(0, SET, seed, pk, sizeof pk, sk, sizeof sk),
         NTTFORGE_ARGUMENT);
  expect("no such set", ml_dsa_coprocessor_keygen(device, 3, seed, pk, sizeof pk, sk, sizeof sk),
         NTTFORGE_ARGUMENT);
  expect("pk null", ml_dsa_coprocessor_keygen(device, SET, seed, 0, sizeof pk, sk, sizeof sk),
         NTTFORGE_ARGUMENT);
  expect("short sk", ml_dsa_coprocessor_keygen(device, SET, seed, pk, sizeof pk, sk, sizeof sk - 1),
         NTTFORGE_LENGTH);
  expect("nothing to sign", sign(device, 0), NTTFORGE_ARGUMENT);
  expect("nowhere to sign", sign(device, &nothing), NTTFORGE_ARGUMENT);
  expect("sk of another set",
         ml_dsa_coprocessor_sign(device, SET + 1, sk, sizeof sk, 0, &what, signature, sizeof signature),
         NTTFORGE_LENGTH);
  expect("long signature",
         ml_dsa_coprocessor_verify(device, SET, pk, sizeof pk, &what, signature, sizeof signature + 1),
         NTTFORGE_LENGTH);
  expect("pk null", ml_dsa_coprocessor_verify(device, SET, 0, sizeof pk, &what, signature, sizeof signature),
         NTTFORGE_ARGUMENT);
  expect("load nothing", ml_dsa_coprocessor_load(device, SET, 0, sizeof sk), NTTFORGE_ARGUMENT);
  expect("no pk", ml_dsa_coprocessor_load_seed(device, SET, seed, pk, 8), NTTFORGE_LENGTH);
  expect("long context", form(ML_DSA_COPROCESSOR_MESSAGE, 0, 256), NTTFORGE_LENGTH);
  expect("longest context", form(ML_DSA_COPROCESSOR_MESSAGE, 0, 255), 0);
  expect("another digest", form(ML_DSA_COPROCESSOR_SHA2_512, 32, 0), NTTFORGE_LENGTH);
  expect("a digest", form(ML_DSA_COPROCESSOR_SHA2_512, 64, 0), 0);
  expect("short mu", form(ML_DSA_COPROCESSOR_MU, 63, 0), NTTFORGE_LENGTH);
  expect("mu and context", form(ML_DSA_COPROCESSOR_MU, 64, 1), NTTFORGE_ARGUMENT);
  expect("M' and context", form(ML_DSA_COPROCESSOR_FORMATTED, 64, 1), NTTFORGE_ARGUMENT);
  expect("M' of a byte", form(ML_DSA_COPROCESSOR_FORMATTED, 1, 0), NTTFORGE_LENGTH);
  expect("no such form", form(ML_DSA_COPROCESSOR_FORMATTED + 1, 64, 0), NTTFORGE_ARGUMENT);
  expect("nor this", form(-1, 64, 0), NTTFORGE_ARGUMENT);
  /* What was refused cannot be queued, nor what has been queued. */
  expect("refused", ml_dsa_coprocessor_prepare_load(&request, SET, sk, 8), NTTFORGE_LENGTH);
  expect("submit it", ml_dsa_coprocessor_submit(device, &request), NTTFORGE_ARGUMENT);
  expect("prepare", ml_dsa_coprocessor_prepare_drop(&request), 0);
  expect("submit", ml_dsa_coprocessor_submit(device, &request), 0);
  expect("again", ml_dsa_coprocessor_submit(device, &request), NTTFORGE_ARGUMENT);
  expect("finish", ml_dsa_coprocessor_finish(device, &request), 0);
}

static void what_the_hardware_refuses(ml_dsa_coprocessor *device) {
  const ml_dsa_coprocessor_what what = ML_DSA_COPROCESSOR_TEXT(text, 3);
  uint8_t coefficient;
  expect("keygen", ml_dsa_coprocessor_keygen(device, SET, seed, pk, sizeof pk, sk, sizeof sk), 0);
  coefficient = sk[130];
  sk[130] = 0xff;
  memset(signature, 7, sizeof signature);
  expect("no key", sign(device, &what), KEY);
  if (!all_zero(signature, sizeof signature)) expect("outputs are cleared", 1, 0);
  expect("no key to load", ml_dsa_coprocessor_load(device, SET, sk, sizeof sk), KEY);
  sk[130] = coefficient;
  expect("none is loaded",
         ml_dsa_coprocessor_sign(device, SET, 0, 0, seed, &what, signature, sizeof signature), KEY);
  expect("then all is well", sign(device, &what), 0);
  expect("right", ml_dsa_coprocessor_verify(device, SET, pk, sizeof pk, &what, signature, sizeof signature), 0);
  signature[5] ^= 1;
  expect("wrong", ml_dsa_coprocessor_verify(device, SET, pk, sizeof pk, &what, signature, sizeof signature),
         ML_DSA_COPROCESSOR_RESULT_ERROR_SIGNATURE);
}

static void transfers_outlast_a_call(ml_dsa_coprocessor *first) {
  const ml_dsa_coprocessor_what what = ML_DSA_COPROCESSOR_TEXT(text, 3);
  static uint8_t refused[sizeof signature];
  const nttforge_io io = first->io;
  ml_dsa_coprocessor_streams streams = first->streams;
  ml_dsa_coprocessor device;
  dma_words = streams.pull;
  streams.pull = dma_pull;
  streams.stop = dma_stop;
  expect("open", ml_dsa_coprocessor_open(&device, &io, &streams), 0);
  expect("none is loaded",
         ml_dsa_coprocessor_sign(&device, SET, 0, 0, seed, &what, refused, sizeof refused), KEY);
  expect("the next one", sign(&device, &what), 0);
  if (!all_zero(refused, sizeof refused)) expect("outputs stay cleared", 1, 0);
  expect("none is loaded",
         ml_dsa_coprocessor_sign(&device, SET, 0, 0, seed, &what, refused, sizeof refused), KEY);
  signature[5] ^= 1;
  expect("wrong", ml_dsa_coprocessor_verify(&device, SET, pk, sizeof pk, &what, signature, sizeof signature),
         ML_DSA_COPROCESSOR_RESULT_ERROR_SIGNATURE);
}

/* Zeroized after some numbers of rounds: what follows is right, or says that the core is lost. */
static void a_core_that_is_zeroized(void) {
  const ml_dsa_coprocessor_what what = ML_DSA_COPROCESSOR_TEXT(text, 3);
  static uint8_t new_pk[sizeof pk], new_sk[sizeof sk];
  ml_dsa_coprocessor_request request;
  int at, rounds, next, result = NTTFORGE_PENDING, cut = 0;
  for (rounds = 0; result == NTTFORGE_PENDING; rounds += 15) {
    nttforge *core;
    ml_dsa_coprocessor *device;
    expect("open", nttforge_open(&core, 0), 0);
    device = nttforge_device(core);
    expect("prepare",
           ml_dsa_coprocessor_prepare_keygen(&request, SET, seed, new_pk, sizeof new_pk, new_sk,
                                             sizeof new_sk),
           0);
    expect("submit", ml_dsa_coprocessor_submit(device, &request), 0);
    for (at = 0; at < rounds && request.result == NTTFORGE_PENDING; ++at)
      (void)ml_dsa_coprocessor_advance(device);
    result = request.result;
    expect("zeroize", device->io.write(device->io.context, ML_DSA_COPROCESSOR_ZEROIZE, 1), 0);
    if (ml_dsa_coprocessor_finish(device, &request) != 0)
      expect("zeroized", request.result, ML_DSA_COPROCESSOR_RESULT_ERROR_ZEROIZED);
    next = sign(device, &what);
    if (next == NTTFORGE_LOST) ++cut;
    expect("the next one", next, request.result == 0 || next == 0 ? 0 : NTTFORGE_LOST);
    if (next == 0)
      expect("right",
             ml_dsa_coprocessor_verify(device, SET, pk, sizeof pk, &what, signature, sizeof signature),
             0);
    nttforge_close(core);
  }
  expect("moments", cut > 5, 1);
}

/* A platform whose hardware always says in its result that all is well. */
static nttforge_io real;

static int flatter(void *context, uint32_t address, uint32_t *value) {
  const int code = real.read(context, address, value);
  if (address == ML_DSA_COPROCESSOR_RESULT) *value &= ~ML_DSA_COPROCESSOR_RESULT_ERROR_MASK;
  return code;
}

static void a_result_alone_says_nothing(ml_dsa_coprocessor *device) {
  const ml_dsa_coprocessor_what what = ML_DSA_COPROCESSOR_TEXT(text, 3);
  real = device->io;
  device->io.read = flatter;
  expect("flattered",
         ml_dsa_coprocessor_verify(device, SET, pk, sizeof pk, &what, signature, sizeof signature),
         NTTFORGE_DEVICE);
  expect("it is lost", ml_dsa_coprocessor_drop(device), NTTFORGE_LOST);
}

int main(void) {
  nttforge *core;
  expect("open", nttforge_open(&core, 0), 0);
  lengths_and_pointers(nttforge_device(core));
  what_the_hardware_refuses(nttforge_device(core));
  transfers_outlast_a_call(nttforge_device(core));
  a_result_alone_says_nothing(nttforge_device(core));
  nttforge_close(core);
  a_core_that_is_zeroized();
  if (failures == 0) printf("all as documented\n");
  return failures != 0;
}
