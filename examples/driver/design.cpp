// design.h for a verilated llc_monitor, whatever its bus.
// SPDX-License-Identifier: MIT OR Apache-2.0

#include "design.h"
#include "design.hpp"
#include "verilated.h"

#include <cstddef>

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

// Bits that hold 0 to `largest`.
static unsigned bits_of(uint64_t largest) {
    unsigned bits = 0;
    while (largest >> bits) ++bits;
    return bits;
}

struct design* design_open(void) { return new design; }

void design_close(struct design* design) {
    design->dut.final();
    delete design;
}

const char* design_bus_name(void) { return bus_name(); }

int design_read32(void* context, uint32_t offset, uint32_t* value) {
    return bus_transfer(*static_cast<design*>(context), false, offset, *value);
}

int design_write32(void* context, uint32_t offset, uint32_t value) {
    return bus_transfer(*static_cast<design*>(context), true, offset, value);
}

bool design_interrupt(const struct design* design) { return design->dut.irq; }

void design_wait(struct design* design, unsigned cycles) {
    while (cycles--) design->cycle();
}

bool design_access(struct design* design, const struct cotenant_llc_parameters* with,
                   unsigned requester, uint64_t line) {
    // The bank is chosen by the lowest bits, the set by those above.
    const unsigned bank = unsigned(line % with->banks);
    const uint64_t row = line / with->banks;
    const uint64_t set = row & ((uint64_t(1) << with->set_width) - 1);
    const uint64_t tag = row >> with->set_width;
    if (with->tag_width < 64 && tag >> with->tag_width) return false;
    Vdesign& dut = design->dut;
    put(dut.access_valid, bank, 1, 1);
    put(dut.request_set, bank, with->set_width, set);
    put(dut.access_tag, bank, with->tag_width, tag);
    put(dut.access_requester, bank, bits_of(with->requesters), requester);
    design->cycle();
    put(dut.access_valid, bank, 1, 0);
    return true;
}
