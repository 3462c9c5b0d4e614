/* The driver of managed_llc against a fake bus: every error is seen.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include "cotenant_managed.h"
#include "fake.h"

#define APPLICATIONS 3u
#define WAYS 8u
#define CORES 4u
#define COUNT_WIDTH 4u

static struct fake fake;
static struct cotenant_managed managed;

static void set(uint32_t offset, uint32_t value) { *fake_word(&fake, offset) = value; }
static uint32_t get(uint32_t offset) { return *fake_word(&fake, offset); }

static void set_geometry(uint32_t ways, uint32_t applications, uint32_t cores) {
    set(COTENANT_MANAGED_GEOMETRY_OFFSET,
        ways << COTENANT_MANAGED_GEOMETRY_WAYS_SHIFT |
            applications << COTENANT_MANAGED_GEOMETRY_APPLICATIONS_SHIFT |
            cores << COTENANT_MANAGED_GEOMETRY_CORES_SHIFT |
            6u << COTENANT_MANAGED_GEOMETRY_SET_W_SHIFT);
}

static void set_widths(uint32_t count, uint32_t selector, uint32_t ratio) {
    set(COTENANT_MANAGED_WIDTHS_OFFSET, count << COTENANT_MANAGED_WIDTHS_CNT_W_SHIFT |
                                            selector << COTENANT_MANAGED_WIDTHS_PSEL_W_SHIFT |
                                            ratio << COTENANT_MANAGED_WIDTHS_XS_W_SHIFT |
                                            10u << COTENANT_MANAGED_WIDTHS_T_XS_SHIFT);
}

static void set_sampling(uint32_t leader, uint32_t sampled, uint32_t tile) {
    set(COTENANT_MANAGED_SAMPLING_OFFSET,
        leader << COTENANT_MANAGED_SAMPLING_LEADER_W_SHIFT |
            sampled << COTENANT_MANAGED_SAMPLING_SAMPLED_W_SHIFT |
            tile << COTENANT_MANAGED_SAMPLING_TILE_W_SHIFT |
            COTENANT_MANAGED_SAMPLING_ROTATE_MASK);
}

static void power_up(void) {
    memset(&fake, 0, sizeof fake);
    fake_calm(&fake);
    set(COTENANT_MANAGED_ID_OFFSET, COTENANT_MANAGED_ID_VALUE_EXPECTED);
    set(COTENANT_MANAGED_VERSION_OFFSET,
        COTENANT_MANAGED_VERSION_MAJOR_EXPECTED << COTENANT_MANAGED_VERSION_MAJOR_SHIFT | 7);
    set(COTENANT_MANAGED_UNIT_OFFSET, COTENANT_MANAGED_UNIT_VALUE_EXPECTED);
    set_geometry(WAYS, APPLICATIONS, CORES);
    set_widths(COUNT_WIDTH, 9, 11);
    set_sampling(1, 4, 2);
    fake.sequence = COTENANT_MANAGED_STATUS_OFFSET;
    fake.step = 1u << COTENANT_MANAGED_STATUS_SEQUENCE_SHIFT;
    fake.clear_from[0] = COTENANT_MANAGED_IRQ_STATUS_OFFSET;
    fake.clear_to[0] = COTENANT_MANAGED_IRQ_STATUS_OFFSET + 4;
    fake.clears = 1;
}

static enum cotenant_status opened(void) {
    const struct cotenant_bus bus = fake_bus(&fake);
    return cotenant_managed_open(&managed, &bus);
}

static void fresh(void) {
    power_up();
    CHECK(opened() == COTENANT_OK);
    fake_calm(&fake);
}

static void open_reads_parameters(void) {
    const struct cotenant_managed_parameters *with = &managed.parameters;
    fresh();
    CHECK(managed.device.minor == 7);
    CHECK(with->ways == WAYS && with->applications == APPLICATIONS && with->cores == CORES);
    CHECK(with->set_width == 6 && with->count_width == COUNT_WIDTH);
    CHECK(with->selector_width == 9 && with->ratio_width == 11 && with->threshold == 10);
    CHECK(with->leader_sets == 2 && with->sampled_sets == 16 && with->tiles == 4);
    CHECK(with->rotates);
}

static void open_refuses(void) {
    power_up();
    set(COTENANT_MANAGED_ID_OFFSET, 0);
    CHECK(opened() == COTENANT_WRONG_ID);
    power_up();
    set(COTENANT_MANAGED_VERSION_OFFSET,
        (COTENANT_MANAGED_VERSION_MAJOR_EXPECTED + 1) << COTENANT_MANAGED_VERSION_MAJOR_SHIFT);
    CHECK(opened() == COTENANT_WRONG_VERSION);
    power_up();
    set(COTENANT_MANAGED_UNIT_OFFSET, COTENANT_MANAGED_UNIT_VALUE_EXPECTED - 1);
    CHECK(opened() == COTENANT_WRONG_UNIT);
    power_up();
    set_geometry(WAYS, 0, CORES);
    CHECK(opened() == COTENANT_BAD_PARAMETERS);
    set_geometry(64, COTENANT_MANAGED_APPLICATIONS_MAX + 1, CORES);
    CHECK(opened() == COTENANT_BAD_PARAMETERS);
    set_geometry(APPLICATIONS - 1, APPLICATIONS, CORES);
    CHECK(opened() == COTENANT_BAD_PARAMETERS);
    set_geometry(WAYS, APPLICATIONS, 1);
    CHECK(opened() == COTENANT_BAD_PARAMETERS);
    power_up();
    set_widths(0, 9, 11);
    CHECK(opened() == COTENANT_BAD_PARAMETERS);
    set_widths(33, 9, 11);
    CHECK(opened() == COTENANT_BAD_PARAMETERS);
    set_widths(4, 17, 11);
    CHECK(opened() == COTENANT_BAD_PARAMETERS);
    set_widths(4, 9, 17);
    CHECK(opened() == COTENANT_BAD_PARAMETERS);
    power_up();
    set_sampling(32, 4, 2);
    CHECK(opened() == COTENANT_BAD_PARAMETERS);
    set_sampling(1, 32, 2);
    CHECK(opened() == COTENANT_BAD_PARAMETERS);
    set_sampling(1, 4, 32);
    CHECK(opened() == COTENANT_BAD_PARAMETERS);
}

static void waiting(void) {
    fresh();
    CHECK(cotenant_managed_wait(&managed, 3) == COTENANT_NOT_READY && fake.accesses == 3);
    CHECK(cotenant_managed_wait(&managed, 0) == COTENANT_NOT_READY && fake.accesses == 3);
    set(COTENANT_MANAGED_STATUS_OFFSET, COTENANT_MANAGED_STATUS_READY_MASK);
    CHECK(cotenant_managed_wait(&managed, 1) == COTENANT_OK);
}

static void arguments_are_checked(void) {
    static const uint8_t SHORT[] = {3, 2, 2}, LONG[] = {3, 3, 3}, NONE[] = {8, 0, 0};
    fresh();
    CHECK(cotenant_managed_set_gpu(&managed, 1u << APPLICATIONS) == COTENANT_RANGE);
    CHECK(cotenant_managed_set_policy(&managed, (enum cotenant_managed_policy)99) ==
          COTENANT_RANGE);
    CHECK(cotenant_managed_give_quotas(&managed, SHORT) == COTENANT_RANGE);
    CHECK(cotenant_managed_give_quotas(&managed, LONG) == COTENANT_RANGE);
    CHECK(cotenant_managed_give_quotas(&managed, NONE) == COTENANT_RANGE);
    CHECK(cotenant_managed_give_masks(&managed, 1u << APPLICATIONS, 0) == COTENANT_RANGE);
    CHECK(cotenant_managed_give_masks(&managed, 0, 1u << APPLICATIONS) == COTENANT_RANGE);
    CHECK(cotenant_managed_sample_cores(&managed, CORES, 0) == COTENANT_RANGE);
    CHECK(cotenant_managed_sample_cores(&managed, 0, CORES) == COTENANT_RANGE);
    CHECK(cotenant_managed_sample_cores(&managed, 1, 1) == COTENANT_RANGE);
    CHECK(cotenant_managed_set_streaming(&managed, 0, 1) == COTENANT_RANGE);
    CHECK(cotenant_managed_set_streaming(&managed, 1u << COUNT_WIDTH, 1) == COTENANT_RANGE);
    CHECK(cotenant_managed_enable(&managed, 4) == COTENANT_RANGE);
    CHECK(fake.accesses == 0);
    /* A counter of 32 bits holds any number. */
    power_up();
    set_widths(32, 9, 11);
    CHECK(opened() == COTENANT_OK);
    CHECK(cotenant_managed_set_streaming(&managed, UINT32_MAX, 0) == COTENANT_OK);
    CHECK(get(COTENANT_MANAGED_STREAM_ACCESSES_OFFSET) == UINT32_MAX);
}

static void settings(void) {
    fresh();
    CHECK(cotenant_managed_set_gpu(&managed, 4) == COTENANT_OK);
    CHECK(get(COTENANT_MANAGED_GPU_OFFSET) == 4);
    CHECK(cotenant_managed_set_period(&managed, 12345) == COTENANT_OK);
    CHECK(get(COTENANT_MANAGED_PERIOD_OFFSET) == 12345);
    CHECK(cotenant_managed_end_period(&managed) == COTENANT_OK);
    CHECK(get(COTENANT_MANAGED_CONTROL_OFFSET) == COTENANT_MANAGED_CONTROL_PERIOD_MASK);
    CHECK(cotenant_managed_sample_cores(&managed, 3, 1) == COTENANT_OK);
    CHECK(get(COTENANT_MANAGED_CORES_OFFSET) == (3u << COTENANT_MANAGED_CORES_POL1_SHIFT |
                                                 1u << COTENANT_MANAGED_CORES_POL2_SHIFT));
    CHECK(cotenant_managed_set_streaming(&managed, 15, 240) == COTENANT_OK);
    CHECK(get(COTENANT_MANAGED_STREAM_ACCESSES_OFFSET) == 15);
    CHECK(get(COTENANT_MANAGED_STREAM_RATE_OFFSET) == 240);
}

static uint32_t policy_of(enum cotenant_managed_policy policy) {
    CHECK(cotenant_managed_set_policy(&managed, policy) == COTENANT_OK);
    return get(COTENANT_MANAGED_POLICY_OFFSET);
}

static void policies(void) {
    const uint32_t aware = COTENANT_MANAGED_POLICY_AWARE_MASK;
    const uint32_t sample = COTENANT_MANAGED_POLICY_SAMPLE_MASK;
    const uint32_t detect = COTENANT_MANAGED_POLICY_DETECT_MASK;
    fresh();
    CHECK(policy_of(COTENANT_MANAGED_LRU) == 0);
    CHECK(policy_of(COTENANT_MANAGED_UCP) == 1);
    CHECK(policy_of(COTENANT_MANAGED_TAP_UCP) == (1 | aware | sample));
    CHECK(policy_of(COTENANT_MANAGED_TAP_UCP_S) == (1 | aware | sample | detect));
    CHECK(policy_of(COTENANT_MANAGED_DRRIP) == 2);
    CHECK(policy_of(COTENANT_MANAGED_TAP_RRIP) == (2 | aware | sample));
    CHECK(policy_of(COTENANT_MANAGED_TAP_RRIP_S) == (2 | aware | sample | detect));
}

static void what_software_gives(void) {
    static const uint8_t WAYS_OF[] = {1, 5, 2};
    const uint32_t quotas = COTENANT_MANAGED_POLICY_QUOTAS_MASK;
    const uint32_t masks = COTENANT_MANAGED_POLICY_MASKS_MASK;
    uint32_t n, tap;
    fresh();
    tap = policy_of(COTENANT_MANAGED_TAP_RRIP);
    fake_calm(&fake);
    CHECK(cotenant_managed_give_quotas(&managed, WAYS_OF) == COTENANT_OK);
    for (n = 0; n < APPLICATIONS; n++)
        CHECK(get(COTENANT_MANAGED_QUOTA_GIVEN_AT(n)) == WAYS_OF[n]);
    /* By quotas from now on; what else was chosen stays. */
    CHECK(get(COTENANT_MANAGED_POLICY_OFFSET) == (((tap & ~2u) | 1) | quotas));
    /* POLICY last: only then are they in force. */
    CHECK(fake.log[fake.accesses - 1].write);
    CHECK(fake.log[fake.accesses - 1].offset == COTENANT_MANAGED_POLICY_OFFSET);
    fake_calm(&fake);
    CHECK(cotenant_managed_give_masks(&managed, 5, 2) == COTENANT_OK);
    CHECK(get(COTENANT_MANAGED_UCP_MASK_GIVEN_OFFSET) == 5);
    CHECK(get(COTENANT_MANAGED_RRIP_MASK_GIVEN_OFFSET) == 2);
    CHECK(get(COTENANT_MANAGED_POLICY_OFFSET) == (((tap & ~2u) | 1) | quotas | masks));
    CHECK(fake.log[fake.accesses - 1].offset == COTENANT_MANAGED_POLICY_OFFSET);
    CHECK(cotenant_managed_take_back(&managed) == COTENANT_OK);
    CHECK(get(COTENANT_MANAGED_POLICY_OFFSET) == ((tap & ~2u) | 1));
    CHECK(cotenant_managed_give_masks(&managed, 0, 0) == COTENANT_OK);
    CHECK(policy_of(COTENANT_MANAGED_UCP) == 1);
}

static void fill(void) {
    uint32_t n, by;
    set(COTENANT_MANAGED_STATUS_OFFSET, 9u << COTENANT_MANAGED_STATUS_SEQUENCE_SHIFT |
                                            COTENANT_MANAGED_STATUS_INSENSITIVE_MASK);
    set(COTENANT_MANAGED_UCP_MASK_OFFSET, 1);
    set(COTENANT_MANAGED_RRIP_MASK_OFFSET, 2);
    set(COTENANT_MANAGED_STREAMING_OFFSET, 4);
    set(COTENANT_MANAGED_XSRATIO_OFFSET, 77);
    for (n = 0; n < APPLICATIONS; n++) {
        set(COTENANT_MANAGED_HITS_AT(n), 100 + n);
        set(COTENANT_MANAGED_MISSES_AT(n), 200 + n);
        set(COTENANT_MANAGED_QUOTA_AT(n), 1 + n);
        set(COTENANT_MANAGED_PSEL_AT(n), 300 + n);
        for (by = 0; by < APPLICATIONS; by++)
            set(COTENANT_MANAGED_EVICTIONS_AT(n, by), 10 * n + by);
    }
}

static void periods(void) {
    struct cotenant_managed_period period;
    uint32_t n, by, whole;
    fresh();
    fill();
    CHECK(cotenant_managed_read(&managed, &period) == COTENANT_OK);
    whole = fake.accesses;
    CHECK(period.applications == APPLICATIONS && period.sequence == 9);
    CHECK(period.insensitive && !period.busy && period.ratio == 77);
    for (n = 0; n < APPLICATIONS; n++) {
        const struct cotenant_managed_application *application = &period.application[n];
        CHECK(application->hits == 100 + n && application->misses == 200 + n);
        CHECK(application->quota == 1 + n && application->selector == 300 + n);
        CHECK(application->one_way == (n == 0) && application->short_lived == (n == 1));
        CHECK(application->streams == (n == 2) && !application->overflow);
        for (by = 0; by < APPLICATIONS; by++)
            CHECK(application->evicted_by[by] == 10 * n + by);
    }
    /* A period that ends in between. */
    fake_calm(&fake);
    fake.every = whole / 2;
    fake.tears = 1;
    CHECK(cotenant_managed_read(&managed, &period) == COTENANT_OK);
    CHECK(fake.accesses == 2 * whole && period.sequence == 10);
    fake_calm(&fake);
    fake.every = whole / 2;
    fake.tears = FAKE_NEVER;
    CHECK(cotenant_managed_read(&managed, &period) == COTENANT_TORN);
    CHECK(fake.accesses == COTENANT_TRIES * whole);
    /* Quotas that are decided on in between: BUSY falls. */
    fill();
    fake_calm(&fake);
    set(COTENANT_MANAGED_STATUS_OFFSET, COTENANT_MANAGED_STATUS_BUSY_MASK);
    fake.step = 0u - COTENANT_MANAGED_STATUS_BUSY_MASK;
    fake.every = whole / 2;
    fake.tears = 1;
    CHECK(cotenant_managed_read(&managed, &period) == COTENANT_OK);
    CHECK(fake.accesses == 2 * whole && !period.busy);
    fake_calm(&fake);
    set(COTENANT_MANAGED_STATUS_OFFSET, COTENANT_MANAGED_STATUS_BUSY_MASK);
    CHECK(cotenant_managed_read(&managed, &period) == COTENANT_OK && period.busy);
}

static void saturation_is_told(void) {
    struct cotenant_managed_period period;
    fresh();
    fill();
    set(COTENANT_MANAGED_OVERFLOW_ACCESSES_OFFSET, COTENANT_MANAGED_OVERFLOW_ACCESSES_HITS_MASK);
    CHECK(cotenant_managed_read(&managed, &period) == COTENANT_OVERFLOW);
    CHECK(period.overflow_hits && !period.overflow_misses && period.application[0].hits == 100);
    set(COTENANT_MANAGED_OVERFLOW_ACCESSES_OFFSET,
        COTENANT_MANAGED_OVERFLOW_ACCESSES_MISSES_MASK);
    CHECK(cotenant_managed_read(&managed, &period) == COTENANT_OVERFLOW);
    CHECK(!period.overflow_hits && period.overflow_misses);
    set(COTENANT_MANAGED_OVERFLOW_ACCESSES_OFFSET, 0);
    set(COTENANT_MANAGED_OVERFLOW_EVICTIONS_OFFSET, 4);
    CHECK(cotenant_managed_read(&managed, &period) == COTENANT_OVERFLOW);
    CHECK(period.application[2].overflow && !period.application[1].overflow);
}

static void interrupts(void) {
    uint32_t causes;
    fresh();
    set(COTENANT_MANAGED_IRQ_STATUS_OFFSET,
        COTENANT_MANAGED_PERIOD_ENDED | COTENANT_MANAGED_QUOTAS_DECIDED);
    CHECK(cotenant_managed_enable(&managed, COTENANT_MANAGED_QUOTAS_DECIDED) == COTENANT_OK);
    CHECK(cotenant_managed_interrupt(&managed, &causes) == COTENANT_OK);
    CHECK(causes == COTENANT_MANAGED_QUOTAS_DECIDED);
    /* The other one may be somebody else's, who polls. */
    CHECK(get(COTENANT_MANAGED_IRQ_STATUS_OFFSET) == COTENANT_MANAGED_PERIOD_ENDED);
    fake_calm(&fake);
    CHECK(cotenant_managed_interrupt(&managed, &causes) == COTENANT_OK && causes == 0);
    CHECK(fake.accesses == 2);
}

static void every_bus_error_is_reported(void) {
    static const uint8_t WAYS_OF[] = {1, 5, 2};
    struct cotenant_managed_period period;
    struct cotenant_device *device = &managed.device;
    uint32_t causes;
    fresh();
    set(COTENANT_MANAGED_STATUS_OFFSET, COTENANT_MANAGED_STATUS_READY_MASK);
    CHECK_BUS_ERRORS(&fake, device, (void)0, opened());
    CHECK_BUS_ERRORS(&fake, device, (void)0, cotenant_managed_wait(&managed, 1));
    CHECK_BUS_ERRORS(&fake, device, (void)0, cotenant_managed_set_gpu(&managed, 1));
    CHECK_BUS_ERRORS(&fake, device, (void)0, cotenant_managed_set_period(&managed, 1));
    CHECK_BUS_ERRORS(&fake, device, (void)0, cotenant_managed_end_period(&managed));
    CHECK_BUS_ERRORS(&fake, device, (void)0,
                     cotenant_managed_set_policy(&managed, COTENANT_MANAGED_LRU));
    CHECK_BUS_ERRORS(&fake, device, (void)0, cotenant_managed_give_quotas(&managed, WAYS_OF));
    CHECK_BUS_ERRORS(&fake, device, (void)0, cotenant_managed_give_masks(&managed, 1, 1));
    CHECK_BUS_ERRORS(&fake, device, (void)0, cotenant_managed_take_back(&managed));
    CHECK_BUS_ERRORS(&fake, device, (void)0, cotenant_managed_sample_cores(&managed, 0, 1));
    CHECK_BUS_ERRORS(&fake, device, (void)0, cotenant_managed_set_streaming(&managed, 1, 1));
    CHECK_BUS_ERRORS(&fake, device, (void)0, cotenant_managed_read(&managed, &period));
    CHECK_BUS_ERRORS(&fake, device, (void)0, cotenant_managed_enable(&managed, 3));
    CHECK_BUS_ERRORS(&fake, device, set(COTENANT_MANAGED_IRQ_STATUS_OFFSET, 3),
                     cotenant_managed_interrupt(&managed, &causes));
}

int main(void) {
    open_reads_parameters();
    open_refuses();
    waiting();
    arguments_are_checked();
    settings();
    policies();
    what_software_gives();
    periods();
    saturation_is_told();
    interrupts();
    every_bus_error_is_reported();
    return verdict("managed_test");
}
