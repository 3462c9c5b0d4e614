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
    if (with->sce) printf("share at eviction: counted\n");
    if (with->sampled)
        printf("sampled sets: %u per bank, misses %s\n", with->sampled,
               with->unit == 1 ? "charged to one kernel each" : "divided in sixths");
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

static void json_decimals(const uint64_t *shares, unsigned kernels) {
    unsigned k;
    for (k = 0; k < kernels; k++)
        printf("%s%" PRIu64 ".%0*" PRIu64, k ? "," : "[", shares[k] / PARTS, DECIMALS,
               shares[k] % PARTS);
    printf("]");
}

static void json_shares(const char *name, const struct cotenant_llc_counts *counts,
                        enum cotenant_llc_matrix matrix, bool with_self) {
    uint64_t shares[COTENANT_LLC_KERNELS_MAX];
    unsigned victim;
    printf(",\"%s\":", name);
    for (victim = 0; victim < counts->kernels; victim++) {
        printf(victim ? "," : "[");
        if (cotenant_llc_shares(counts, matrix, victim, with_self, PARTS, shares) !=
            COTENANT_OK) {
            printf("null");
            continue;
        }
        json_decimals(shares, counts->kernels);
    }
    printf("]");
}

static void json_matrix(const uint64_t counts[][COTENANT_LLC_KERNELS_MAX], unsigned kernels) {
    unsigned k;
    for (k = 0; k < kernels; k++) {
        printf(k ? "," : "[");
        json_row(counts[k], kernels);
    }
    printf("]");
}

/* `unit`, `sampled` and `sce` as in the document of `cotenant replay`. */
static void json_attribution(const struct cotenant_llc_parameters *with,
                             const struct cotenant_llc_counts *counts) {
    static const char *const METHODS[] = {"\"sampled\"", "\"sce\""};
    uint64_t shares[COTENANT_LLC_KERNELS_MAX];
    const char *methods[COTENANT_LLC_KERNELS_MAX];
    enum cotenant_llc_method method;
    unsigned victim;
    printf(",\"attribution\":{\"unit\":%u,\"sampled\":{",
           with->sampled ? with->unit : COTENANT_LLC_SIXTHS);
    if (with->sampled) {
        printf("\"%u\":", with->sampled);
        json_matrix(counts->shares, counts->kernels);
    }
    printf("},\"sce\":");
    if (with->sce)
        json_matrix(counts->sce, counts->kernels);
    else
        printf("null");
    printf(",\"taken\":%" PRIu64 ",\"dropped\":%" PRIu64 ",\"shared\":%" PRIu64 ",\"blame\":",
           counts->taken, counts->dropped, counts->shared);
    for (victim = 0; victim < counts->kernels; victim++) {
        printf(victim ? "," : "[");
        methods[victim] = "null";
        if (cotenant_llc_blame(counts, victim, PARTS, shares, &method) == COTENANT_OK) {
            methods[victim] = METHODS[method];
            json_decimals(shares, counts->kernels);
        } else {
            printf("null");
        }
    }
    printf("],\"method\":");
    for (victim = 0; victim < counts->kernels; victim++)
        printf("%s%s", victim ? "," : "[", methods[victim]);
    printf("]}");
}

static void json_end(const struct report *report, const struct cotenant_llc_parameters *with,
                     const struct cotenant_llc_counts *counts, uint64_t accesses) {
    unsigned k;
    printf("],\"periods\":%lu,\"accesses\":%" PRIu64 ",\"kernels\":", report->periods, accesses);
    for (k = 0; k < counts->kernels; k++)
        printf("%s{\"kid\":%u,\"accesses\":%" PRIu64 ",\"hits\":%" PRIu64 ",\"misses\":%" PRIu64
               "}",
               k ? "," : "[", k, counts->hits[k] + counts->misses[k], counts->hits[k],
               counts->misses[k]);
    printf("],\"gdc\":");
    json_matrix(counts->demotions, counts->kernels);
    printf(",\"ike\":");
    json_matrix(counts->evictions, counts->kernels);
    json_shares("share_gdc", counts, COTENANT_LLC_DEMOTIONS, true);
    json_shares("share_plob", counts, COTENANT_LLC_EVICTIONS, false);
    json_shares("share_plob_with_self", counts, COTENANT_LLC_EVICTIONS, true);
    if (with->sce || with->sampled) json_attribution(with, counts);
    printf("}\n");
}

/* A cell of a table. */
#define CELL 24
typedef char cells[COTENANT_LLC_KERNELS_MAX][COTENANT_LLC_KERNELS_MAX][CELL];

static unsigned wider(unsigned width, const char *text) {
    const unsigned length = (unsigned)strlen(text);
    return length > width ? length : width;
}

/* Columns as wide as their widest cell, right-aligned; behind each row its note,
 * if there are some, the first being the column's name. */
static void table(const char *title, cells cell, unsigned kernels, const char *const *notes) {
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
    if (notes) printf("  %s", notes[0]);
    printf("\n");
    for (v = 0; v < kernels; v++) {
        printf("  %*s", (int)first, names[v]);
        for (a = 0; a < kernels; a++) printf("  %*s", (int)widths[a], cell[v][a]);
        if (notes) printf("  %s", notes[1 + v]);
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
    table(title, cell, kernels, NULL);
}

/* A row of tenths of a percent, or of dashes. */
static void share_row(char row[][CELL], const uint64_t *shares, bool some, unsigned kernels) {
    unsigned a;
    for (a = 0; a < kernels; a++)
        if (some)
            snprintf(row[a], CELL, "%" PRIu64 ".%" PRIu64 " %%", shares[a] / 10, shares[a] % 10);
        else
            snprintf(row[a], CELL, "-");
}

static void share_table(const char *title, const struct cotenant_llc_counts *counts,
                        enum cotenant_llc_matrix matrix, bool with_self) {
    uint64_t shares[COTENANT_LLC_KERNELS_MAX];
    cells cell;
    unsigned v;
    for (v = 0; v < counts->kernels; v++) {
        const bool some =
            cotenant_llc_shares(counts, matrix, v, with_self, 1000, shares) == COTENANT_OK;
        share_row(cell[v], shares, some, counts->kernels);
    }
    table(title, cell, counts->kernels, NULL);
}

static void blame_table(const struct cotenant_llc_parameters *with,
                        const struct cotenant_llc_counts *counts) {
    static const char *const METHODS[] = {"sampled sets", "share at eviction"};
    uint64_t shares[COTENANT_LLC_KERNELS_MAX];
    const char *notes[1 + COTENANT_LLC_KERNELS_MAX];
    enum cotenant_llc_method method;
    cells cell;
    unsigned v;
    notes[0] = "by";
    for (v = 0; v < counts->kernels; v++) {
        const bool some = cotenant_llc_blame(counts, v, 1000, shares, &method) == COTENANT_OK;
        notes[1 + v] = some ? METHODS[method] : "-";
        share_row(cell[v], shares, some, counts->kernels);
    }
    table(with->unit == 1
              ? "Who caused each victim's misses: misses charged in sampled sets, or share at eviction"
              : "Who caused each victim's misses: exact shares in sampled sets, or share at eviction",
          cell, counts->kernels, notes);
    if (with->sampled)
        printf("Accesses to sampled sets: %" PRIu64 " taken, %" PRIu64 " dropped, %" PRIu64
               " to lines of other kernels\n\n",
               counts->taken, counts->dropped, counts->shared);
}

void report_end(const struct report *report, const struct cotenant_llc *llc,
                const struct cotenant_llc_counts *counts, uint64_t accesses) {
    const struct cotenant_llc_parameters *with = &llc->parameters;
    if (report->json) {
        json_end(report, with, counts, accesses);
        return;
    }
    printf("%" PRIu64 " accesses in %lu period%s, %lu budget%s exceeded\n\n", accesses,
           report->periods, report->periods == 1 ? "" : "s", report->interrupts,
           report->interrupts == 1 ? "" : "s");
    if (with->sce || with->sampled) blame_table(with, counts);
    count_table("GDC: demotions, victim by aggressor", counts->demotions, counts->kernels);
    count_table("PLOB: evictions, victim by aggressor", counts->evictions, counts->kernels);
    share_table("Share of each victim's misses, by GDC (self included)", counts,
                COTENANT_LLC_DEMOTIONS, true);
    share_table("Share of each victim's misses, by PLOB (others only)", counts,
                COTENANT_LLC_EVICTIONS, false);
}
