// SPDX-License-Identifier: Apache-2.0
//
// The ports of one verilated design that does jobs: all that shell.cpp does not know of it.

#include "Vdut.h"
#include "shell.h"

namespace {

class Ports final : public Design {
  public:
    explicit Ports(VerilatedContext* context) : model_{context} {
        // What nobody has driven yet stays as the model made it, at random.
        ctrl_awaddr_i = model_.ctrl_awaddr_i, ctrl_araddr_i = model_.ctrl_araddr_i;
        ctrl_wdata_i = model_.ctrl_wdata_i, ctrl_wstrb_i = model_.ctrl_wstrb_i;
    }

    void eval() override {
        model_.clk_i = clk_i, model_.rst_ni = rst_ni, model_.test_mode_i = test_mode_i;
        model_.ctrl_awvalid_i = ctrl_awvalid_i, model_.ctrl_awaddr_i = ctrl_awaddr_i;
        model_.ctrl_wvalid_i = ctrl_wvalid_i, model_.ctrl_wdata_i = ctrl_wdata_i;
        model_.ctrl_wstrb_i = ctrl_wstrb_i, model_.ctrl_bready_i = ctrl_bready_i;
        model_.ctrl_arvalid_i = ctrl_arvalid_i, model_.ctrl_araddr_i = ctrl_araddr_i;
        model_.ctrl_rready_i = ctrl_rready_i;
        model_.eval();
        interrupt_o = model_.interrupt_o, ctrl_awready_o = model_.ctrl_awready_o;
        ctrl_wready_o = model_.ctrl_wready_o;
        ctrl_bvalid_o = model_.ctrl_bvalid_o, ctrl_bresp_o = model_.ctrl_bresp_o;
        ctrl_arready_o = model_.ctrl_arready_o, ctrl_rvalid_o = model_.ctrl_rvalid_o;
        ctrl_rdata_o = model_.ctrl_rdata_o, ctrl_rresp_o = model_.ctrl_rresp_o;
    }

    void drive() override {
        arready_i.to(model_.arready_i), awready_i.to(model_.awready_i);
        wready_i.to(model_.wready_i), rvalid_i.to(model_.rvalid_i), bvalid_i.to(model_.bvalid_i);
        rresp_i.to(model_.rresp_i), bresp_i.to(model_.bresp_i), rdata_i.to(model_.rdata_i);
    }

    void sample() override {
        arvalid_o.from(model_.arvalid_o), araddr_o.from(model_.araddr_o);
        arlen_o.from(model_.arlen_o), rready_o.from(model_.rready_o);
        awvalid_o.from(model_.awvalid_o), awaddr_o.from(model_.awaddr_o);
        awlen_o.from(model_.awlen_o), wvalid_o.from(model_.wvalid_o), wlast_o.from(model_.wlast_o);
        bready_o.from(model_.bready_o), wdata_o.from(model_.wdata_o), wstrb_o.from(model_.wstrb_o);
    }

  private:
    Vdut model_;
};

}  // namespace

Design* nttforge_design(VerilatedContext* context) { return new Ports{context}; }
