"""`smil`."""

from ..faults import Fault
from ..proof import EQUAL, INDUCTION, Proof

GATES = ("small", "table-1", "wide", "3x2", "large")

PROOFS = (
    Proof(
        "smil", "equal", EQUAL, GATES, INDUCTION, reference=True, facts=("same",)
    ),
    Proof(
        "smil",
        "safe",
        "in flight is what was issued and not completed, a limit at least 1",
        GATES,
        INDUCTION,
        facts=("safe",),
    ),
)

FAULTS = (
    Fault("smil", "equal", "small", "off by one: Sub of counter.less"),
    Fault("smil", "safe", "small", "wrong operation: Sub of counter.less"),
)
