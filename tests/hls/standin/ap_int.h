// SPDX-License-Identifier: Apache-2.0

/* A stand-in for the ap_int.h of HLS tools, where hls4ml's copy of the open one is not installed: of
 * ap_uint what a model of a black box calls, and no more. */
#ifndef STANDIN_AP_INT_H
#define STANDIN_AP_INT_H

#include <bitset>
#include <cstdint>

template <int W>
struct ap_uint {
  std::bitset<W> bits;

  struct part {
    ap_uint &of;
    int high, low;
    uint64_t to_uint64() const {
      uint64_t value = 0;
      for (int i = high; i >= low; --i) value = value << 1 | of.bits[i];
      return value;
    }
    void operator=(uint64_t value) {
      for (int i = low; i <= high; ++i, value >>= 1) of.bits[i] = value & 1;
    }
  };

  ap_uint(uint64_t value = 0) { range(W < 64 ? W - 1 : 63, 0) = value; }
  part range(int high, int low) { return part{*this, high, low}; }
  unsigned to_uint() const { return (unsigned)bits.to_ulong(); }
};

#endif
