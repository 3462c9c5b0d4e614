/* A unit that is nothing but a memory, for tests of what the driver does with
 * it: it logs accesses, refuses them on demand, and lets snapshots come in
 * between. Offsets are those of the generated header: whether they are right
 * is seen against the hardware, not here.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef COTENANT_FAKE_H
#define COTENANT_FAKE_H

#include "cotenant.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define FAKE_WORDS 4096u
#define FAKE_LOG 4096u
#define FAKE_NEVER UINT32_MAX

struct fake_access {
    bool write;
    uint32_t offset, value;
};

struct fake {
    uint32_t words[FAKE_WORDS];
    struct fake_access log[FAKE_LOG];
    uint32_t accesses;
    /* Number of the access that the bus refuses. */
    uint32_t refuse;
    /* A write clears the bits that are 1; offsets from a to below b. */
    uint32_t clear_from[4], clear_to[4];
    unsigned clears;
    /* Snapshots come in between: `step` is added to the word at `sequence`
     * after every `every` accesses, at most `tears` times. */
    uint32_t sequence, step, every, tears;
};

static uint32_t *fake_word(struct fake *fake, uint32_t offset) {
    return &fake->words[offset / 4 % FAKE_WORDS];
}

/* Logs it; true if it is refused. */
static bool fake_log(struct fake *fake, bool write, uint32_t offset, uint32_t value) {
    struct fake_access *access = &fake->log[fake->accesses % FAKE_LOG];
    access->write = write;
    access->offset = offset;
    access->value = value;
    return fake->accesses++ == fake->refuse || offset % 4 != 0 || offset >= 4 * FAKE_WORDS;
}

static void fake_tick(struct fake *fake) {
    if (fake->tears == 0 || fake->accesses % fake->every != 0) return;
    fake->tears--;
    *fake_word(fake, fake->sequence) += fake->step;
}

static int fake_read32(void *context, uint32_t offset, uint32_t *value) {
    struct fake *fake = context;
    if (fake_log(fake, false, offset, 0)) return -1;
    *value = *fake_word(fake, offset);
    fake_tick(fake);
    return 0;
}

static int fake_write32(void *context, uint32_t offset, uint32_t value) {
    struct fake *fake = context;
    unsigned i;
    if (fake_log(fake, true, offset, value)) return -1;
    for (i = 0; i < fake->clears; i++) {
        if (offset >= fake->clear_from[i] && offset < fake->clear_to[i]) {
            *fake_word(fake, offset) &= ~value;
            return 0;
        }
    }
    *fake_word(fake, offset) = value;
    return 0;
}

static struct cotenant_bus fake_bus(struct fake *fake) {
    const struct cotenant_bus bus = {fake_read32, fake_write32, fake};
    return bus;
}

/* Ends the log and every misbehaviour. */
static void fake_calm(struct fake *fake) {
    fake->accesses = 0;
    fake->refuse = FAKE_NEVER;
    fake->tears = 0;
    fake->every = 1;
}

static unsigned failures, checks;

#define CHECK(condition)                                                       \
    do {                                                                       \
        checks++;                                                              \
        if (!(condition)) {                                                    \
            failures++;                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
        }                                                                      \
    } while (0)

/* Refuses each access of a call in turn: each must be reported, with its offset.
 * `reset` is done before each. */
#define CHECK_BUS_ERRORS(fake, device, reset, call)                                          \
    do {                                                                                     \
        uint32_t all_, n_;                                                                   \
        reset;                                                                               \
        fake_calm(fake);                                                                     \
        CHECK((call) == COTENANT_OK);                                                        \
        all_ = (fake)->accesses;                                                             \
        CHECK(all_ > 0);                                                                     \
        for (n_ = 0; n_ < all_; n_++) {                                                      \
            reset;                                                                           \
            fake_calm(fake);                                                                 \
            (fake)->refuse = n_;                                                             \
            (device)->fault = FAKE_NEVER;                                                    \
            CHECK((call) == COTENANT_BUS);                                                   \
            CHECK((fake)->accesses == n_ + 1);                                               \
            CHECK((device)->fault == (fake)->log[n_].offset);                                \
        }                                                                                    \
        fake_calm(fake);                                                                     \
    } while (0)

static int verdict(const char *name) {
    printf("%s: %u checks, %u failed\n", name, checks, failures);
    return failures != 0;
}

#endif
