/* The driver of mem_issue against a fake bus: every error is seen.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include "cotenant_issue.h"
#include "fake.h"

#define KERNELS 2u
#define LIMIT_WIDTH 4u

static struct fake fake;
static struct cotenant_issue issue;

static void set(uint32_t offset, uint32_t value) { *fake_word(&fake, offset) = value; }
static uint32_t get(uint32_t offset) { return *fake_word(&fake, offset); }

static void set_geometry(uint32_t kernels, uint32_t limiter) {
    set(COTENANT_ISSUE_GEOMETRY_OFFSET, kernels << COTENANT_ISSUE_GEOMETRY_KERNELS_SHIFT |
                                            limiter << COTENANT_ISSUE_GEOMETRY_LIMITER_SHIFT |
                                            COTENANT_ISSUE_GEOMETRY_CAP_MASK);
}

static void power_up(uint32_t limiter, uint32_t quota_width) {
    memset(&fake, 0, sizeof fake);
    fake_calm(&fake);
    set(COTENANT_ISSUE_ID_OFFSET, COTENANT_ISSUE_ID_VALUE_EXPECTED);
    set(COTENANT_ISSUE_VERSION_OFFSET,
        COTENANT_ISSUE_VERSION_MAJOR_EXPECTED << COTENANT_ISSUE_VERSION_MAJOR_SHIFT);
    set(COTENANT_ISSUE_UNIT_OFFSET, COTENANT_ISSUE_UNIT_VALUE_EXPECTED);
    set_geometry(KERNELS, limiter);
    set(COTENANT_ISSUE_WIDTHS_OFFSET, 6u << COTENANT_ISSUE_WIDTHS_COUNT_W_SHIFT |
                                          LIMIT_WIDTH << COTENANT_ISSUE_WIDTHS_LIMIT_W_SHIFT |
                                          10u << COTENANT_ISSUE_WIDTHS_INTERVAL_W_SHIFT |
                                          11u << COTENANT_ISSUE_WIDTHS_FAIL_W_SHIFT);
    set(COTENANT_ISSUE_QUOTA_WIDTH_OFFSET,
        quota_width << COTENANT_ISSUE_QUOTA_WIDTH_QUOTA_W_SHIFT);
    fake.sequence = COTENANT_ISSUE_STATUS_OFFSET;
    fake.step = 1u << COTENANT_ISSUE_STATUS_SEQUENCE_SHIFT;
}

static enum cotenant_status opened(void) {
    const struct cotenant_bus bus = fake_bus(&fake);
    return cotenant_issue_open(&issue, &bus);
}

static void fresh(uint32_t limiter, uint32_t quota_width) {
    power_up(limiter, quota_width);
    CHECK(opened() == COTENANT_OK);
    fake_calm(&fake);
}

static void open_reads_parameters(void) {
    fresh(1, 40);
    CHECK(issue.parameters.kernels == KERNELS && issue.parameters.sets_limits);
    CHECK(issue.parameters.priority == 0 && issue.parameters.release == 0);
    CHECK(issue.parameters.cap == 1);
    CHECK(issue.parameters.count_width == 6 && issue.parameters.limit_width == LIMIT_WIDTH);
    CHECK(issue.parameters.interval_width == 10 && issue.parameters.fail_width == 11);
    CHECK(issue.parameters.quota_width == 40);
}

static void open_refuses(void) {
    power_up(0, 10);
    set(COTENANT_ISSUE_ID_OFFSET, 0);
    CHECK(opened() == COTENANT_WRONG_ID);
    power_up(0, 10);
    set(COTENANT_ISSUE_VERSION_OFFSET,
        (COTENANT_ISSUE_VERSION_MAJOR_EXPECTED + 1) << COTENANT_ISSUE_VERSION_MAJOR_SHIFT);
    CHECK(opened() == COTENANT_WRONG_VERSION);
    power_up(0, 10);
    set(COTENANT_ISSUE_UNIT_OFFSET, COTENANT_ISSUE_UNIT_VALUE_EXPECTED - 1);
    CHECK(opened() == COTENANT_WRONG_UNIT);
    power_up(0, 10);
    set_geometry(0, 0);
    CHECK(opened() == COTENANT_BAD_PARAMETERS);
    set_geometry(COTENANT_ISSUE_KERNELS_MAX + 1, 0);
    CHECK(opened() == COTENANT_BAD_PARAMETERS);
    power_up(0, 65);
    CHECK(opened() == COTENANT_BAD_PARAMETERS);
    power_up(0, 10);
    set(COTENANT_ISSUE_WIDTHS_OFFSET, 17u << COTENANT_ISSUE_WIDTHS_LIMIT_W_SHIFT);
    CHECK(opened() == COTENANT_BAD_PARAMETERS);
}

static void limits(void) {
    uint32_t limit;
    fresh(0, 10);
    CHECK(cotenant_issue_set_limit(&issue, KERNELS, 1) == COTENANT_RANGE);
    CHECK(cotenant_issue_set_limit(&issue, 0, 0) == COTENANT_RANGE);
    CHECK(cotenant_issue_set_limit(&issue, 0, 1u << LIMIT_WIDTH) == COTENANT_RANGE);
    CHECK(cotenant_issue_limit(&issue, KERNELS, &limit) == COTENANT_RANGE);
    CHECK(fake.accesses == 0);
    CHECK(cotenant_issue_set_limit(&issue, 1, (1u << LIMIT_WIDTH) - 1) == COTENANT_OK);
    CHECK(get(COTENANT_ISSUE_SET_LIMIT_AT(1)) == (1u << LIMIT_WIDTH) - 1);
    CHECK(cotenant_issue_limit(&issue, 1, &limit) == COTENANT_OK && limit == 15);
    CHECK(cotenant_issue_set_limit(&issue, 1, COTENANT_ISSUE_UNLIMITED) == COTENANT_OK);
    CHECK((get(COTENANT_ISSUE_SET_LIMIT_AT(1)) & COTENANT_ISSUE_SET_LIMIT_UNLIMITED_MASK) != 0);
    CHECK(cotenant_issue_limit(&issue, 1, &limit) == COTENANT_OK);
    CHECK(limit == COTENANT_ISSUE_UNLIMITED);
    fresh(1, 10);
    CHECK(cotenant_issue_set_limit(&issue, 0, 1) == COTENANT_UNSUPPORTED);
    CHECK(fake.accesses == 0);
}

static void states(uint32_t quota_width) {
    struct cotenant_issue_state state;
    uint32_t k, whole;
    fresh(1, quota_width);
    set(COTENANT_ISSUE_STATUS_OFFSET, 9u << COTENANT_ISSUE_STATUS_SEQUENCE_SHIFT);
    set(COTENANT_ISSUE_ACTIVE_OFFSET, 2);
    set(COTENANT_ISSUE_ALLOW_OFFSET, 1);
    set(COTENANT_ISSUE_UNLIMITED_OFFSET, 3);
    for (k = 0; k < KERNELS; k++) {
        set(COTENANT_ISSUE_IN_FLIGHT_AT(k), 10 + k);
        set(COTENANT_ISSUE_LIMIT_AT(k), 20 + k);
        set(COTENANT_ISSUE_QUOTA_AT(k), 30 + k);
        set(COTENANT_ISSUE_QUOTA_HIGH_AT(k), 40 + k);
    }
    CHECK(cotenant_issue_snapshot(&issue) == COTENANT_OK);
    CHECK(get(COTENANT_ISSUE_CONTROL_OFFSET) == COTENANT_ISSUE_CONTROL_SNAPSHOT_MASK);
    fake_calm(&fake);
    CHECK(cotenant_issue_read(&issue, &state) == COTENANT_OK);
    whole = fake.accesses;
    CHECK(state.kernels == KERNELS && state.sequence == 9);
    for (k = 0; k < KERNELS; k++) {
        CHECK(state.kernel[k].active == (k == 1) && state.kernel[k].allowed == (k == 0));
        CHECK(state.kernel[k].unlimited);
        CHECK(state.kernel[k].in_flight == 10 + k && state.kernel[k].limit == 20 + k);
        CHECK(state.kernel[k].quota ==
              ((uint64_t)(quota_width > 32 ? 40 + k : 0) << 32 | (30 + k)));
    }
    /* QUOTA_HIGH is not mapped where it is not needed. */
    for (k = 0; k < whole; k++)
        CHECK(quota_width > 32 || fake.log[k].offset < COTENANT_ISSUE_QUOTA_HIGH_AT(0));
    fake_calm(&fake);
    fake.every = whole / 2;
    fake.tears = 1;
    CHECK(cotenant_issue_read(&issue, &state) == COTENANT_OK);
    CHECK(fake.accesses == 2 * whole && state.sequence == 10);
    fake_calm(&fake);
    fake.every = whole / 2;
    fake.tears = FAKE_NEVER;
    CHECK(cotenant_issue_read(&issue, &state) == COTENANT_TORN);
    CHECK(fake.accesses == COTENANT_TRIES * whole);
}

static void every_bus_error_is_reported(void) {
    struct cotenant_issue_state state;
    struct cotenant_device *device = &issue.device;
    uint32_t limit;
    fresh(0, 64);
    CHECK_BUS_ERRORS(&fake, device, (void)0, opened());
    CHECK_BUS_ERRORS(&fake, device, (void)0, cotenant_issue_set_limit(&issue, 0, 1));
    CHECK_BUS_ERRORS(&fake, device, (void)0, cotenant_issue_limit(&issue, 0, &limit));
    CHECK_BUS_ERRORS(&fake, device, (void)0, cotenant_issue_snapshot(&issue));
    CHECK_BUS_ERRORS(&fake, device, (void)0, cotenant_issue_read(&issue, &state));
}

int main(void) {
    open_reads_parameters();
    open_refuses();
    limits();
    states(32);
    states(40);
    every_bus_error_is_reported();
    return verdict("issue_test");
}
