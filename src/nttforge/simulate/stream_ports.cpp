// SPDX-License-Identifier: Apache-2.0
//
// The ports of one verilated core of transforms: all that stream.cpp does not know of it.

#include "Vdut.h"
#include "ports.h"
#include "stream.h"

namespace {

// Levels that some cores have, and that stay low.
template <typename Model>
auto lower(Model& dut, int) -> decltype(dut.flush_i, void()) {
    dut.flush_i = dut.test_mode_i = 0;
}
template <typename Model>
void lower(Model&, long) {}

template <typename Model>
auto keep(Model& dut, uint32_t value, int) -> decltype(dut.s_axis_tkeep, void()) {
    using Keep = Plain<decltype(Model::s_axis_tkeep)>;
    uint32_t words[port_words<Keep>()];
    for (uint32_t& word : words) word = value;
    drive(dut.s_axis_tkeep, words);
}
template <typename Model>
void keep(Model&, uint32_t, long) {}

class StreamPorts final : public StreamDesign {
  public:
    explicit StreamPorts(VerilatedContext* context) : model_{context} {
        s_axis_tdata.resize(port_words<Plain<decltype(Vdut::s_axis_tdata)>>());
        m_axis_tdata.resize(port_words<Plain<decltype(Vdut::m_axis_tdata)>>());
        lower(model_, 0);
        // Inputs that were never driven keep the random values of the model.
        sample(model_.s_axis_tdata, s_axis_tdata.data());
        s_axis_tuser = model_.s_axis_tuser, s_axis_tlast = model_.s_axis_tlast;
    }

    void eval() override {
        model_.clk_i = clk_i, model_.rst_ni = rst_ni;
        model_.s_axis_tvalid = s_axis_tvalid, model_.s_axis_tlast = s_axis_tlast;
        model_.s_axis_tuser = s_axis_tuser, model_.m_axis_tready = m_axis_tready;
        drive(model_.s_axis_tdata, s_axis_tdata.data());
        keep(model_, s_axis_tkeep, 0);
        model_.eval();
        s_axis_tready = model_.s_axis_tready, m_axis_tvalid = model_.m_axis_tvalid;
        m_axis_tlast = model_.m_axis_tlast, m_axis_tuser = model_.m_axis_tuser;
        sample(model_.m_axis_tdata, m_axis_tdata.data());
    }

  private:
    Vdut model_;
};

}  // namespace

StreamDesign* nttforge_stream_design(VerilatedContext* context) { return new StreamPorts{context}; }
