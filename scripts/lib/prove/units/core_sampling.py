"""`core_sampling`."""

from ..faults import Fault
from ..proof import CORRESPONDENCE, EQUAL, INDUCTION, Proof

# Products of 20 bits are beyond the solvers.
NARROW = ("3x2r,CNT_W=5", "2x1,ID_W=1,CNT_W=6", "5x3i3n1c7r", "7x1i4n3c9")
SAMPLED = ("small", "three", "table-1", "5x3i3n1c7r", "7x1i4n3c9", "large")


def _registers(parameters):
    cores, tiles = range(parameters["CORES"]), range(parameters["TILES"])
    width = parameters["ID_W"]
    return [
        ("counts", parameters["CNT_W"], [f"dut.count_{core}" for core in cores]),
        ("firsts", width, [f"dut.pol1_id_{tile}" for tile in tiles]),
        ("seconds", width, [f"dut.pol2_id_{tile}" for tile in tiles]),
        ("sampling", 1, ["dut.sampling"]),
    ]


PROOFS = (
    Proof("core_sampling", "equal", EQUAL, NARROW, CORRESPONDENCE, reference=True),
    Proof(
        "core_sampling",
        "counted",
        "counters stop at their limit, and nothing is lost between periods; accesses of sampled cores are "
        "those of two different cores, the same in all tiles, which change as a period ends, as the "
        "decision does",
        SAMPLED,
        INDUCTION,
        facts=("saturates", "conserved", "sampled", "changes"),
        files=("core_sampling_counted",),
        inside=_registers,
    ),
)

FAULTS = (
    Fault("core_sampling", "equal", NARROW[0], "lost write: sampling"),
    Fault("core_sampling", "equal", NARROW[0], "off by one: Add of twenty"),
    Fault("core_sampling", "equal", NARROW[0], "swapped operands: Mux of by_pol1"),
    Fault("core_sampling", "counted", "three", "off by one: Add of sum", claim="saturates"),
    Fault("core_sampling", "counted", "three", "lost write: count[2]", claim="conserved"),
    Fault("core_sampling", "counted", "three", "lost write: pol2_id[1]", claim="sampled"),
    Fault("core_sampling", "counted", "three", "swapped operands: Mux of next_pol1", claim="changes"),
)
