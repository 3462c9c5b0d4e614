/* What the drivers of Cotenant's units share: the bus, the answers, the shares.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Freestanding C99: no heap, no standard input or output, no global state. One
 * handle is used by one thread at a time; an interrupt handler counts as one.
 */
#ifndef COTENANT_H
#define COTENANT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a call came to. */
enum cotenant_status {
    COTENANT_OK = 0,
    /* The bus answered with an error; `fault` of the device says where. */
    COTENANT_BUS,
    /* ID is not Cotenant's: wrong base address, or nothing there. */
    COTENANT_WRONG_ID,
    /* Another unit of Cotenant's. */
    COTENANT_WRONG_UNIT,
    /* Another MAJOR version: registers moved or mean something else. */
    COTENANT_WRONG_VERSION,
    /* The parameters that the unit names are beyond what registers can hold. */
    COTENANT_BAD_PARAMETERS,
    /* An argument is beyond what the unit was made for. */
    COTENANT_RANGE,
    /* The unit was made without it. */
    COTENANT_UNSUPPORTED,
    /* Still sweeping after as many polls as were allowed. */
    COTENANT_NOT_READY,
    /* Each reading was overtaken by a snapshot. */
    COTENANT_TORN,
    /* A counter saturated in the period: the counts are lower bounds. */
    COTENANT_OVERFLOW,
    /* No events, so nothing to have a share of. */
    COTENANT_NO_EVENTS
};

/* Leaves the function with the status if it is not COTENANT_OK. */
#define COTENANT_TRY(call)                    \
    do {                                      \
        enum cotenant_status try_ = (call);   \
        if (try_ != COTENANT_OK) return try_; \
    } while (0)

/* What it means and what to do, in a sentence without a full stop. */
const char *cotenant_status_text(enum cotenant_status status);

/* How the driver reaches the registers: what a port has to write.
 *
 * `offset` is in bytes from the unit's first register, a multiple of four;
 * accesses are of 32 bits, in program order, each done when the call returns.
 * Both return 0, or anything else if the bus answered with an error. */
struct cotenant_bus {
    int (*read32)(void *context, uint32_t offset, uint32_t *value);
    int (*write32)(void *context, uint32_t offset, uint32_t value);
    void *context;
};

/* A unit behind a bus. */
struct cotenant_device {
    struct cotenant_bus bus;
    /* Offset of the last access that the bus refused; after COTENANT_BUS. */
    uint32_t fault;
    /* MINOR version: what was added since MAJOR.0. */
    uint16_t minor;
};

enum cotenant_status cotenant_read(struct cotenant_device *device, uint32_t offset,
                                   uint32_t *value);
enum cotenant_status cotenant_write(struct cotenant_device *device, uint32_t offset,
                                    uint32_t value);

/* What the first three registers must say. */
struct cotenant_identity {
    uint32_t id_offset, id;
    uint32_t version_offset, major_shift, minor_mask, major;
    uint32_t unit_offset, unit;
};

/* Binds the device to a bus and checks ID, MAJOR version and UNIT, in this
 * order: where the ID is wrong the rest means nothing, and only the version
 * says that UNIT is where it is looked for. */
enum cotenant_status cotenant_identify(struct cotenant_device *device,
                                       const struct cotenant_bus *bus,
                                       const struct cotenant_identity *expected);

/* Times that a reading is restarted when a snapshot overtakes it. */
#define COTENANT_TRIES 4u

/* `part` of `whole` in units of 1/`scale`, rounded to nearest, ties to even.
 *
 * COTENANT_NO_EVENTS if `whole` is 0; COTENANT_RANGE if part times scale, or
 * twice whole, does not fit 64 bits. */
enum cotenant_status cotenant_share(uint64_t part, uint64_t whole, uint32_t scale,
                                    uint64_t *share);

#ifdef __cplusplus
}
#endif

#endif
