/* Plays a trace into a monitor, holds kernels to their budgets, and says who
 * exceeded one and who costs whom its lines.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 *   budget [--json] [--period CYCLES] [--gap CYCLES]
 *          [--demotions V:A:LIMIT] [--evictions V:A:LIMIT] TRACE
 *
 * --demotions, --evictions   budget per period of aggressor A for lines of victim V
 * --period                   a snapshot every so many cycles, and all added up;
 *                            without it one at the end
 * --gap                      idle cycles after each access [0]
 * TRACE                      CSV: kernel,op,address
 *
 * Exit code: 0 done, 1 a counter saturated, 2 could not run.
 */
#include "design.h"
#include "report.h"
#include "trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 128u
#define MAX_BUDGETS 32u
/* Polls until ready: each takes some cycles, a sweep as many as a bank has sets. */
#define READY_POLLS 100000u
/* Cycles from a pair's comparison to the interrupt, and a few more. */
#define FLAGGED 8u
/* Cycles from the end of a look-up to the counters, and a few more. */
#define DIVIDED 8u
/* Accesses of a bank that may wait to be looked up. */
#define QUEUED 8u

static struct cotenant_llc llc;
static struct design *design;

static struct cotenant_llc_budget budgets[MAX_BUDGETS];
static unsigned number_of_budgets;

/* Counts of all periods so far, and of the last one. */
static struct cotenant_llc_counts sum, last;
/* Pairs that an interrupt silenced in the running period, and those whose
 * counts are to be found in the last one. */
static struct cotenant_llc_events silent, late;
/* Pairs that were reported for the last one. */
static struct cotenant_llc_events told;
static uint64_t accesses;
static struct report report;

static void check(enum cotenant_status status, const char *doing) {
    if (status == COTENANT_OK) return;
    fprintf(stderr, "budget: %s: %s", doing, cotenant_status_text(status));
    if (status == COTENANT_BUS) fprintf(stderr, " (offset 0x%" PRIx32 ")", llc.device.fault);
    fprintf(stderr, "\n");
    exit(status == COTENANT_OVERFLOW ? 1 : 2);
}

static void usage(const char *why) {
    fprintf(stderr,
            "budget: %s\nusage: budget [--json] [--period CYCLES] [--gap CYCLES]"
            " [--demotions V:A:LIMIT] [--evictions V:A:LIMIT] TRACE\n",
            why);
    exit(2);
}

static uint32_t limit_of(enum cotenant_llc_matrix matrix, unsigned victim, unsigned aggressor) {
    unsigned b;
    /* The last one that was armed is in force. */
    for (b = number_of_budgets; b-- > 0;)
        if (budgets[b].matrix == matrix && budgets[b].victim == victim &&
            budgets[b].aggressor == aggressor)
            return budgets[b].limit;
    return UINT32_MAX;
}

static uint16_t *row_of(struct cotenant_llc_events *events, enum cotenant_llc_matrix matrix,
                        unsigned victim) {
    return matrix == COTENANT_LLC_DEMOTIONS ? &events->demotions[victim]
                                            : &events->evictions[victim];
}

static uint64_t last_count(enum cotenant_llc_matrix matrix, unsigned victim, unsigned aggressor) {
    return matrix == COTENANT_LLC_DEMOTIONS ? last.demotions[victim][aggressor]
                                            : last.evictions[victim][aggressor];
}

static void report_last(enum cotenant_llc_matrix matrix, unsigned victim, unsigned aggressor) {
    report_exceeded(&report, matrix, victim, aggressor, limit_of(matrix, victim, aggressor),
                    last_count(matrix, victim, aggressor), accesses);
}

/* The hardware found it in the round after the end of the period that was read
 * last: the pair is to interrupt again in this one. */
static void exceeded_before(enum cotenant_llc_matrix matrix, unsigned victim,
                            unsigned aggressor) {
    const uint16_t bit = (uint16_t)(1u << aggressor);
    struct cotenant_llc_events again = {0};
    report_last(matrix, victim, aggressor);
    *row_of(&told, matrix, victim) |= bit;
    *row_of(&silent, matrix, victim) &= (uint16_t)~bit;
    *row_of(&again, matrix, victim) = bit;
    check(cotenant_llc_rearm(&llc, &again), "arm again");
}

/* What is to be done about the pairs of an interrupt. A system would act here:
 * give the aggressor fewer memory instructions in flight
 * (cotenant_issue_set_limit), fewer SMs, another partition. */
static void exceeded(struct cotenant_llc_events *events, enum cotenant_llc_matrix matrix) {
    unsigned victim, aggressor;
    uint32_t count, limit;
    for (victim = 0; victim < llc.parameters.kernels; victim++) {
        const uint16_t pairs = *row_of(events, matrix, victim);
        *row_of(&silent, matrix, victim) |= pairs;
        for (aggressor = 0; aggressor < llc.parameters.kernels; aggressor++) {
            if (!(pairs >> aggressor & 1)) continue;
            limit = limit_of(matrix, victim, aggressor);
            check(cotenant_llc_read_live(&llc, matrix, victim, aggressor, &count), "count");
            if (count > limit)
                report_exceeded(&report, matrix, victim, aggressor, limit, count, accesses);
            else if (last_count(matrix, victim, aggressor) > limit &&
                     !(*row_of(&told, matrix, victim) >> aggressor & 1))
                exceeded_before(matrix, victim, aggressor);
            else
                /* The period has ended meanwhile. */
                *row_of(&late, matrix, victim) |= (uint16_t)(1u << aggressor);
        }
    }
}

static void report_late(enum cotenant_llc_matrix matrix) {
    unsigned victim, aggressor;
    for (victim = 0; victim < llc.parameters.kernels; victim++)
        for (aggressor = 0; aggressor < llc.parameters.kernels; aggressor++)
            if (*row_of(&late, matrix, victim) >> aggressor & 1)
                report_last(matrix, victim, aggressor);
}

static void end_of_period(void) {
    static const struct cotenant_llc_events NONE = {0};
    const uint8_t before = last.sequence;
    check(cotenant_llc_read(&llc, &last), "counts of the period");
    if (last.sequence != (uint8_t)(before + 1)) {
        fprintf(stderr, "budget: periods were missed: lengthen the period\n");
        exit(2);
    }
    cotenant_llc_add(&sum, &last);
    report.periods++;
    report_late(COTENANT_LLC_DEMOTIONS);
    report_late(COTENANT_LLC_EVICTIONS);
    check(cotenant_llc_rearm(&llc, &silent), "arm again");
    told = silent;
    silent = late = NONE;
}

/* The interrupt handler. Here the cache waits for it; on a board it goes on. */
static void serve(void) {
    struct cotenant_llc_events events;
    while (design_interrupt(design)) {
        check(cotenant_llc_interrupt(&llc, &events), "interrupt");
        exceeded(&events, COTENANT_LLC_DEMOTIONS);
        exceeded(&events, COTENANT_LLC_EVICTIONS);
        if (events.period) end_of_period();
    }
}

static void play(const char *path, uint32_t gap) {
    struct trace trace;
    struct trace_access access;
    trace_open(&trace, path);
    while (trace_next(&trace, &access)) {
        if (access.kernel >= llc.parameters.kernels)
            trace_fail(&trace, "a kernel that the monitor does not have");
        accesses++;
        /* Kernels and requesters in opposite order: see set_up. */
        if (!design_access(design, &llc.parameters, llc.parameters.kernels - 1 - access.kernel,
                           access.address / LINE_BYTES))
            trace_fail(&trace, "an address wider than the monitor's tags");
        design_wait(design, gap);
        serve();
    }
    trace_close(&trace);
}

static void set_up(uint32_t period) {
    const struct cotenant_bus bus = {design_read32, design_write32, design};
    unsigned k, b;
    check(cotenant_llc_open(&llc, &bus), "open");
    if (llc.parameters.requesters < llc.parameters.kernels) usage("more kernels than requesters");
    check(cotenant_llc_wait_ready(&llc, READY_POLLS), "wait");
    /* The whole trace is to be sampled. */
    design_wait(design, 4 * llc.parameters.sampled * llc.parameters.ways * llc.parameters.kernels);
    check(cotenant_llc_silence(&llc), "silence");
    /* Not as after reset, so that it is this table that counts. */
    for (k = 0; k < llc.parameters.kernels; k++)
        check(cotenant_llc_map(&llc, llc.parameters.kernels - 1 - k, k), "map");
    /* Ends what was counted before. */
    check(cotenant_llc_snapshot(&llc), "snapshot");
    check(cotenant_llc_read(&llc, &last), "counts before");
    for (b = 0; b < number_of_budgets; b++) check(cotenant_llc_arm(&llc, &budgets[b]), "arm");
    report_begin(&report, design_bus_name(), &llc, LINE_BYTES, budgets, number_of_budgets);
    if (period) check(cotenant_llc_set_period(&llc, period, true), "period");
}

static void finish(void) {
    /* An access at t is counted at t + 4 + stages. */
    design_wait(design, 4 + llc.parameters.stages);
    /* One to a sampled set is looked up at a line per cycle, and then divided. */
    if (llc.parameters.sampled)
        design_wait(design, (1 + QUEUED) *
                                (llc.parameters.ways * llc.parameters.kernels + DIVIDED));
    check(cotenant_llc_set_period(&llc, 0, true), "period");
    /* The timer may have been first, and budgets are still being checked: those
     * of the period that ended in a round, then those of the running one. */
    design_wait(design, 4 * llc.parameters.kernels * llc.parameters.kernels + FLAGGED);
    serve();
    check(cotenant_llc_snapshot(&llc), "snapshot");
    end_of_period();
}

static unsigned long number(const char **text, char end) {
    char *rest;
    unsigned long value = strtoul(*text, &rest, 0);
    if (rest == *text || **text == '-' || *rest != end || value > UINT32_MAX)
        usage("expected a number, or V:A:LIMIT");
    *text = rest + (end != '\0');
    return value;
}

static void budget(enum cotenant_llc_matrix matrix, const char *text) {
    struct cotenant_llc_budget *one = &budgets[number_of_budgets];
    if (number_of_budgets++ == MAX_BUDGETS) usage("too many budgets");
    one->matrix = matrix;
    one->victim = (unsigned)number(&text, ':');
    one->aggressor = (unsigned)number(&text, ':');
    one->limit = (uint32_t)number(&text, '\0');
}

int main(int argc, char **argv) {
    const char *trace = NULL;
    uint32_t period = 0, gap = 0;
    int i;
    for (i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--json") == 0) {
            report.json = true;
        } else if (strcmp(argv[i], "--period") == 0) {
            period = (uint32_t)number(&value, '\0');
            i++;
        } else if (strcmp(argv[i], "--gap") == 0) {
            gap = (uint32_t)number(&value, '\0');
            i++;
        } else if (strcmp(argv[i], "--demotions") == 0) {
            budget(COTENANT_LLC_DEMOTIONS, value);
            i++;
        } else if (strcmp(argv[i], "--evictions") == 0) {
            budget(COTENANT_LLC_EVICTIONS, value);
            i++;
        } else if (argv[i][0] == '-' || trace) {
            usage("one trace is expected, after the options");
        } else {
            trace = argv[i];
        }
    }
    if (!trace) usage("no trace");
    design = design_open();
    set_up(period);
    play(trace, gap);
    finish();
    report_end(&report, &llc, &sum, accesses);
    design_close(design);
    return 0;
}
