// SPDX-License-Identifier: Apache-2.0
//
// Comes before a harness if a model counts what it uses: the harness then makes models that leave
// their counts in the folder that NTTFORGE_COVERAGE names when they are closed.
#pragma once

#include <cstdlib>
#include <string>
#include <unistd.h>

#include "Vdut.h"
#include "Vdut___024root.h"
#include "Vdut__Syms.h"
#include "verilated_cov.h"

struct CoveredModel : Vdut {
    using Vdut::Vdut;
    ~CoveredModel() {
        static int number = 0;  // one of each library: its address identifies the library
        const char* folder = std::getenv("NTTFORGE_COVERAGE");
        if (folder == nullptr) return;
        const std::string name = std::to_string(getpid()) + "-" +
                                 std::to_string(reinterpret_cast<uintptr_t>(&number)) + "-" +
                                 std::to_string(number++);
        contextp()->coveragep()->write(std::string(folder) + "/" + name + ".dat");
    }
};

#define Vdut CoveredModel
