// SPDX-License-Identifier: Apache-2.0
//
// Transfers that outlast a call, as a DMA's do: a platform's own `pull`, after one.

#include <stdint.h>

static int32_t (*dma_words)(void *context, int port, uint8_t *data, uint32_t bytes);
static struct {
  uint8_t *to;
  uint32_t bytes, done;
} dma[2];

static int32_t dma_pull(void *context, int port, uint8_t *data, uint32_t bytes) {
  if (dma[port].bytes == 0) {
    dma[port].to = data;
    dma[port].bytes = bytes;
    dma[port].done = 0;
    return 0;
  }
  dma[port].done += (uint32_t)dma_words(context, port, dma[port].to + dma[port].done,
                                        dma[port].bytes - dma[port].done);
  if (dma[port].done < dma[port].bytes) return 0;
  dma[port].bytes = 0;
  return (int32_t)bytes;
}

static void dma_stop(void *context) {
  (void)context;
  dma[0].bytes = dma[1].bytes = 0;
}
