/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "cotenant_managed.h"

/* A field of a register's value, and a value for a field. */
#define FIELD(value, field) \
    (((value) & COTENANT_MANAGED_##field##_MASK) >> COTENANT_MANAGED_##field##_SHIFT)
#define WITH(value, field) ((uint32_t)(value) << COTENANT_MANAGED_##field##_SHIFT)

#define CAUSES (COTENANT_MANAGED_PERIOD_ENDED | COTENANT_MANAGED_QUOTAS_DECIDED)

static enum cotenant_status get(struct cotenant_managed *managed, uint32_t offset,
                                uint32_t *value) {
    return cotenant_read(&managed->device, offset, value);
}

static enum cotenant_status set(struct cotenant_managed *managed, uint32_t offset,
                                uint32_t value) {
    return cotenant_write(&managed->device, offset, value);
}

enum cotenant_status cotenant_managed_open(struct cotenant_managed *managed,
                                           const struct cotenant_bus *bus) {
    static const struct cotenant_identity EXPECTED = {
        COTENANT_MANAGED_ID_OFFSET,
        COTENANT_MANAGED_ID_VALUE_EXPECTED,
        COTENANT_MANAGED_VERSION_OFFSET,
        COTENANT_MANAGED_VERSION_MAJOR_SHIFT,
        COTENANT_MANAGED_VERSION_MINOR_MASK,
        COTENANT_MANAGED_VERSION_MAJOR_EXPECTED,
        COTENANT_MANAGED_UNIT_OFFSET,
        COTENANT_MANAGED_UNIT_VALUE_EXPECTED,
    };
    struct cotenant_managed_parameters *parameters = &managed->parameters;
    uint32_t geometry, widths, sampling, leader, sampled, tile;
    COTENANT_TRY(cotenant_identify(&managed->device, bus, &EXPECTED));
    COTENANT_TRY(get(managed, COTENANT_MANAGED_GEOMETRY_OFFSET, &geometry));
    COTENANT_TRY(get(managed, COTENANT_MANAGED_WIDTHS_OFFSET, &widths));
    COTENANT_TRY(get(managed, COTENANT_MANAGED_SAMPLING_OFFSET, &sampling));
    parameters->ways = FIELD(geometry, GEOMETRY_WAYS);
    parameters->applications = FIELD(geometry, GEOMETRY_APPLICATIONS);
    parameters->cores = FIELD(geometry, GEOMETRY_CORES);
    parameters->set_width = FIELD(geometry, GEOMETRY_SET_W);
    parameters->count_width = FIELD(widths, WIDTHS_CNT_W);
    parameters->selector_width = FIELD(widths, WIDTHS_PSEL_W);
    parameters->ratio_width = FIELD(widths, WIDTHS_XS_W);
    parameters->threshold = FIELD(widths, WIDTHS_T_XS);
    parameters->rotates = FIELD(sampling, SAMPLING_ROTATE) != 0;
    leader = FIELD(sampling, SAMPLING_LEADER_W);
    sampled = FIELD(sampling, SAMPLING_SAMPLED_W);
    tile = FIELD(sampling, SAMPLING_TILE_W);
    if (parameters->applications == 0 ||
        parameters->applications > COTENANT_MANAGED_APPLICATIONS_MAX ||
        parameters->ways < parameters->applications || parameters->cores < 2 ||
        parameters->count_width == 0 || parameters->count_width > 32 ||
        parameters->selector_width > 16 || parameters->ratio_width > 16 || leader > 31 ||
        sampled > 31 || tile > 31)
        return COTENANT_BAD_PARAMETERS;
    parameters->leader_sets = 1u << leader;
    parameters->sampled_sets = 1u << sampled;
    parameters->tiles = 1u << tile;
    return COTENANT_OK;
}

enum cotenant_status cotenant_managed_wait(struct cotenant_managed *managed, uint32_t polls) {
    uint32_t status;
    while (polls-- > 0) {
        COTENANT_TRY(get(managed, COTENANT_MANAGED_STATUS_OFFSET, &status));
        if (FIELD(status, STATUS_READY)) return COTENANT_OK;
    }
    return COTENANT_NOT_READY;
}

/* One bit per application, and none beyond. */
static bool names_applications(const struct cotenant_managed *managed, uint32_t mask) {
    return mask >> managed->parameters.applications == 0;
}

enum cotenant_status cotenant_managed_set_gpu(struct cotenant_managed *managed,
                                              uint32_t applications) {
    if (!names_applications(managed, applications)) return COTENANT_RANGE;
    return set(managed, COTENANT_MANAGED_GPU_OFFSET, applications);
}

enum cotenant_status cotenant_managed_set_period(struct cotenant_managed *managed,
                                                 uint32_t cycles) {
    return set(managed, COTENANT_MANAGED_PERIOD_OFFSET, cycles);
}

enum cotenant_status cotenant_managed_end_period(struct cotenant_managed *managed) {
    return set(managed, COTENANT_MANAGED_CONTROL_OFFSET, COTENANT_MANAGED_CONTROL_PERIOD_MASK);
}

/* Values of POLICY.POLICY. */
enum { LRU, QUOTAS, RRIP };

enum cotenant_status cotenant_managed_set_policy(struct cotenant_managed *managed,
                                                 enum cotenant_managed_policy policy) {
    const uint32_t tap = COTENANT_MANAGED_POLICY_AWARE_MASK | COTENANT_MANAGED_POLICY_SAMPLE_MASK;
    const uint32_t detect = COTENANT_MANAGED_POLICY_DETECT_MASK;
    uint32_t value;
    switch (policy) {
    case COTENANT_MANAGED_LRU: value = WITH(LRU, POLICY_POLICY); break;
    case COTENANT_MANAGED_UCP: value = WITH(QUOTAS, POLICY_POLICY); break;
    case COTENANT_MANAGED_TAP_UCP: value = WITH(QUOTAS, POLICY_POLICY) | tap; break;
    case COTENANT_MANAGED_TAP_UCP_S: value = WITH(QUOTAS, POLICY_POLICY) | tap | detect; break;
    case COTENANT_MANAGED_DRRIP: value = WITH(RRIP, POLICY_POLICY); break;
    case COTENANT_MANAGED_TAP_RRIP: value = WITH(RRIP, POLICY_POLICY) | tap; break;
    case COTENANT_MANAGED_TAP_RRIP_S: value = WITH(RRIP, POLICY_POLICY) | tap | detect; break;
    default: return COTENANT_RANGE;
    }
    return set(managed, COTENANT_MANAGED_POLICY_OFFSET, value);
}

enum cotenant_status cotenant_managed_give_quotas(struct cotenant_managed *managed,
                                                  const uint8_t *ways) {
    const unsigned applications = managed->parameters.applications;
    uint32_t sum = 0, policy;
    unsigned n;
    for (n = 0; n < applications; n++) {
        if (ways[n] == 0) return COTENANT_RANGE;
        sum += ways[n];
    }
    if (sum != managed->parameters.ways) return COTENANT_RANGE;
    COTENANT_TRY(get(managed, COTENANT_MANAGED_POLICY_OFFSET, &policy));
    for (n = 0; n < applications; n++)
        COTENANT_TRY(set(managed, COTENANT_MANAGED_QUOTA_GIVEN_AT(n), ways[n]));
    policy &= ~COTENANT_MANAGED_POLICY_POLICY_MASK;
    policy |= WITH(QUOTAS, POLICY_POLICY) | COTENANT_MANAGED_POLICY_QUOTAS_MASK;
    return set(managed, COTENANT_MANAGED_POLICY_OFFSET, policy);
}

enum cotenant_status cotenant_managed_give_masks(struct cotenant_managed *managed,
                                                 uint32_t ucp, uint32_t rrip) {
    uint32_t policy;
    if (!names_applications(managed, ucp) || !names_applications(managed, rrip))
        return COTENANT_RANGE;
    COTENANT_TRY(get(managed, COTENANT_MANAGED_POLICY_OFFSET, &policy));
    COTENANT_TRY(set(managed, COTENANT_MANAGED_UCP_MASK_GIVEN_OFFSET, ucp));
    COTENANT_TRY(set(managed, COTENANT_MANAGED_RRIP_MASK_GIVEN_OFFSET, rrip));
    return set(managed, COTENANT_MANAGED_POLICY_OFFSET,
               policy | COTENANT_MANAGED_POLICY_MASKS_MASK);
}

enum cotenant_status cotenant_managed_take_back(struct cotenant_managed *managed) {
    const uint32_t given =
        COTENANT_MANAGED_POLICY_QUOTAS_MASK | COTENANT_MANAGED_POLICY_MASKS_MASK;
    uint32_t policy;
    COTENANT_TRY(get(managed, COTENANT_MANAGED_POLICY_OFFSET, &policy));
    return set(managed, COTENANT_MANAGED_POLICY_OFFSET, policy & ~given);
}

enum cotenant_status cotenant_managed_sample_cores(struct cotenant_managed *managed,
                                                   unsigned pol1, unsigned pol2) {
    const unsigned cores = managed->parameters.cores;
    if (pol1 >= cores || pol2 >= cores || pol1 == pol2) return COTENANT_RANGE;
    return set(managed, COTENANT_MANAGED_CORES_OFFSET,
               WITH(pol1, CORES_POL1) | WITH(pol2, CORES_POL2));
}

enum cotenant_status cotenant_managed_set_streaming(struct cotenant_managed *managed,
                                                    uint32_t accesses, uint8_t misses) {
    const unsigned width = managed->parameters.count_width;
    if (accesses == 0 || (width < 32 && accesses >> width != 0)) return COTENANT_RANGE;
    COTENANT_TRY(set(managed, COTENANT_MANAGED_STREAM_ACCESSES_OFFSET, accesses));
    return set(managed, COTENANT_MANAGED_STREAM_RATE_OFFSET, misses);
}

/* Of all applications; whether or not a period ends in between. */
static enum cotenant_status read_applications(struct cotenant_managed *managed,
                                              struct cotenant_managed_period *period) {
    uint32_t one_way, short_lived, streams, overflow, value;
    unsigned n, by;
    COTENANT_TRY(get(managed, COTENANT_MANAGED_UCP_MASK_OFFSET, &one_way));
    COTENANT_TRY(get(managed, COTENANT_MANAGED_RRIP_MASK_OFFSET, &short_lived));
    COTENANT_TRY(get(managed, COTENANT_MANAGED_STREAMING_OFFSET, &streams));
    COTENANT_TRY(get(managed, COTENANT_MANAGED_OVERFLOW_EVICTIONS_OFFSET, &overflow));
    for (n = 0; n < period->applications; n++) {
        struct cotenant_managed_application *application = &period->application[n];
        application->one_way = (one_way >> n & 1) != 0;
        application->short_lived = (short_lived >> n & 1) != 0;
        application->streams = (streams >> n & 1) != 0;
        application->overflow = (overflow >> n & 1) != 0;
        COTENANT_TRY(get(managed, COTENANT_MANAGED_HITS_AT(n), &application->hits));
        COTENANT_TRY(get(managed, COTENANT_MANAGED_MISSES_AT(n), &application->misses));
        COTENANT_TRY(get(managed, COTENANT_MANAGED_QUOTA_AT(n), &value));
        application->quota = (uint8_t)FIELD(value, QUOTA_WAYS);
        COTENANT_TRY(get(managed, COTENANT_MANAGED_PSEL_AT(n), &value));
        application->selector = (uint16_t)FIELD(value, PSEL_VALUE);
        for (by = 0; by < period->applications; by++)
            COTENANT_TRY(get(managed, COTENANT_MANAGED_EVICTIONS_AT(n, by),
                             &application->evicted_by[by]));
    }
    return COTENANT_OK;
}

/* The same with what all have in common. */
static enum cotenant_status read_once(struct cotenant_managed *managed,
                                      struct cotenant_managed_period *period) {
    uint32_t value;
    COTENANT_TRY(get(managed, COTENANT_MANAGED_XSRATIO_OFFSET, &value));
    period->ratio = (uint16_t)FIELD(value, XSRATIO_RATIO);
    COTENANT_TRY(get(managed, COTENANT_MANAGED_OVERFLOW_ACCESSES_OFFSET, &value));
    period->overflow_hits = FIELD(value, OVERFLOW_ACCESSES_HITS) != 0;
    period->overflow_misses = FIELD(value, OVERFLOW_ACCESSES_MISSES) != 0;
    return read_applications(managed, period);
}

static bool saturated(const struct cotenant_managed_period *period) {
    unsigned n;
    for (n = 0; n < period->applications; n++)
        if (period->application[n].overflow) return true;
    return period->overflow_hits || period->overflow_misses;
}

enum cotenant_status cotenant_managed_read(struct cotenant_managed *managed,
                                           struct cotenant_managed_period *period) {
    static const struct cotenant_managed_period NONE = {0};
    const uint32_t moves =
        COTENANT_MANAGED_STATUS_SEQUENCE_MASK | COTENANT_MANAGED_STATUS_BUSY_MASK;
    unsigned tries;
    uint32_t before, after;
    *period = NONE;
    period->applications = managed->parameters.applications;
    for (tries = 0; tries < COTENANT_TRIES; tries++) {
        COTENANT_TRY(get(managed, COTENANT_MANAGED_STATUS_OFFSET, &before));
        COTENANT_TRY(read_once(managed, period));
        COTENANT_TRY(get(managed, COTENANT_MANAGED_STATUS_OFFSET, &after));
        if ((before & moves) != (after & moves)) continue;
        period->sequence = (uint8_t)FIELD(before, STATUS_SEQUENCE);
        period->busy = FIELD(before, STATUS_BUSY) != 0;
        period->insensitive = FIELD(after, STATUS_INSENSITIVE) != 0;
        return saturated(period) ? COTENANT_OVERFLOW : COTENANT_OK;
    }
    return COTENANT_TORN;
}

enum cotenant_status cotenant_managed_enable(struct cotenant_managed *managed,
                                             uint32_t causes) {
    if ((causes & ~CAUSES) != 0) return COTENANT_RANGE;
    return set(managed, COTENANT_MANAGED_IRQ_ENABLE_OFFSET, causes);
}

enum cotenant_status cotenant_managed_interrupt(struct cotenant_managed *managed,
                                                uint32_t *causes) {
    uint32_t status, enable;
    COTENANT_TRY(get(managed, COTENANT_MANAGED_IRQ_STATUS_OFFSET, &status));
    COTENANT_TRY(get(managed, COTENANT_MANAGED_IRQ_ENABLE_OFFSET, &enable));
    status &= enable;
    *causes = status;
    return status == 0 ? COTENANT_OK
                       : set(managed, COTENANT_MANAGED_IRQ_STATUS_OFFSET, status);
}
