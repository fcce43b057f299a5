// SPDX-License-Identifier: Apache-2.0
//
// The DRAM of dram.h alone, with given requests.

#include "dram.h"

extern "C" {

// When each of so many atoms is served, if `asked` of them may wait for an answer, which comes
// `latency` after the command. Returns what the channel has done.
void nttforge_dram(const DramTiming* timing, uint64_t count, const uint64_t* addresses,
                   const uint8_t* writes, uint64_t asked, double latency, double* served,
                   DramTraffic* traffic) {
    Dram dram{*timing, timing->refresh_period};
    for (uint64_t i = 0; i < count; ++i) {
        const double from = i < asked ? 0 : served[i - asked] + latency;
        served[i] = dram.access(addresses[i], writes[i] != 0, from);
    }
    *traffic = dram.traffic();
}
}
