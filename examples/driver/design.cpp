// design.h for a verilated design, whatever its bus.
// SPDX-License-Identifier: MIT OR Apache-2.0

#include "design.hpp"

struct design* design_open(void) { return new design; }

void design_close(struct design* design) {
    design->dut.final();
    delete design;
}

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

bool design_access(struct design* design, const struct cotenant_llc_parameters* parameters,
                   unsigned requester, uint64_t line) {
    return design->access(*parameters, requester, line);
}
