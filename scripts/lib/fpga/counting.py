"""What the counting of a GDCU takes by itself: without the snapshot registers and the read port."""

from pathlib import Path

from . import design, tools
from .family import ECP5

# What it is called where it is recorded.
PART = "what counts, without snapshot registers and read port"
# What counts: the counters, and the marks that they passed their limit.
COUNTERS = ("matrix.count_*_*", "matrix.passed_*")
READERS = ("read_count", "read_overflow", "overflow", "sequence_number")


def script(top: str, sources) -> str:
    """For Yosys: the counters become outputs in place of what reads them, so that all that only
    reads is dropped. That a snapshot clears the counters stays."""
    seen = " ".join(f"w:{name}" for name in COUNTERS)
    gone = " ".join(f"{top}/w:{name}" for name in READERS)
    return (
        f"read_verilog {' '.join(sources)}; hierarchy -top {top}; proc; flatten; opt_clean; "
        f"expose {seen}; delete -output {gone}; opt_clean; "
        f"{ECP5.synthesis} -top {top} -json counting.json"
    )


def counting(chosen):
    """Prints the cells that are left, if all counters are among them; gives them to be recorded."""
    unit, _, name = chosen.what.partition(":")
    work = chosen.out or Path("out/fpga/counting")
    with tools.claimed(work):
        return _counted(unit, name, work)


def _counted(unit, name, work):
    one = design.export(unit, name, work)
    tools.run(["yosys", "-q", "-p", script(one.top, one.sources)], work, "counting.yosys")
    cells = {cell: used for cell, (used, _) in ECP5.pack_only(work, "counting").items()}
    kernels, width = one.parameters["KERNELS"], one.parameters["CNT_W"]
    if cells["FF"] < kernels * kernels * (width + 1):
        raise tools.Missed(f"{cells['FF']} flops: fewer than the counters have")
    print(f"{unit} {one.set}, {ECP5.title}: {cells['COMB']} COMB, {cells['FF']} FF count")
    entry = {"part": PART, "unit": unit, "set": one.set, "aliases": one.aliases}
    return entry | {"netlist": one.netlist, "cells": cells, "mhz": {}}
