// SPDX-License-Identifier: Apache-2.0
//
// What cycle_ports.cpp needs that is the same for all models.
#pragma once

#include <string>

#include "verilated.h"

// What a configuration file made public: a line each, of name, bits and address.
std::string nttforge_registers(VerilatedContext& context);
