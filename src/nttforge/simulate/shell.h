// SPDX-License-Identifier: Apache-2.0
//
// A design that does jobs as its host sees it: ports by name, whatever their widths. The host is
// compiled once for all models; what a model's own types need is in shell_ports.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "ports.h"
#include "verilated.h"

// A port that is an array of fields, one an instance; fields are looked at one by one. It is made
// once and not in every cycle.
class Bits {
  public:
    void resize(uint64_t bits) { words_.assign(bits / 32 + 3, 0); }

    template <typename T>
    void from(const T& port) {
        if (words_.size() < port_words<T>() + 3) words_.resize(port_words<T>() + 3);
        sample(port, words_.data());
    }

    template <typename T>
    void to(T& port) const {
        drive(port, words_.data());
    }

    uint64_t get(uint64_t offset, uint64_t bits) const {
        return static_cast<uint64_t>(window(offset) >> offset % 32) & mask(bits);
    }
    void put(uint64_t offset, uint64_t value, uint64_t bits) {
        const Wide shown = window(offset), place = static_cast<Wide>(mask(bits)) << offset % 32;
        const Wide changed = (shown & ~place) | (static_cast<Wide>(value & mask(bits)) << offset % 32);
        for (int i = 0; i < 3; ++i) words_[offset / 32 + i] = static_cast<uint32_t>(changed >> 32 * i);
    }
    // Words of a channel start at multiples of 64 bits.
    uint8_t* bytes(uint64_t offset) { return reinterpret_cast<uint8_t*>(words_.data()) + offset; }
    const uint8_t* bytes(uint64_t offset) const {
        return reinterpret_cast<const uint8_t*>(words_.data()) + offset;
    }

  private:
    using Wide = unsigned __int128;
    static uint64_t mask(uint64_t bits) { return bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1; }
    Wide window(uint64_t offset) const {
        const uint32_t* at = words_.data() + offset / 32;
        return at[0] | static_cast<Wide>(at[1]) << 32 | static_cast<Wide>(at[2]) << 64;
    }

    std::vector<uint32_t> words_ = std::vector<uint32_t>(3);
};

class Design {
  public:
    virtual ~Design() = default;
    // One evaluation of the model: single ports go in and come out.
    virtual void eval() = 0;
    // The channels' ports, to the model and from it.
    virtual void drive() = 0;
    virtual void sample() = 0;

    // All inputs of the channels are 0, for so many instances.
    void resize(uint64_t instances, uint64_t data_bits) {
        for (Bits* one : {&arready_i, &awready_i, &wready_i, &rvalid_i, &bvalid_i, &rlast_i}) {
            one->resize(instances);
        }
        rresp_i.resize(2 * instances), bresp_i.resize(2 * instances);
        rdata_i.resize(data_bits * instances);
    }

    uint64_t clk_i = 0, rst_ni = 0, test_mode_i = 0, ctrl_awvalid_i = 0, ctrl_awaddr_i = 0,
             ctrl_wvalid_i = 0, ctrl_wdata_i = 0, ctrl_wstrb_i = 0, ctrl_bready_i = 0,
             ctrl_arvalid_i = 0, ctrl_araddr_i = 0, ctrl_rready_i = 0;
    uint64_t ctrl_wready_o = 0;
    uint64_t interrupt_o = 0, ctrl_awready_o = 0, ctrl_bvalid_o = 0, ctrl_bresp_o = 0,
             ctrl_arready_o = 0, ctrl_rvalid_o = 0, ctrl_rdata_o = 0, ctrl_rresp_o = 0;
    Bits arready_i, awready_i, wready_i, rvalid_i, bvalid_i, rresp_i, bresp_i, rdata_i,
        rlast_i;
    Bits arvalid_o, araddr_o, arlen_o, rready_o, awvalid_o, awaddr_o, awlen_o, wvalid_o, wlast_o,
        bready_o, wdata_o, wstrb_o, arsize_o, arburst_o, awsize_o, awburst_o;
};

// A new model.
Design* nttforge_design(VerilatedContext* context);
