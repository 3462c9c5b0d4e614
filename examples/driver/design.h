/* The verilated monitor, as the example program sees it: a bus, an interrupt
 * line, and the cache's side, on which a trace is played.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * On a board the bus is two loads and stores, and there is a cache instead of
 * design_access: nothing of this file is needed there.
 */
#ifndef COTENANT_DESIGN_H
#define COTENANT_DESIGN_H

#include "cotenant_llc.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct design;

/* After reset; ends the program if there is no memory for it. */
struct design *design_open(void);
void design_close(struct design *design);

/* Name of the bus. */
const char *design_bus_name(void);

/* As cotenant_bus has them; `context` is the design. A bus that does not answer
 * in time counts as an error. */
int design_read32(void *context, uint32_t offset, uint32_t *value);
int design_write32(void *context, uint32_t offset, uint32_t value);

/* Level of the interrupt line. */
bool design_interrupt(const struct design *design);

/* Nothing happens for some cycles. */
void design_wait(struct design *design, unsigned cycles);

/* In one cycle: `requester` accesses line number `line` of memory. False, and
 * no access, if the tag is wider than the monitor's. */
bool design_access(struct design *design, const struct cotenant_llc_parameters *with,
                   unsigned requester, uint64_t line);

#ifdef __cplusplus
}
#endif

#endif
