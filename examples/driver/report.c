/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const EVENTS[] = {"demotions", "evictions"};
/* Decimals of a share in JSON, and what they are parts of. */
#define DECIMALS 9
#define PARTS UINT32_C(1000000000)

void report_begin(const struct report *report, const char *bus, const struct cotenant_llc *llc,
                  unsigned line_bytes, const struct cotenant_llc_budget *budgets,
                  unsigned number_of_budgets) {
    const struct cotenant_llc_parameters *with = &llc->parameters;
    unsigned b;
    if (report->json) {
        printf("{\"bus\":\"%s\",\"exceeded\":[", bus);
        return;
    }
    printf("llc_monitor behind %s, registers version %u.%u\n", bus,
           COTENANT_LLC_VERSION_MAJOR_EXPECTED, llc->device.minor);
    printf("%" PRIu64 " sets x %u ways x %u B, %u bank%s, %u kernels\n",
           ((uint64_t)1 << with->set_width) * with->banks, with->ways, line_bytes, with->banks,
           with->banks == 1 ? "" : "s", with->kernels);
    for (b = 0; b < number_of_budgets; b++)
        printf("budget per period: %" PRIu32 " %s of kernel %u's lines by kernel %u\n",
               budgets[b].limit, EVENTS[budgets[b].matrix], budgets[b].victim,
               budgets[b].aggressor);
    printf("\n");
}

void report_exceeded(struct report *report, enum cotenant_llc_matrix matrix, unsigned victim,
                     unsigned aggressor, uint32_t limit, uint64_t count, uint64_t access) {
    const bool first = report->interrupts++ == 0;
    if (report->json)
        printf("%s{\"access\":%" PRIu64 ",\"events\":\"%s\",\"victim\":%u,\"aggressor\":%u,"
               "\"limit\":%" PRIu32 ",\"count\":%" PRIu64 "}",
               first ? "" : ",", access, EVENTS[matrix], victim, aggressor, limit, count);
    else
        printf("access %" PRIu64 ": kernel %u exceeded its budget: %" PRIu64
               " %s of kernel %u's lines, %" PRIu32 " allowed\n",
               access, aggressor, count, EVENTS[matrix], victim, limit);
}

static void json_row(const uint64_t *row, unsigned kernels) {
    unsigned k;
    for (k = 0; k < kernels; k++) printf("%s%" PRIu64, k ? "," : "[", row[k]);
    printf("]");
}

static void json_shares(const char *name, const struct cotenant_llc_counts *counts,
                        enum cotenant_llc_matrix matrix, bool with_self) {
    uint64_t shares[COTENANT_LLC_KERNELS_MAX];
    unsigned victim, k;
    printf(",\"%s\":", name);
    for (victim = 0; victim < counts->kernels; victim++) {
        printf(victim ? "," : "[");
        if (cotenant_llc_shares(counts, matrix, victim, with_self, PARTS, shares) !=
            COTENANT_OK) {
            printf("null");
            continue;
        }
        for (k = 0; k < counts->kernels; k++)
            printf("%s%" PRIu64 ".%0*" PRIu64, k ? "," : "[", shares[k] / PARTS, DECIMALS,
                   shares[k] % PARTS);
        printf("]");
    }
    printf("]");
}

static void json_end(const struct report *report, const struct cotenant_llc_counts *counts,
                     uint64_t accesses) {
    unsigned k;
    printf("],\"periods\":%lu,\"accesses\":%" PRIu64 ",\"kernels\":", report->periods, accesses);
    for (k = 0; k < counts->kernels; k++)
        printf("%s{\"kid\":%u,\"accesses\":%" PRIu64 ",\"hits\":%" PRIu64 ",\"misses\":%" PRIu64
               "}",
               k ? "," : "[", k, counts->hits[k] + counts->misses[k], counts->hits[k],
               counts->misses[k]);
    printf("],\"gdc\":");
    for (k = 0; k < counts->kernels; k++) {
        printf(k ? "," : "[");
        json_row(counts->demotions[k], counts->kernels);
    }
    printf("],\"ike\":");
    for (k = 0; k < counts->kernels; k++) {
        printf(k ? "," : "[");
        json_row(counts->evictions[k], counts->kernels);
    }
    printf("]");
    json_shares("share_gdc", counts, COTENANT_LLC_DEMOTIONS, true);
    json_shares("share_plob", counts, COTENANT_LLC_EVICTIONS, false);
    json_shares("share_plob_with_self", counts, COTENANT_LLC_EVICTIONS, true);
    printf("}\n");
}

/* A cell of a table. */
#define CELL 24
typedef char cells[COTENANT_LLC_KERNELS_MAX][COTENANT_LLC_KERNELS_MAX][CELL];

static unsigned wider(unsigned width, const char *text) {
    const unsigned length = (unsigned)strlen(text);
    return length > width ? length : width;
}

/* Columns as wide as their widest cell, right-aligned. */
static void table(const char *title, cells cell, unsigned kernels) {
    char names[COTENANT_LLC_KERNELS_MAX][CELL];
    unsigned widths[COTENANT_LLC_KERNELS_MAX], first = 0, v, a;
    for (a = 0; a < kernels; a++) {
        snprintf(names[a], CELL, "K%u", a);
        first = wider(first, names[a]);
        widths[a] = (unsigned)strlen(names[a]);
        for (v = 0; v < kernels; v++) widths[a] = wider(widths[a], cell[v][a]);
    }
    printf("%s\n  %*s", title, (int)first, "");
    for (a = 0; a < kernels; a++) printf("  %*s", (int)widths[a], names[a]);
    printf("\n");
    for (v = 0; v < kernels; v++) {
        printf("  %*s", (int)first, names[v]);
        for (a = 0; a < kernels; a++) printf("  %*s", (int)widths[a], cell[v][a]);
        printf("\n");
    }
    printf("\n");
}

static void count_table(const char *title,
                        const uint64_t counts[][COTENANT_LLC_KERNELS_MAX], unsigned kernels) {
    cells cell;
    unsigned v, a;
    for (v = 0; v < kernels; v++)
        for (a = 0; a < kernels; a++) snprintf(cell[v][a], CELL, "%" PRIu64, counts[v][a]);
    table(title, cell, kernels);
}

static void share_table(const char *title, const struct cotenant_llc_counts *counts,
                        enum cotenant_llc_matrix matrix, bool with_self) {
    uint64_t shares[COTENANT_LLC_KERNELS_MAX];
    cells cell;
    unsigned v, a;
    for (v = 0; v < counts->kernels; v++) {
        const bool some =
            cotenant_llc_shares(counts, matrix, v, with_self, 1000, shares) == COTENANT_OK;
        for (a = 0; a < counts->kernels; a++)
            if (some)
                snprintf(cell[v][a], CELL, "%" PRIu64 ".%" PRIu64 " %%", shares[a] / 10,
                         shares[a] % 10);
            else
                snprintf(cell[v][a], CELL, "-");
    }
    table(title, cell, counts->kernels);
}

void report_end(const struct report *report, const struct cotenant_llc_counts *counts,
                uint64_t accesses) {
    if (report->json) {
        json_end(report, counts, accesses);
        return;
    }
    printf("%" PRIu64 " accesses in %lu period%s, %lu budget%s exceeded\n\n", accesses,
           report->periods, report->periods == 1 ? "" : "s", report->interrupts,
           report->interrupts == 1 ? "" : "s");
    count_table("GDC: demotions, victim by aggressor", counts->demotions, counts->kernels);
    count_table("PLOB: evictions, victim by aggressor", counts->evictions, counts->kernels);
    share_table("Share of each victim's misses, by GDC (self included)", counts,
                COTENANT_LLC_DEMOTIONS, true);
    share_table("Share of each victim's misses, by PLOB (others only)", counts,
                COTENANT_LLC_EVICTIONS, false);
}
