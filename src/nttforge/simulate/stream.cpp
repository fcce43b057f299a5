// SPDX-License-Identifier: Apache-2.0
//
// Streams transforms through one verilated core, and checks the stream contract in every cycle.
//
// The same file serves every core, compiled once: the widths of the ports come from the design
// (stream.h), the number of lanes and of beats from the job. Python (simulate/stream.py) declares
// the same structs.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "harness.h"
#include "stream.h"

extern "C" {

struct Job {
    // What to stream. words: those of all transforms one after the other, each sizes_in[i] x lanes x
    // limbs of 64 bits, lowest limb first.
    uint64_t transforms, lanes, word_bits;
    uint64_t lane_bits;  // from a lane to the next one
    const uint64_t* words;
    const uint64_t* codes;  // tuser of each transform
    const uint64_t* gaps;   // idle cycles before the first beat of each transform
    const uint64_t* sizes_in;   // beats of each transform that go in,
    const uint64_t* sizes_out;  // and that come out
    // Packets in front of them all, which bring nothing out: a word a beat, in the lowest lane.
    uint64_t loads;
    const uint64_t* load_words;  // one after another, of one limb each
    const uint64_t* load_codes;  // tuser of each packet
    const uint64_t* load_sizes;  // and its beats
    const uint64_t* load_waits;  // cycles behind it
    // How.
    StallProcess source, sink;
    uint64_t seed;
    uint64_t patience;    // cycles without progress, though both ports are willing, before giving up
    uint64_t tail;        // cycles to watch for superfluous output after the last beat
    uint64_t probe;       // 1: look for a combinational path from m_axis_tready in every cycle
    // What came out; arrays are the caller's.
    uint64_t* results;  // as words
    int64_t *first_in, *last_in, *first_out, *last_out;  // cycles, a transform each
    uint8_t* trace;          // s_valid, s_ready, m_valid, m_ready in bits 0..3, a cycle each
    uint64_t trace_capacity;  // cycles that fit in trace
    uint64_t cycles, beats_in, beats_out;
    char violation[32];  // empty if the contract held
    char message[256];
};
}

namespace {

constexpr int kResetCycles = 8;

struct Output {
    bool valid = false, last = false;
    uint64_t user = 0;
    std::vector<uint32_t> data;

    bool same_payload(const Output& other) const {
        return last == other.last && user == other.user && data == other.data;
    }
};

class Simulation {
  public:
    Simulation() { restart(); }

    // After an exception the model is in the middle of an evaluation: make another.
    void restart() {
        dut_.open(nttforge_stream_design);
    }

    void run(Job& job) {
        job_ = &job;
        limbs_ = (job.word_bits + 63) / 64;
        total_ = total_in_ = entering_ = beat_ = leaving_ = beat_out_ = 0;
        for (uint64_t i = 0; i < job.transforms; ++i) {
            total_in_ += job.sizes_in[i];
            total_ += job.sizes_out[i];
        }
        job.cycles = job.beats_in = job.beats_out = 0;
        const uint64_t words = std::min(dut_->s_axis_tdata.size(), dut_->m_axis_tdata.size());
        if (job.lanes * job.lane_bits > 32 * words) {
            throw Violation("width", "the ports are narrower than their lanes");
        }
        reset();
        load();
        stream();
    }

  private:
    void reset() {
        // The reset falls between two clock edges: it is asynchronous, so the first edge already
        // sees defined registers.
        dut_->s_axis_tvalid = 0;
        dut_->m_axis_tready = 0;
        dut_->clk_i = 0;
        dut_->rst_ni = 1;
        dut_->eval();
        dut_->rst_ni = 0;
        dut_->eval();
        for (int i = 0; i < kResetCycles; ++i) {
            dut_->clk_i = 0;
            dut_->eval();
            dut_->clk_i = 1;
            dut_->eval();
        }
        dut_->rst_ni = 1;
    }

    // Before the first cycle of a run, which does not count them.
    void load() {
        std::vector<uint64_t> beat(job_->lanes * limbs_);
        const uint64_t* word = job_->load_words;
        dut_->m_axis_tready = 1;
        for (uint64_t packet = 0; packet < job_->loads; ++packet) {
            for (uint64_t i = 0; i < job_->load_sizes[packet]; ++i) {
                beat[0] = *word++;
                present(beat.data(), job_->load_codes[packet],
                        i + 1 == job_->load_sizes[packet]);
                dut_->s_axis_tvalid = 1;
                for (uint64_t waited = 0; !tick(); ++waited) {
                    if (waited > job_->patience) {
                        throw Violation("stuck", "a load is not taken");
                    }
                }
            }
            dut_->s_axis_tvalid = 0;
            for (uint64_t i = 0; i < job_->load_waits[packet]; ++i) tick();
        }
    }

    // A cycle; whether a beat that is offered was taken in it.
    bool tick() {
        dut_->clk_i = 0;
        dut_->eval();
        const bool taken = dut_->s_axis_tready;
        if (dut_->m_axis_tvalid) throw Violation("superfluous", "a load brings something out");
        dut_->clk_i = 1;
        dut_->eval();
        return taken;
    }

    void present(const uint64_t* words, uint64_t user, bool last) {
        std::vector<uint32_t>& beat = dut_->s_axis_tdata;
        std::fill(beat.begin(), beat.end(), 0);
        for (uint64_t lane = 0; lane < job_->lanes; ++lane) {
            const uint64_t* word = words + lane * limbs_;
            const uint64_t at = lane * job_->lane_bits, noise = ~*word;  // above the word
            insert_bits(beat.data(), at, word, job_->word_bits);
            insert_bits(beat.data(), at + job_->word_bits, &noise, job_->lane_bits - job_->word_bits);
        }
        dut_->s_axis_tuser = user;
        dut_->s_axis_tlast = last;
        dut_->s_axis_tkeep = static_cast<uint32_t>(*words);
    }

    // While tvalid is low the payload means nothing, so it is noise.
    void present_noise(Random& random) {
        std::vector<uint64_t>& noise = noise_;
        noise.resize(job_->lanes * limbs_);
        for (uint64_t& limb : noise) limb = random.next();
        const uint64_t pick = random.next();
        present(noise.data(), job_->codes[pick % job_->transforms], pick >> 63);
    }

    void read(Output& output) const {
        output.valid = dut_->m_axis_tvalid;
        output.last = dut_->m_axis_tlast;
        output.user = dut_->m_axis_tuser;
        output.data = dut_->m_axis_tdata;
    }

    std::string where(uint64_t cycle) const {
        char text[160];
        std::snprintf(text, sizeof text, "beat %llu of transform %llu, cycle %llu",
                      static_cast<unsigned long long>(beat_out_),
                      static_cast<unsigned long long>(leaving_),
                      static_cast<unsigned long long>(cycle));
        return text;
    }

    void check_probe(const Output& wanted, bool s_ready, const Output& opposite,
                     bool s_ready_opposite, uint64_t cycle) const {
        if (s_ready != s_ready_opposite) {
            throw Violation("combinational",
                            "s_axis_tready follows m_axis_tready within the cycle: " + where(cycle));
        }
        if (wanted.valid != opposite.valid ||
            (wanted.valid && !wanted.same_payload(opposite))) {
            throw Violation("combinational", "m_axis_tvalid or its payload follows m_axis_tready "
                                             "within the cycle: " + where(cycle));
        }
    }

    void check_stable(const Output& before, const Output& now, uint64_t cycle) const {
        if (!now.valid) {
            throw Violation("dropped", "m_axis_tvalid fell before its beat was taken: " +
                                           where(cycle));
        }
        if (!now.same_payload(before)) {
            throw Violation("unstable",
                            "m_axis_tdata, tuser or tlast changed while stalled: " + where(cycle));
        }
    }

    void check_beat(const Output& output, uint64_t cycle) const {
        const Job& job = *job_;
        if (job.beats_out >= total_) {
            throw Violation("superfluous", "a beat came out without a request: " + where(cycle));
        }
        const uint64_t transform = leaving_;
        const bool last = beat_out_ == job.sizes_out[leaving_] - 1;
        if (transform > entering_ || (transform == entering_ && beat_ == 0)) {
            throw Violation("superfluous", "a beat came out before its transform went in: " +
                                               where(cycle));
        }
        if (output.last != last) {
            throw Violation("tlast", std::string("m_axis_tlast is ") + (last ? "low" : "high") +
                                         " in the wrong place: " + where(cycle));
        }
        if (output.user != job.codes[transform]) {
            throw Violation("tuser", "m_axis_tuser is " + std::to_string(output.user) +
                                         " instead of " + std::to_string(job.codes[transform]) +
                                         ": " + where(cycle));
        }
    }

    void accept(const Output& output, uint64_t cycle) {
        Job& job = *job_;
        uint64_t* words = job.results + job.beats_out * job.lanes * limbs_;
        for (uint64_t lane = 0; lane < job.lanes; ++lane) {
            uint64_t* limbs = words + lane * limbs_;
            for (uint64_t i = 0; i < limbs_; ++i) limbs[i] = 0;
            extract_bits(output.data.data(), lane * job.lane_bits, limbs, job.lane_bits);
        }
        if (beat_out_ == 0) job.first_out[leaving_] = static_cast<int64_t>(cycle);
        ++job.beats_out;
        if (++beat_out_ == job.sizes_out[leaving_]) {
            job.last_out[leaving_++] = static_cast<int64_t>(cycle);
            beat_out_ = 0;
        }
    }

    void stream() {
        Job& job = *job_;
        Random seeds{job.seed};
        Stalls source{job.source, seeds.next()}, sink{job.sink, seeds.next()};
        Random noise{seeds.next()};
        Output output, opposite, before;
        bool offering = false, held = false;
        uint64_t gap = total_ ? job.gaps[0] : 0, waiting = 0, finished = 0;
        dut_->s_axis_tvalid = 0;

        for (uint64_t cycle = 0; finished < job.tail || job.beats_out < total_; ++cycle) {
            job.cycles = cycle;
            const bool source_stalled = source.step(), ready = !sink.step();
            bool willing = offering || job.beats_in == total_in_;
            if (!offering) {
                if (job.beats_in < total_in_ && gap == 0 && !source_stalled) {
                    present(job.words + job.beats_in * job.lanes * limbs_, job.codes[entering_],
                            beat_ == job.sizes_in[entering_] - 1);
                    offering = willing = true;
                } else {
                    present_noise(noise);
                }
                if (gap > 0) --gap;
                dut_->s_axis_tvalid = offering;
            }

            dut_->clk_i = 0;
            bool s_ready_opposite = false;
            if (job.probe) {
                dut_->m_axis_tready = !ready;
                dut_->eval();
                s_ready_opposite = dut_->s_axis_tready;
                read(opposite);
            }
            dut_->m_axis_tready = ready;
            dut_->eval();
            const bool s_ready = dut_->s_axis_tready;
            read(output);
            if (job.probe) check_probe(output, s_ready, opposite, s_ready_opposite, cycle);
            if (held) check_stable(before, output, cycle);

            if (cycle < job.trace_capacity) {
                job.trace[cycle] = static_cast<uint8_t>(offering | s_ready << 1 |
                                                        output.valid << 2 | ready << 3);
            }
            // A beat that goes in counts before one that comes out in the same cycle.
            const bool taken = offering && s_ready;
            if (taken) {
                if (beat_ == 0) job.first_in[entering_] = static_cast<int64_t>(cycle);
                ++job.beats_in;
                if (++beat_ == job.sizes_in[entering_]) {
                    job.last_in[entering_] = static_cast<int64_t>(cycle);
                    beat_ = 0;
                    if (++entering_ < job.transforms) gap = job.gaps[entering_];
                }
                offering = false;
            }
            if (output.valid) check_beat(output, cycle);
            const bool given = output.valid && ready;
            if (given) accept(output, cycle);
            held = output.valid && !ready;
            if (held) before = output;

            if (job.beats_out == total_) ++finished;
            waiting = taken || given ? 0 : waiting + (willing && ready);
            if (waiting > job.patience && job.beats_out < total_) {
                throw Violation("stuck", "nothing moved for " + std::to_string(job.patience) +
                                             " cycles with both ports willing: " + where(cycle));
            }

            dut_->clk_i = 1;
            dut_->eval();
        }
        ++job.cycles;
    }

    OwnedDesign<StreamDesign> dut_;
    Job* job_ = nullptr;
    uint64_t limbs_ = 1, total_ = 0, total_in_ = 0;
    uint64_t entering_ = 0, beat_ = 0;     // the transform that goes in, and how much of it has
    uint64_t leaving_ = 0, beat_out_ = 0;  // the one that comes out
    std::vector<uint64_t> noise_;
};

}  // namespace

extern "C" {

void* nttforge_open() { return new Simulation; }

void nttforge_close(void* simulation) { delete static_cast<Simulation*>(simulation); }

uint64_t nttforge_job_size() { return sizeof(Job); }

void nttforge_run(void* simulation, Job* job) {
    run_job(*static_cast<Simulation*>(simulation), *job);
}
}
