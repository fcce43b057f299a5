// SPDX-License-Identifier: Apache-2.0
//
// Steps a verilated wrapper cycle by cycle: all its inputs are one vector, all its outputs another.
// Python (simulate/cycles.py) writes the wrapper and names the fields of the vectors. What needs no
// types of the model is in cycles.cpp.

#include <cstring>

#include "Vdut.h"
#include "Vdut___024root.h"
#include "Vdut__Syms.h"
#include "cycles.h"
#include "ports.h"

// Verilator's own, which it calls once: what is combinational, from all that is not.
void Vdut___024root___eval_settle(Vdut___024root* self);

namespace {

struct Model {
    VerilatedContext context;
    std::string registers;
    std::unique_ptr<Vdut> dut;
    Model() {
        context.threads(1);
        context.randReset(2);
        dut = std::make_unique<Vdut>(&context);
        reset();
    }
    // Verilator takes scopes out of the context that the thread used last: another's may be gone.
    ~Model() { Verilated::threadContextp(&context); }
    void reset() {
        dut->clk_i = 0;
        dut->rst_ni = 1;
        dut->eval();
        dut->rst_ni = 0;
        dut->eval();
        for (int i = 0; i < 4; ++i) tick();
        dut->rst_ni = 1;
        dut->eval();
    }
    void tick() {
        dut->clk_i = 1;
        dut->eval();
        dut->clk_i = 0;
        dut->eval();
    }
};

bool output(const Vdut& dut, uint64_t at) { return dut.out_o[at / 32] >> at % 32 & 1; }

// Whether the streams are at the places that these are.
bool same_places(const Play& play, const uint64_t* places) {
    for (uint64_t f = 0; f < play.feeds; ++f) {
        if (play.feed[f].taken != *places++) return false;
    }
    for (uint64_t d = 0; d < play.drains; ++d) {
        if (play.drain[d].came != *places++) return false;
    }
    return true;
}

// Writes the state and the places of the streams, or says whether all goes on as it did then.
bool checkpoint(Play& play, const void* state) {
    const uint64_t number = play.cycle / play.every, size = sizeof(Vdut__Syms);
    if (number >= play.states) return false;
    uint64_t* places = play.places + number * (play.feeds + play.drains + 1);
    if (play.written) {
        std::memcpy(play.written + number * size, state, size);
        for (uint64_t f = 0; f < play.feeds; ++f) *places++ = play.feed[f].taken;
        for (uint64_t d = 0; d < play.drains; ++d) *places++ = play.drain[d].came;
        *places = play.resting;
        return false;
    }
    return play.golden && !play.differs && !play.alerts && same_places(play, places) &&
           !std::memcmp(play.golden + number * size, state, size);
}

// What the host drives in this cycle.
void drive_streams(const Play& play, Vdut& dut) {
    const uint64_t one = 1;
    std::memset(&dut.in_i, 0, sizeof dut.in_i);
    uint32_t* in = dut.in_i.data();
    for (uint64_t f = 0; f < play.feeds; ++f) {
        const Feed& feed = play.feed[f];
        if (feed.taken >= feed.count || play.cycle < feed.from[feed.taken]) continue;
        insert_bits(in, feed.valid, &one, 1);
        insert_bits(in, feed.data, feed.words + feed.taken * limbs_of(feed.bits), feed.bits);
    }
    for (uint64_t d = 0; d < play.drains; ++d) {
        const uint64_t ready = play.drain[d].pattern >> play.cycle % 64 & 1;
        insert_bits(in, play.drain[d].ready, &ready, 1);
    }
}

// What comes of this cycle: words that were taken and that came. Whether all words have been taken.
bool see_streams(Play& play, const Vdut& dut) {
    bool all = true;
    for (uint64_t f = 0; f < play.feeds; ++f) {
        Feed& feed = play.feed[f];
        const bool offered = feed.taken < feed.count && play.cycle >= feed.from[feed.taken];
        feed.taken += offered && output(dut, feed.ready);
        all &= !feed.awaited || feed.taken == feed.count;
    }
    for (uint64_t d = 0; d < play.drains; ++d) {
        Drain& drain = play.drain[d];
        if (!(drain.pattern >> play.cycle % 64 & 1) || !output(dut, drain.valid)) continue;
        uint64_t word[kMostLimbs] = {};
        const uint64_t limbs = limbs_of(drain.bits), bytes = limbs * sizeof *word;
        extract_bits(dut.out_o.data(), drain.data, word, drain.bits);
        if (drain.right) {
            play.differs |= drain.came >= drain.expected ||
                            std::memcmp(drain.right + drain.came * limbs, word, bytes);
        }
        if (drain.came < drain.room) std::memcpy(drain.words + drain.came * limbs, word, bytes);
        ++drain.came;
    }
    return all;
}

}  // namespace

extern "C" {

void* nttforge_cycles_open() { return new Model; }
void nttforge_cycles_close(void* model) { delete static_cast<Model*>(model); }
void nttforge_cycles_reset(void* model) { static_cast<Model*>(model)->reset(); }
uint64_t nttforge_cycles_in_bytes() { return sizeof(Vdut::in_i); }
uint64_t nttforge_cycles_out_bytes() { return sizeof(Vdut::out_o); }

// All of the model's memory: every register, memory and wire of the design.
const void* nttforge_cycles_state(void* model) {
    return static_cast<Model*>(model)->dut->rootp->vlSymsp;
}
uint64_t nttforge_cycles_state_bytes() { return sizeof(Vdut__Syms); }

// What a configuration file made public: a line each, of name, bits and address.
const char* nttforge_cycles_registers(void* handle) {
    Model& model = *static_cast<Model*>(handle);
    model.registers = nttforge_registers(model.context);
    return model.registers.c_str();
}

// Runs `count` cycles: in[c] is driven, out[c] is what is seen before the clock's edge.
void nttforge_cycles_run(void* handle, uint64_t count, const uint8_t* in, uint8_t* out) {
    Model& model = *static_cast<Model*>(handle);
    Vdut& dut = *model.dut;
    for (uint64_t c = 0; c < count; ++c) {
        std::memcpy(&dut.in_i, in + c * sizeof dut.in_i, sizeof dut.in_i);
        dut.eval();
        std::memcpy(out + c * sizeof dut.out_o, &dut.out_o, sizeof dut.out_o);
        model.tick();
    }
}

// Runs `count` cycles at most, until a bit of `watched` is seen: in[c] is driven, or one vector all the
// time if `stride` is 0. Returns how many it were; `out` is what was seen in the last one, `tally` says in
// how many of them a bit of `counted` was seen.
uint64_t nttforge_cycles_until(void* handle, uint64_t count, const uint8_t* in, uint64_t stride,
                               const uint8_t* watched, const uint8_t* counted, uint8_t* out,
                               uint64_t* tally) {
    Model& model = *static_cast<Model*>(handle);
    Vdut& dut = *model.dut;
    const auto seen = [out](const uint8_t* bits) {
        for (size_t b = 0; b < sizeof dut.out_o; ++b) {
            if (out[b] & bits[b]) return true;
        }
        return false;
    };
    *tally = 0;
    for (uint64_t c = 0; c < count; ++c) {
        std::memcpy(&dut.in_i, in + c * stride, sizeof dut.in_i);
        dut.eval();
        std::memcpy(out, &dut.out_o, sizeof dut.out_o);
        model.tick();
        *tally += seen(counted);
        if (seen(watched)) return c + 1;
    }
    return count;
}

// Streams words until all is over, or the state is one that it was in when nothing was wrong.
uint64_t nttforge_cycles_play(void* handle, Play* play) {
    Model& model = *static_cast<Model*>(handle);
    Vdut& dut = *model.dut;
    while (play->cycle < play->limit) {
        if (play->every && play->cycle % play->every == 0 &&
            checkpoint(*play, dut.rootp->vlSymsp)) {
            return kGolden;
        }
        drive_streams(*play, dut);
        dut.eval();
        const bool all = see_streams(*play, dut);
        play->alerts += output(dut, play->alert);
        play->resting = all && output(dut, play->idle) ? play->resting + 1 : 0;
        model.tick();
        ++play->cycle;
        if (play->resting >= play->rest) return kOver;
    }
    return kLimit;
}

// After a register was written from outside: what depends on it follows.
void nttforge_cycles_settle(void* handle) {
    Vdut___024root___eval_settle(static_cast<Model*>(handle)->dut->rootp);
}

uint64_t nttforge_cycles_play_size() { return sizeof(Play); }
}
