// The driver of managed_llc against the verilated unit: offsets and meanings are
// the hardware's, and what the driver refuses the hardware refuses, too.
// SPDX-License-Identifier: MIT OR Apache-2.0

#include "cotenant_managed.h"
#include "design_test.hpp"

#include <initializer_list>

// An application accesses lines of set 0, one after the other.
static void access(design& design, unsigned application, std::initializer_list<unsigned> tags) {
    Vdesign& dut = design.dut;
    for (const unsigned tag : tags) {
        dut.access_valid = 1;
        dut.access_set = 0;
        dut.access_tag = tag;
        dut.access_app = application;
        design.cycle();
        dut.access_valid = 0;
        for (unsigned n = 0; n < 8; ++n) design.cycle();
    }
}

// Ends the period and reads it, once its quotas are there.
static cotenant_managed_period ended(cotenant_managed& managed) {
    cotenant_managed_period period;
    REQUIRE(cotenant_managed_end_period(&managed) == COTENANT_OK);
    do REQUIRE(cotenant_managed_read(&managed, &period) == COTENANT_OK);
    while (period.busy);
    return period;
}

int main() {
    design design;
    const cotenant_bus bus = {read32, write32, &design};
    cotenant_managed managed;
    REQUIRE(cotenant_managed_open(&managed, &bus) == COTENANT_OK);
    const cotenant_managed_parameters& with = managed.parameters;
    REQUIRE(with.ways == 4 && with.applications == 2 && with.cores == 2 && with.tiles == 1);
    REQUIRE(with.set_width == 3 && with.leader_sets == 1 && with.sampled_sets == 4);
    REQUIRE(with.count_width == 12 && with.ratio_width == 10 && with.threshold == 10);
    REQUIRE(cotenant_managed_wait(&managed, 1000) == COTENANT_OK);

    // Under LRU an application takes the other's oldest line.
    access(design, 0, {1, 2, 3, 4});
    access(design, 1, {5});
    const cotenant_managed_period lru = ended(managed);
    REQUIRE(lru.sequence == 1 && lru.applications == 2);
    REQUIRE(lru.application[0].hits == 0 && lru.application[0].misses == 4);
    REQUIRE(lru.application[1].hits == 0 && lru.application[1].misses == 1);
    REQUIRE(lru.application[0].evicted_by[1] == 1 && lru.application[0].evicted_by[0] == 0);
    REQUIRE(lru.application[1].evicted_by[0] == 0 && lru.application[1].evicted_by[1] == 0);

    // With a quota of one way it takes its own.
    const uint8_t ways[] = {3, 1};
    REQUIRE(cotenant_managed_give_quotas(&managed, ways) == COTENANT_OK);
    access(design, 1, {6, 7});
    access(design, 0, {2, 3, 4});
    const cotenant_managed_period given = ended(managed);
    REQUIRE(given.sequence == 2);
    REQUIRE(given.application[0].quota == 3 && given.application[1].quota == 1);
    REQUIRE(given.application[0].hits == 3 && given.application[0].misses == 0);
    REQUIRE(given.application[1].misses == 2 && given.application[1].evicted_by[1] == 2);
    REQUIRE(given.application[0].evicted_by[1] == 0);

    // The hardware refuses the same quotas as the driver, and keeps those that hold.
    const uint8_t many[] = {3, 2};
    REQUIRE(cotenant_managed_give_quotas(&managed, many) == COTENANT_RANGE);
    uint32_t policy;
    cotenant_device* device = &managed.device;
    REQUIRE(cotenant_read(device, COTENANT_MANAGED_POLICY_OFFSET, &policy) == COTENANT_OK);
    REQUIRE(cotenant_write(device, COTENANT_MANAGED_QUOTA_GIVEN_AT(1), 2) == COTENANT_OK);
    REQUIRE(cotenant_write(device, COTENANT_MANAGED_POLICY_OFFSET, policy) == COTENANT_BUS);
    REQUIRE(ended(managed).application[1].quota == 1);
    REQUIRE(cotenant_managed_sample_cores(&managed, 1, 1) == COTENANT_RANGE);
    REQUIRE(cotenant_write(device, COTENANT_MANAGED_CORES_OFFSET,
                           1u << COTENANT_MANAGED_CORES_POL1_SHIFT |
                               1u << COTENANT_MANAGED_CORES_POL2_SHIFT) == COTENANT_BUS);
    REQUIRE(cotenant_managed_set_streaming(&managed, 1u << 12, 1) == COTENANT_RANGE);
    REQUIRE(cotenant_write(device, COTENANT_MANAGED_STREAM_ACCESSES_OFFSET, 1u << 12) ==
            COTENANT_BUS);

    // Masks of software, until they are taken back.
    REQUIRE(cotenant_write(device, COTENANT_MANAGED_QUOTA_GIVEN_AT(1), 1) == COTENANT_OK);
    REQUIRE(cotenant_managed_give_masks(&managed, 1, 2) == COTENANT_OK);
    const cotenant_managed_period masked = ended(managed);
    REQUIRE(masked.application[0].one_way && !masked.application[1].one_way);
    REQUIRE(!masked.application[0].short_lived && masked.application[1].short_lived);
    REQUIRE(cotenant_managed_take_back(&managed) == COTENANT_OK);
    const cotenant_managed_period own = ended(managed);
    REQUIRE(!own.application[0].one_way && !own.application[1].short_lived);
    REQUIRE(own.application[0].quota + own.application[1].quota == 4);

    // Whatever the driver can choose the hardware takes.
    for (int chosen = COTENANT_MANAGED_LRU; chosen <= COTENANT_MANAGED_TAP_RRIP_S; ++chosen) {
        const auto as = static_cast<cotenant_managed_policy>(chosen);
        REQUIRE(cotenant_managed_set_policy(&managed, as) == COTENANT_OK);
    }
    REQUIRE(cotenant_managed_set_gpu(&managed, 2) == COTENANT_OK);
    REQUIRE(cotenant_managed_sample_cores(&managed, 1, 0) == COTENANT_OK);
    REQUIRE(cotenant_managed_set_streaming(&managed, (1u << 12) - 1, 255) == COTENANT_OK);

    // The interrupt comes as a period ends, and goes as its cause is cleared.
    uint32_t causes;
    REQUIRE(cotenant_managed_enable(&managed, 0) == COTENANT_OK);
    REQUIRE(cotenant_write(device, COTENANT_MANAGED_IRQ_STATUS_OFFSET, 3) == COTENANT_OK);
    REQUIRE(cotenant_managed_enable(&managed, COTENANT_MANAGED_PERIOD_ENDED) == COTENANT_OK);
    design.settle();
    REQUIRE(!design.dut.irq);
    REQUIRE(cotenant_managed_set_period(&managed, 300) == COTENANT_OK);
    for (unsigned n = 0; n < 290; ++n) design.cycle();
    REQUIRE(!design.dut.irq);
    for (unsigned n = 0; n < 20; ++n) design.cycle();
    REQUIRE(design.dut.irq);
    REQUIRE(cotenant_managed_interrupt(&managed, &causes) == COTENANT_OK);
    REQUIRE(causes == COTENANT_MANAGED_PERIOD_ENDED);
    for (unsigned n = 0; n < 3; ++n) design.cycle();
    REQUIRE(!design.dut.irq);
    design.dut.final();
    std::printf("managed_design: as expected behind %s\n", bus_name());
    return 0;
}
