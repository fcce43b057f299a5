// SPDX-License-Identifier: Apache-2.0
//
// The ports of one verilated design that does jobs: all that shell.cpp does not know of it.

#include "Vdut.h"
#include "shell.h"

namespace {

class Ports final : public Design {
  public:
    explicit Ports(VerilatedContext* context) : model_{context} {
        // Inputs that were never driven keep the random values of the model.
        ctrl_awaddr_i = model_.s_axi_awaddr, ctrl_araddr_i = model_.s_axi_araddr;
        ctrl_wdata_i = model_.s_axi_wdata, ctrl_wstrb_i = model_.s_axi_wstrb;
    }

    void eval() override {
        model_.clk_i = clk_i, model_.rst_ni = rst_ni, model_.test_mode_i = test_mode_i;
        model_.s_axi_awvalid = ctrl_awvalid_i, model_.s_axi_awaddr = ctrl_awaddr_i;
        model_.s_axi_wvalid = ctrl_wvalid_i, model_.s_axi_wdata = ctrl_wdata_i;
        model_.s_axi_wstrb = ctrl_wstrb_i, model_.s_axi_bready = ctrl_bready_i;
        model_.s_axi_arvalid = ctrl_arvalid_i, model_.s_axi_araddr = ctrl_araddr_i;
        model_.s_axi_rready = ctrl_rready_i;
        model_.eval();
        interrupt_o = model_.interrupt_o, ctrl_awready_o = model_.s_axi_awready;
        ctrl_wready_o = model_.s_axi_wready;
        ctrl_bvalid_o = model_.s_axi_bvalid, ctrl_bresp_o = model_.s_axi_bresp;
        ctrl_arready_o = model_.s_axi_arready, ctrl_rvalid_o = model_.s_axi_rvalid;
        ctrl_rdata_o = model_.s_axi_rdata, ctrl_rresp_o = model_.s_axi_rresp;
    }

    void drive() override {
        arready_i.to(model_.m_axi_arready), awready_i.to(model_.m_axi_awready);
        wready_i.to(model_.m_axi_wready), rvalid_i.to(model_.m_axi_rvalid),
        bvalid_i.to(model_.m_axi_bvalid);
        rresp_i.to(model_.m_axi_rresp), bresp_i.to(model_.m_axi_bresp),
        rdata_i.to(model_.m_axi_rdata);
        rlast_i.to(model_.m_axi_rlast);
    }

    void sample() override {
        arvalid_o.from(model_.m_axi_arvalid), araddr_o.from(model_.m_axi_araddr);
        arlen_o.from(model_.m_axi_arlen), rready_o.from(model_.m_axi_rready);
        awvalid_o.from(model_.m_axi_awvalid), awaddr_o.from(model_.m_axi_awaddr);
        awlen_o.from(model_.m_axi_awlen), wvalid_o.from(model_.m_axi_wvalid),
        wlast_o.from(model_.m_axi_wlast);
        arsize_o.from(model_.m_axi_arsize), arburst_o.from(model_.m_axi_arburst);
        awsize_o.from(model_.m_axi_awsize), awburst_o.from(model_.m_axi_awburst);
        bready_o.from(model_.m_axi_bready), wdata_o.from(model_.m_axi_wdata),
        wstrb_o.from(model_.m_axi_wstrb);
    }

  private:
    Vdut model_;
};

}  // namespace

Design* nttforge_design(VerilatedContext* context) { return new Ports{context}; }
