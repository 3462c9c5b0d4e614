/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "cotenant_llc.h"

/* A field of a register's value. */
#define FIELD(value, field) \
    (((value) & COTENANT_LLC_##field##_MASK) >> COTENANT_LLC_##field##_SHIFT)

/* Where a matrix has its registers. */
static uint32_t over_at(enum cotenant_llc_matrix matrix, unsigned victim) {
    return matrix == COTENANT_LLC_DEMOTIONS ? COTENANT_LLC_DEMOTION_OVER_AT(victim)
                                            : COTENANT_LLC_EVICTION_OVER_AT(victim);
}

static uint32_t mask_at(enum cotenant_llc_matrix matrix, unsigned victim) {
    return matrix == COTENANT_LLC_DEMOTIONS ? COTENANT_LLC_DEMOTION_MASK_AT(victim)
                                            : COTENANT_LLC_EVICTION_MASK_AT(victim);
}

static uint32_t limit_at(enum cotenant_llc_matrix matrix, unsigned victim, unsigned aggressor) {
    return matrix == COTENANT_LLC_DEMOTIONS ? COTENANT_LLC_DEMOTION_LIMIT_AT(victim, aggressor)
                                            : COTENANT_LLC_EVICTION_LIMIT_AT(victim, aggressor);
}

static uint32_t live_at(enum cotenant_llc_matrix matrix, unsigned victim, unsigned aggressor) {
    return matrix == COTENANT_LLC_DEMOTIONS ? COTENANT_LLC_GDC_LIVE_AT(victim, aggressor)
                                            : COTENANT_LLC_IKE_LIVE_AT(victim, aggressor);
}

static uint32_t enable_bit(enum cotenant_llc_matrix matrix) {
    return matrix == COTENANT_LLC_DEMOTIONS ? COTENANT_LLC_IRQ_ENABLE_DEMOTION_MASK
                                            : COTENANT_LLC_IRQ_ENABLE_EVICTION_MASK;
}

/* Clears `clear`, then sets `set`. */
static enum cotenant_status change(struct cotenant_llc *llc, uint32_t offset, uint32_t clear,
                                   uint32_t set) {
    uint32_t value;
    COTENANT_TRY(cotenant_read(&llc->device, offset, &value));
    return cotenant_write(&llc->device, offset, (value & ~clear) | set);
}

static bool is_pair(const struct cotenant_llc *llc, enum cotenant_llc_matrix matrix,
                    unsigned victim, unsigned aggressor) {
    return (matrix == COTENANT_LLC_DEMOTIONS || matrix == COTENANT_LLC_EVICTIONS) &&
           victim < llc->parameters.kernels && aggressor < llc->parameters.kernels;
}

/* What there is to attribute misses. */
static enum cotenant_status read_attribution(struct cotenant_llc *llc) {
    struct cotenant_llc_parameters *parameters = &llc->parameters;
    uint32_t value = 0;
    /* Before MINOR 1 the register is not there, and reading it a bus error. */
    if (llc->device.minor >= 1)
        COTENANT_TRY(cotenant_read(&llc->device, COTENANT_LLC_ATTRIBUTION_OFFSET, &value));
    parameters->sce = FIELD(value, ATTRIBUTION_SCE) != 0;
    parameters->sampled = FIELD(value, ATTRIBUTION_SAMPLED);
    parameters->unit = 0;
    if (parameters->sampled == 0) return COTENANT_OK;
    /* Before MINOR 2 the field reads 0. */
    parameters->unit = FIELD(value, ATTRIBUTION_MODE) ? 1 : COTENANT_LLC_SIXTHS;
    /* Sixths hold the shares of at most three co-runners, and alone there is
     * nothing to divide. The field has 24 bits. */
    if (parameters->kernels < 2 || (parameters->unit != 1 && parameters->kernels > 4) ||
        parameters->sampled < 2 ||
        (parameters->set_width < 24 && parameters->sampled > UINT32_C(1) << parameters->set_width))
        return COTENANT_BAD_PARAMETERS;
    return COTENANT_OK;
}

enum cotenant_status cotenant_llc_open(struct cotenant_llc *llc, const struct cotenant_bus *bus) {
    static const struct cotenant_identity EXPECTED = {
        COTENANT_LLC_ID_OFFSET,
        COTENANT_LLC_ID_VALUE_EXPECTED,
        COTENANT_LLC_VERSION_OFFSET,
        COTENANT_LLC_VERSION_MAJOR_SHIFT,
        COTENANT_LLC_VERSION_MINOR_MASK,
        COTENANT_LLC_VERSION_MAJOR_EXPECTED,
        COTENANT_LLC_UNIT_OFFSET,
        COTENANT_LLC_UNIT_VALUE_EXPECTED,
    };
    struct cotenant_llc_parameters *parameters = &llc->parameters;
    uint32_t geometry, widths, pipeline;
    COTENANT_TRY(cotenant_identify(&llc->device, bus, &EXPECTED));
    COTENANT_TRY(cotenant_read(&llc->device, COTENANT_LLC_GEOMETRY_OFFSET, &geometry));
    COTENANT_TRY(cotenant_read(&llc->device, COTENANT_LLC_WIDTHS_OFFSET, &widths));
    COTENANT_TRY(cotenant_read(&llc->device, COTENANT_LLC_PIPELINE_OFFSET, &pipeline));
    parameters->ways = FIELD(geometry, GEOMETRY_WAYS);
    parameters->kernels = FIELD(geometry, GEOMETRY_KERNELS);
    parameters->banks = FIELD(geometry, GEOMETRY_BANKS);
    parameters->requesters = FIELD(geometry, GEOMETRY_REQUESTERS);
    parameters->set_width = FIELD(widths, WIDTHS_SET_W);
    parameters->tag_width = FIELD(widths, WIDTHS_TAG_W);
    parameters->count_width = FIELD(widths, WIDTHS_CNT_W);
    parameters->total_width = FIELD(widths, WIDTHS_TOTAL_W);
    parameters->stages = FIELD(pipeline, PIPELINE_STAGES);
    if (parameters->kernels == 0 || parameters->kernels > COTENANT_LLC_KERNELS_MAX ||
        parameters->banks == 0 || parameters->requesters == 0 ||
        parameters->count_width == 0 || parameters->count_width > parameters->total_width ||
        parameters->total_width == 0 || parameters->total_width > 32)
        return COTENANT_BAD_PARAMETERS;
    return read_attribution(llc);
}

enum cotenant_status cotenant_llc_wait_ready(struct cotenant_llc *llc, uint32_t polls) {
    uint32_t value;
    for (; polls > 0; polls--) {
        COTENANT_TRY(cotenant_read(&llc->device, COTENANT_LLC_STATUS_OFFSET, &value));
        if (FIELD(value, STATUS_READY)) return COTENANT_OK;
    }
    return COTENANT_NOT_READY;
}

static enum cotenant_status silence(struct cotenant_llc *llc, enum cotenant_llc_matrix matrix,
                                    unsigned victim) {
    COTENANT_TRY(cotenant_write(&llc->device, mask_at(matrix, victim), 0));
    return cotenant_write(&llc->device, over_at(matrix, victim), UINT32_MAX);
}

enum cotenant_status cotenant_llc_silence(struct cotenant_llc *llc) {
    unsigned victim;
    COTENANT_TRY(cotenant_write(&llc->device, COTENANT_LLC_IRQ_ENABLE_OFFSET, 0));
    COTENANT_TRY(cotenant_write(&llc->device, COTENANT_LLC_PERIOD_OFFSET, 0));
    for (victim = 0; victim < llc->parameters.kernels; victim++) {
        COTENANT_TRY(silence(llc, COTENANT_LLC_DEMOTIONS, victim));
        COTENANT_TRY(silence(llc, COTENANT_LLC_EVICTIONS, victim));
    }
    return cotenant_write(&llc->device, COTENANT_LLC_IRQ_STATUS_OFFSET,
                          COTENANT_LLC_IRQ_STATUS_PERIOD_MASK);
}

enum cotenant_status cotenant_llc_map(struct cotenant_llc *llc, unsigned requester,
                                      unsigned kernel) {
    if (requester > llc->parameters.requesters || kernel >= llc->parameters.kernels)
        return COTENANT_RANGE;
    return cotenant_write(&llc->device, COTENANT_LLC_MAP_AT(requester), kernel);
}

enum cotenant_status cotenant_llc_set_period(struct cotenant_llc *llc, uint32_t cycles,
                                             bool interrupt) {
    const uint32_t bit = COTENANT_LLC_IRQ_ENABLE_PERIOD_MASK;
    COTENANT_TRY(change(llc, COTENANT_LLC_IRQ_ENABLE_OFFSET, bit, interrupt ? bit : 0));
    return cotenant_write(&llc->device, COTENANT_LLC_PERIOD_OFFSET, cycles);
}

enum cotenant_status cotenant_llc_snapshot(struct cotenant_llc *llc) {
    return cotenant_write(&llc->device, COTENANT_LLC_CONTROL_OFFSET,
                          COTENANT_LLC_CONTROL_SNAPSHOT_MASK);
}

enum cotenant_status cotenant_llc_flush(struct cotenant_llc *llc) {
    return cotenant_write(&llc->device, COTENANT_LLC_CONTROL_OFFSET,
                          COTENANT_LLC_CONTROL_FLUSH_MASK);
}

/* What was reported of the pairs in `bits` is stale: forget it before they may
 * interrupt. */
static enum cotenant_status unmask(struct cotenant_llc *llc, enum cotenant_llc_matrix matrix,
                                   unsigned victim, uint32_t bits) {
    COTENANT_TRY(cotenant_write(&llc->device, over_at(matrix, victim), bits));
    return change(llc, mask_at(matrix, victim), 0, bits);
}

enum cotenant_status cotenant_llc_arm(struct cotenant_llc *llc,
                                      const struct cotenant_llc_budget *budget) {
    const uint32_t most = UINT32_MAX >> (32 - llc->parameters.count_width);
    if (!is_pair(llc, budget->matrix, budget->victim, budget->aggressor)) return COTENANT_RANGE;
    if (budget->limit > most && budget->limit != COTENANT_LLC_UNLIMITED) return COTENANT_RANGE;
    COTENANT_TRY(cotenant_llc_disarm(llc, budget->matrix, budget->victim, budget->aggressor));
    COTENANT_TRY(cotenant_write(
        &llc->device, limit_at(budget->matrix, budget->victim, budget->aggressor), budget->limit));
    COTENANT_TRY(unmask(llc, budget->matrix, budget->victim, UINT32_C(1) << budget->aggressor));
    return change(llc, COTENANT_LLC_IRQ_ENABLE_OFFSET, 0, enable_bit(budget->matrix));
}

enum cotenant_status cotenant_llc_disarm(struct cotenant_llc *llc,
                                         enum cotenant_llc_matrix matrix, unsigned victim,
                                         unsigned aggressor) {
    if (!is_pair(llc, matrix, victim, aggressor)) return COTENANT_RANGE;
    return change(llc, mask_at(matrix, victim), UINT32_C(1) << aggressor, 0);
}

/* Which pairs of a matrix exceeded their budgets; they are silent from now on. */
static enum cotenant_status take(struct cotenant_llc *llc, enum cotenant_llc_matrix matrix,
                                 uint16_t exceeded[COTENANT_LLC_KERNELS_MAX]) {
    uint32_t over, mask;
    unsigned victim;
    for (victim = 0; victim < llc->parameters.kernels; victim++) {
        COTENANT_TRY(cotenant_read(&llc->device, over_at(matrix, victim), &over));
        if (over == 0) continue;
        COTENANT_TRY(cotenant_read(&llc->device, mask_at(matrix, victim), &mask));
        over &= mask;
        if (over == 0) continue;
        COTENANT_TRY(cotenant_write(&llc->device, mask_at(matrix, victim), mask & ~over));
        exceeded[victim] = (uint16_t)over;
        COTENANT_TRY(cotenant_write(&llc->device, over_at(matrix, victim), over));
    }
    return COTENANT_OK;
}

enum cotenant_status cotenant_llc_interrupt(struct cotenant_llc *llc,
                                            struct cotenant_llc_events *events) {
    uint32_t status, enable;
    unsigned k;
    events->period = false;
    for (k = 0; k < COTENANT_LLC_KERNELS_MAX; k++) events->demotions[k] = events->evictions[k] = 0;
    COTENANT_TRY(cotenant_read(&llc->device, COTENANT_LLC_IRQ_STATUS_OFFSET, &status));
    COTENANT_TRY(cotenant_read(&llc->device, COTENANT_LLC_IRQ_ENABLE_OFFSET, &enable));
    status &= enable;
    if (FIELD(status, IRQ_STATUS_PERIOD)) {
        COTENANT_TRY(cotenant_write(&llc->device, COTENANT_LLC_IRQ_STATUS_OFFSET,
                                    COTENANT_LLC_IRQ_STATUS_PERIOD_MASK));
        events->period = true;
    }
    if (FIELD(status, IRQ_STATUS_DEMOTION))
        COTENANT_TRY(take(llc, COTENANT_LLC_DEMOTIONS, events->demotions));
    if (FIELD(status, IRQ_STATUS_EVICTION))
        COTENANT_TRY(take(llc, COTENANT_LLC_EVICTIONS, events->evictions));
    return COTENANT_OK;
}

enum cotenant_status cotenant_llc_rearm(struct cotenant_llc *llc,
                                        const struct cotenant_llc_events *events) {
    unsigned victim;
    for (victim = 0; victim < llc->parameters.kernels; victim++) {
        if (events->demotions[victim])
            COTENANT_TRY(unmask(llc, COTENANT_LLC_DEMOTIONS, victim, events->demotions[victim]));
        if (events->evictions[victim])
            COTENANT_TRY(unmask(llc, COTENANT_LLC_EVICTIONS, victim, events->evictions[victim]));
    }
    return COTENANT_OK;
}

static enum cotenant_status read_count(struct cotenant_llc *llc, uint32_t offset,
                                       uint64_t *count) {
    uint32_t value;
    COTENANT_TRY(cotenant_read(&llc->device, offset, &value));
    *count = value;
    return COTENANT_OK;
}

static enum cotenant_status read_sequence(struct cotenant_llc *llc, uint8_t *sequence) {
    uint32_t value;
    COTENANT_TRY(cotenant_read(&llc->device, COTENANT_LLC_STATUS_OFFSET, &value));
    *sequence = (uint8_t)FIELD(value, STATUS_SEQUENCE);
    return COTENANT_OK;
}

static enum cotenant_status read_sce(struct cotenant_llc *llc,
                                     struct cotenant_llc_counts *counts) {
    unsigned v, a;
    for (v = 0; v < counts->kernels; v++)
        for (a = 0; a < counts->kernels; a++)
            COTENANT_TRY(read_count(llc, COTENANT_LLC_SCE_AT(v, a), &counts->sce[v][a]));
    return COTENANT_OK;
}

static enum cotenant_status read_sampled(struct cotenant_llc *llc,
                                         struct cotenant_llc_counts *counts) {
    unsigned v, a;
    for (v = 0; v < counts->kernels; v++)
        for (a = 0; a < counts->kernels; a++)
            COTENANT_TRY(read_count(llc, COTENANT_LLC_SHARES_AT(v, a), &counts->shares[v][a]));
    COTENANT_TRY(read_count(llc, COTENANT_LLC_SAMPLED_TAKEN_OFFSET, &counts->taken));
    COTENANT_TRY(read_count(llc, COTENANT_LLC_SAMPLED_DROPPED_OFFSET, &counts->dropped));
    return read_count(llc, COTENANT_LLC_SAMPLED_SHARED_OFFSET, &counts->shared);
}

/* Whether or not a snapshot comes in between. */
static enum cotenant_status read_once(struct cotenant_llc *llc,
                                      struct cotenant_llc_counts *counts) {
    const unsigned kernels = counts->kernels;
    const bool sce = llc->parameters.sce, sampled = llc->parameters.sampled != 0;
    uint32_t value;
    unsigned k, a;
    COTENANT_TRY(cotenant_read(&llc->device, COTENANT_LLC_OVERFLOW_GDC_OFFSET, &value));
    counts->overflow_demotions = (uint16_t)value;
    COTENANT_TRY(cotenant_read(&llc->device, COTENANT_LLC_OVERFLOW_IKE_OFFSET, &value));
    counts->overflow_evictions = (uint16_t)value;
    COTENANT_TRY(cotenant_read(&llc->device, COTENANT_LLC_OVERFLOW_ACCESS_OFFSET, &value));
    counts->overflow_hits = FIELD(value, OVERFLOW_ACCESS_HITS) != 0;
    counts->overflow_misses = FIELD(value, OVERFLOW_ACCESS_MISSES) != 0;
    counts->overflow_sce = sce && FIELD(value, OVERFLOW_ACCESS_SCE) != 0;
    counts->overflow_shares = sampled && FIELD(value, OVERFLOW_ACCESS_SHARES) != 0;
    counts->overflow_sampled = sampled && FIELD(value, OVERFLOW_ACCESS_SAMPLED) != 0;
    for (k = 0; k < kernels; k++) {
        COTENANT_TRY(read_count(llc, COTENANT_LLC_HITS_AT(k), &counts->hits[k]));
        COTENANT_TRY(read_count(llc, COTENANT_LLC_MISSES_AT(k), &counts->misses[k]));
        for (a = 0; a < kernels; a++) {
            COTENANT_TRY(read_count(llc, COTENANT_LLC_GDC_AT(k, a), &counts->demotions[k][a]));
            COTENANT_TRY(read_count(llc, COTENANT_LLC_IKE_AT(k, a), &counts->evictions[k][a]));
        }
    }
    if (sce) COTENANT_TRY(read_sce(llc, counts));
    return sampled ? read_sampled(llc, counts) : COTENANT_OK;
}

enum cotenant_status cotenant_llc_read(struct cotenant_llc *llc,
                                       struct cotenant_llc_counts *counts) {
    static const struct cotenant_llc_counts NONE = {0};
    unsigned tries;
    uint8_t after;
    *counts = NONE;
    counts->kernels = llc->parameters.kernels;
    counts->unit = llc->parameters.unit;
    for (tries = 0; tries < COTENANT_TRIES; tries++) {
        COTENANT_TRY(read_sequence(llc, &counts->sequence));
        COTENANT_TRY(read_once(llc, counts));
        COTENANT_TRY(read_sequence(llc, &after));
        if (after != counts->sequence) continue;
        return counts->overflow_demotions || counts->overflow_evictions ||
                       counts->overflow_hits || counts->overflow_misses ||
                       counts->overflow_sce || counts->overflow_shares ||
                       counts->overflow_sampled
                   ? COTENANT_OVERFLOW
                   : COTENANT_OK;
    }
    return COTENANT_TORN;
}

void cotenant_llc_add(struct cotenant_llc_counts *sum, const struct cotenant_llc_counts *counts) {
    unsigned k, a;
    sum->kernels = counts->kernels;
    sum->unit = counts->unit;
    sum->sequence = counts->sequence;
    for (k = 0; k < COTENANT_LLC_KERNELS_MAX; k++) {
        sum->hits[k] += counts->hits[k];
        sum->misses[k] += counts->misses[k];
        for (a = 0; a < COTENANT_LLC_KERNELS_MAX; a++) {
            sum->demotions[k][a] += counts->demotions[k][a];
            sum->evictions[k][a] += counts->evictions[k][a];
            sum->sce[k][a] += counts->sce[k][a];
            sum->shares[k][a] += counts->shares[k][a];
        }
    }
    sum->taken += counts->taken;
    sum->dropped += counts->dropped;
    sum->shared += counts->shared;
    sum->overflow_demotions |= counts->overflow_demotions;
    sum->overflow_evictions |= counts->overflow_evictions;
    sum->overflow_hits |= counts->overflow_hits;
    sum->overflow_misses |= counts->overflow_misses;
    sum->overflow_sce |= counts->overflow_sce;
    sum->overflow_shares |= counts->overflow_shares;
    sum->overflow_sampled |= counts->overflow_sampled;
}

enum cotenant_status cotenant_llc_read_live(struct cotenant_llc *llc,
                                            enum cotenant_llc_matrix matrix, unsigned victim,
                                            unsigned aggressor, uint32_t *count) {
    if (!is_pair(llc, matrix, victim, aggressor)) return COTENANT_RANGE;
    return cotenant_read(&llc->device, live_at(matrix, victim, aggressor), count);
}

/* What is divided: all of a victim's row, or the co-runners' part of it. */
static uint64_t divided(const uint64_t row[COTENANT_LLC_KERNELS_MAX], unsigned victim,
                        bool with_self) {
    uint64_t all = 0;
    unsigned k;
    for (k = 0; k < COTENANT_LLC_KERNELS_MAX; k++)
        if (with_self || k != victim) all += row[k];
    return all;
}

static enum cotenant_status divide(const uint64_t row[COTENANT_LLC_KERNELS_MAX], unsigned victim,
                                   bool with_self, uint32_t scale,
                                   uint64_t shares[COTENANT_LLC_KERNELS_MAX]) {
    const uint64_t all = divided(row, victim, with_self);
    unsigned k;
    for (k = 0; k < COTENANT_LLC_KERNELS_MAX; k++)
        COTENANT_TRY(cotenant_share(with_self || k != victim ? row[k] : 0, all, scale, &shares[k]));
    return COTENANT_OK;
}

enum cotenant_status cotenant_llc_shares(const struct cotenant_llc_counts *counts,
                                         enum cotenant_llc_matrix matrix, unsigned victim,
                                         bool with_self, uint32_t scale,
                                         uint64_t shares[COTENANT_LLC_KERNELS_MAX]) {
    if (victim >= counts->kernels) return COTENANT_RANGE;
    return divide(matrix == COTENANT_LLC_DEMOTIONS ? counts->demotions[victim]
                                                   : counts->evictions[victim],
                  victim, with_self, scale, shares);
}

enum cotenant_status cotenant_llc_blame(const struct cotenant_llc_counts *counts, unsigned victim,
                                        uint32_t scale, uint64_t shares[COTENANT_LLC_KERNELS_MAX],
                                        enum cotenant_llc_method *method) {
    const uint64_t least = (uint64_t)COTENANT_LLC_CHARGES * counts->unit;
    bool sampled;
    if (victim >= counts->kernels) return COTENANT_RANGE;
    sampled = counts->unit && divided(counts->shares[victim], victim, false) >= least;
    COTENANT_TRY(divide(sampled ? counts->shares[victim] : counts->sce[victim], victim, false,
                        scale, shares));
    *method = sampled ? COTENANT_LLC_SAMPLED : COTENANT_LLC_SCE;
    return COTENANT_OK;
}
