// A verilated design with clock and reset, and what a bus has to add.
// SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "Vdesign.h" // verilator --prefix Vdesign

#include <cstdint>

struct design {
    Vdesign dut;

    design() {
        dut.reset = 1;
        cycle();
        dut.reset = 0;
    }

    // Outputs as they are in the running cycle, with the inputs as they are.
    void settle() {
        dut.clock = 0;
        dut.eval();
    }

    // Ends the cycle.
    void cycle() {
        settle();
        dut.clock = 1;
        dut.eval();
    }
};

// One transfer on the design's bus: 0, or 1 if the answer is an error or does not
// come. `data` is what is written, or becomes what was read.
int bus_transfer(design& design, bool write, uint32_t offset, uint32_t& data);

// Name of the bus.
const char* bus_name();

// Cycles after which an answer is not waited for any more: longer than any sweep.
static const unsigned BUS_TIMEOUT = 10000;
