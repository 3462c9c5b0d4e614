"""`popcnt`."""

from ..faults import Fault
from ..proof import EQUAL, Proof, SAT

ONE = ("small", "figure-2", "table-1", "3", "large")

PROOFS = (
    Proof("popcnt", "equal", EQUAL, ONE, SAT, reference=True),
)

FAULTS = (
    Fault("popcnt", "equal", "table-1", "wrong operation: Xor of adder_tree.group[2].sum[1]"),
    Fault("popcnt", "equal", "figure-2", "stuck input: bit 2 of data at 0"),
)
