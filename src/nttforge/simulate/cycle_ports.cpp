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
}
