// Replays a trace through monitored_cache, reads the monitor's counters as
// software would, and prints what `cotenant replay` prints for the same cache.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
//   Vmonitored_cache TRACE    CSV: kernel,op,address
//
// Before the trace come random accesses, invalidations and flushes, so that the
// trace starts in a cache that was used and then flushed. Cache and monitor are
// compared at every access of both.
//
// Exit code: 0 done, 1 cache and monitor differ or a counter saturated, 2 could
// not run.

#include "Vmonitored_cache.h"
#include "report.h"
#include "verilated.h"

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>

// The verilated parameters; `run` defines them.
static const unsigned WAYS = COTENANT_WAYS, KERNELS = COTENANT_KERNELS, SETS = COTENANT_SETS,
                      BANKS = COTENANT_BANKS, LINE = COTENANT_LINE, TAG_W = COTENANT_TAG_W,
                      STAGES = COTENANT_STAGES;
// Cycles from the cache's ports to its decision, where the monitor hears it.
static const unsigned DECIDES = 1;
static const uint64_t SEED = 1;
static const unsigned RANDOM_CYCLES = 20000;

static unsigned clog2(uint64_t n) {
    unsigned width = 0;
    while ((uint64_t(1) << width) < n) ++width;
    return width;
}

static const unsigned WAY_W = clog2(WAYS), KID_W = clog2(KERNELS),
                      ADDRESS_W = TAG_W + clog2(SETS) + clog2(BANKS) + clog2(LINE);

[[noreturn]] static void cannot_run(const std::string& why) {
    std::fprintf(stderr, "%s\n", why.c_str());
    std::exit(2);
}

// Element of a packed port.
static unsigned at(uint64_t packed, unsigned width, unsigned bank) {
    return packed >> (width * bank) & ((1u << width) - 1);
}

// The design, and what is seen of it from outside.
class Bench {
  public:
    Vmonitored_cache dut;
    uint64_t compared = 0, differ = 0;
    // Valid lines by owner, from the answers of the monitor alone.
    std::vector<uint64_t> owned = std::vector<uint64_t>(KERNELS);

    Bench() {
        dut.reset = 1;
        cycle();
        dut.reset = 0;
        wait_ready();
    }

    // One cycle with the inputs as they are; requests last no longer.
    void cycle() {
        pipe_[now_++ % DEPTH] = dut.access_valid ? dut.requester : 0;
        dut.clock = 0;
        dut.eval();
        observe();
        dut.clock = 1;
        dut.eval();
        dut.access_valid = dut.invalidate_valid = dut.flush = dut.snapshot = 0;
    }

    void wait_ready() {
        unsigned waited = 0;
        dut.clock = 0;
        for (dut.eval(); !dut.ready; dut.eval()) {
            if (++waited > 4 * SETS) cannot_run("monitored_cache: never ready");
            cycle();
            dut.clock = 0;
        }
    }

    void access(unsigned kernel, uint64_t address) {
        dut.access_valid = 1;
        dut.requester = kernel;
        dut.address = address;
        cycle();
    }

    void flush() {
        dut.flush = 1;
        cycle();
        wait_ready();
        owned.assign(KERNELS, 0);
    }

    // Ends the period, with all requests so far in it.
    void snapshot() {
        // A request that is heard at t is in the counters at t + 4 + STAGES.
        for (unsigned n = 1; n < DECIDES + 4 + STAGES; ++n) cycle();
        dut.snapshot = 1;
        cycle();
    }

    // matrix: 0 GDC, 1 ike, 2 accesses; live: of the running period.
    uint64_t read(unsigned matrix, unsigned victim, unsigned aggressor, bool live = false) {
        dut.read_matrix = matrix;
        dut.read_victim = victim;
        dut.read_aggressor = aggressor;
        dut.read_live = live;
        // Addressed in this cycle, shown two later.
        cycle();
        cycle();
        dut.clock = 0;
        dut.eval();
        return dut.read_count;
    }

  private:
    // Cycles from the ports to the monitor's answer.
    static const unsigned ANSWER = DECIDES + 4, DEPTH = ANSWER + 1;
    uint64_t now_ = 0;
    unsigned pipe_[DEPTH] = {};

    void observe() {
        if (!dut.agrees && ++differ <= 3)
            std::fprintf(stderr,
                         "access %" PRIu64 ": cache and monitor differ (hex, packed by bank)\n"
                         "  cache   valid %x hit %x way %x evict %x\n"
                         "  monitor valid %x hit %x way %x evict %x\n",
                         compared, unsigned(dut.cache_valid), unsigned(dut.cache_hit),
                         unsigned(dut.cache_way), unsigned(dut.cache_evict),
                         unsigned(dut.done_valid), unsigned(dut.done_hit), unsigned(dut.done_way),
                         unsigned(dut.done_evict));
        for (unsigned bank = 0; bank < BANKS; ++bank) {
            if (!at(dut.done_valid, 1, bank)) continue;
            ++compared;
            ++owned[pipe_[(now_ - 1 - ANSWER) % DEPTH] % KERNELS];
            if (at(dut.done_hit, 1, bank) || at(dut.done_evict, 1, bank))
                --owned[at(dut.done_owner, KID_W, bank) % KERNELS];
        }
    }
};

// Few lines, so that they come back; a request after the other into the same
// set; flushes with requests right before them.
static void random_requests(Bench& bench) {
    std::mt19937_64 random(SEED);
    unsigned sets = SETS * BANKS;
    for (unsigned n = 0; n < RANDOM_CYCLES; ++n) {
        uint64_t set = random() % 4 ? random() % 4 : random() % sets;
        uint64_t tag = random() % (2 * WAYS);
        uint64_t address = (tag * sets + set) * LINE;
        unsigned kernel = random() % KERNELS;
        unsigned what = random() % 1000;
        if (what == 0) {
            bench.flush();
        } else if (what < 750) {
            bench.access(kernel, address);
        } else if (what < 900) {
            bench.dut.invalidate_valid = 1;
            bench.dut.address = address;
            bench.cycle();
        } else {
            bench.cycle();
        }
    }
}

static void replay(Bench& bench, const char* path) {
    std::ifstream trace(path);
    if (!trace) cannot_run(std::string(path) + ": cannot be opened");
    std::string line;
    bool header = true;
    for (unsigned long number = 1; std::getline(trace, line); ++number) {
        while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())))
            line.pop_back();
        if (line.empty() || line[0] == '#') continue;
        if (header && line.compare(0, 6, "kernel") == 0) {
            header = false;
            continue;
        }
        header = false;
        std::string where = std::string(path) + ":" + std::to_string(number) + ": ";
        unsigned kernel;
        char op;
        int end = 0;
        if (std::sscanf(line.c_str(), "%u,%c,%n", &kernel, &op, &end) != 2 || end == 0)
            cannot_run(where + "expected kernel,op,address");
        char* rest;
        errno = 0;
        uint64_t address = std::strtoull(line.c_str() + end, &rest, 0);
        if (rest == line.c_str() + end || (*rest && *rest != ',') || errno)
            cannot_run(where + "expected an address, decimal or hexadecimal with 0x");
        if (kernel >= KERNELS)
            cannot_run(where + "kernel " + std::to_string(kernel) + ", but the monitor has " +
                       std::to_string(KERNELS));
        if (address >> ADDRESS_W)
            cannot_run(where + "the address has more than the cache's " +
                       std::to_string(ADDRESS_W) + " bits");
        bench.access(kernel, address);
    }
    if (trace.bad()) cannot_run(std::string(path) + ": cannot be read");
}

int main(int argc, char** argv) {
    if (argc != 2) cannot_run("usage: Vmonitored_cache TRACE");
    Bench bench;
    random_requests(bench);
    bench.flush();
    bench.snapshot();
    uint64_t before = bench.compared;
    replay(bench, argv[1]);
    bench.snapshot();

    unsigned period = bench.dut.sequence_number;
    uint64_t running = 0;
    Report report(SETS * BANKS, WAYS, LINE, BANKS, KERNELS);
    report.owned = bench.owned;
    for (unsigned victim = 0; victim < KERNELS; ++victim) {
        report.hits[victim] = bench.read(2, 0, victim);
        report.misses[victim] = bench.read(2, 1, victim);
        running += bench.read(2, 0, victim, true) + bench.read(2, 1, victim, true);
        for (unsigned aggressor = 0; aggressor < KERNELS; ++aggressor) {
            report.gdc[victim][aggressor] = bench.read(0, victim, aggressor);
            report.ike[victim][aggressor] = bench.read(1, victim, aggressor);
        }
    }
    if (bench.dut.sequence_number != period)
        cannot_run("another snapshot came in between: read again");
    report.print();
    std::fprintf(stderr,
                 "cache and monitor compared at %" PRIu64 " random accesses (seed %" PRIu64
                 ") and %" PRIu64 " of the trace: %" PRIu64 " cycles differ\n",
                 before, SEED, bench.compared - before, bench.differ);
    if (bench.dut.overflow) std::fprintf(stderr, "a counter saturated: take snapshots more often\n");
    if (running)
        std::fprintf(stderr, "%" PRIu64 " accesses in the new period, expected none\n", running);
    return bench.differ || bench.dut.overflow || running ? 1 : 0;
}
