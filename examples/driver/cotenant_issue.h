/* Driver of mem_issue: how many memory instructions each kernel has in flight,
 * and how many it may have.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef COTENANT_ISSUE_H
#define COTENANT_ISSUE_H

#include "cotenant.h"
#include "mem_issue.h" /* generated: the registers */

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the unit was made with. */
struct cotenant_issue_parameters {
    unsigned kernels;
    /* The hardware sets the limits itself (MILG); otherwise software does (SMIL). */
    bool sets_limits;
    /* As the unit's parameters of these names. */
    unsigned priority, release, cap, lag;
    /* Bits of: count in flight, limit, interval, failures, quota. */
    unsigned count_width, limit_width, interval_width, fail_width, quota_width;
};

struct cotenant_issue {
    struct cotenant_device device;
    struct cotenant_issue_parameters parameters;
};

/* Binds the handle to a unit; checks that it is one that this driver knows, and
 * reads its parameters. */
enum cotenant_status cotenant_issue_open(struct cotenant_issue *issue,
                                         const struct cotenant_bus *bus);

/* No limit. */
#define COTENANT_ISSUE_UNLIMITED UINT32_MAX

/* `kernel` may have `limit` memory instructions in flight from now on: 1 to
 * 2^limit_width - 1, or COTENANT_ISSUE_UNLIMITED. COTENANT_UNSUPPORTED where
 * the hardware sets limits itself. */
enum cotenant_status cotenant_issue_set_limit(struct cotenant_issue *issue, unsigned kernel,
                                              uint32_t limit);

/* The limit in force now, written by software or computed. */
enum cotenant_status cotenant_issue_limit(struct cotenant_issue *issue, unsigned kernel,
                                          uint32_t *limit);

/* Captures the state of all kernels in one cycle. */
enum cotenant_status cotenant_issue_snapshot(struct cotenant_issue *issue);

/* What was captured of a kernel. */
struct cotenant_issue_kernel {
    /* It runs; its memory instructions may issue; it has no limit. */
    bool active, allowed, unlimited;
    uint32_t in_flight;
    /* Meaningless if unlimited. */
    uint32_t limit;
    /* Memory instructions that it may still issue in this round. */
    uint64_t quota;
};

struct cotenant_issue_state {
    unsigned kernels;
    /* Snapshots taken so far, modulo 256. */
    uint8_t sequence;
    struct cotenant_issue_kernel kernel[COTENANT_ISSUE_KERNELS_MAX];
};

/* What the last snapshot captured. Restarted if a snapshot comes in between;
 * COTENANT_TORN if one comes in between every time. */
enum cotenant_status cotenant_issue_read(struct cotenant_issue *issue,
                                         struct cotenant_issue_state *state);

#ifdef __cplusplus
}
#endif

#endif
