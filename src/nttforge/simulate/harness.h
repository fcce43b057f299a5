// SPDX-License-Identifier: Apache-2.0
//
// What the harnesses have in common: random stalls, and an orderly end when a model fails.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <unistd.h>

#include "ports.h"
#include "verilated.h"

extern "C" {

struct StallProcess {
    double enter;  // probability that a running port stalls in the next cycle
    double leave;  // probability that a stalled port runs in the next cycle
};
}

namespace {

class Random {  // splitmix64 (Steele, Lea, Flood 2014)
  public:
    explicit Random(uint64_t seed) : state_{seed} {}
    uint64_t next() {
        uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    bool chance(double probability) {
        return static_cast<double>(next() >> 11) * 0x1p-53 < probability;
    }

  private:
    uint64_t state_;
};

// A two-state Markov chain: a function of the seed and of the cycle alone, never of the data.
class Stalls {
  public:
    Stalls(StallProcess process, uint64_t seed) : process_{process}, random_{seed} {}
    bool step() {
        if (process_.enter > 0) {
            stalled_ = stalled_ ? !random_.chance(process_.leave) : random_.chance(process_.enter);
        }
        return stalled_;
    }

  private:
    StallProcess process_;
    Random random_;
    bool stalled_ = false;
};

class Violation : public std::runtime_error {
  public:
    Violation(const char* kind, const std::string& what) : std::runtime_error(what), kind_{kind} {}
    const char* kind() const { return kind_; }

  private:
    const char* kind_;
};

// $display and assertion messages of the model go to standard error while it runs.
class StdoutToStderr {
  public:
    StdoutToStderr() {
        std::fflush(stdout);
        saved_ = dup(1);
        dup2(2, 1);
    }
    ~StdoutToStderr() {
        std::fflush(stdout);
        dup2(saved_, 1);
        close(saved_);
    }

  private:
    int saved_;
};

// A design in a context of its own, which it is freed in: Verilator takes a design's scopes out of the
// context that its thread used last, and that of another model may be gone.
template <typename Design>
class OwnedDesign {
  public:
    ~OwnedDesign() { close(); }

    void open(Design* (*made)(VerilatedContext*)) {
        close();
        context_ = std::make_unique<VerilatedContext>();
        context_->threads(1);    // none that idles: freed in a forked child, it is waited for
        context_->randReset(2);  // registers without reset start with noise
        context_->randSeed(1);
        design_.reset(made(context_.get()));
    }

    Design* operator->() { return design_.get(); }
    const Design* operator->() const { return design_.get(); }
    Design& operator*() { return *design_; }
    const Design& operator*() const { return *design_; }

  private:
    void close() {
        if (context_) Verilated::threadContextp(context_.get());
        design_.reset();
    }

    std::unique_ptr<VerilatedContext> context_;
    std::unique_ptr<Design> design_;
};

// Runs a job; an early end is recorded in it, and the model is built again.
template <typename Simulation, typename Job>
void run_job(Simulation& simulation, Job& job) {
    const StdoutToStderr redirect;
    const auto tell = [&](const char* kind, const char* what) {
        std::snprintf(job.violation, sizeof job.violation, "%s", kind);
        std::snprintf(job.message, sizeof job.message, "%s", what);
    };
    tell("", "");
    try {
        simulation.run(job);
    } catch (const Violation& violation) {
        tell(violation.kind(), violation.what());
        simulation.restart();
    } catch (const std::exception& error) {
        tell("crash", error.what());
        simulation.restart();
    }
}

}  // namespace

// Verilator's own versions end the process: a failed assertion must not take Python with it.
void vl_stop(const char* filename, int line, const char* hierarchy) {
    throw Violation("assertion", std::string("assertion failed at ") + filename + ":" +
                                     std::to_string(line) + " in " + hierarchy);
}

void vl_fatal(const char* filename, int line, const char*, const char* message) {
    throw Violation("fatal", std::string(message) + " at " + filename + ":" + std::to_string(line));
}

void vl_finish(const char* filename, int line, const char*) {
    throw Violation("finish", std::string("$finish at ") + filename + ":" + std::to_string(line));
}
