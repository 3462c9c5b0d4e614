/* Driver of managed_llc: a cache that CPUs and a GPU share, and which of its
 * ways each application has (TAP).
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Counts are those of a period. As a period ends the hardware decides on masks
 * and quotas, unless software gives them.
 */
#ifndef COTENANT_MANAGED_H
#define COTENANT_MANAGED_H

#include "cotenant.h"
#include "managed_llc.h" /* generated: the registers */

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the unit was made with. */
struct cotenant_managed_parameters {
    unsigned ways, applications, cores, tiles;
    /* Of each policy and application, and of each monitor. */
    unsigned leader_sets, sampled_sets;
    /* Bits of: set, counter, policy selector, ratio of accesses. */
    unsigned set_width, count_width, selector_width, ratio_width;
    /* The ratio counts from here on. */
    unsigned threshold;
    /* Sampled cores rotate from period to period. */
    bool rotates;
};

struct cotenant_managed {
    struct cotenant_device device;
    struct cotenant_managed_parameters parameters;
};

/* Binds the handle to a unit; checks that it is one that this driver knows, and
 * reads its parameters. */
enum cotenant_status cotenant_managed_open(struct cotenant_managed *managed,
                                           const struct cotenant_bus *bus);

/* Waits until accesses are taken, after a reset; reads at most `polls` times. */
enum cotenant_status cotenant_managed_wait(struct cotenant_managed *managed, uint32_t polls);

/* Which applications are the GPU's: bit n for application n. */
enum cotenant_status cotenant_managed_set_gpu(struct cotenant_managed *managed,
                                              uint32_t applications);

/* Periods of so many clock cycles from now on; 0: only cotenant_managed_end_period
 * ends one. */
enum cotenant_status cotenant_managed_set_period(struct cotenant_managed *managed,
                                                 uint32_t cycles);
enum cotenant_status cotenant_managed_end_period(struct cotenant_managed *managed);

/* Policies of replacement, as the paper names them. */
enum cotenant_managed_policy {
    COTENANT_MANAGED_LRU,
    /* Quotas of ways, computed from each application's utility. */
    COTENANT_MANAGED_UCP,
    COTENANT_MANAGED_TAP_UCP,
    COTENANT_MANAGED_TAP_UCP_S,
    /* Predictions of re-reference, chosen by set duelling. */
    COTENANT_MANAGED_DRRIP,
    COTENANT_MANAGED_TAP_RRIP,
    COTENANT_MANAGED_TAP_RRIP_S
};

/* The policy from the next access on. Quotas and masks that software has given
 * are no longer in force. TAP's policies sample cores. */
enum cotenant_status cotenant_managed_set_policy(struct cotenant_managed *managed,
                                                 enum cotenant_managed_policy policy);

/* Replacement by quotas, and these quotas instead of those that the hardware
 * computes: `ways[n]` of application n, each at least 1, all together the ways of
 * the cache; else COTENANT_RANGE. All are in force at once. After COTENANT_BUS those
 * before still hold: give them again before any masks. */
enum cotenant_status cotenant_managed_give_quotas(struct cotenant_managed *managed,
                                                  const uint8_t *ways);

/* These masks instead of TAP's: applications that get one way only in the next
 * decision, and those whose lines RRIP keeps short. */
enum cotenant_status cotenant_managed_give_masks(struct cotenant_managed *managed,
                                                 uint32_t ucp, uint32_t rrip);

/* The hardware decides again; the policy stays. */
enum cotenant_status cotenant_managed_take_back(struct cotenant_managed *managed);

/* Which two cores core sampling compares from the next period on: two different
 * ones, else COTENANT_RANGE. */
enum cotenant_status cotenant_managed_sample_cores(struct cotenant_managed *managed,
                                                   unsigned pol1, unsigned pol2);

/* TAP-S: an application streams that has at least so many accesses in a period,
 * and at least so many misses in 256 of them. */
enum cotenant_status cotenant_managed_set_streaming(struct cotenant_managed *managed,
                                                    uint32_t accesses, uint8_t misses);

/* An application in the last period. */
struct cotenant_managed_application {
    uint32_t hits, misses;
    /* Ways; in force now, whoever has decided on them. */
    uint8_t quota;
    /* Its policy selector: BRRIP if the highest bit is 1. */
    uint16_t selector;
    /* It gets one way only; RRIP keeps its lines short; it streams (TAP-S). */
    bool one_way, short_lived, streams;
    /* One of the counters of its lines' evictions has saturated. */
    bool overflow;
    /* Its lines that each application has replaced. */
    uint32_t evicted_by[COTENANT_MANAGED_APPLICATIONS_MAX];
};

struct cotenant_managed_period {
    unsigned applications;
    /* Periods that have ended so far, modulo 256. */
    uint8_t sequence;
    /* Quotas are still being computed: those of the period before are in force. */
    bool busy;
    /* Caching does not help the GPU, by core sampling. */
    bool insensitive;
    /* Accesses of the GPU per access of the CPU that has most, or 1. */
    uint16_t ratio;
    /* One of the counters of hits, or of misses, has saturated. */
    bool overflow_hits, overflow_misses;
    struct cotenant_managed_application application[COTENANT_MANAGED_APPLICATIONS_MAX];
};

/* The last period. Restarted if one ends, or is decided on, in between;
 * COTENANT_TORN if that happens every time. COTENANT_OVERFLOW if a counter has
 * saturated; the period is filled in then, too. */
enum cotenant_status cotenant_managed_read(struct cotenant_managed *managed,
                                           struct cotenant_managed_period *period);

/* What raises the interrupt. */
#define COTENANT_MANAGED_PERIOD_ENDED COTENANT_MANAGED_IRQ_STATUS_PERIOD_MASK
#define COTENANT_MANAGED_QUOTAS_DECIDED COTENANT_MANAGED_IRQ_STATUS_DECIDED_MASK

/* Only these raise it from now on. */
enum cotenant_status cotenant_managed_enable(struct cotenant_managed *managed,
                                             uint32_t causes);

/* The causes that have come up and may raise it; they are cleared. */
enum cotenant_status cotenant_managed_interrupt(struct cotenant_managed *managed,
                                                uint32_t *causes);

#ifdef __cplusplus
}
#endif

#endif
