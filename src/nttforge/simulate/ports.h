// SPDX-License-Identifier: Apache-2.0
//
// Access to ports of any width.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace {

template <typename T>
using Plain = std::remove_cv_t<std::remove_reference_t<T>>;

// Ports are unsigned integers of 8 to 64 bits, or VlWide beyond; words are of 32 bits.
template <typename T>
constexpr size_t port_words() {
    return sizeof(T) <= 4 ? 1 : sizeof(T) / 4;
}

template <typename T>
void drive(T& port, const uint32_t* words) {
    if constexpr (std::is_integral_v<T>) {
        uint64_t value = words[0];
        if constexpr (sizeof(T) == 8) value |= static_cast<uint64_t>(words[1]) << 32;
        port = static_cast<T>(value);
    } else {
        for (size_t i = 0; i < port_words<T>(); ++i) port[i] = words[i];
    }
}

template <typename T>
void sample(const T& port, uint32_t* words) {
    if constexpr (std::is_integral_v<T>) {
        words[0] = static_cast<uint32_t>(port);
        if constexpr (sizeof(T) == 8) words[1] = static_cast<uint32_t>(port >> 32);
    } else {
        for (size_t i = 0; i < port_words<T>(); ++i) words[i] = port[i];
    }
}

// Copies `bits` bits between a beat (32-bit words) and a coefficient (64-bit limbs).
void insert_bits(uint32_t* beat, uint64_t offset, const uint64_t* limbs, uint64_t bits) {
    for (uint64_t done = 0; done < bits;) {
        const uint64_t at = offset + done, shift = at % 32;
        uint64_t count = 32 - shift;
        if (count > bits - done) count = bits - done;
        if (count > 64 - done % 64) count = 64 - done % 64;
        const uint64_t mask = (uint64_t{1} << count) - 1;
        beat[at / 32] |= static_cast<uint32_t>((limbs[done / 64] >> (done % 64) & mask) << shift);
        done += count;
    }
}

void extract_bits(const uint32_t* beat, uint64_t offset, uint64_t* limbs, uint64_t bits) {
    for (uint64_t done = 0; done < bits;) {
        const uint64_t at = offset + done, shift = at % 32;
        uint64_t count = 32 - shift;
        if (count > bits - done) count = bits - done;
        if (count > 64 - done % 64) count = 64 - done % 64;
        const uint64_t mask = (uint64_t{1} << count) - 1;
        limbs[done / 64] |= (static_cast<uint64_t>(beat[at / 32] >> shift) & mask) << (done % 64);
        done += count;
    }
}

}  // namespace
