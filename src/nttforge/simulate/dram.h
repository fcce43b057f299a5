// SPDX-License-Identifier: Apache-2.0
//
// What a DRAM makes of its requests: banks with an open row each, groups of banks, rows that take their
// time to open and to close, reads and writes that take turns, refreshes. A channel serves its requests
// in the order in which they come, and opens the rows of those that wait meanwhile. docs/hbm.md has
// the parameters and where they come from; Python (hw/dram.py) declares the same struct.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

extern "C" {

struct DramTiming {
    uint64_t channel_bits;  // log2 of the bytes of a channel
    uint64_t row_bits;      // the lowest address bit of a row's number
    uint64_t atom_bytes;    // that a column command moves; 0: there are no banks, all takes no time
    uint64_t group_mask, bank_mask;  // address bits that choose a group of banks, a bank in it
    // Times, all in one unit.
    double column, same_group;       // from a column command to the next one, in the same group
    double open, close, open_least;  // a row opens, closes, stays open (tRCD, tRP, tRAS)
    double open_open, four_opens;    // between rows that open: two, and the first and last of five
    double read_close, write_close;  // from a column command to the row's closing (tRTP, CWL+BL+tWR)
    double read_write, write_read;   // between column commands of different direction
    double refresh_period, refresh;  // from one refresh to the next one, and how long it takes
};

struct DramTraffic {  // of a channel
    uint64_t reads, writes, opened, refreshes;
    uint64_t readers;  // a bit for each reader, if known
};
}

namespace {

class Dram {
  public:
    // `phase` is when it is refreshed first.
    Dram(const DramTiming& timing, double phase)
        : t_{timing}, banks_(std::size_t{1} << bits(t_.group_mask | t_.bank_mask)), refresh_{phase} {}

    const DramTraffic& traffic() const { return traffic_; }

    // When an atom's column command is given, if it is asked for at `from`.
    double access(uint64_t address, bool write, double from) {
        Bank& bank = banks_[compact(address, t_.group_mask | t_.bank_mask)];
        const uint64_t row = address >> t_.row_bits, group = compact(address, t_.group_mask);
        for (;;) {
            const bool hit = bank.open && bank.row == row;
            double at = from, opens = 0;
            if (!hit) {
                opens = bank.open ? std::max(from, bank.closable) + t_.close
                                  : std::max(from, bank.closable);
                opens = std::max({opens, opens_[last_] + t_.open_open,
                                  opens_[(last_ + 1) % 4] + t_.four_opens});
                at = opens + t_.open;
            }
            at = std::max(at, column_ + (write != write_  ? (write ? t_.read_write : t_.write_read)
                                         : group == group_ ? t_.same_group
                                                           : t_.column));
            if (t_.refresh_period > 0 && at >= refresh_) {
                refresh();
                continue;
            }
            if (!hit) {
                bank = {true, row, opens + t_.open_least};
                last_ = (last_ + 1) % 4;
                opens_[last_] = opens;
                ++traffic_.opened;
            }
            bank.closable = std::max(bank.closable, at + (write ? t_.write_close : t_.read_close));
            column_ = at, group_ = group, write_ = write;
            ++(write ? traffic_.writes : traffic_.reads);
            return at;
        }
    }

  private:
    struct Bank {
        bool open = false;
        uint64_t row = 0;
        double closable = kLongAgo;  // its row may be closed; if none is open, one may be opened
    };
    static constexpr double kLongAgo = -1e18;

    static uint64_t bits(uint64_t mask) { return static_cast<uint64_t>(__builtin_popcountll(mask)); }
    static uint64_t compact(uint64_t address, uint64_t mask) {
        uint64_t result = 0;
        for (uint64_t place = 0; mask != 0; mask &= mask - 1, ++place) {
            result |= static_cast<uint64_t>((address & mask & (~mask + 1)) != 0) << place;
        }
        return result;
    }

    // All rows are closed, and nothing is served until it is over.
    void refresh() {
        double begin = refresh_;
        for (const Bank& bank : banks_) {
            begin = std::max(begin, bank.closable + (bank.open ? t_.close : 0.0));
        }
        for (Bank& bank : banks_) bank = {false, 0, begin + t_.refresh};
        refresh_ += t_.refresh_period;
        ++traffic_.refreshes;
    }

    DramTiming t_;
    std::vector<Bank> banks_;
    double opens_[4] = {kLongAgo, kLongAgo, kLongAgo, kLongAgo};
    int last_ = 0;
    double column_ = kLongAgo, refresh_;
    uint64_t group_ = 0;
    bool write_ = false;
    DramTraffic traffic_{};
};

}  // namespace
