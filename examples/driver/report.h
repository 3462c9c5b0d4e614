/* What the example prints: text with the tables of `cotenant replay`, or one
 * JSON document with its names.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef COTENANT_REPORT_H
#define COTENANT_REPORT_H

#include "cotenant_llc.h"

#include <stdbool.h>
#include <stdint.h>

struct report {
    bool json;
    unsigned long periods, interrupts;
};

/* What is there, and the budgets. */
void report_begin(const struct report *report, const char *bus, const struct cotenant_llc *llc,
                  unsigned line_bytes, const struct cotenant_llc_budget *budgets,
                  unsigned number_of_budgets);

/* A budget was exceeded: `count` in the period; told at access number `access`
 * (from 1). */
void report_exceeded(struct report *report, enum cotenant_llc_matrix matrix, unsigned victim,
                     unsigned aggressor, uint32_t limit, uint64_t count, uint64_t access);

/* Counts of all periods, and the shares. */
void report_end(const struct report *report, const struct cotenant_llc *llc,
                const struct cotenant_llc_counts *counts, uint64_t accesses);

#endif
