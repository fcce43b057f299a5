// SPDX-License-Identifier: Apache-2.0
//
// A TLS server of one thread, whose connections wait for the core in OpenSSL's async jobs: sends
// each line back reversed, as `s_server -rev` does, which cannot do that with async jobs.
//
//   async_server CERTIFICATE KEY COUNT     prints its address; what the provider counted in the end

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <openssl/async.h>
#include <openssl/err.h>
#include <openssl/provider.h>
#include <openssl/ssl.h>

#include "provider_counts.h"

enum { MOST = 64, LONGEST = 256 };

typedef struct connection {
  SSL *link; /* null: free */
  int socket, greeted, got;
  char line[LONGEST];
  struct pollfd waits;
} connection;

static connection all[MOST];

static void end(connection *at) {
  SSL_free(at->link);
  (void)close(at->socket);
  memset(at, 0, sizeof *at);
}

/* What to wait for; 0 if the connection is over. */
static int waits_for(connection *at, int result) {
  size_t count = 1;
  at->waits.fd = at->socket;
  at->waits.events = POLLIN;
  switch (SSL_get_error(at->link, result)) {
    case SSL_ERROR_WANT_READ: return 1;
    case SSL_ERROR_WANT_WRITE: at->waits.events = POLLOUT; return 1;
    case SSL_ERROR_WANT_ASYNC:
      return SSL_get_all_async_fds(at->link, 0, &count) && count == 1 &&
             SSL_get_all_async_fds(at->link, &at->waits.fd, &count);
    default: return 0;
  }
}

/* As far as it goes; 0 if the connection is over. */
static int step(connection *at) {
  int result, i;
  ERR_clear_error();
  if (!at->greeted) {
    result = SSL_accept(at->link);
    if (result <= 0) {
      if (waits_for(at, result)) return 1;
      ERR_print_errors_fp(stderr);
      return 0;
    }
    at->greeted = 1;
  }
  while (at->got == 0 || at->line[at->got - 1] != '\n') {
    result = SSL_read(at->link, at->line + at->got, LONGEST - at->got);
    if (result <= 0) return waits_for(at, result);
    at->got += result;
  }
  for (i = 0; i < (at->got - 1) / 2; ++i) {
    const char kept = at->line[i];
    at->line[i] = at->line[at->got - 2 - i];
    at->line[at->got - 2 - i] = kept;
  }
  (void)SSL_write(at->link, at->line, at->got);
  (void)SSL_shutdown(at->link);
  return 0;
}

static int listening(void) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t bytes = sizeof address;
  const int made = socket(AF_INET, SOCK_STREAM, 0);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (made < 0 || bind(made, (struct sockaddr *)&address, sizeof address) != 0 ||
      listen(made, MOST) != 0 || getsockname(made, (struct sockaddr *)&address, &bytes) != 0)
    exit(3);
  printf("127.0.0.1:%u\n", (unsigned)ntohs(address.sin_port));
  (void)fflush(stdout);
  return made;
}

int main(int count, char **words) {
  OSSL_PROVIDER *ours = OSSL_PROVIDER_load(0, "nttforge-pqc");
  OSSL_PROVIDER *standard = OSSL_PROVIDER_load(0, "default");
  SSL_CTX *context = SSL_CTX_new(TLS_server_method());
  int listener, left, coming, i;
  if (count != 4 || ours == 0 || standard == 0 || context == 0 ||
      !SSL_CTX_set1_groups_list(context, "X25519MLKEM768") ||
      SSL_CTX_use_certificate_file(context, words[1], SSL_FILETYPE_PEM) <= 0 ||
      SSL_CTX_use_PrivateKey_file(context, words[2], SSL_FILETYPE_PEM) <= 0) {
    ERR_print_errors_fp(stderr);
    return 2;
  }
  (void)SSL_CTX_set_mode(context, SSL_MODE_ASYNC);
  coming = left = atoi(words[3]);
  listener = listening();
  while (left > 0) {
    struct pollfd waits[MOST + 1];
    int at[MOST + 1], waiting = 0, free_place = -1;
    for (i = 0; i < MOST; ++i) {
      if (all[i].link == 0) {
        free_place = i;
        continue;
      }
      at[waiting] = i;
      waits[waiting++] = all[i].waits;
    }
    if (coming > 0 && free_place >= 0) {
      waits[waiting].fd = listener;
      waits[waiting].events = POLLIN;
      at[waiting++] = -1;
    }
    if (poll(waits, (nfds_t)waiting, 60000) <= 0) return 5;
    for (i = 0; i < waiting; ++i) {
      connection *one = &all[at[i] < 0 ? free_place : at[i]];
      if (waits[i].revents == 0) continue;
      if (at[i] < 0) {
        one->socket = accept(listener, 0, 0);
        one->link = SSL_new(context);
        if (one->socket < 0 || one->link == 0 || fcntl(one->socket, F_SETFL, O_NONBLOCK) != 0 ||
            !SSL_set_fd(one->link, one->socket))
          return 6;
        --coming;
      }
      if (!step(one)) {
        end(one);
        --left;
      }
    }
  }
  print_counts(ours);
  (void)close(listener);
  SSL_CTX_free(context);
  OSSL_PROVIDER_unload(standard);
  OSSL_PROVIDER_unload(ours);
  return 0;
}
