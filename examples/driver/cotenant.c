/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "cotenant.h"

const char *cotenant_status_text(enum cotenant_status status) {
    /* No default: the compiler names a status that is missing here. */
    switch (status) {
    case COTENANT_OK:
        return "no error";
    case COTENANT_BUS:
        return "the bus answered with an error: see the device's fault for the offset";
    case COTENANT_WRONG_ID:
        return "no unit of Cotenant here: check the base address, clock and reset";
    case COTENANT_WRONG_UNIT:
        return "another unit of Cotenant here: check the base address";
    case COTENANT_WRONG_VERSION:
        return "registers of another major version: take the driver of that version";
    case COTENANT_BAD_PARAMETERS:
        return "the unit names impossible parameters: check clock, reset and the bus";
    case COTENANT_RANGE:
        return "an argument is beyond what the unit was made for: see its parameters";
    case COTENANT_UNSUPPORTED:
        return "the unit was made without it: see its parameters";
    case COTENANT_NOT_READY:
        return "the unit still sweeps: poll longer";
    case COTENANT_TORN:
        return "snapshots overtook every reading: lengthen the period";
    case COTENANT_OVERFLOW:
        return "a counter saturated, counts are lower bounds: shorten the period";
    case COTENANT_NO_EVENTS:
        return "no events, so no shares";
    }
    return "no status of Cotenant";
}

enum cotenant_status cotenant_read(struct cotenant_device *device, uint32_t offset,
                                   uint32_t *value) {
    if (device->bus.read32(device->bus.context, offset, value) == 0) return COTENANT_OK;
    device->fault = offset;
    return COTENANT_BUS;
}

enum cotenant_status cotenant_write(struct cotenant_device *device, uint32_t offset,
                                    uint32_t value) {
    if (device->bus.write32(device->bus.context, offset, value) == 0) return COTENANT_OK;
    device->fault = offset;
    return COTENANT_BUS;
}

enum cotenant_status cotenant_identify(struct cotenant_device *device,
                                       const struct cotenant_bus *bus,
                                       const struct cotenant_identity *expected) {
    uint32_t id, version, unit;
    device->bus = *bus;
    device->fault = 0;
    device->minor = 0;
    COTENANT_TRY(cotenant_read(device, expected->id_offset, &id));
    if (id != expected->id) return COTENANT_WRONG_ID;
    COTENANT_TRY(cotenant_read(device, expected->version_offset, &version));
    if (version >> expected->major_shift != expected->major) return COTENANT_WRONG_VERSION;
    device->minor = (uint16_t)(version & expected->minor_mask);
    COTENANT_TRY(cotenant_read(device, expected->unit_offset, &unit));
    return unit == expected->unit ? COTENANT_OK : COTENANT_WRONG_UNIT;
}

enum cotenant_status cotenant_share(uint64_t part, uint64_t whole, uint32_t scale,
                                    uint64_t *share) {
    uint64_t quotient, rest;
    if (whole == 0) return COTENANT_NO_EVENTS;
    if (whole > UINT64_MAX / 2 || (scale != 0 && part > UINT64_MAX / scale))
        return COTENANT_RANGE;
    quotient = part * scale / whole;
    rest = part * scale % whole;
    if (2 * rest > whole || (2 * rest == whole && quotient % 2 == 1)) quotient++;
    *share = quotient;
    return COTENANT_OK;
}
