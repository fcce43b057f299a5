// SPDX-License-Identifier: Apache-2.0
//
// What Verilator's writer of FST files needs of the library of this name: a block that any reader
// of the LZ4 format understands (lz4_Block_format.md). Not every machine has that library's header.
// Repetitions are found by a table of the last place of each four bytes, and taken as they come.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

inline int LZ4_compressBound(int size) { return size + size / 255 + 16; }

inline int LZ4_compress_default(const char* from, char* to, int size, int) {
    constexpr int kLeast = 4, kTail = 12, kFar = 65535, kLast = 5;
    std::vector<int> last(1 << 12, -1);
    const char* const begin = to;
    const auto word = [&](int at) {
        uint32_t value;
        std::memcpy(&value, from + at, sizeof value);
        return value;
    };
    const auto rest = [&](int length) {  // of a length of 15 or more
        for (length -= 15; length >= 255; length -= 255) *to++ = static_cast<char>(255);
        *to++ = static_cast<char>(length);
    };
    // Bytes as they are, then `match` bytes that were there `far` bytes ago.
    const auto put = [&](int at, int literals, int match, int far) {
        const int high = literals < 15 ? literals : 15;
        const int low = match == 0 ? 0 : match - kLeast < 15 ? match - kLeast : 15;
        *to++ = static_cast<char>(high << 4 | low);
        if (high == 15) rest(literals);
        std::memcpy(to, from + at, static_cast<size_t>(literals));
        to += literals;
        if (match == 0) return;
        *to++ = static_cast<char>(far & 255);
        *to++ = static_cast<char>(far >> 8);
        if (low == 15) rest(match - kLeast);
    };
    int done = 0;
    for (int at = 0; at + kTail <= size;) {
        const uint32_t here = word(at);
        int& slot = last[here * 2654435761u >> 20];
        const int before = slot;
        slot = at;
        if (before < 0 || at - before > kFar || word(before) != here) {
            ++at;
            continue;
        }
        int match = kLeast;
        while (at + match < size - kLast && from[before + match] == from[at + match]) ++match;
        put(done, at - done, match, at - before);
        done = at += match;
    }
    put(done, size - done, 0, 0);
    return static_cast<int>(to - begin);
}
