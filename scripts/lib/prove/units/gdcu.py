"""`gdcu`."""

from ..faults import Fault
from ..proof import CORRESPONDENCE, EQUAL, INDUCTION, Proof

# Few events fill a counter.
FULL = "2x2x21,CNT_W=2"
COUNTERS = ("small", "figure-2", "table-1", "3x3x16")
PIPELINES = (*COUNTERS, "4x4x21s0", "4x4x21s2", "4x4x21s3")


def _adders(parameters):
    position = parameters["WAYS"].bit_length()
    return [
        ("adder_valid", 1, ["dut.matrix.inc_valid"]),
        ("adder_inc", parameters["KERNELS"] * position, ["dut.matrix.inc"]),
    ]


PROOFS = (
    Proof("gdcu", "equal", EQUAL, PIPELINES, CORRESPONDENCE, FULL, reference=True),
    Proof(
        "gdcu",
        "counted",
        "the increments at the adders sum to the valid lines demoted",
        PIPELINES,
        INDUCTION,
        FULL,
        facts=("lines",),
        consequences=("counted",),
        inside=_adders,
        depth=lambda parameters: max(1, parameters["STAGES"]),
    ),
)

FAULTS = (
    Fault("gdcu", "equal", "figure-2", "off by one: Add of matrix.sum"),
    Fault("gdcu", "counted", "figure-2", "stuck input: bit 5 of stack_owner at 0"),
)
