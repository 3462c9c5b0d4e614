// Transfers on AXI4-Lite, one at a time.
// SPDX-License-Identifier: MIT OR Apache-2.0

#include "design.hpp"

const char* bus_name() { return "AXI4-Lite"; }

static int write_transfer(design& design, uint32_t offset, uint32_t data) {
    Vdesign& dut = design.dut;
    dut.awvalid = dut.wvalid = dut.bready = 1;
    dut.awaddr = offset;
    dut.wdata = data;
    dut.wstrb = 0xF;
    int failed = 1;
    for (unsigned waited = 0; waited < BUS_TIMEOUT; ++waited) {
        design.settle();
        const bool address_taken = dut.awready, data_taken = dut.wready, answered = dut.bvalid;
        if (answered) failed = dut.bresp != 0;
        design.cycle();
        if (address_taken) dut.awvalid = 0;
        if (data_taken) dut.wvalid = 0;
        if (answered) break;
    }
    dut.awvalid = dut.wvalid = dut.bready = 0;
    return failed;
}

static int read_transfer(design& design, uint32_t offset, uint32_t& data) {
    Vdesign& dut = design.dut;
    dut.arvalid = dut.rready = 1;
    dut.araddr = offset;
    int failed = 1;
    for (unsigned waited = 0; waited < BUS_TIMEOUT; ++waited) {
        design.settle();
        const bool address_taken = dut.arready, answered = dut.rvalid;
        if (answered) {
            failed = dut.rresp != 0;
            data = dut.rdata;
        }
        design.cycle();
        if (address_taken) dut.arvalid = 0;
        if (answered) break;
    }
    dut.arvalid = dut.rready = 0;
    return failed;
}

int bus_transfer(design& design, bool write, uint32_t offset, uint32_t& data) {
    return write ? write_transfer(design, offset, data) : read_transfer(design, offset, data);
}
