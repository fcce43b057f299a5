// SPDX-License-Identifier: Apache-2.0
//
// A core of transforms as stream.cpp sees it: ports by name, whatever their widths. What a model's
// own types need is in stream_ports.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "verilated.h"

class StreamDesign {
  public:
    virtual ~StreamDesign() = default;
    // One evaluation of the model: all ports go in and come out.
    virtual void eval() = 0;

    uint64_t clk_i = 0, rst_ni = 0, s_axis_tvalid = 0, s_axis_tlast = 0, s_axis_tuser = 0,
             m_axis_tready = 0;
    uint32_t s_axis_tkeep = 0;  // every word of it; not looked at, so it is noise
    uint64_t s_axis_tready = 0, m_axis_tvalid = 0, m_axis_tlast = 0, m_axis_tuser = 0;
    std::vector<uint32_t> s_axis_tdata, m_axis_tdata;  // as many words as the ports have
};

// A new model.
StreamDesign* nttforge_stream_design(VerilatedContext* context);
