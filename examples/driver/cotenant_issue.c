/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "cotenant_issue.h"

/* A field of a register's value. */
#define FIELD(value, field) \
    (((value) & COTENANT_ISSUE_##field##_MASK) >> COTENANT_ISSUE_##field##_SHIFT)

enum cotenant_status cotenant_issue_open(struct cotenant_issue *issue,
                                         const struct cotenant_bus *bus) {
    static const struct cotenant_identity EXPECTED = {
        COTENANT_ISSUE_ID_OFFSET,
        COTENANT_ISSUE_ID_VALUE_EXPECTED,
        COTENANT_ISSUE_VERSION_OFFSET,
        COTENANT_ISSUE_VERSION_MAJOR_SHIFT,
        COTENANT_ISSUE_VERSION_MINOR_MASK,
        COTENANT_ISSUE_VERSION_MAJOR_EXPECTED,
        COTENANT_ISSUE_UNIT_OFFSET,
        COTENANT_ISSUE_UNIT_VALUE_EXPECTED,
    };
    struct cotenant_issue_parameters *parameters = &issue->parameters;
    uint32_t geometry, widths, quota;
    COTENANT_TRY(cotenant_identify(&issue->device, bus, &EXPECTED));
    COTENANT_TRY(cotenant_read(&issue->device, COTENANT_ISSUE_GEOMETRY_OFFSET, &geometry));
    COTENANT_TRY(cotenant_read(&issue->device, COTENANT_ISSUE_WIDTHS_OFFSET, &widths));
    COTENANT_TRY(cotenant_read(&issue->device, COTENANT_ISSUE_QUOTA_WIDTH_OFFSET, &quota));
    parameters->kernels = FIELD(geometry, GEOMETRY_KERNELS);
    parameters->sets_limits = FIELD(geometry, GEOMETRY_LIMITER) != 0;
    parameters->priority = FIELD(geometry, GEOMETRY_PRIORITY);
    parameters->release = FIELD(geometry, GEOMETRY_RELEASE) |
                          FIELD(geometry, GEOMETRY_RELEASE_HIGH) << 1;
    parameters->cap = FIELD(geometry, GEOMETRY_CAP);
    parameters->lag = FIELD(geometry, GEOMETRY_LAG);
    parameters->count_width = FIELD(widths, WIDTHS_COUNT_W);
    parameters->limit_width = FIELD(widths, WIDTHS_LIMIT_W);
    parameters->interval_width = FIELD(widths, WIDTHS_INTERVAL_W);
    parameters->fail_width = FIELD(widths, WIDTHS_FAIL_W);
    parameters->quota_width = FIELD(quota, QUOTA_WIDTH_QUOTA_W);
    if (parameters->kernels == 0 || parameters->kernels > COTENANT_ISSUE_KERNELS_MAX ||
        parameters->limit_width == 0 || parameters->limit_width > 16 ||
        parameters->quota_width > 64)
        return COTENANT_BAD_PARAMETERS;
    return COTENANT_OK;
}

enum cotenant_status cotenant_issue_set_limit(struct cotenant_issue *issue, unsigned kernel,
                                              uint32_t limit) {
    const struct cotenant_issue_parameters *parameters = &issue->parameters;
    uint32_t value;
    if (parameters->sets_limits) return COTENANT_UNSUPPORTED;
    if (kernel >= parameters->kernels) return COTENANT_RANGE;
    if (limit == COTENANT_ISSUE_UNLIMITED)
        value = COTENANT_ISSUE_SET_LIMIT_UNLIMITED_MASK;
    else if (limit == 0 || limit >> parameters->limit_width != 0)
        return COTENANT_RANGE;
    else
        value = limit << COTENANT_ISSUE_SET_LIMIT_VALUE_SHIFT;
    return cotenant_write(&issue->device, COTENANT_ISSUE_SET_LIMIT_AT(kernel), value);
}

enum cotenant_status cotenant_issue_limit(struct cotenant_issue *issue, unsigned kernel,
                                          uint32_t *limit) {
    uint32_t value;
    if (kernel >= issue->parameters.kernels) return COTENANT_RANGE;
    COTENANT_TRY(cotenant_read(&issue->device, COTENANT_ISSUE_SET_LIMIT_AT(kernel), &value));
    *limit = FIELD(value, SET_LIMIT_UNLIMITED) ? COTENANT_ISSUE_UNLIMITED
                                               : FIELD(value, SET_LIMIT_VALUE);
    return COTENANT_OK;
}

enum cotenant_status cotenant_issue_snapshot(struct cotenant_issue *issue) {
    return cotenant_write(&issue->device, COTENANT_ISSUE_CONTROL_OFFSET,
                          COTENANT_ISSUE_CONTROL_SNAPSHOT_MASK);
}

static enum cotenant_status read_sequence(struct cotenant_issue *issue, uint8_t *sequence) {
    uint32_t value;
    COTENANT_TRY(cotenant_read(&issue->device, COTENANT_ISSUE_STATUS_OFFSET, &value));
    *sequence = (uint8_t)FIELD(value, STATUS_SEQUENCE);
    return COTENANT_OK;
}

/* Whether or not a snapshot comes in between. */
static enum cotenant_status read_once(struct cotenant_issue *issue,
                                      struct cotenant_issue_state *state) {
    uint32_t active, allow, unlimited, low, high;
    unsigned k;
    COTENANT_TRY(cotenant_read(&issue->device, COTENANT_ISSUE_ACTIVE_OFFSET, &active));
    COTENANT_TRY(cotenant_read(&issue->device, COTENANT_ISSUE_ALLOW_OFFSET, &allow));
    COTENANT_TRY(cotenant_read(&issue->device, COTENANT_ISSUE_UNLIMITED_OFFSET, &unlimited));
    for (k = 0; k < state->kernels; k++) {
        struct cotenant_issue_kernel *kernel = &state->kernel[k];
        kernel->active = (active >> k & 1) != 0;
        kernel->allowed = (allow >> k & 1) != 0;
        kernel->unlimited = (unlimited >> k & 1) != 0;
        COTENANT_TRY(
            cotenant_read(&issue->device, COTENANT_ISSUE_IN_FLIGHT_AT(k), &kernel->in_flight));
        COTENANT_TRY(cotenant_read(&issue->device, COTENANT_ISSUE_LIMIT_AT(k), &kernel->limit));
        COTENANT_TRY(cotenant_read(&issue->device, COTENANT_ISSUE_QUOTA_AT(k), &low));
        high = 0;
        /* Not mapped where a quota fits a word. */
        if (issue->parameters.quota_width > 32)
            COTENANT_TRY(cotenant_read(&issue->device, COTENANT_ISSUE_QUOTA_HIGH_AT(k), &high));
        kernel->quota = (uint64_t)high << 32 | low;
    }
    return COTENANT_OK;
}

enum cotenant_status cotenant_issue_read(struct cotenant_issue *issue,
                                         struct cotenant_issue_state *state) {
    static const struct cotenant_issue_state NONE = {0};
    unsigned tries;
    uint8_t after;
    *state = NONE;
    state->kernels = issue->parameters.kernels;
    for (tries = 0; tries < COTENANT_TRIES; tries++) {
        COTENANT_TRY(read_sequence(issue, &state->sequence));
        COTENANT_TRY(read_once(issue, state));
        COTENANT_TRY(read_sequence(issue, &after));
        if (after == state->sequence) return COTENANT_OK;
    }
    return COTENANT_TORN;
}
