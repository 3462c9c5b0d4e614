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
SIXTHS = 6
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


def golden_shares(sampled, sets, replays):
    """In sixths of a miss, summed over the banks; None if replay has no such sample."""
    total = None
    for replay in replays:
        attribution = replay["attribution"]
        found = attribution["exact"] if sampled == sets else attribution["sampled"].get(str(sampled))
        if found is None:
            return None
        part = SIXTHS // attribution["unit"]
        found = [[part * share for share in row] for row in found]
        total = [[a + b for a, b in zip(*rows)] for rows in zip(total, found)] if total else found
    return total


def blame(victim, sampled, sce):
    """Whom the rule of docs/attribution.md blames, and by which of the two."""
    others = lambda row: [part if k != victim else 0 for k, part in enumerate(row)]
    for method, matrix, least in (("sampled", sampled, CHARGES * SIXTHS), ("sce", sce, 1)):
        row = others(matrix[victim]) if matrix else []
        if sum(row) >= least:
            return method, [round(Fraction(part, sum(row)) * DECIMALS) for part in row]
    return None, None


def attribution(read, replay, sets, replays):
    with open(read, encoding="ascii") as file:
        read = json.load(file, parse_float=Fraction)["attribution"]
    sce, samples = read["sce"], read["sampled"]
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
        expected = golden_shares(int(number), sets, replays)
        if int(number) == sets:
            compare("accesses to all sets", read["taken"] + read["dropped"], replay["accesses"])
        if int(number) == sets and not read["dropped"]:
            lines = sum(one["attribution"]["shared_lines"] for one in replays)
            compare("accesses to lines of other kernels", read["shared"], lines)
        if read["dropped"]:
            left_out.append(f"{read['dropped']} accesses were dropped: leave more idle cycles, --gap")
        elif expected is None:
            left_out.append(f"replay does not sample {number} of {sets} sets")
        else:
            compare(f"shares of {number} sampled sets per bank", sampled, expected)
    for victim, (shares, method) in enumerate(zip(read["blame"], read["method"])):
        ours = shares and [share * DECIMALS for share in shares]
        if (method, ours) != blame(victim, sampled, sce):
            compare(f"blame for the misses of kernel {victim}", (method, ours),
                    blame(victim, sampled, sce))
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
