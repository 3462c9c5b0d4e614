"""`demotion`."""

from ..faults import Fault
from ..proof import EQUAL, Proof, SAT

ONE = ("small", "figure-2", "table-1", "3", "large")

PROOFS = (
    Proof("demotion", "equal", EQUAL, ONE, SAT, reference=True),
)

FAULTS = (
    Fault("demotion", "equal", "figure-2", "stuck input: bit 2 of access_pos at 0"),
)
