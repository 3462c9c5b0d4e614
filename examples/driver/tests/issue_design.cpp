// The driver of mem_issue against the verilated unit with limits that software
// sets: offsets and meanings are the hardware's.
// SPDX-License-Identifier: MIT OR Apache-2.0

#include "cotenant_issue.h"
#include "design_test.hpp"

static cotenant_issue_state snapshot(cotenant_issue& issue) {
    cotenant_issue_state state;
    REQUIRE(cotenant_issue_snapshot(&issue) == COTENANT_OK);
    REQUIRE(cotenant_issue_read(&issue, &state) == COTENANT_OK);
    return state;
}

int main() {
    design design;
    Vdesign& dut = design.dut;
    const cotenant_bus bus = {read32, write32, &design};
    cotenant_issue issue;
    REQUIRE(cotenant_issue_open(&issue, &bus) == COTENANT_OK);
    REQUIRE(issue.parameters.kernels == 2);
    REQUIRE(!issue.parameters.sets_limits);

    // Nothing runs; the limits are none.
    uint32_t limit;
    REQUIRE(cotenant_issue_limit(&issue, 1, &limit) == COTENANT_OK);
    REQUIRE(limit == COTENANT_ISSUE_UNLIMITED);
    const cotenant_issue_state idle = snapshot(issue);
    REQUIRE(idle.sequence == 1);
    REQUIRE(!idle.kernel[0].active && !idle.kernel[1].active);
    REQUIRE(idle.kernel[0].unlimited && idle.kernel[1].unlimited);

    // Kernel 0 may have 3 in flight, kernel 1 any number; both want more.
    REQUIRE(cotenant_issue_set_limit(&issue, 0, 3) == COTENANT_OK);
    REQUIRE(cotenant_issue_limit(&issue, 0, &limit) == COTENANT_OK && limit == 3);
    REQUIRE(cotenant_issue_limit(&issue, 1, &limit) == COTENANT_OK);
    REQUIRE(limit == COTENANT_ISSUE_UNLIMITED);
    dut.launch = 3;
    design.cycle();
    dut.launch = 0;
    dut.want = 3;
    dut.lsu_ready = 1;
    unsigned granted[2] = {};
    for (int n = 0; n < 12; ++n) {
        design.settle();
        if (dut.grant_valid) ++granted[dut.grant_kid];
        design.cycle();
    }
    dut.want = 0;
    dut.lsu_ready = 0;
    REQUIRE(granted[0] == 3 && granted[1] > 3);
    const cotenant_issue_state busy = snapshot(issue);
    REQUIRE(busy.sequence == 2);
    for (unsigned k = 0; k < 2; ++k) {
        REQUIRE(busy.kernel[k].active);
        REQUIRE(busy.kernel[k].in_flight == granted[k]);
        REQUIRE(busy.kernel[k].quota == 0); // RBMI has none
    }
    REQUIRE(busy.kernel[0].limit == 3 && !busy.kernel[0].unlimited && !busy.kernel[0].allowed);
    REQUIRE(busy.kernel[1].unlimited && busy.kernel[1].allowed);

    // A snapshot stays as it is while the unit goes on.
    dut.complete = 1;
    design.cycle();
    dut.complete = 0;
    cotenant_issue_state later;
    REQUIRE(cotenant_issue_read(&issue, &later) == COTENANT_OK);
    REQUIRE(later.sequence == 2 && later.kernel[0].in_flight == 3 && !later.kernel[0].allowed);
    later = snapshot(issue);
    REQUIRE(later.kernel[0].in_flight == 2 && later.kernel[0].allowed);

    // And the limit goes away.
    REQUIRE(cotenant_issue_set_limit(&issue, 0, COTENANT_ISSUE_UNLIMITED) == COTENANT_OK);
    REQUIRE(snapshot(issue).kernel[0].unlimited);
    dut.final();
    std::printf("issue_design: as expected behind %s\n", bus_name());
    return 0;
}
