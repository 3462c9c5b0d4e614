// What the verilated designs have in common: clock, reset, the cache's side; and
// what a bus has to add: bus_transfer and design_bus_name.
// SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "Vdesign.h" // verilator --prefix Vdesign
#include "design.h"
#include "verilated.h"

#include <cstddef>

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

    bool access(const cotenant_llc_parameters& with, unsigned requester, uint64_t line) {
        const unsigned bank = unsigned(line % with.banks);
        const uint64_t tag = line / with.banks >> with.set_width;
        if (with.tag_width < 64 && tag >> with.tag_width) return false;
        const uint64_t set = line / with.banks & ((uint64_t(1) << with.set_width) - 1);
        put(dut.access_valid, bank, 1, 1);
        put(dut.request_set, bank, with.set_width, set);
        put(dut.access_tag, bank, with.tag_width, tag);
        put(dut.access_requester, bank, bits_of(with.requesters), requester);
        cycle();
        put(dut.access_valid, bank, 1, 0);
        return true;
    }

  private:
    // Bits that hold 0 to `largest`.
    static unsigned bits_of(uint64_t largest) {
        unsigned bits = 0;
        while (largest >> bits) ++bits;
        return bits;
    }

    // Element `index` of a packed port of up to 64 bits, and of a wider one.
    template <typename Port>
    static void put(Port& port, unsigned index, unsigned width, uint64_t value) {
        for (unsigned bit = 0; bit < width; ++bit) {
            const uint64_t at = uint64_t(1) << (index * width + bit);
            port = Port(value >> bit & 1 ? port | at : port & ~at);
        }
    }
    template <std::size_t WORDS>
    static void put(VlWide<WORDS>& port, unsigned index, unsigned width, uint64_t value) {
        for (unsigned bit = 0; bit < width; ++bit) {
            const unsigned at = index * width + bit;
            const EData mask = EData(1) << at % 32;
            port[at / 32] = value >> bit & 1 ? port[at / 32] | mask : port[at / 32] & ~mask;
        }
    }
};

// One transfer on the design's bus: 0, or 1 if the answer is an error or does not
// come. `data` is what is written, or becomes what was read.
int bus_transfer(design& design, bool write, uint32_t offset, uint32_t& data);

// Cycles after which an answer is not waited for any more: longer than any sweep.
static const unsigned BUS_TIMEOUT = 10000;
