// What tests of a driver against its verilated unit have in common: the bus, as
// the driver reaches it, and a condition that ends the program if it does not hold.
// SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "../design.hpp"

#include <cstdio>
#include <cstdlib>

#define REQUIRE(condition)                                                        \
    do {                                                                          \
        if (!(condition)) {                                                       \
            std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            std::exit(1);                                                         \
        }                                                                         \
    } while (0)

static int read32(void* context, uint32_t offset, uint32_t* value) {
    return bus_transfer(*static_cast<design*>(context), false, offset, *value);
}

static int write32(void* context, uint32_t offset, uint32_t value) {
    return bus_transfer(*static_cast<design*>(context), true, offset, value);
}
