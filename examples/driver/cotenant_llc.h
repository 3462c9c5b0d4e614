/* Driver of llc_monitor: who demotes and evicts whose lines, and how much of it
 * is allowed.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Counts are those of a period: from one snapshot to the next, which software
 * takes (cotenant_llc_snapshot) or a timer (cotenant_llc_set_period). A budget
 * is what an aggressor may do to a victim's lines in a period. The interrupt
 * comes within a round of the hardware over all pairs (2 x kernels x kernels
 * cycles, and those in which the bus reads counters or limits) after the event
 * that is too much, or, of one in the last moments of a period, within the round
 * after its end. A period must last longer than a round; one that can be read
 * does. A pair whose counter saturates is over any budget.
 */
#ifndef COTENANT_LLC_H
#define COTENANT_LLC_H

#include "cotenant.h"
#include "llc_monitor.h" /* generated: the registers */

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the unit was made with. */
struct cotenant_llc_parameters {
    unsigned ways;
    unsigned kernels;
    unsigned banks;
    /* Requesters with an entry of their own; this number itself names `other`. */
    unsigned requesters;
    /* Bits of: set within a bank, tag, counter of a bank, counter as read. */
    unsigned set_width, tag_width, count_width, total_width;
    /* Pipeline stages: an access heard at t is counted at t + 4 + stages. */
    unsigned stages;
    /* The share at eviction is counted. */
    bool sce;
    /* Sets of each bank in which misses are divided exactly; 0: none. After a
     * reset they take accesses once their stacks are cleared, which STATUS does
     * not tell: at most 4 x sampled x ways x kernels cycles. */
    unsigned sampled;
    /* What a miss counts in their shares: COTENANT_LLC_SIXTHS, or 1 where each
     * is charged to one kernel as a whole; 0 without sampled sets. */
    unsigned unit;
};

struct cotenant_llc {
    struct cotenant_device device;
    struct cotenant_llc_parameters parameters;
};

/* Two counts per pair of victim and aggressor. */
enum cotenant_llc_matrix {
    /* Lines pushed one place towards eviction (the GDC paper's counters). */
    COTENANT_LLC_DEMOTIONS,
    /* Lines evicted (PLOB). */
    COTENANT_LLC_EVICTIONS
};

/* Binds the handle to a unit; checks that it is one that this driver knows, and
 * reads its parameters. The unit goes on as it was: see cotenant_llc_silence. */
enum cotenant_status cotenant_llc_open(struct cotenant_llc *llc, const struct cotenant_bus *bus);

/* Waits until the sweep after a reset or flush is over, for at most `polls`
 * readings; accesses before are not counted. A sweep takes as many cycles as a
 * bank has sets, or as there are limits. */
enum cotenant_status cotenant_llc_wait_ready(struct cotenant_llc *llc, uint32_t polls);

/* No interrupts, no budgets armed, nothing pending, no timer: for a unit that
 * may have been in use before. */
enum cotenant_status cotenant_llc_silence(struct cotenant_llc *llc);

/* From now on `requester` runs `kernel`; requester `requesters` names all that
 * have no entry. After reset requester r runs min(r, kernels - 1). */
enum cotenant_status cotenant_llc_map(struct cotenant_llc *llc, unsigned requester,
                                      unsigned kernel);

/* A snapshot every `cycles` from now on, with an interrupt each if `interrupt`;
 * 0: only by cotenant_llc_snapshot. */
enum cotenant_status cotenant_llc_set_period(struct cotenant_llc *llc, uint32_t cycles,
                                             bool interrupt);

/* Ends the period. */
enum cotenant_status cotenant_llc_snapshot(struct cotenant_llc *llc);

/* Drops all lines of the directory, as the cache does: then wait until ready. */
enum cotenant_status cotenant_llc_flush(struct cotenant_llc *llc);

/* `limit` events are within the budget, the next one is not. */
#define COTENANT_LLC_UNLIMITED UINT32_MAX
struct cotenant_llc_budget {
    enum cotenant_llc_matrix matrix;
    unsigned victim, aggressor;
    uint32_t limit;
};

/* Sets the limit and lets it interrupt. What was reported of the pair is
 * forgotten; if its count exceeds the new limit already, it is reported again.
 * COTENANT_RANGE, and nothing is changed, for a limit above what the counter of
 * a bank can hold (2^count_width - 1), but COTENANT_LLC_UNLIMITED: the hardware
 * could not tell whether it is exceeded. */
enum cotenant_status cotenant_llc_arm(struct cotenant_llc *llc,
                                      const struct cotenant_llc_budget *budget);
/* The pair does not interrupt any more; its limit stays. */
enum cotenant_status cotenant_llc_disarm(struct cotenant_llc *llc,
                                         enum cotenant_llc_matrix matrix, unsigned victim,
                                         unsigned aggressor);

/* What an interrupt was about. */
struct cotenant_llc_events {
    /* The timer took a snapshot. */
    bool period;
    /* Of a victim's lines, bit a: aggressor a exceeded its budget. */
    uint16_t demotions[COTENANT_LLC_KERNELS_MAX];
    uint16_t evictions[COTENANT_LLC_KERNELS_MAX];
};

/* To be called on an interrupt: says what it was about, and ends it.
 *
 * A count stays above its limit until the period ends, and would interrupt
 * again at once: pairs reported here are silent until cotenant_llc_rearm. The
 * line falls some cycles later; a call that finds nothing is no error. After
 * an error the interrupt may still be pending and `events` holds what was ended
 * before it. */
enum cotenant_status cotenant_llc_interrupt(struct cotenant_llc *llc,
                                            struct cotenant_llc_events *events);

/* Arms the pairs again that an interrupt reported, with the limits they have:
 * to be called in the next period, after cotenant_llc_read. Sooner than
 * 2 x kernels x kernels cycles after the period's end, while the hardware still
 * compares what it came to, the same excess may be reported again. */
enum cotenant_status cotenant_llc_rearm(struct cotenant_llc *llc,
                                        const struct cotenant_llc_events *events);

/* Counts of one period, or of some added up; entries from `kernels` on are 0. */
struct cotenant_llc_counts {
    unsigned kernels;
    /* Snapshots taken so far, modulo 256: one more than at the last reading, or
     * periods were missed. */
    uint8_t sequence;
    uint64_t hits[COTENANT_LLC_KERNELS_MAX], misses[COTENANT_LLC_KERNELS_MAX];
    /* [victim][aggressor] */
    uint64_t demotions[COTENANT_LLC_KERNELS_MAX][COTENANT_LLC_KERNELS_MAX];
    uint64_t evictions[COTENANT_LLC_KERNELS_MAX][COTENANT_LLC_KERNELS_MAX];
    /* The aggressor's lines above lines of the victim when those were evicted,
     * the new line included; 0 where the unit does not count it. */
    uint64_t sce[COTENANT_LLC_KERNELS_MAX][COTENANT_LLC_KERNELS_MAX];
    /* The aggressor's share of the victim's misses in sampled sets, of which a
     * miss counts `unit`; the victim's own misses on the diagonal. 0 without
     * sampled sets. */
    unsigned unit;
    uint64_t shares[COTENANT_LLC_KERNELS_MAX][COTENANT_LLC_KERNELS_MAX];
    /* Accesses to sampled sets: those that were looked up; those that came too
     * soon behind another one, and are in no share; those of the first that
     * charged nobody, since another kernel had used the line last. */
    uint64_t taken, dropped, shared;
    /* Bit v: a counter of victim v saturated. */
    uint16_t overflow_demotions, overflow_evictions;
    bool overflow_hits, overflow_misses;
    /* Of `sce`; of `shares`; of `taken`, `dropped` or `shared`. */
    bool overflow_sce, overflow_shares, overflow_sampled;
};

/* The counts of the last period, all of one snapshot.
 *
 * Restarted if a snapshot comes in between; COTENANT_TORN if one comes in
 * between every time. (256 of them in one reading would not be seen: then the
 * period is shorter than a bus access.) COTENANT_OVERFLOW if a counter
 * saturated: `counts` is whole then, and says which. */
enum cotenant_status cotenant_llc_read(struct cotenant_llc *llc,
                                       struct cotenant_llc_counts *counts);

/* Adds the counts of a further period to `sum`, which begins as all zeros. */
void cotenant_llc_add(struct cotenant_llc_counts *sum, const struct cotenant_llc_counts *counts);

/* One count of the period that still runs. */
enum cotenant_status cotenant_llc_read_live(struct cotenant_llc *llc,
                                            enum cotenant_llc_matrix matrix, unsigned victim,
                                            unsigned aggressor, uint32_t *count);

/* Who did what share of the demotions or evictions that `victim` suffered, by
 * aggressor, in units of 1/`scale`; without what it did to itself if not
 * `with_self`. COTENANT_NO_EVENTS if there were none. */
enum cotenant_status cotenant_llc_shares(const struct cotenant_llc_counts *counts,
                                         enum cotenant_llc_matrix matrix, unsigned victim,
                                         bool with_self, uint32_t scale,
                                         uint64_t shares[COTENANT_LLC_KERNELS_MAX]);

/* Where the blame for misses is read. */
enum cotenant_llc_method {
    /* Shares of the misses in sampled sets: exact, or on average where misses are
     * charged as a whole. */
    COTENANT_LLC_SAMPLED,
    /* Share at eviction: of all sets, but not exact. */
    COTENANT_LLC_SCE
};

/* What SHARES count in, if misses are divided: parts of a miss. */
#define COTENANT_LLC_SIXTHS 6u
/* Misses that co-runners must have been charged with in sampled sets for their
 * shares to be read: fewer say little. */
#define COTENANT_LLC_CHARGES 64u

/* Who caused the misses that `victim` has only because it has company: the share
 * of each co-runner, in units of 1/`scale`. The victim's own share is 0: its own
 * misses, and what it did to its own lines, are not among those divided.
 *
 * The rule: exact shares of sampled sets, if the co-runners' of this victim come
 * to COTENANT_LLC_CHARGES misses or more (the victim's own misses do not count);
 * else shares at eviction. `method` says which. COTENANT_NO_EVENTS, with
 * `shares` and `method` as they were, if that has no events of co-runners: so
 * it is where the unit has neither, or has only sampled sets with too few
 * charges. Of periods added up, the rule is applied to the sum. */
enum cotenant_status cotenant_llc_blame(const struct cotenant_llc_counts *counts, unsigned victim,
                                        uint32_t scale, uint64_t shares[COTENANT_LLC_KERNELS_MAX],
                                        enum cotenant_llc_method *method);

#ifdef __cplusplus
}
#endif

#endif
