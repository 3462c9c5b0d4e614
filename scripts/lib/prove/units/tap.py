"""`tap`."""

from ..faults import Fault
from ..proof import CORRESPONDENCE, EQUAL, INDUCTION, Proof

# Products of 8 and 8 bits are beyond the solvers.
NARROW = ("small", "three", "2,XS_W=2,CNT_W=1", "5,XS_W=2,CNT_W=3")
MASKS = ("small", "three", "table-1", "5w2c8", "7w5c5", "large")


def _registers(parameters):
    applications = range(parameters["APPLICATIONS"])
    return [
        ("counts", parameters["CNT_W"], [f"dut.misses_{i}" for i in applications]),
        ("active", 1, [f"dut.active_{i}" for i in applications]),
        ("divided", 1, [f"dut.divided_{i}" for i in applications]),
    ]


PROOFS = (
    Proof("tap", "equal", EQUAL, NARROW, CORRESPONDENCE, reference=True),
    Proof(
        "tap",
        "masks",
        "a masked application of the GPU is one that caching does not help, and not all are masked; "
        "RRIP-Masks and ratios follow from what was found out, for the GPU alone; counters stop at their "
        "limit, and no miss is lost between periods",
        MASKS,
        INDUCTION,
        facts=("saturates", "conserved", "bounded", "decided"),
        files=("tap_masks",),
        inside=_registers,
    ),
)

FAULTS = (
    Fault("tap", "equal", "three", "lost write: active[0]"),
    Fault("tap", "equal", "small", "swapped operands: Mux of useless"),
    Fault("tap", "equal", "small", "stuck input: bit 0 of xsratio at 1"),
    Fault("tap", "masks", "small", "stuck input: bit 0 of access_hit at 0", claim="saturates"),
    Fault("tap", "masks", "small", "lost write: misses[1]", claim="conserved"),
    Fault("tap", "masks", "small", "off by one: Eq of all_masked", claim="bounded"),
    Fault("tap", "masks", "small", "lost write: divided[1]", claim="decided"),
)
