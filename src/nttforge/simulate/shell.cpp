// SPDX-License-Identifier: Apache-2.0
//
// A host and a memory around one verilated design that does jobs: writes the arguments over AXI4-Lite, starts the
// job, answers the AXI4 channels as a memory of limited speed would, waits for the interrupt, and
// reads the status back. It checks AXI4's rules in every cycle.
//
// The same file serves every shell and every engine with channels of its own, and is compiled once:
// it sees a model's ports as shell_ports.cpp offers them. Python (simulate/memory.py) declares the
// same structs.

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "dram.h"
#include "harness.h"
#include "shell.h"

extern "C" {

struct Region {  // a buffer of the host
    uint64_t base, bytes;
    uint8_t* data;  // null: it reads as 0 and keeps nothing
};

struct Access {  // of a register
    uint64_t address, value;
};

struct Memory {
    // Cycles from a request to its first word, or from last word to answer, if nothing else waits.
    uint64_t latency;
    double words_per_cycle;    // bandwidth of a channel, a direction
    // A burst takes no less than these cycles, and its words at the peak.
    double peak_words_per_cycle, burst_cycles;
    uint64_t refresh_period;   // every so many cycles a channel ...
    uint64_t refresh_length;   // ... does nothing for so many cycles
    StallProcess stalls;       // of each handshake, at random
    uint64_t requests;         // that a channel accepts before it answers one
    DramTiming dram;           // what is after, in cycles
};

struct ShellJob {
    uint64_t instances, data_bytes, address_bits;
    const Region* regions;
    uint64_t num_regions;
    const Access* writes;  // in order, before the start
    uint64_t num_writes;
    Access* reads;  // in order, after the end; values are filled in
    uint64_t num_reads;
    Memory memory;
    uint64_t bad_read, bad_write;  // addresses at which the memory answers with an error, or ~0
    uint64_t silent;  // channel that answers nothing until the job has ended, or ~0
    uint64_t spread;    // bursts that a channel may be asked for more than another one, or ~0,
    uint64_t together;  // of so many that follow each other
    uint64_t seed, patience;
    uint64_t stop;  // set by another thread: give up
    // What was seen. Per instance, the caller's arrays:
    uint64_t *read_words, *written_words, *read_bursts, *write_bursts;
    DramTraffic* drams;       // of the first kDrams channels of a DRAM
    uint64_t cycles;          // from the start's write to the interrupt, or so far
    uint64_t control_errors;  // accesses to registers that were answered with an error
    uint64_t repeated, resumed;  // status of a job after one without an answer, and once it came
    char violation[32];
    char message[256];
};
}

namespace {

constexpr int kResetCycles = 8, kHandshakes = 5, kDrams = 64;
constexpr uint64_t kNobody = ~uint64_t{0};
constexpr uint64_t kControl = 0, kGlobalInterrupt = 4, kInterruptEnable = 8, kStatus = 12,
                   kJobStatus = 24;

struct Burst {
    uint64_t address, words;
    double word_cycles = 0;  // what each of its words takes
    uint64_t begin = 0;      // address of its first word
};

struct Channel {
    std::deque<Burst> reads, writes;  // asked for
    std::deque<uint64_t> due;         // of the words that are read: the cycle from which one is there
    std::deque<std::pair<uint64_t, bool>> answers;  // of writes: cycle, is an error
    bool write_bad = false;  // the first write has failed
    double read_time = 0, write_time = 0;  // cycles saved up, hardly more than a word takes
    std::vector<Stalls> stalls;  // ar, r, aw, w, b
    bool r_valid = false, b_valid = false, ar_ready = false, aw_ready = false, w_ready = false;
    bool r_bad = false, b_bad = false;
    std::vector<uint8_t> r_data;
    // The last cycle's requests, to see that they are stable.
    bool ar_held = false, aw_held = false, w_held = false;
    Burst ar{}, aw{};
    std::vector<uint8_t> w_data;
    bool w_last = false;
};

class Simulation {
  public:
    Simulation() { restart(); }

    void restart() {
        dut_.open(nttforge_design);
        at_rest_ = false;
    }

    void run(ShellJob& job) {
        job_ = &job;
        job.cycles = job.control_errors = 0;
        cycle_ = idle_ = 0;
        dut_->resize(job.instances, 8 * job.data_bytes);
        Random seeds{job.seed};
        host_ = std::make_unique<Random>(seeds.next());
        channels_.assign(job.instances, Channel{});
        drams_.clear();
        readers_.clear();
        for (uint64_t i = 0; i < job.instances; ++i) {
            for (int k = 0; k < kHandshakes; ++k) {
                channels_[i].stalls.emplace_back(job.memory.stalls, seeds.next());
            }
            job.read_words[i] = job.written_words[i] = job.read_bursts[i] = job.write_bursts[i] = 0;
        }
        // A job that has ended well leaves the design as it is: the next one needs no reset.
        if (!at_rest_) reset();
        at_rest_ = false;
        for (uint64_t i = 0; i < job.num_writes; ++i) {
            write(job.writes[i].address, job.writes[i].value);
        }
        write(kGlobalInterrupt, 1);
        write(kInterruptEnable, 1);
        write(kControl, 1);
        silent_ = job.silent;
        finish();
        for (uint64_t i = 0; i < job.num_reads; ++i) job.reads[i].value = read(job.reads[i].address);
        if (silent_ != kNobody) after_silence();
        // After a job nothing may be under way.
        for (int i = 0; i < 64; ++i) tick();
        for (uint64_t i = 0; i < job.instances; ++i) {
            const Channel& c = channels_[i];
            if (!c.reads.empty() || !c.writes.empty() || !c.answers.empty() || c.r_valid || c.b_valid) {
                throw Violation("unfinished", "the job ended with transfers under way on instance " +
                                                  std::to_string(i));
            }
        }
        for (const auto& [place, dram] : drams_) {
            if (place >= kDrams) continue;
            job.drams[place] = dram.traffic();
            job.drams[place].readers = readers_[place];
        }
        at_rest_ = true;
    }

  private:
    // Waits for the interrupt, as a driver would.
    void finish() {
        const uint64_t start = cycle_;
        while (!dut_->interrupt_o) {
            tick();
            job_->cycles = cycle_ - start;
        }
        if (!(read(kControl) & 2)) throw Violation("done", "interrupt without done");
        write(kStatus, 1);
        if (dut_->interrupt_o) throw Violation("interrupt", "it stays although it was cleared");
    }

    // A job while an answer is owed, and another one when it has come.
    void after_silence() {
        const uint64_t cycles = job_->cycles;
        write(kControl, 1);
        finish();
        job_->repeated = read(kJobStatus) & 255;
        silent_ = kNobody;
        for (uint64_t i = 0; i < job_->patience; ++i) {
            tick();
            idle_ = 0;
        }
        write(kControl, 1);
        finish();
        job_->resumed = read(kJobStatus) & 255;
        job_->cycles = cycles;
    }

    void reset() {
        dut_->ctrl_awvalid_i = dut_->ctrl_wvalid_i = dut_->ctrl_arvalid_i = 0;
        dut_->ctrl_bready_i = dut_->ctrl_rready_i = dut_->test_mode_i = 0;
        dut_->drive();
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

    std::string where(uint64_t i) const {
        return "instance " + std::to_string(i) + ", cycle " + std::to_string(cycle_);
    }

    // One cycle: the memory's outputs are those of registers, so they are set first.
    void tick() {
        respond();
        dut_->clk_i = 0;
        dut_->eval();
        ctrl_aw_ = dut_->ctrl_awready_o;
        ctrl_w_ = dut_->ctrl_wready_o;
        ctrl_ar_ = dut_->ctrl_arready_o;
        observe();
        dut_->clk_i = 1;
        dut_->eval();
        ++cycle_;
        if (static_cast<volatile ShellJob*>(job_)->stop) throw Violation("stopped", "by the user");
        if (++idle_ > job_->patience) {
            throw Violation("stuck", "nothing moved for " + std::to_string(job_->patience) +
                                         " cycles: " + state(0));
        }
    }

    // What an instance's channels wait for.
    std::string state(uint64_t i) const {
        const Channel& c = channels_[i];
        const auto wait = [](const char* name, bool valid) {
            return std::string(name) + (valid ? " waits, " : " is idle, ");
        };
        return wait("AR", c.ar_held) + wait("AW", c.aw_held) + wait("W", c.w_held) +
               wait("R", c.r_valid) + wait("B", c.b_valid) +
               std::to_string(c.reads.size()) + " bursts to read, " +
               std::to_string(c.writes.size()) + " to write, " + std::to_string(c.answers.size()) +
               " to answer, " + std::to_string(job_->read_words[i]) + " words read, " +
               std::to_string(job_->written_words[i]) + " written";
    }

    bool refreshing(uint64_t i) const {
        const Memory& m = job_->memory;
        // Channels are refreshed at different times.
        return m.refresh_period && (cycle_ + 37 * i) % m.refresh_period < m.refresh_length;
    }

    // What each word of a burst takes.
    double word_cycles(uint64_t words) const {
        const Memory& m = job_->memory;
        return std::max(1 / m.words_per_cycle,
                        m.burst_cycles / static_cast<double>(words) + 1 / m.peak_words_per_cycle);
    }

    // The cycle in which a word has been read or written, if it is asked for now: all of its atoms.
    // `atom` is the last one that was, which need not be again.
    uint64_t served(uint64_t address, bool write, uint64_t& atom) {
        const DramTiming& t = job_->memory.dram;
        const double from = static_cast<double>(cycle_);
        double at = from;
        if (t.atom_bytes != 0) {
            const uint64_t last = (address + job_->data_bytes - 1) / t.atom_bytes;
            for (uint64_t next = address / t.atom_bytes; next <= last; ++next) {
                if (next == atom) continue;
                atom = next;
                served_ = dram(next * t.atom_bytes).access(next * t.atom_bytes, write, from);
            }
            at = std::max(at, served_);
        }
        return static_cast<uint64_t>(std::ceil(at)) + job_->memory.latency;
    }

    Dram& dram(uint64_t address) {
        const DramTiming& t = job_->memory.dram;
        const uint64_t place = address >> t.channel_bits;
        // Channels are refreshed at different times.
        const double phase = t.refresh_period * (1 + static_cast<double>(37 * place % 64) / 64);
        return drams_.try_emplace(place, t, phase).first->second;
    }

    // No channel is asked for more than another one, but for those that wait for it.
    void check_spread(const char* what, const uint64_t* bursts) const {
        if (job_->spread == kNobody) return;
        for (uint64_t i = 0; i < job_->instances; i += job_->together) {
            const auto [least, most] = std::minmax_element(bursts + i, bursts + i + job_->together);
            if (*most - *least <= job_->spread) continue;
            throw Violation("uneven", std::to_string(*most) + " bursts are " + what + " on instance " +
                                          std::to_string(most - bursts) + ", " + std::to_string(*least) +
                                          " on " + std::to_string(least - bursts) + ": cycle " +
                                          std::to_string(cycle_));
        }
    }

    const Region* locate(uint64_t address) const {
        for (uint64_t r = 0; r < job_->num_regions; ++r) {
            const Region& region = job_->regions[r];
            if (address >= region.base && address - region.base < region.bytes) return &region;
        }
        return nullptr;
    }

    // Whether the memory answers a word with an error, if it does so at `place`; ~0 is no place.
    bool fails(uint64_t place, uint64_t address) const {
        return place != ~uint64_t{0} && place - address < job_->data_bytes;
    }

    // Copies a word of memory; returns how many of its bytes are there.
    uint64_t fetch(uint64_t address, uint8_t* bytes, uint64_t count) const {
        const Region* region = locate(address);
        if (region == nullptr) return 0;
        const uint64_t offset = address - region->base;
        const uint64_t there = std::min(count, region->bytes - offset);
        if (region->data == nullptr) std::memset(bytes, 0, there);
        else std::memcpy(bytes, region->data + offset, there);
        return there;
    }

    // Writes the bytes of a word whose strobes are set; false if one of them is not there.
    bool store(uint64_t address, const uint8_t* bytes, const Bits& strobes, uint64_t first,
               uint64_t count) const {
        const Region* region = locate(address);
        if (region != nullptr && region->data == nullptr) {
            return address + count - region->base <= region->bytes;
        }
        bool there = true;
        for (uint64_t b = 0; b < count; ++b) {
            if (!strobes.get(first + b, 1)) continue;
            if (region == nullptr || address + b - region->base >= region->bytes) there = false;
            else region->data[address + b - region->base] = bytes[b];
        }
        return there;
    }

    void respond() {
        ShellJob& job = *job_;
        Design& d = *dut_;
        const uint64_t n = job.instances, bytes = job.data_bytes;
        for (uint64_t i = 0; i < n; ++i) {
            Channel& c = channels_[i];
            const bool busy = refreshing(i);
            const double read_cost = c.reads.empty() ? 0 : c.reads.front().word_cycles;
            const double write_cost = c.writes.empty() ? 0 : c.writes.front().word_cycles;
            c.read_time = std::min(c.read_time + 1, read_cost + 1);
            c.write_time = std::min(c.write_time + 1, write_cost + 1);
            c.ar_ready = !c.stalls[0].step() && c.reads.size() < job.memory.requests;
            const bool r_stall = c.stalls[1].step() || busy;
            c.aw_ready = !c.stalls[2].step() &&
                         c.writes.size() + c.answers.size() < job.memory.requests;
            c.w_ready = !c.stalls[3].step() && !busy && !c.writes.empty() &&
                        c.write_time >= write_cost;
            const bool b_stall = c.stalls[4].step();
            const bool mute = silent_ == 2 * i, deaf = silent_ == 2 * i + 1;
            if (!c.r_valid && !r_stall && !mute && !c.reads.empty() &&
                c.due.front() <= cycle_ && c.read_time >= read_cost) {
                const Burst& burst = c.reads.front();
                c.r_valid = true;
                c.r_data.assign(bytes, 0xa5);
                // The last word of a buffer may be a part of a word only.
                const uint64_t there = fetch(burst.address, c.r_data.data(), bytes);
                c.r_bad = fails(job.bad_read, burst.address) || there == 0;
                c.read_time -= read_cost;
            }
            if (!c.b_valid && !b_stall && !deaf && !c.answers.empty() && c.answers.front().first <= cycle_) {
                c.b_valid = true;
                c.b_bad = c.answers.front().second;
                c.answers.pop_front();
            }
            d.arready_i.put(i, c.ar_ready, 1);
            d.awready_i.put(i, c.aw_ready, 1);
            d.wready_i.put(i, c.w_ready, 1);
            d.rvalid_i.put(i, c.r_valid, 1);
            d.bvalid_i.put(i, c.b_valid, 1);
            d.rresp_i.put(2 * i, c.r_bad ? 2 : 0, 2);
            d.bresp_i.put(2 * i, c.b_bad ? 3 : 0, 2);
            // What is not valid is noise.
            d.rlast_i.put(i, c.r_valid ? c.reads.front().words == 1 : cycle_ % 3 == 0, 1);
            if (c.r_valid) std::memcpy(d.rdata_i.bytes(bytes * i), c.r_data.data(), bytes);
            else std::memset(d.rdata_i.bytes(bytes * i), static_cast<int>(cycle_ * 151 % 256), bytes);
        }
        dut_->drive();
    }

    void check_request(const char* channel, const Burst& burst, const Bits& size, const Bits& kind,
                       uint64_t i) const {
        const uint64_t bytes = job_->data_bytes, end = burst.address + burst.words * bytes - 1;
        if (uint64_t{1} << size.get(3 * i, 3) != bytes || kind.get(2 * i, 2) != 1) {
            throw Violation("kind", std::string(channel) + " is not of whole words, or not INCR: " + where(i));
        }
        if (burst.address % bytes) {
            throw Violation("align", std::string(channel) + " is misaligned: " + where(i));
        }
        if (burst.address >> 12 != end >> 12) {
            throw Violation("4k", std::string(channel) + " crosses 4 KB: " + where(i));
        }
    }

    void observe() {
        dut_->sample();
        const Design& d = *dut_;
        const uint64_t a = job_->address_bits, bytes = job_->data_bytes;
        for (uint64_t i = 0; i < job_->instances; ++i) {
            observe_read(i, d.arvalid_o.get(i, 1),
                         {d.araddr_o.get(a * i, a), d.arlen_o.get(8 * i, 8) + 1},
                         d.rready_o.get(i, 1));
            observe_data(i, d.wvalid_o.get(i, 1), d.wlast_o.get(i, 1), d.wdata_o.bytes(bytes * i),
                         d.wstrb_o);
            observe_write(i, d.awvalid_o.get(i, 1),
                          {d.awaddr_o.get(a * i, a), d.awlen_o.get(8 * i, 8) + 1},
                          d.bready_o.get(i, 1));
        }
        check_spread("read", job_->read_bursts);
        check_spread("written", job_->write_bursts);
    }

    void observe_read(uint64_t i, bool valid, Burst burst, bool ready) {
        Channel& c = channels_[i];
        if (c.ar_held && (!valid || burst.address != c.ar.address || burst.words != c.ar.words)) {
            throw Violation("unstable", "AR changed while it waited: " + where(i));
        }
        c.ar_held = valid && !c.ar_ready;
        c.ar = burst;
        if (valid && c.ar_ready) {
            check_request("a read", burst, dut_->arsize_o, dut_->arburst_o, i);
            burst.word_cycles = word_cycles(burst.words);
            uint64_t atom = kNobody;
            if (job_->memory.dram.atom_bytes != 0) {
                readers_[burst.address >> job_->memory.dram.channel_bits] |= uint64_t{1} << i / job_->together;
            }
            for (uint64_t w = 0; w < burst.words; ++w) {
                c.due.push_back(served(burst.address + w * job_->data_bytes, false, atom));
            }
            c.reads.push_back(burst);
            ++job_->read_bursts[i];
            idle_ = 0;
        }
        if (c.r_valid && ready) {
            Burst& first = c.reads.front();
            first.address += job_->data_bytes;
            if (--first.words == 0) c.reads.pop_front();
            c.due.pop_front();
            c.r_valid = false;
            ++job_->read_words[i];
            idle_ = 0;
        }
    }

    void observe_data(uint64_t i, bool valid, bool last, const uint8_t* data, const Bits& strobes) {
        Channel& c = channels_[i];
        const uint64_t bytes = job_->data_bytes;
        if (c.w_held && (!valid || last != c.w_last || std::memcmp(data, c.w_data.data(), bytes))) {
            throw Violation("unstable", "W changed while it waited: " + where(i));
        }
        c.w_held = valid && !c.w_ready;
        if (c.w_held) c.w_data.assign(data, data + bytes);
        c.w_last = last;
        if (!valid || !c.w_ready) return;
        Burst& burst = c.writes.front();
        c.write_bad |= !store(burst.address, data, strobes, bytes * i, bytes);
        c.write_bad |= fails(job_->bad_write, burst.address);
        c.write_time -= burst.word_cycles;
        burst.address += bytes;
        ++job_->written_words[i];
        idle_ = 0;
        if (last != (--burst.words == 0)) {
            throw Violation("wlast", "WLAST is in the wrong place: " + where(i));
        }
        if (last) {
            uint64_t atom = kNobody, done = cycle_ + job_->memory.latency;
            for (uint64_t at = burst.begin; at < burst.address; at += bytes) done = served(at, true, atom);
            c.answers.emplace_back(done, c.write_bad);
            c.write_bad = false;
            c.writes.pop_front();
        }
    }

    void observe_write(uint64_t i, bool valid, Burst burst, bool ready) {
        Channel& c = channels_[i];
        if (c.aw_held && (!valid || burst.address != c.aw.address || burst.words != c.aw.words)) {
            throw Violation("unstable", "AW changed while it waited: " + where(i));
        }
        c.aw_held = valid && !c.aw_ready;
        c.aw = burst;
        if (valid && c.aw_ready) {
            check_request("a write", burst, dut_->awsize_o, dut_->awburst_o, i);
            burst.word_cycles = word_cycles(burst.words);
            burst.begin = burst.address;
            c.writes.push_back(burst);
            ++job_->write_bursts[i];
            idle_ = 0;
        }
        if (c.b_valid && ready) {
            c.b_valid = false;
            idle_ = 0;
        }
    }

    // An access waits for a register or two.
    void answered(const uint64_t& valid, const char* otherwise) {
        for (int cycles = 0; !valid; ++cycles) {
            if (cycles == 4) throw Violation("control", otherwise);
            tick();
        }
    }

    void write(uint64_t address, uint64_t value) {
        // Address and data come in any order, and each is there until it is taken.
        const uint64_t order = host_->next() % 3;
        bool aw = false, w = false;
        for (uint64_t turn = 0; !(aw && w); ++turn) {
            const bool awvalid = !aw && (order != 1 || turn > 0);
            const bool wvalid = !w && (order != 2 || turn > 0);
            dut_->ctrl_awvalid_i = awvalid;
            dut_->ctrl_wvalid_i = wvalid;
            // What is not valid is noise.
            dut_->ctrl_awaddr_i = awvalid ? address : address ^ 4;
            dut_->ctrl_wdata_i = static_cast<uint32_t>(wvalid ? value : ~value);
            dut_->ctrl_wstrb_i = 15;
            tick();
            aw |= awvalid && ctrl_aw_;
            w |= wvalid && ctrl_w_;
        }
        idle_ = 0;
        dut_->ctrl_awvalid_i = dut_->ctrl_wvalid_i = 0;
        dut_->ctrl_bready_i = 1;
        answered(dut_->ctrl_bvalid_o, "a register's write has no answer");
        job_->control_errors += dut_->ctrl_bresp_o != 0;
        tick();
        dut_->ctrl_bready_i = 0;
    }

    uint64_t read(uint64_t address) {
        do {
            dut_->ctrl_arvalid_i = 1;
            dut_->ctrl_araddr_i = address;
            tick();
        } while (!ctrl_ar_);
        idle_ = 0;
        dut_->ctrl_arvalid_i = 0;
        dut_->ctrl_rready_i = 1;
        answered(dut_->ctrl_rvalid_o, "a register's read has no answer");
        const uint64_t value = dut_->ctrl_rdata_o;
        job_->control_errors += dut_->ctrl_rresp_o != 0;
        tick();
        dut_->ctrl_rready_i = 0;
        return value;
    }

    OwnedDesign<Design> dut_;
    std::unique_ptr<Random> host_;
    std::vector<Channel> channels_;
    std::map<uint64_t, Dram> drams_;
    std::map<uint64_t, uint64_t> readers_;  // by a DRAM's channel: which of those together
    double served_ = 0;  // when the last atom was
    ShellJob* job_ = nullptr;
    uint64_t cycle_ = 0, idle_ = 0, silent_ = kNobody;
    bool at_rest_ = false;  // the last job has ended
    bool ctrl_aw_ = false, ctrl_w_ = false, ctrl_ar_ = false;
};

}  // namespace

extern "C" {

void* nttforge_open() { return new Simulation; }

void nttforge_close(void* simulation) { delete static_cast<Simulation*>(simulation); }

uint64_t nttforge_job_size() { return sizeof(ShellJob); }

void nttforge_run(void* simulation, ShellJob* job) {
    run_job(*static_cast<Simulation*>(simulation), *job);
}
}
