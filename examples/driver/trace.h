/* Reads traces: CSV, kernel,op,address; a header line, # comments, and columns
 * behind the third are passed over.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef COTENANT_TRACE_H
#define COTENANT_TRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct trace {
    FILE *file;
    const char *path;
    unsigned long line;
};

struct trace_access {
    unsigned kernel;
    uint64_t address;
};

/* All of these end the program with exit code 2, and say where, if they fail. */
void trace_open(struct trace *trace, const char *path);
/* The next access; false at the end. */
bool trace_next(struct trace *trace, struct trace_access *access);
void trace_close(struct trace *trace);
/* What is wrong with the line that was read last. */
void trace_fail(const struct trace *trace, const char *why);

#endif
