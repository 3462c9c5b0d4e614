/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "trace.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void trace_fail(const struct trace *trace, const char *why) {
    fprintf(stderr, "%s:%lu: %s\n", trace->path, trace->line, why);
    exit(2);
}

void trace_open(struct trace *trace, const char *path) {
    trace->path = path;
    trace->line = 0;
    trace->file = fopen(path, "r");
    if (trace->file) return;
    fprintf(stderr, "%s: cannot be opened: %s\n", path, strerror(errno));
    exit(2);
}

void trace_close(struct trace *trace) { fclose(trace->file); }

static bool is_number(const char *text, const char *rest, const char *ends) {
    return rest != text && isdigit((unsigned char)*text) && strchr(ends, *rest) && errno == 0;
}

static void parse(const struct trace *trace, const char *text, struct trace_access *access) {
    char *rest;
    unsigned long kernel;
    errno = 0;
    kernel = strtoul(text, &rest, 10);
    if (!is_number(text, rest, ",") || (rest[1] != 'R' && rest[1] != 'W') || rest[2] != ',')
        trace_fail(trace, "expected kernel,op,address with op R or W");
    if (kernel > UINT16_MAX) trace_fail(trace, "no GPU has so many kernels");
    access->kernel = (unsigned)kernel;
    text = rest + 3;
    access->address = strtoull(text, &rest, 0);
    if (!is_number(text, rest, ",\r\n"))
        trace_fail(trace, "expected an address, decimal or hexadecimal with 0x");
}

bool trace_next(struct trace *trace, struct trace_access *access) {
    char text[256];
    while (fgets(text, sizeof text, trace->file)) {
        trace->line++;
        if (!strchr(text, '\n') && !feof(trace->file)) trace_fail(trace, "the line is too long");
        if (text[0] == '#' || strcspn(text, "\r\n") == 0) continue;
        if (strncmp(text, "kernel,", 7) == 0) continue;
        parse(trace, text, access);
        return true;
    }
    if (ferror(trace->file)) trace_fail(trace, "cannot be read");
    return false;
}
