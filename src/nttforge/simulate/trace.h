// SPDX-License-Identifier: Apache-2.0
//
// Comes before a harness if a model is to write what its signals do: the harness then makes models
// that write every evaluation to a file, once enabled. A cycle is ten units of time: the
// clock rises at its end, falls in its middle, and inputs change with the fall or a unit later.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "Vdut.h"
#include "Vdut___024root.h"
#include "Vdut__Syms.h"
#include TRACE_HEADER

struct TracedModel;
static TracedModel* the_traced_model = nullptr;  // the latest

struct TracedModel : Vdut {
    explicit TracedModel(VerilatedContext* context) : Vdut{context} {
        context->traceEverOn(true);
        the_traced_model = this;
    }
    ~TracedModel() {
        stop();
        if (the_traced_model == this) the_traced_model = nullptr;
    }

    // From cycle `first` to cycle `last` since reset.
    bool start(const char* path, uint64_t first, uint64_t last) {
        stop();
        first_ = first, last_ = last;
        file_ = std::make_unique<TRACE_FILE>();
        trace(file_.get(), 99);
        file_->set_time_unit("1ns");
        file_->set_time_resolution("1ns");
        file_->open(path);
        return file_->isOpen();
    }

    void stop() {
        if (file_) file_->close();
        file_.reset();
    }

    void eval() {
        Vdut::eval();
        constexpr uint64_t kHalf = 5;
        const bool rises = clk_i && !clock_, changes = clk_i != clock_;
        clock_ = clk_i;
        time_ = changes ? (time_ / kHalf + 1) * kHalf : time_ + 1;
        if (file_ && cycle_ >= first_ && cycle_ <= last_) file_->dump(time_);
        if (!rst_ni) cycle_ = 0;
        else if (rises) ++cycle_;
    }

  private:
    std::unique_ptr<TRACE_FILE> file_;
    uint64_t first_ = 0, last_ = 0, cycle_ = 0, time_ = 0;
    bool clock_ = false;
};

extern "C" {

// Begins to write what the latest model does; whether the file could be opened.
int nttforge_trace(const char* path, uint64_t first, uint64_t last) {
    return the_traced_model != nullptr && the_traced_model->start(path, first, last);
}

void nttforge_trace_end() {
    if (the_traced_model != nullptr) the_traced_model->stop();
}
}

#define Vdut TracedModel
