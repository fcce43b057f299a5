// SPDX-License-Identifier: Apache-2.0
//
// What models that are stepped cycle by cycle have in common, compiled once.

#include "cycles.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "verilated_syms.h"

// A failed assertion is a defect: it ends the process with its place in the source.
void vl_fatal(const char* file, int line, const char*, const char* message) {
    std::fprintf(stderr, "%s:%d: %s\n", file, line, message);
    std::abort();
}
void vl_stop(const char* file, int line, const char* scope) { vl_fatal(file, line, scope, "$stop"); }
void vl_finish(const char* file, int line, const char*) {
    vl_fatal(file, line, nullptr, "$finish");
}

std::string nttforge_registers(VerilatedContext& context) {
    std::ostringstream lines;
    for (const auto& scope : *context.scopeNameMap()) {
        if (!scope.second->varsp()) continue;
        for (const auto& entry : *scope.second->varsp()) {
            const VerilatedVar& variable = entry.second;
            if (variable.udims()) continue;
            lines << scope.first << '.' << entry.first << ' ' << variable.entBits() << ' '
                  << reinterpret_cast<uintptr_t>(variable.datap()) << '\n';
        }
    }
    return lines.str();
}
