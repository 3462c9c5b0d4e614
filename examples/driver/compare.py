#!/usr/bin/env python3
"""Compares how the driver attributes misses with `cotenant replay`; for `run`.
SPDX-License-Identifier: MIT OR Apache-2.0

  compare.py split TRACE LINE SETS BANKS OUT
      OUT/bank-N.csv: the accesses to each bank as its sampled sets know them:
      the bank is the only one, since the unit samples the same sets of each
      bank, and replay those of its cache; and of the tags those bits that the
      unit keeps, so that lines which are one to it are one to replay.

  compare.py attribution READ REPLAY SETS BANK...
      READ    what `budget --json` printed
      REPLAY  what `cotenant replay --json` printed
      BANK    the same of the banks' traces

Exit code: 0 the same, 1 not the same, 2 could not run, 3 the same as far as it
could be compared.
"""
import json
import sys
from collections import defaultdict
from fractions import Fraction

# As docs/attribution.md has them.
TAG_W, PARTIAL_W = 36, 12
CHARGES = 64
DEVIATIONS = 5
DECIMALS = 10**9


def accesses(trace, line_bytes):
    """Kernel, operation and line number of each access."""
    with open(trace, encoding="ascii") as lines:
        for line in lines:
            if line.startswith(("#", "kernel,")) or not line.strip():
                continue
            kernel, op, address = line.strip().split(",")[:3]
            yield kernel, op, int(address, 0) // line_bytes


def partial(tag):
    """What the unit keeps of a tag."""
    folded = 0
    for at in range(0, TAG_W, PARTIAL_W):
        folded ^= tag >> at & (1 << PARTIAL_W) - 1
    return folded


def split(trace, line_bytes, sets, banks, out):
    of_bank = defaultdict(list)
    for kernel, op, line in accesses(trace, line_bytes):
        tag, at = divmod(line // banks, sets)
        address = (partial(tag) * sets + at) * line_bytes
        of_bank[line % banks].append(f"{kernel},{op},{address:#x}\n")
    for bank, lines in of_bank.items():
        with open(f"{out}/bank-{bank}.csv", "w", encoding="ascii") as file:
            file.write("kernel,op,address\n")
            file.writelines(lines)


def golden_shares(sampled, sets, replays, unit):
    """As a miss counts `unit`, summed over the banks; None if replay has no such sample."""
    total = None
    for replay in replays:
        attribution = replay["attribution"]
        found = attribution["exact"] if sampled == sets else attribution["sampled"].get(str(sampled))
        if found is None:
            return None
        part = Fraction(unit, attribution["unit"])
        found = [[part * share for share in row] for row in found]
        total = [[a + b for a, b in zip(*rows)] for rows in zip(total, found)] if total else found
    return total


def unlikely(shares, exact):
    """Whole misses that are not where the exact shares are as their mean: own misses and sums have to
    be these; of N misses with a mean of E charged to a kernel the variance is at most E (1 - E / N),
    and each has to be within DEVIATIONS of its mean."""
    found = []
    for victim, (ours, means) in enumerate(zip(shares, exact)):
        if ours[victim] != means[victim] or sum(ours) != sum(means):
            found.append(f"own misses of kernel {victim}, or all")
        misses = sum(means) - means[victim]
        for kernel, (count, mean) in enumerate(zip(ours, means)):
            variance = mean * (1 - mean / misses) if misses else 0
            if kernel != victim and (count - mean) ** 2 > DEVIATIONS**2 * variance:
                found.append(f"kernel {kernel}'s {count} of kernel {victim}'s, {float(mean)} on average")
    return found


def blame(victim, sampled, sce, unit):
    """Whom the rule of docs/attribution.md blames, and by which of the two."""
    others = lambda row: [part if k != victim else 0 for k, part in enumerate(row)]
    for method, matrix, least in (("sampled", sampled, CHARGES * unit), ("sce", sce, 1)):
        row = others(matrix[victim]) if matrix else []
        if sum(row) >= least:
            return method, [round(Fraction(part, sum(row)) * DECIMALS) for part in row]
    return None, None


def attribution(read, replay, sets, replays):
    with open(read, encoding="ascii") as file:
        read = json.load(file, parse_float=Fraction)["attribution"]
    sce, samples, unit = read["sce"], read["sampled"], read["unit"]
    different, left_out = [], []

    def compare(name, ours, golden):
        print(f"{name}: {'the same' if ours == golden else 'not the same'}")
        if ours != golden:
            print(f"  driver {ours}\n  replay {golden}")
            different.append(name)

    if sce is not None:
        compare("share at eviction", sce, replay["attribution"]["sce"])
    sampled = None
    for number, sampled in samples.items():
        expected = golden_shares(int(number), sets, replays, unit)
        if int(number) == sets:
            compare("accesses to all sets", read["taken"] + read["dropped"], replay["accesses"])
        if int(number) == sets and not read["dropped"]:
            lines = sum(one["attribution"]["shared_lines"] for one in replays)
            compare("accesses to lines of other kernels", read["shared"], lines)
        if read["dropped"]:
            left_out.append(f"{read['dropped']} accesses were dropped: leave more idle cycles, --gap")
        elif expected is None:
            left_out.append(f"replay does not sample {number} of {sets} sets")
        elif unit == 1:
            name = f"misses charged in {number} sampled sets per bank, about the exact shares"
            compare(name, unlikely(sampled, expected), [])
        else:
            compare(f"shares of {number} sampled sets per bank", sampled, expected)
    for victim, (shares, method) in enumerate(zip(read["blame"], read["method"])):
        ours = shares and [share * DECIMALS for share in shares]
        if (method, ours) != blame(victim, sampled, sce, unit):
            compare(f"blame for the misses of kernel {victim}", (method, ours),
                    blame(victim, sampled, sce, unit))
    for why in left_out:
        print(f"shares of sampled sets: not compared: {why}")
    return 1 if different else 3 if left_out else 0


def main():
    try:
        if sys.argv[1] == "split":
            trace, line, sets, banks, out = sys.argv[2:]
            return split(trace, int(line), int(sets), int(banks), out)
        read, replay, sets, *parts = sys.argv[2:]
        replays = []
        for path in [replay, *parts]:
            with open(path, encoding="utf-8") as file:
                replays.append(json.load(file))
        return attribution(read, replays[0], int(sets), replays[1:])
    except (IndexError, KeyError, OSError, ValueError) as error:
        print(f"compare.py: {error!r}", file=sys.stderr)
        return 2


sys.exit(main())
