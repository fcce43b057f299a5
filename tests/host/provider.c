// SPDX-License-Identifier: Apache-2.0
//
// A program that uses OpenSSL's KEMs and signatures, whichever provider has them: does what lines of
// its input say and prints a line each, "ok PUBLIC SECRET" in hexadecimal or "error REASON: DETAILS".
//
//   provider plain|threads|fibers|abandon|fork < lines of:
//     keygen NAME SEED | encaps NAME PUBLIC M | decaps NAME PRIVATE C | derive NAME PRIVATE |
//     repeat NAME SEED M | judge NAME KEY PART | share NAME PUBLIC ANOTHER |
//     write NAME PRIVATE RND | verify NAME PUBLIC SIGNATURE | belongs NAME PRIVATE PUBLIC
//
// Write signs "message" with the context "context", and verify judges that ("01" if it is right), in
// two pieces. Belongs says whether a key that is private alone matches a public one.
//
// Repeat makes two keys with one context and prints whether these differ, and the ciphertexts of two
// encapsulations with another. Judge has OpenSSL check a key, public (PART 00) or private (01), and
// prints what there is of it.
//
// A seed may be "-": drawn at random. One line after the other; each in a thread of its own; all as
// async jobs of one thread; the same, with every second one given up when it pauses first; in a
// child, when the parent has done them once (its random answers must differ). The last line is what
// the provider counted.

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

#include <openssl/async.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>

#include "hex.h"
#include "provider_counts.h"

enum { MOST = 64, LONGEST = 5120 };

typedef struct work {
  char what[16], name[32], said[256];
  uint8_t in[2][LONGEST], out[2][LONGEST];
  size_t in_bytes[2], out_bytes[2];
  pthread_t thread;
  ASYNC_JOB *job;
  ASYNC_WAIT_CTX *waits;
  int over, good;
} work;

static work all[MOST];
static int given;
static OSSL_PROVIDER *ours;

static int keygen(work *at) {
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(0, at->name, 0);
  EVP_PKEY *pair = 0;
  OSSL_PARAM params[2] = {OSSL_PARAM_END, OSSL_PARAM_END};
  int good;
  if (at->in_bytes[0] != 0)
    params[0] = OSSL_PARAM_construct_octet_string("seed", at->in[0], at->in_bytes[0]);
  good = context != 0 && EVP_PKEY_keygen_init(context) > 0 &&
         EVP_PKEY_CTX_set_params(context, params) > 0 && EVP_PKEY_generate(context, &pair) > 0 &&
         EVP_PKEY_get_octet_string_param(pair, OSSL_PKEY_PARAM_PUB_KEY, at->out[0], LONGEST,
                                         &at->out_bytes[0]) &&
         EVP_PKEY_get_octet_string_param(pair, OSSL_PKEY_PARAM_PRIV_KEY, at->out[1], LONGEST,
                                         &at->out_bytes[1]);
  EVP_PKEY_free(pair);
  EVP_PKEY_CTX_free(context);
  return good;
}

static EVP_PKEY *import(work *at, const char *part, int selection) {
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(0, at->name, 0);
  EVP_PKEY *made = 0;
  OSSL_PARAM params[2] = {OSSL_PARAM_END, OSSL_PARAM_END};
  params[0] = OSSL_PARAM_construct_octet_string(part, at->in[0], at->in_bytes[0]);
  if (context == 0 || EVP_PKEY_fromdata_init(context) <= 0 ||
      EVP_PKEY_fromdata(context, &made, selection, params) <= 0)
    made = 0;
  EVP_PKEY_CTX_free(context);
  return made;
}

static int encaps(work *at) {
  EVP_PKEY *key = import(at, OSSL_PKEY_PARAM_PUB_KEY, EVP_PKEY_PUBLIC_KEY);
  EVP_PKEY_CTX *context = key == 0 ? 0 : EVP_PKEY_CTX_new_from_pkey(0, key, 0);
  OSSL_PARAM params[2] = {OSSL_PARAM_END, OSSL_PARAM_END};
  int good;
  if (at->in_bytes[1] != 0)
    params[0] = OSSL_PARAM_construct_octet_string("ikme", at->in[1], at->in_bytes[1]);
  good = context != 0 && EVP_PKEY_encapsulate_init(context, params) > 0 &&
         EVP_PKEY_encapsulate(context, 0, &at->out_bytes[0], 0, &at->out_bytes[1]) > 0 &&
         EVP_PKEY_encapsulate(context, at->out[0], &at->out_bytes[0], at->out[1],
                              &at->out_bytes[1]) > 0;
  EVP_PKEY_CTX_free(context);
  EVP_PKEY_free(key);
  return good;
}

static int decaps(work *at) {
  EVP_PKEY *key = import(at, OSSL_PKEY_PARAM_PRIV_KEY, EVP_PKEY_KEYPAIR);
  EVP_PKEY *copy = key == 0 ? 0 : EVP_PKEY_dup(key);
  EVP_PKEY_CTX *context = copy == 0 ? 0 : EVP_PKEY_CTX_new_from_pkey(0, copy, 0);
  int good = context != 0 && EVP_PKEY_eq(key, copy) == 1 &&
             EVP_PKEY_decapsulate_init(context, 0) > 0 &&
             EVP_PKEY_decapsulate(context, 0, &at->out_bytes[1], at->in[1], at->in_bytes[1]) > 0 &&
             EVP_PKEY_decapsulate(context, at->out[1], &at->out_bytes[1], at->in[1],
                                  at->in_bytes[1]) > 0;
  EVP_PKEY_CTX_free(context);
  EVP_PKEY_free(copy);
  EVP_PKEY_free(key);
  return good;
}

/* The public key of a private one. */
static int derive(work *at) {
  EVP_PKEY *key = import(at, OSSL_PKEY_PARAM_PRIV_KEY, EVP_PKEY_KEYPAIR);
  int good = key != 0 && EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, at->out[0],
                                                         LONGEST, &at->out_bytes[0]);
  EVP_PKEY_free(key);
  return good;
}

/* What was given for one operation may not come back in the next. */
static int repeat(work *at) {
  EVP_PKEY_CTX *makes = EVP_PKEY_CTX_new_from_name(0, at->name, 0), *context = 0;
  EVP_PKEY *pairs[2] = {0, 0};
  OSSL_PARAM params[2] = {OSSL_PARAM_END, OSSL_PARAM_END};
  size_t sizes[2] = {LONGEST, LONGEST};
  uint8_t c[2][LONGEST], secret[2][64];
  int good, i;
  params[0] = OSSL_PARAM_construct_octet_string("seed", at->in[0], at->in_bytes[0]);
  good = makes != 0 && EVP_PKEY_keygen_init(makes) > 0 && EVP_PKEY_CTX_set_params(makes, params) > 0 &&
         EVP_PKEY_generate(makes, &pairs[0]) > 0 && EVP_PKEY_generate(makes, &pairs[1]) > 0;
  params[0] = OSSL_PARAM_construct_octet_string("ikme", at->in[1], at->in_bytes[1]);
  if (good) context = EVP_PKEY_CTX_new_from_pkey(0, pairs[0], 0);
  good = context != 0 && EVP_PKEY_encapsulate_init(context, params) > 0;
  for (i = 0; good && i < 2; ++i) {
    sizes[0] = LONGEST;
    sizes[1] = sizeof secret[i];
    good = EVP_PKEY_encapsulate(context, c[i], &sizes[0], secret[i], &sizes[1]) > 0;
  }
  if (good) {
    at->out[0][0] = EVP_PKEY_eq(pairs[0], pairs[1]) != 1;
    at->out[1][0] = memcmp(c[0], c[1], sizes[0]) != 0 && memcmp(secret[0], secret[1], sizes[1]) != 0;
    at->out_bytes[0] = at->out_bytes[1] = 1;
  }
  for (i = 0; i < 2; ++i) EVP_PKEY_free(pairs[i]);
  EVP_PKEY_CTX_free(context);
  EVP_PKEY_CTX_free(makes);
  return good;
}

static int judge(work *at) {
  const int private = at->in[1][0];
  EVP_PKEY *key = private ? import(at, OSSL_PKEY_PARAM_PRIV_KEY, EVP_PKEY_KEYPAIR)
                          : import(at, OSSL_PKEY_PARAM_PUB_KEY, EVP_PKEY_PUBLIC_KEY);
  EVP_PKEY_CTX *context = key == 0 ? 0 : EVP_PKEY_CTX_new_from_pkey(0, key, 0);
  OSSL_PARAM *all = 0;
  const OSSL_PARAM *part;
  int good = context != 0 && EVP_PKEY_todata(key, EVP_PKEY_KEYPAIR, &all) > 0 &&
             (private ? EVP_PKEY_check(context) : EVP_PKEY_public_check(context)) == 1;
  for (part = all; good && part->key != 0; ++part) {
    const int i = strcmp(part->key, OSSL_PKEY_PARAM_PRIV_KEY) == 0;
    memcpy(at->out[i], part->data, part->data_size);
    at->out_bytes[i] = part->data_size;
  }
  OSSL_PARAM_free(all);
  EVP_PKEY_CTX_free(context);
  EVP_PKEY_free(key);
  return good;
}

static int share(work *at) {
  EVP_PKEY *key = import(at, OSSL_PKEY_PARAM_PUB_KEY, EVP_PKEY_PUBLIC_KEY);
  int good = key != 0;
  at->out[1][0] = good && EVP_PKEY_set1_encoded_public_key(key, at->in[1], at->in_bytes[1]) > 0;
  at->out_bytes[1] = 1;
  good = good && EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, at->out[0], LONGEST,
                                                 &at->out_bytes[0]);
  EVP_PKEY_free(key);
  return good;
}

/* Begins what is done with a key and "message" under "context". */
static EVP_MD_CTX *begin(EVP_PKEY *key, const uint8_t *random, size_t random_bytes) {
  EVP_MD_CTX *state = EVP_MD_CTX_new();
  EVP_PKEY_CTX *context = 0;
  OSSL_PARAM params[3] = {OSSL_PARAM_END, OSSL_PARAM_END, OSSL_PARAM_END};
  const int signs = random_bytes != 0;
  params[0] = OSSL_PARAM_construct_octet_string("context-string", "context", 7);
  if (signs)
    params[1] = OSSL_PARAM_construct_octet_string("test-entropy", (void *)random, random_bytes);
  if (key != 0 && state != 0 &&
      (signs ? EVP_DigestSignInit(state, &context, 0, 0, key)
             : EVP_DigestVerifyInit(state, &context, 0, 0, key)) > 0 &&
      EVP_PKEY_CTX_set_params(context, params) > 0)
    return state;
  EVP_MD_CTX_free(state);
  return 0;
}

static int write_signature(work *at) {
  EVP_PKEY *key = import(at, OSSL_PKEY_PARAM_PRIV_KEY, EVP_PKEY_KEYPAIR);
  EVP_MD_CTX *state = begin(key, at->in[1], at->in_bytes[1]);
  size_t bytes = 0;
  int good = state != 0 && EVP_DigestSign(state, 0, &bytes, (const uint8_t *)"message", 7) > 0;
  at->out_bytes[0] = bytes;
  good = good && EVP_DigestSign(state, at->out[0], &at->out_bytes[0], (const uint8_t *)"message",
                                7) > 0;
  EVP_MD_CTX_free(state);
  EVP_PKEY_free(key);
  return good && at->out_bytes[0] == bytes;
}

static int verify(work *at) {
  EVP_PKEY *key = import(at, OSSL_PKEY_PARAM_PUB_KEY, EVP_PKEY_PUBLIC_KEY);
  EVP_MD_CTX *state = begin(key, 0, 0);
  int good = state != 0 && EVP_DigestVerifyUpdate(state, "mess", 4) > 0 &&
             EVP_DigestVerifyUpdate(state, "age", 3) > 0;
  at->out[0][0] = good && EVP_DigestVerifyFinal(state, at->in[1], at->in_bytes[1]) == 1;
  at->out_bytes[0] = 1;
  good = good && ERR_peek_error() == 0; /* what is wrong is no error */
  EVP_MD_CTX_free(state);
  EVP_PKEY_free(key);
  return good;
}

static int belongs(work *at) {
  EVP_PKEY *one = import(at, OSSL_PKEY_PARAM_PRIV_KEY, EVP_PKEY_KEYPAIR), *two;
  memcpy(at->in[0], at->in[1], at->in_bytes[1]);
  at->in_bytes[0] = at->in_bytes[1];
  two = import(at, OSSL_PKEY_PARAM_PUB_KEY, EVP_PKEY_PUBLIC_KEY);
  at->out[0][0] = one != 0 && two != 0 && EVP_PKEY_eq(one, two) == 1;
  at->out_bytes[0] = 1;
  EVP_PKEY_free(one);
  EVP_PKEY_free(two);
  return one != 0 && two != 0;
}

static void done(work *at) {
  const char *details = "";
  int flags = 0;
  unsigned long error;
  at->good = at->what[0] == 'k'   ? keygen(at)
             : at->what[0] == 'e' ? encaps(at)
             : at->what[0] == 'r' ? repeat(at)
             : at->what[0] == 'j' ? judge(at)
             : at->what[0] == 's' ? share(at)
             : at->what[0] == 'w' ? write_signature(at)
             : at->what[0] == 'v' ? verify(at)
             : at->what[0] == 'b' ? belongs(at)
             : at->what[1] == 'e' && at->what[2] == 'r' ? derive(at)
                                                        : decaps(at);
  if (!at->good) {
    error = ERR_get_error_all(0, 0, 0, &details, &flags);
    (void)snprintf(at->said, sizeof at->said, "%s: %s", ERR_reason_error_string(error), details);
    ERR_clear_error(); /* fibers of a thread have one queue */
  }
  at->over = 1;
}

static int as_fiber(void *argument) {
  done(*(work **)argument);
  return 1;
}

static void *as_thread(void *argument) {
  done((work *)argument);
  return 0;
}

/* Waits as an event loop does. */
static void wait_for(ASYNC_WAIT_CTX *waits) {
  OSSL_ASYNC_FD descriptor;
  size_t count = 1;
  fd_set set;
  if (!ASYNC_WAIT_CTX_get_all_fds(waits, 0, &count) || count != 1) exit(5);
  (void)ASYNC_WAIT_CTX_get_all_fds(waits, &descriptor, &count);
  FD_ZERO(&set);
  FD_SET(descriptor, &set);
  (void)select(descriptor + 1, &set, 0, 0, 0);
}

static void fibers(int abandon) {
  int left = given, i, result;
  for (i = 0; i < given; ++i) all[i].waits = ASYNC_WAIT_CTX_new();
  while (left != 0) {
    for (i = 0; i < given; ++i) {
      work *at = &all[i];
      if (at->waits == 0) continue;
      if (at->job != 0) wait_for(at->waits);
      switch (ASYNC_start_job(&at->job, at->waits, &result, as_fiber, &at, sizeof at)) {
        case ASYNC_PAUSE:
          if (!abandon || i % 2 == 0) continue;
          (void)snprintf(at->said, sizeof at->said, "given up");
          break;
        case ASYNC_FINISH: break;
        default: exit(6);
      }
      ASYNC_WAIT_CTX_free(at->waits);
      at->waits = 0;
      --left;
    }
  }
}

static void plain(void) {
  int i;
  for (i = 0; i < given; ++i) done(&all[i]);
}

static void print(void) {
  int i;
  for (i = 0; i < given; ++i) {
    const work *at = &all[i];
    printf(at->good ? "ok" : "error %s", at->said);
    if (at->good) {
      print_hex(at->out[0], at->out_bytes[0]);
      print_hex(at->out[1], at->out_bytes[1]);
    }
    printf("\n");
  }
  print_counts(ours);
}

int main(int count, char **words) {
  static char first[2 * LONGEST], second[2 * LONGEST];
  OSSL_PROVIDER *standard;
  int i;
  if (count != 2) return 2;
  ours = OSSL_PROVIDER_load(0, "nttforge-pqc");
  standard = OSSL_PROVIDER_load(0, "default");
  if (ours == 0 || standard == 0) {
    ERR_print_errors_fp(stderr);
    return 3;
  }
  for (; given < MOST; ++given) {
    work *at = &all[given];
    if (scanf("%15s %31s %10239s %10239s", at->what, at->name, first, second) != 4) break;
    at->in_bytes[0] = from_hex(first, at->in[0], LONGEST);
    at->in_bytes[1] = from_hex(second, at->in[1], LONGEST);
  }
  if (strcmp(words[1], "plain") == 0) {
    plain();
  } else if (strcmp(words[1], "threads") == 0) {
    for (i = 0; i < given; ++i)
      if (pthread_create(&all[i].thread, 0, as_thread, &all[i]) != 0) return 4;
    for (i = 0; i < given; ++i) (void)pthread_join(all[i].thread, 0);
  } else if (strcmp(words[1], "fork") == 0) {
    pid_t child;
    plain();
    print();
    (void)fflush(stdout);
    child = fork();
    if (child != 0) return waitpid(child, &i, 0) != child || i != 0;
    plain();
  } else {
    fibers(strcmp(words[1], "abandon") == 0);
  }
  print();
  (void)fflush(stdout);
  if (strcmp(words[1], "abandon") == 0) _exit(0); /* OpenSSL cannot free fibers that never end */
  OSSL_PROVIDER_unload(standard);
  OSSL_PROVIDER_unload(ours);
  return 0;
}
