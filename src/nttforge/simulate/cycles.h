// SPDX-License-Identifier: Apache-2.0
//
// What cycle_ports.cpp needs that is the same for all models.
#pragma once

#include <cstdint>
#include <string>

#include "verilated.h"

// What a configuration file made public: a line each, of name, bits and address.
std::string nttforge_registers(VerilatedContext& context);

// A host that reacts to the model, of which Python (word_streams.py) has the same structs.
extern "C" {

constexpr uint64_t kLimbs = 2, kMostLimbs = 64;  // of 64 bits, of a word: at least, and at most

// Those of a word of so many bits.
constexpr uint64_t limbs_of(uint64_t bits) { return bits > 64 * kLimbs ? (bits + 63) / 64 : kLimbs; }

// A stream into the model: words that are offered from a cycle on, and held until they are taken.
struct Feed {
    uint64_t valid, ready;  // their bits in the vectors of inputs and outputs
    uint64_t data, bits;    // where a word is, and its width
    uint64_t awaited;       // nothing is over while a word of it is left
    uint64_t count, taken;  // words
    const uint64_t* words;
    const uint64_t* from;  // the first cycle in which each may be offered
};

// A stream out of the model: what came, and whether it is what was expected.
struct Drain {
    uint64_t valid, ready, data, bits;
    uint64_t pattern;      // of 64 cycles: in which of them the host is ready
    uint64_t room, came;   // words
    uint64_t* words;       // `room` of them
    uint64_t expected;     // words, if any are compared
    const uint64_t* right; // `expected` of them
};

struct Play {
    uint64_t feeds, drains;
    Feed* feed;
    Drain* drain;
    uint64_t cycle, limit;  // the cycle to go on with, and the first one that is not simulated
    uint64_t idle, rest;    // an output, and for how many cycles it is high when all is over
    uint64_t alert;         // an output, and in how many cycles it was high
    uint64_t alerts;
    uint64_t differs;  // a word that came was not the one expected
    // Every so many cycles the state is written to `written`, if that is not null, or compared.
    uint64_t every;
    uint8_t* written;
    const uint8_t* golden;
    uint64_t states;            // how many there are, or have room
    uint64_t* places;           // of each state: words taken and come, by stream
    uint64_t resting;           // for how many cycles it has been idle
};

enum PlayEnd : uint64_t { kLimit, kOver, kGolden };
}
