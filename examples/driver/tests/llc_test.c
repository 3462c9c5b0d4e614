/* The driver of llc_monitor against a fake bus: every error is seen, and what an
 * interrupt handler relies on is done in the right order.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include "cotenant_llc.h"
#include "fake.h"

#define KERNELS 3u
#define REQUESTERS 5u
/* As the registers say, not as the driver has it. */
#define SIXTHS 6u

static struct fake fake;
static struct cotenant_llc llc;

static void set(uint32_t offset, uint32_t value) { *fake_word(&fake, offset) = value; }
static uint32_t get(uint32_t offset) { return *fake_word(&fake, offset); }

static void shape(uint32_t kernels) {
    set(COTENANT_LLC_GEOMETRY_OFFSET,
        16u << COTENANT_LLC_GEOMETRY_WAYS_SHIFT | kernels << COTENANT_LLC_GEOMETRY_KERNELS_SHIFT |
            2u << COTENANT_LLC_GEOMETRY_BANKS_SHIFT |
            REQUESTERS << COTENANT_LLC_GEOMETRY_REQUESTERS_SHIFT);
}

static void power_up(void) {
    memset(&fake, 0, sizeof fake);
    fake_calm(&fake);
    set(COTENANT_LLC_ID_OFFSET, COTENANT_LLC_ID_VALUE_EXPECTED);
    set(COTENANT_LLC_VERSION_OFFSET,
        COTENANT_LLC_VERSION_MAJOR_EXPECTED << COTENANT_LLC_VERSION_MAJOR_SHIFT | 7);
    set(COTENANT_LLC_UNIT_OFFSET, COTENANT_LLC_UNIT_VALUE_EXPECTED);
    shape(KERNELS);
    set(COTENANT_LLC_WIDTHS_OFFSET,
        6u << COTENANT_LLC_WIDTHS_SET_W_SHIFT | 36u << COTENANT_LLC_WIDTHS_TAG_W_SHIFT |
            21u << COTENANT_LLC_WIDTHS_CNT_W_SHIFT | 22u << COTENANT_LLC_WIDTHS_TOTAL_W_SHIFT);
    set(COTENANT_LLC_PIPELINE_OFFSET, 2u << COTENANT_LLC_PIPELINE_STAGES_SHIFT);
    set(COTENANT_LLC_STATUS_OFFSET, COTENANT_LLC_STATUS_READY_MASK);
    fake.clears = 3;
    fake.clear_from[0] = COTENANT_LLC_DEMOTION_OVER_AT(0);
    fake.clear_to[0] = COTENANT_LLC_DEMOTION_OVER_AT(COTENANT_LLC_KERNELS_MAX);
    fake.clear_from[1] = COTENANT_LLC_EVICTION_OVER_AT(0);
    fake.clear_to[1] = COTENANT_LLC_EVICTION_OVER_AT(COTENANT_LLC_KERNELS_MAX);
    fake.clear_from[2] = COTENANT_LLC_IRQ_STATUS_OFFSET;
    fake.clear_to[2] = COTENANT_LLC_IRQ_STATUS_OFFSET + 4;
    fake.sequence = COTENANT_LLC_STATUS_OFFSET;
    fake.step = 1u << COTENANT_LLC_STATUS_SEQUENCE_SHIFT;
}

/* What the unit is to have to attribute misses, from this MINOR version on. */
static void attributes(uint32_t minor, uint32_t sce, uint32_t sampled) {
    set(COTENANT_LLC_VERSION_OFFSET,
        COTENANT_LLC_VERSION_MAJOR_EXPECTED << COTENANT_LLC_VERSION_MAJOR_SHIFT | minor);
    set(COTENANT_LLC_ATTRIBUTION_OFFSET, sce << COTENANT_LLC_ATTRIBUTION_SCE_SHIFT |
                                             sampled << COTENANT_LLC_ATTRIBUTION_SAMPLED_SHIFT);
}

/* The same, with misses charged as a whole. */
static void charges_whole(uint32_t sampled) {
    attributes(2, 1, sampled);
    set(COTENANT_LLC_ATTRIBUTION_OFFSET, COTENANT_LLC_ATTRIBUTION_SCE_MASK |
                                             COTENANT_LLC_ATTRIBUTION_MODE_MASK |
                                             sampled << COTENANT_LLC_ATTRIBUTION_SAMPLED_SHIFT);
}

/* Accesses since the log began at offsets from `from` to below `to`. */
static unsigned touched(uint32_t from, uint32_t to) {
    unsigned n = 0;
    uint32_t i;
    for (i = 0; i < fake.accesses && i < FAKE_LOG; i++)
        n += fake.log[i].offset >= from && fake.log[i].offset < to;
    return n;
}

static unsigned touched_attribution(void) {
    return touched(COTENANT_LLC_ATTRIBUTION_OFFSET, COTENANT_LLC_ATTRIBUTION_OFFSET + 4);
}
static unsigned touched_sce(void) {
    return touched(COTENANT_LLC_SCE_OFFSET, COTENANT_LLC_SHARES_OFFSET);
}
static unsigned touched_sampled(void) {
    return touched(COTENANT_LLC_SHARES_OFFSET, COTENANT_LLC_SPACE_BYTES) +
           touched(COTENANT_LLC_SAMPLED_TAKEN_OFFSET, COTENANT_LLC_SAMPLED_SHARED_OFFSET + 4);
}

static enum cotenant_status opened(void) {
    const struct cotenant_bus bus = fake_bus(&fake);
    return cotenant_llc_open(&llc, &bus);
}

static void open_reads_parameters(void) {
    power_up();
    CHECK(opened() == COTENANT_OK);
    CHECK(llc.device.minor == 7); /* a higher MINOR is taken */
    CHECK(llc.parameters.ways == 16);
    CHECK(llc.parameters.kernels == KERNELS);
    CHECK(llc.parameters.banks == 2);
    CHECK(llc.parameters.requesters == REQUESTERS);
    CHECK(llc.parameters.set_width == 6);
    CHECK(llc.parameters.tag_width == 36);
    CHECK(llc.parameters.count_width == 21);
    CHECK(llc.parameters.total_width == 22);
    CHECK(llc.parameters.stages == 2);
    CHECK(!llc.parameters.sce && llc.parameters.sampled == 0);
    attributes(1, 1, 0);
    CHECK(opened() == COTENANT_OK);
    CHECK(llc.parameters.sce && llc.parameters.sampled == 0);
    attributes(1, 0, 64); /* all sets */
    CHECK(opened() == COTENANT_OK);
    CHECK(!llc.parameters.sce && llc.parameters.sampled == 64);
    CHECK(llc.parameters.unit == SIXTHS);
    attributes(2, 1, 2);
    CHECK(opened() == COTENANT_OK);
    CHECK(llc.parameters.sce && llc.parameters.sampled == 2);
    charges_whole(8);
    CHECK(opened() == COTENANT_OK);
    CHECK(llc.parameters.sce && llc.parameters.sampled == 8 && llc.parameters.unit == 1);
    fake_calm(&fake);
    attributes(0, 1, 8); /* the register is not there, whatever the bus would read */
    CHECK(opened() == COTENANT_OK);
    CHECK(!llc.parameters.sce && llc.parameters.sampled == 0 && llc.parameters.unit == 0);
    CHECK(touched_attribution() == 0);
}

static void open_refuses(void) {
    power_up();
    set(COTENANT_LLC_ID_OFFSET, 0xFFFFFFFFu); /* as a bus without anything reads */
    CHECK(opened() == COTENANT_WRONG_ID);
    CHECK(fake.accesses == 1); /* nothing else is touched */
    power_up();
    set(COTENANT_LLC_VERSION_OFFSET,
        (COTENANT_LLC_VERSION_MAJOR_EXPECTED + 1) << COTENANT_LLC_VERSION_MAJOR_SHIFT);
    CHECK(opened() == COTENANT_WRONG_VERSION);
    set(COTENANT_LLC_VERSION_OFFSET,
        (COTENANT_LLC_VERSION_MAJOR_EXPECTED - 1) << COTENANT_LLC_VERSION_MAJOR_SHIFT | 7);
    CHECK(opened() == COTENANT_WRONG_VERSION);
    power_up();
    set(COTENANT_LLC_UNIT_OFFSET, COTENANT_LLC_UNIT_VALUE_EXPECTED + 1);
    CHECK(opened() == COTENANT_WRONG_UNIT);
    power_up();
    set(COTENANT_LLC_GEOMETRY_OFFSET, 0);
    CHECK(opened() == COTENANT_BAD_PARAMETERS);
    set(COTENANT_LLC_GEOMETRY_OFFSET, COTENANT_LLC_GEOMETRY_KERNELS_MASK |
                                          COTENANT_LLC_GEOMETRY_BANKS_MASK |
                                          COTENANT_LLC_GEOMETRY_REQUESTERS_MASK);
    CHECK(opened() == COTENANT_BAD_PARAMETERS);
    power_up();
    set(COTENANT_LLC_WIDTHS_OFFSET, 21u << COTENANT_LLC_WIDTHS_CNT_W_SHIFT |
                                        33u << COTENANT_LLC_WIDTHS_TOTAL_W_SHIFT);
    CHECK(opened() == COTENANT_BAD_PARAMETERS);
    set(COTENANT_LLC_WIDTHS_OFFSET, 22u << COTENANT_LLC_WIDTHS_TOTAL_W_SHIFT);
    CHECK(opened() == COTENANT_BAD_PARAMETERS); /* counters without a bit */
    set(COTENANT_LLC_WIDTHS_OFFSET, 23u << COTENANT_LLC_WIDTHS_CNT_W_SHIFT |
                                        22u << COTENANT_LLC_WIDTHS_TOTAL_W_SHIFT);
    CHECK(opened() == COTENANT_BAD_PARAMETERS); /* wider than their sum */
    power_up();
    attributes(1, 0, 65); /* more than a bank has */
    CHECK(opened() == COTENANT_BAD_PARAMETERS);
    attributes(1, 0, 1);
    CHECK(opened() == COTENANT_BAD_PARAMETERS);
    attributes(1, 0, 8);
    shape(5); /* no sixths for so many */
    CHECK(opened() == COTENANT_BAD_PARAMETERS);
    charges_whole(8);
    CHECK(opened() == COTENANT_OK);
    shape(1);
    CHECK(opened() == COTENANT_BAD_PARAMETERS);
    attributes(1, 0, 8);
    CHECK(opened() == COTENANT_BAD_PARAMETERS);
    shape(4);
    CHECK(opened() == COTENANT_OK);
    attributes(1, 1, 0); /* the share at eviction has no such limit */
    shape(5);
    CHECK(opened() == COTENANT_OK);
    power_up(); /* as many sets as a field can name */
    attributes(1, 1, 0xFFFFFF);
    set(COTENANT_LLC_WIDTHS_OFFSET, 255u << COTENANT_LLC_WIDTHS_SET_W_SHIFT |
                                        21u << COTENANT_LLC_WIDTHS_CNT_W_SHIFT |
                                        22u << COTENANT_LLC_WIDTHS_TOTAL_W_SHIFT);
    CHECK(opened() == COTENANT_OK && llc.parameters.sampled == 0xFFFFFF);
}

static void fresh(void) {
    power_up();
    CHECK(opened() == COTENANT_OK);
    fake_calm(&fake);
}

static void fresh_with(uint32_t sce, uint32_t sampled) {
    power_up();
    attributes(1, sce, sampled);
    CHECK(opened() == COTENANT_OK);
    fake_calm(&fake);
}

static void ready_is_polled_so_often(void) {
    fresh();
    CHECK(cotenant_llc_wait_ready(&llc, 5) == COTENANT_OK);
    CHECK(fake.accesses == 1);
    set(COTENANT_LLC_STATUS_OFFSET, 0);
    fake_calm(&fake);
    CHECK(cotenant_llc_wait_ready(&llc, 5) == COTENANT_NOT_READY);
    CHECK(fake.accesses == 5);
}

static void arguments_are_checked(void) {
    struct cotenant_llc_budget budget = {COTENANT_LLC_DEMOTIONS, 0, KERNELS, 1};
    struct cotenant_llc_counts counts = {0};
    uint64_t shares[COTENANT_LLC_KERNELS_MAX];
    enum cotenant_llc_method method;
    uint32_t count;
    fresh();
    CHECK(cotenant_llc_map(&llc, REQUESTERS + 1, 0) == COTENANT_RANGE);
    CHECK(cotenant_llc_map(&llc, 0, KERNELS) == COTENANT_RANGE);
    CHECK(cotenant_llc_arm(&llc, &budget) == COTENANT_RANGE);
    budget.aggressor = 0;
    budget.victim = KERNELS;
    CHECK(cotenant_llc_arm(&llc, &budget) == COTENANT_RANGE);
    CHECK(cotenant_llc_disarm(&llc, COTENANT_LLC_EVICTIONS, KERNELS, 0) == COTENANT_RANGE);
    /* Above what the counter of one of the two banks can hold. */
    budget.victim = 0;
    budget.limit = 1u << 21;
    CHECK(cotenant_llc_arm(&llc, &budget) == COTENANT_RANGE);
    budget.limit = COTENANT_LLC_UNLIMITED - 1;
    CHECK(cotenant_llc_arm(&llc, &budget) == COTENANT_RANGE);
    CHECK(cotenant_llc_read_live(&llc, COTENANT_LLC_DEMOTIONS, 0, KERNELS, &count) ==
          COTENANT_RANGE);
    counts.kernels = KERNELS;
    CHECK(cotenant_llc_shares(&counts, COTENANT_LLC_DEMOTIONS, KERNELS, true, 1, shares) ==
          COTENANT_RANGE);
    CHECK(cotenant_llc_blame(&counts, KERNELS, 1, shares, &method) == COTENANT_RANGE);
    CHECK(fake.accesses == 0); /* none reaches the bus */
    budget.limit = (1u << 21) - 1;
    CHECK(cotenant_llc_arm(&llc, &budget) == COTENANT_OK);
    CHECK(get(COTENANT_LLC_DEMOTION_LIMIT_AT(0, 0)) == (1u << 21) - 1);
    budget.limit = COTENANT_LLC_UNLIMITED;
    CHECK(cotenant_llc_arm(&llc, &budget) == COTENANT_OK);
    CHECK(get(COTENANT_LLC_DEMOTION_LIMIT_AT(0, 0)) == UINT32_MAX);
    /* `other` has the number behind the last requester. */
    CHECK(cotenant_llc_map(&llc, REQUESTERS, KERNELS - 1) == COTENANT_OK);
    CHECK(get(COTENANT_LLC_MAP_AT(REQUESTERS)) == KERNELS - 1);
}

/* What was over before is forgotten before the pair may interrupt, or the
 * handler is called for a budget of the past. */
static void arm_forgets_first(void) {
    const struct cotenant_llc_budget budget = {COTENANT_LLC_EVICTIONS, 2, 1, 77};
    uint32_t i, limit = FAKE_NEVER, clear = FAKE_NEVER, mask = FAKE_NEVER;
    fresh();
    set(COTENANT_LLC_EVICTION_OVER_AT(2), 7);
    set(COTENANT_LLC_EVICTION_MASK_AT(2), 7);
    CHECK(cotenant_llc_arm(&llc, &budget) == COTENANT_OK);
    CHECK(get(COTENANT_LLC_EVICTION_LIMIT_AT(2, 1)) == 77);
    CHECK(get(COTENANT_LLC_EVICTION_OVER_AT(2)) == 5); /* others stay */
    CHECK(get(COTENANT_LLC_EVICTION_MASK_AT(2)) == 7);
    CHECK(get(COTENANT_LLC_IRQ_ENABLE_OFFSET) == COTENANT_LLC_IRQ_ENABLE_EVICTION_MASK);
    for (i = 0; i < fake.accesses; i++) {
        if (!fake.log[i].write) continue;
        if (fake.log[i].offset == COTENANT_LLC_EVICTION_LIMIT_AT(2, 1)) limit = i;
        if (fake.log[i].offset == COTENANT_LLC_EVICTION_OVER_AT(2)) clear = i;
        if (fake.log[i].offset == COTENANT_LLC_EVICTION_MASK_AT(2)) mask = i;
    }
    CHECK(limit < clear && clear < mask && mask != FAKE_NEVER);
    CHECK(cotenant_llc_disarm(&llc, COTENANT_LLC_EVICTIONS, 2, 1) == COTENANT_OK);
    CHECK(get(COTENANT_LLC_EVICTION_MASK_AT(2)) == 5);
}

static void interrupts_are_told_apart_and_ended(void) {
    struct cotenant_llc_events events;
    fresh();
    set(COTENANT_LLC_IRQ_STATUS_OFFSET, COTENANT_LLC_IRQ_STATUS_DEMOTION_MASK |
                                            COTENANT_LLC_IRQ_STATUS_EVICTION_MASK |
                                            COTENANT_LLC_IRQ_STATUS_PERIOD_MASK);
    set(COTENANT_LLC_DEMOTION_OVER_AT(0), 6);
    set(COTENANT_LLC_DEMOTION_MASK_AT(0), 3);
    set(COTENANT_LLC_EVICTION_OVER_AT(2), 1);
    set(COTENANT_LLC_EVICTION_MASK_AT(2), 1);
    /* Not enabled is not an interrupt. */
    CHECK(cotenant_llc_interrupt(&llc, &events) == COTENANT_OK);
    CHECK(!events.period && events.demotions[0] == 0 && events.evictions[2] == 0);
    CHECK(get(COTENANT_LLC_DEMOTION_OVER_AT(0)) == 6);
    set(COTENANT_LLC_IRQ_ENABLE_OFFSET, COTENANT_LLC_IRQ_ENABLE_DEMOTION_MASK |
                                            COTENANT_LLC_IRQ_ENABLE_EVICTION_MASK |
                                            COTENANT_LLC_IRQ_ENABLE_PERIOD_MASK);
    CHECK(cotenant_llc_interrupt(&llc, &events) == COTENANT_OK);
    CHECK(events.period);
    CHECK((get(COTENANT_LLC_IRQ_STATUS_OFFSET) & COTENANT_LLC_IRQ_STATUS_PERIOD_MASK) == 0);
    /* A pair that is not armed is not reported, nor forgotten. */
    CHECK(events.demotions[0] == 2 && events.demotions[1] == 0 && events.demotions[2] == 0);
    CHECK(get(COTENANT_LLC_DEMOTION_OVER_AT(0)) == 4);
    CHECK(get(COTENANT_LLC_DEMOTION_MASK_AT(0)) == 1);
    CHECK(events.evictions[2] == 1 && events.evictions[0] == 0);
    /* Silent until armed again, even if the hardware sets it once more. */
    CHECK(get(COTENANT_LLC_EVICTION_MASK_AT(2)) == 0);
    set(COTENANT_LLC_EVICTION_OVER_AT(2), 1);
    CHECK(cotenant_llc_rearm(&llc, &events) == COTENANT_OK);
    CHECK(get(COTENANT_LLC_EVICTION_OVER_AT(2)) == 0);
    CHECK(get(COTENANT_LLC_EVICTION_MASK_AT(2)) == 1);
    CHECK(get(COTENANT_LLC_DEMOTION_MASK_AT(0)) == 3);
}

static void silence_leaves_nothing(void) {
    unsigned v;
    fresh();
    set(COTENANT_LLC_IRQ_ENABLE_OFFSET, 7);
    set(COTENANT_LLC_IRQ_STATUS_OFFSET, COTENANT_LLC_IRQ_STATUS_PERIOD_MASK);
    set(COTENANT_LLC_PERIOD_OFFSET, 1000);
    for (v = 0; v < KERNELS; v++) {
        set(COTENANT_LLC_DEMOTION_OVER_AT(v), 7);
        set(COTENANT_LLC_DEMOTION_MASK_AT(v), 7);
        set(COTENANT_LLC_EVICTION_OVER_AT(v), 7);
        set(COTENANT_LLC_EVICTION_MASK_AT(v), 7);
    }
    CHECK(cotenant_llc_silence(&llc) == COTENANT_OK);
    CHECK(get(COTENANT_LLC_IRQ_ENABLE_OFFSET) == 0 && get(COTENANT_LLC_IRQ_STATUS_OFFSET) == 0);
    CHECK(get(COTENANT_LLC_PERIOD_OFFSET) == 0);
    for (v = 0; v < KERNELS; v++)
        CHECK((get(COTENANT_LLC_DEMOTION_OVER_AT(v)) | get(COTENANT_LLC_DEMOTION_MASK_AT(v)) |
               get(COTENANT_LLC_EVICTION_OVER_AT(v)) | get(COTENANT_LLC_EVICTION_MASK_AT(v))) ==
              0);
}

static void control(void) {
    fresh();
    CHECK(cotenant_llc_set_period(&llc, 5000, true) == COTENANT_OK);
    CHECK(get(COTENANT_LLC_PERIOD_OFFSET) == 5000);
    CHECK(get(COTENANT_LLC_IRQ_ENABLE_OFFSET) == COTENANT_LLC_IRQ_ENABLE_PERIOD_MASK);
    CHECK(cotenant_llc_set_period(&llc, 0, false) == COTENANT_OK);
    CHECK(get(COTENANT_LLC_IRQ_ENABLE_OFFSET) == 0);
    CHECK(cotenant_llc_snapshot(&llc) == COTENANT_OK);
    CHECK(get(COTENANT_LLC_CONTROL_OFFSET) == COTENANT_LLC_CONTROL_SNAPSHOT_MASK);
    CHECK(cotenant_llc_flush(&llc) == COTENANT_OK);
    CHECK(get(COTENANT_LLC_CONTROL_OFFSET) == COTENANT_LLC_CONTROL_FLUSH_MASK);
}

/* Each counter has its own number. */
static void fill_counters(void) {
    uint32_t k, a;
    for (k = 0; k < KERNELS; k++) {
        set(COTENANT_LLC_HITS_AT(k), 1000 + k);
        set(COTENANT_LLC_MISSES_AT(k), 2000 + k);
        for (a = 0; a < KERNELS; a++) {
            set(COTENANT_LLC_GDC_AT(k, a), 3000 + 10 * k + a);
            set(COTENANT_LLC_IKE_AT(k, a), 4000 + 10 * k + a);
            set(COTENANT_LLC_GDC_LIVE_AT(k, a), 5000 + 10 * k + a);
            set(COTENANT_LLC_IKE_LIVE_AT(k, a), 6000 + 10 * k + a);
            set(COTENANT_LLC_SCE_AT(k, a), 7000 + 10 * k + a);
            set(COTENANT_LLC_SHARES_AT(k, a), 8000 + 10 * k + a);
            set(COTENANT_LLC_SCE_LIVE_AT(k, a), 1);
            set(COTENANT_LLC_SHARES_LIVE_AT(k, a), 1);
        }
    }
    set(COTENANT_LLC_SAMPLED_TAKEN_OFFSET, 9001);
    set(COTENANT_LLC_SAMPLED_DROPPED_OFFSET, 9002);
    set(COTENANT_LLC_SAMPLED_SHARED_OFFSET, 9003);
}

static void counts_are_read_and_added(void) {
    static struct cotenant_llc_counts counts, sum;
    uint32_t count, whole;
    unsigned k, a;
    fresh();
    fill_counters();
    set(COTENANT_LLC_STATUS_OFFSET, 0xABu << COTENANT_LLC_STATUS_SEQUENCE_SHIFT);
    CHECK(cotenant_llc_read(&llc, &counts) == COTENANT_OK);
    whole = fake.accesses;
    CHECK(counts.kernels == KERNELS && counts.sequence == 0xAB);
    for (k = 0; k < COTENANT_LLC_KERNELS_MAX; k++) {
        const bool there = k < KERNELS;
        CHECK(counts.hits[k] == (there ? 1000 + k : 0));
        CHECK(counts.misses[k] == (there ? 2000 + k : 0));
        for (a = 0; a < COTENANT_LLC_KERNELS_MAX; a++) {
            const bool pair = there && a < KERNELS;
            CHECK(counts.demotions[k][a] == (pair ? 3000 + 10 * k + a : 0));
            CHECK(counts.evictions[k][a] == (pair ? 4000 + 10 * k + a : 0));
        }
    }
    CHECK(cotenant_llc_read_live(&llc, COTENANT_LLC_DEMOTIONS, 2, 1, &count) == COTENANT_OK);
    CHECK(count == 5021);
    CHECK(cotenant_llc_read_live(&llc, COTENANT_LLC_EVICTIONS, 1, 2, &count) == COTENANT_OK);
    CHECK(count == 6012);
    counts.hits[0] = UINT32_MAX;
    cotenant_llc_add(&sum, &counts);
    cotenant_llc_add(&sum, &counts);
    CHECK(sum.kernels == KERNELS && sum.sequence == 0xAB);
    CHECK(sum.hits[0] == 2 * (uint64_t)UINT32_MAX); /* wider than a counter */
    CHECK(sum.misses[1] == 4002 && sum.demotions[1][2] == 6024 && sum.evictions[2][0] == 8040);

    /* A snapshot in the middle: read anew, at most so often. */
    fake_calm(&fake);
    fake.every = whole / 2;
    fake.tears = 1;
    CHECK(cotenant_llc_read(&llc, &counts) == COTENANT_OK);
    CHECK(fake.accesses == 2 * whole);
    CHECK(counts.sequence == 0xAC);
    fake_calm(&fake);
    fake.every = whole / 2;
    fake.tears = FAKE_NEVER;
    CHECK(cotenant_llc_read(&llc, &counts) == COTENANT_TORN);
    CHECK(fake.accesses == COTENANT_TRIES * whole);
    /* In the reading before the last access, and in no other. */
    fake_calm(&fake);
    fake.every = whole - 1;
    fake.tears = 1;
    CHECK(cotenant_llc_read(&llc, &counts) == COTENANT_OK);
    CHECK(fake.accesses == 2 * whole);
}

/* What is there is read in the same snapshot; what is not there is not touched,
 * since it may be an error of the bus. */
static void attribution_is_read_where_it_is(void) {
    static const uint32_t MADE[][2] = {{0, 0}, {1, 0}, {0, 8}, {1, 8}};
    static struct cotenant_llc_counts counts, sum, none;
    uint32_t whole;
    unsigned i, k, a;
    for (i = 0; i < 4; i++) {
        const bool sce = MADE[i][0] != 0, sampled = MADE[i][1] != 0;
        fresh_with(MADE[i][0], MADE[i][1]);
        fill_counters();
        memset(&counts, 0xFF, sizeof counts);
        CHECK(cotenant_llc_read(&llc, &counts) == COTENANT_OK);
        whole = fake.accesses;
        CHECK(whole == 5 + 2 * KERNELS + 2 * KERNELS * KERNELS + (sce ? KERNELS * KERNELS : 0) +
                           (sampled ? KERNELS * KERNELS + 3 : 0));
        CHECK(touched_attribution() == 0);
        CHECK(touched_sce() == (sce ? KERNELS * KERNELS : 0));
        CHECK(touched_sampled() == (sampled ? KERNELS * KERNELS + 3 : 0));
        CHECK(counts.evictions[2][1] == 4021);
        for (k = 0; k < COTENANT_LLC_KERNELS_MAX; k++) {
            for (a = 0; a < COTENANT_LLC_KERNELS_MAX; a++) {
                const bool pair = k < KERNELS && a < KERNELS;
                CHECK(counts.sce[k][a] == (pair && sce ? 7000 + 10 * k + a : 0));
                CHECK(counts.shares[k][a] == (pair && sampled ? 8000 + 10 * k + a : 0));
            }
        }
        CHECK(counts.unit == (sampled ? SIXTHS : 0));
        CHECK(counts.taken == (sampled ? 9001 : 0));
        CHECK(counts.dropped == (sampled ? 9002 : 0));
        CHECK(counts.shared == (sampled ? 9003 : 0));
        /* A snapshot before the last of them is read. */
        fake_calm(&fake);
        fake.every = whole - 1;
        fake.tears = 1;
        CHECK(cotenant_llc_read(&llc, &counts) == COTENANT_OK);
        CHECK(fake.accesses == 2 * whole);
    }
    counts.taken = UINT32_MAX;
    sum = none;
    cotenant_llc_add(&sum, &counts);
    cotenant_llc_add(&sum, &counts);
    CHECK(sum.sce[2][1] == 14042 && sum.sce[1][2] == 14024);
    CHECK(sum.shares[2][1] == 16042 && sum.shares[0][0] == 16000);
    CHECK(sum.taken == 2 * (uint64_t)UINT32_MAX && sum.dropped == 18004 && sum.shared == 18006);
    CHECK_BUS_ERRORS(&fake, &llc.device, (void)0, cotenant_llc_read(&llc, &counts));
    /* Opening a unit that has it reads one register more. */
    CHECK_BUS_ERRORS(&fake, &llc.device, (void)0, opened());
    CHECK(cotenant_llc_silence(&llc) == COTENANT_OK);
    CHECK(touched_sce() + touched_sampled() == 0);
}

static void overflow_is_reported(void) {
    static const struct {
        uint32_t offset, mask;
    } OVERFLOWS[] = {
        {COTENANT_LLC_OVERFLOW_GDC_OFFSET, 4},
        {COTENANT_LLC_OVERFLOW_IKE_OFFSET, 2},
        {COTENANT_LLC_OVERFLOW_ACCESS_OFFSET, COTENANT_LLC_OVERFLOW_ACCESS_HITS_MASK},
        {COTENANT_LLC_OVERFLOW_ACCESS_OFFSET, COTENANT_LLC_OVERFLOW_ACCESS_MISSES_MASK},
        {COTENANT_LLC_OVERFLOW_ACCESS_OFFSET, COTENANT_LLC_OVERFLOW_ACCESS_SCE_MASK},
        {COTENANT_LLC_OVERFLOW_ACCESS_OFFSET, COTENANT_LLC_OVERFLOW_ACCESS_SHARES_MASK},
        {COTENANT_LLC_OVERFLOW_ACCESS_OFFSET, COTENANT_LLC_OVERFLOW_ACCESS_SAMPLED_MASK},
    };
    static struct cotenant_llc_counts counts, sum;
    unsigned i;
    for (i = 0; i < 7; i++) {
        fresh_with(1, 8);
        fill_counters();
        set(OVERFLOWS[i].offset, OVERFLOWS[i].mask);
        CHECK(cotenant_llc_read(&llc, &counts) == COTENANT_OVERFLOW);
        CHECK(counts.overflow_demotions == (i == 0 ? 4 : 0));
        CHECK(counts.overflow_evictions == (i == 1 ? 2 : 0));
        CHECK(counts.overflow_hits == (i == 2));
        CHECK(counts.overflow_misses == (i == 3));
        CHECK(counts.overflow_sce == (i == 4));
        CHECK(counts.overflow_shares == (i == 5));
        CHECK(counts.overflow_sampled == (i == 6));
        CHECK(counts.shares[2][2] == 8022 && counts.shared == 9003);
        CHECK(counts.evictions[2][2] == 4022); /* whole all the same */
        cotenant_llc_add(&sum, &counts);
    }
    CHECK(sum.overflow_demotions == 4 && sum.overflow_evictions == 2);
    CHECK(sum.overflow_hits && sum.overflow_misses);
    CHECK(sum.overflow_sce && sum.overflow_shares && sum.overflow_sampled);
    /* Flags of counters that are not there mean nothing. */
    fresh_with(1, 0);
    set(COTENANT_LLC_OVERFLOW_ACCESS_OFFSET, COTENANT_LLC_OVERFLOW_ACCESS_SHARES_MASK |
                                                 COTENANT_LLC_OVERFLOW_ACCESS_SAMPLED_MASK);
    CHECK(cotenant_llc_read(&llc, &counts) == COTENANT_OK);
    fresh_with(0, 8);
    set(COTENANT_LLC_OVERFLOW_ACCESS_OFFSET, COTENANT_LLC_OVERFLOW_ACCESS_SCE_MASK);
    CHECK(cotenant_llc_read(&llc, &counts) == COTENANT_OK);
}

static void shares(void) {
    static struct cotenant_llc_counts counts;
    uint64_t share, row[COTENANT_LLC_KERNELS_MAX];
    CHECK(cotenant_share(1, 0, 1000, &share) == COTENANT_NO_EVENTS);
    CHECK(cotenant_share(1, 3, 1000, &share) == COTENANT_OK && share == 333);
    CHECK(cotenant_share(2, 3, 1000, &share) == COTENANT_OK && share == 667);
    CHECK(cotenant_share(1, 16, 1000, &share) == COTENANT_OK && share == 62); /* tie, even */
    CHECK(cotenant_share(3, 16, 1000, &share) == COTENANT_OK && share == 188); /* tie, odd */
    CHECK(cotenant_share(5, 5, UINT32_MAX, &share) == COTENANT_OK && share == UINT32_MAX);
    CHECK(cotenant_share(UINT64_MAX, 1, 2, &share) == COTENANT_RANGE);
    CHECK(cotenant_share(1, UINT64_MAX, 1, &share) == COTENANT_RANGE);
    counts.kernels = KERNELS;
    counts.demotions[1][0] = 10;
    counts.demotions[1][1] = 20;
    counts.demotions[1][2] = 70;
    counts.evictions[1][1] = 5;
    CHECK(cotenant_llc_shares(&counts, COTENANT_LLC_DEMOTIONS, 1, true, 100, row) == COTENANT_OK);
    CHECK(row[0] == 10 && row[1] == 20 && row[2] == 70 && row[3] == 0);
    CHECK(cotenant_llc_shares(&counts, COTENANT_LLC_DEMOTIONS, 1, false, 80, row) == COTENANT_OK);
    CHECK(row[0] == 10 && row[1] == 0 && row[2] == 70);
    CHECK(cotenant_llc_shares(&counts, COTENANT_LLC_EVICTIONS, 1, true, 100, row) == COTENANT_OK);
    CHECK(row[1] == 100);
    CHECK(cotenant_llc_shares(&counts, COTENANT_LLC_EVICTIONS, 1, false, 100, row) ==
          COTENANT_NO_EVENTS);
}

/* Exact shares from 64 misses of co-runners on, shares at eviction below; the
 * victim's own part is in neither sum. */
static void blame(void) {
    static struct cotenant_llc_counts counts, sum;
    uint64_t row[COTENANT_LLC_KERNELS_MAX];
    const enum cotenant_llc_method untouched = (enum cotenant_llc_method)99;
    enum cotenant_llc_method method = untouched;
    const uint64_t charges = 64 * SIXTHS;
    unsigned k;
    counts.kernels = KERNELS;
    /* Without sampled sets there is nothing to be read of them. */
    counts.shares[1][0] = 2 * charges;
    CHECK(cotenant_llc_blame(&counts, 1, 100, row, &method) == COTENANT_NO_EVENTS);
    counts.unit = SIXTHS;
    /* Neither has anything of co-runners. */
    row[0] = 77;
    counts.shares[1][0] = 0;
    counts.shares[1][1] = counts.sce[1][1] = 1000 * charges;
    CHECK(cotenant_llc_blame(&counts, 1, 100, row, &method) == COTENANT_NO_EVENTS);
    CHECK(method == untouched && row[0] == 77);
    /* Charges, but too few, and no share at eviction. */
    counts.shares[1][0] = charges - 1;
    CHECK(cotenant_llc_blame(&counts, 1, 100, row, &method) == COTENANT_NO_EVENTS);
    CHECK(method == untouched && row[0] == 77);
    counts.sce[1][0] = 3;
    counts.sce[1][2] = 1;
    /* 63 misses, and 64 less a sixth. */
    counts.shares[1][0] = 32 * SIXTHS;
    counts.shares[1][2] = 31 * SIXTHS;
    CHECK(cotenant_llc_blame(&counts, 1, 100, row, &method) == COTENANT_OK);
    CHECK(method == COTENANT_LLC_SCE);
    CHECK(row[0] == 75 && row[1] == 0 && row[2] == 25);
    counts.shares[1][2] = 32 * SIXTHS - 1;
    CHECK(cotenant_llc_blame(&counts, 1, 100, row, &method) == COTENANT_OK);
    CHECK(method == COTENANT_LLC_SCE && row[0] == 75);
    /* 64 misses. */
    counts.shares[1][2] = 32 * SIXTHS;
    CHECK(cotenant_llc_blame(&counts, 1, 100, row, &method) == COTENANT_OK);
    CHECK(method == COTENANT_LLC_SAMPLED);
    CHECK(row[0] == 50 && row[1] == 0 && row[2] == 50);
    for (k = KERNELS; k < COTENANT_LLC_KERNELS_MAX; k++) CHECK(row[k] == 0);
    /* Victims are told apart, and so is who is the victim. */
    CHECK(cotenant_llc_blame(&counts, 0, 100, row, &method) == COTENANT_NO_EVENTS);
    counts.shares[2][1] = charges;
    counts.shares[2][2] = 5 * charges;
    CHECK(cotenant_llc_blame(&counts, 2, 100, row, &method) == COTENANT_OK);
    CHECK(method == COTENANT_LLC_SAMPLED && row[1] == 100 && row[2] == 0);
    /* The rule is applied to a sum of periods. */
    counts.shares[1][2] = 0;
    CHECK(cotenant_llc_blame(&counts, 1, 100, row, &method) == COTENANT_OK);
    CHECK(method == COTENANT_LLC_SCE);
    cotenant_llc_add(&sum, &counts);
    cotenant_llc_add(&sum, &counts);
    CHECK(cotenant_llc_blame(&sum, 1, 100, row, &method) == COTENANT_OK);
    CHECK(method == COTENANT_LLC_SAMPLED && row[0] == 100 && row[2] == 0);
    /* 64 misses that are charged as a whole, and one less. */
    counts.unit = 1;
    counts.shares[1][0] = 16;
    counts.shares[1][2] = 48;
    CHECK(cotenant_llc_blame(&counts, 1, 100, row, &method) == COTENANT_OK);
    CHECK(method == COTENANT_LLC_SAMPLED && row[0] == 25 && row[2] == 75);
    counts.shares[1][2] = 47;
    CHECK(cotenant_llc_blame(&counts, 1, 100, row, &method) == COTENANT_OK);
    CHECK(method == COTENANT_LLC_SCE);
}

static void interrupt_pending(void) {
    set(COTENANT_LLC_IRQ_STATUS_OFFSET, 7);
    set(COTENANT_LLC_IRQ_ENABLE_OFFSET, 7);
    set(COTENANT_LLC_DEMOTION_OVER_AT(1), 7);
    set(COTENANT_LLC_DEMOTION_MASK_AT(1), 7);
    set(COTENANT_LLC_EVICTION_OVER_AT(2), 7);
    set(COTENANT_LLC_EVICTION_MASK_AT(2), 7);
}

static void every_bus_error_is_reported(void) {
    const struct cotenant_llc_budget budget = {COTENANT_LLC_DEMOTIONS, 1, 2, 3};
    static struct cotenant_llc_counts counts;
    struct cotenant_llc_events events, over = {0};
    struct cotenant_device *device = &llc.device;
    uint32_t count;
    over.demotions[0] = over.evictions[1] = 2;
    fresh();
    set(COTENANT_LLC_STATUS_OFFSET, COTENANT_LLC_STATUS_READY_MASK);
    CHECK_BUS_ERRORS(&fake, device, (void)0, opened());
    fresh();
    CHECK_BUS_ERRORS(&fake, device, (void)0, cotenant_llc_wait_ready(&llc, 1));
    CHECK_BUS_ERRORS(&fake, device, (void)0, cotenant_llc_silence(&llc));
    CHECK_BUS_ERRORS(&fake, device, (void)0, cotenant_llc_map(&llc, 1, 1));
    CHECK_BUS_ERRORS(&fake, device, (void)0, cotenant_llc_set_period(&llc, 9, true));
    CHECK_BUS_ERRORS(&fake, device, (void)0, cotenant_llc_snapshot(&llc));
    CHECK_BUS_ERRORS(&fake, device, (void)0, cotenant_llc_flush(&llc));
    CHECK_BUS_ERRORS(&fake, device, (void)0, cotenant_llc_arm(&llc, &budget));
    CHECK_BUS_ERRORS(&fake, device, (void)0,
                     cotenant_llc_disarm(&llc, COTENANT_LLC_DEMOTIONS, 1, 2));
    CHECK_BUS_ERRORS(&fake, device, (void)0, cotenant_llc_rearm(&llc, &over));
    CHECK_BUS_ERRORS(&fake, device, (void)0, cotenant_llc_read(&llc, &counts));
    CHECK_BUS_ERRORS(&fake, device, (void)0,
                     cotenant_llc_read_live(&llc, COTENANT_LLC_EVICTIONS, 1, 2, &count));
    CHECK_BUS_ERRORS(&fake, device, interrupt_pending(), cotenant_llc_interrupt(&llc, &events));
}

static void every_status_has_a_text_of_its_own(void) {
    int a, b;
    for (a = COTENANT_OK; a <= COTENANT_NO_EVENTS; a++)
        for (b = a + 1; b <= COTENANT_NO_EVENTS + 1; b++)
            CHECK(strcmp(cotenant_status_text((enum cotenant_status)a),
                         cotenant_status_text((enum cotenant_status)b)) != 0);
}

int main(void) {
    open_reads_parameters();
    open_refuses();
    ready_is_polled_so_often();
    arguments_are_checked();
    arm_forgets_first();
    interrupts_are_told_apart_and_ended();
    silence_leaves_nothing();
    control();
    counts_are_read_and_added();
    attribution_is_read_where_it_is();
    overflow_is_reported();
    shares();
    blame();
    every_bus_error_is_reported();
    every_status_has_a_text_of_its_own();
    return verdict("llc_test");
}
