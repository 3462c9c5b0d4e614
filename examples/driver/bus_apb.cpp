// Transfers on APB4.
// SPDX-License-Identifier: MIT OR Apache-2.0

#include "design.hpp"

const char* bus_name() { return "APB4"; }

int bus_transfer(design& design, bool write, uint32_t offset, uint32_t& data) {
    Vdesign& dut = design.dut;
    dut.psel = 1;
    dut.pwrite = write;
    dut.paddr = offset;
    dut.pwdata = write ? data : 0;
    dut.pstrb = write ? 0xF : 0;
    // Set-up cycle, then access cycles until the answer.
    design.cycle();
    dut.penable = 1;
    int failed = 1;
    for (unsigned waited = 0; waited < BUS_TIMEOUT; ++waited) {
        design.settle();
        const bool ready = dut.pready;
        if (ready) {
            failed = dut.pslverr;
            if (!write) data = dut.prdata;
        }
        design.cycle();
        if (ready) break;
    }
    dut.psel = dut.penable = 0;
    return failed;
}
