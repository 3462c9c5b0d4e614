// Transfers on AXI4-Lite, one at a time.
// SPDX-License-Identifier: MIT OR Apache-2.0

#include "design.hpp"

const char* bus_name() { return "AXI4-Lite"; }

static int write_transfer(design& design, uint32_t offset, uint32_t data) {
    Vdesign& dut = design.dut;
    dut.s_axi_awvalid = dut.s_axi_wvalid = dut.s_axi_bready = 1;
    dut.s_axi_awaddr = offset;
    dut.s_axi_wdata = data;
    dut.s_axi_wstrb = 0xF;
    int failed = 1;
    for (unsigned waited = 0; waited < BUS_TIMEOUT; ++waited) {
        design.settle();
        const bool address_taken = dut.s_axi_awready, data_taken = dut.s_axi_wready, answered = dut.s_axi_bvalid;
        if (answered) failed = dut.s_axi_bresp != 0;
        design.cycle();
        if (address_taken) dut.s_axi_awvalid = 0;
        if (data_taken) dut.s_axi_wvalid = 0;
        if (answered) break;
    }
    dut.s_axi_awvalid = dut.s_axi_wvalid = dut.s_axi_bready = 0;
    return failed;
}

static int read_transfer(design& design, uint32_t offset, uint32_t& data) {
    Vdesign& dut = design.dut;
    dut.s_axi_arvalid = dut.s_axi_rready = 1;
    dut.s_axi_araddr = offset;
    int failed = 1;
    for (unsigned waited = 0; waited < BUS_TIMEOUT; ++waited) {
        design.settle();
        const bool address_taken = dut.s_axi_arready, answered = dut.s_axi_rvalid;
        if (answered) {
            failed = dut.s_axi_rresp != 0;
            data = dut.s_axi_rdata;
        }
        design.cycle();
        if (address_taken) dut.s_axi_arvalid = 0;
        if (answered) break;
    }
    dut.s_axi_arvalid = dut.s_axi_rready = 0;
    return failed;
}

int bus_transfer(design& design, bool write, uint32_t offset, uint32_t& data) {
    return write ? write_transfer(design, offset, data) : read_transfer(design, offset, data);
}
