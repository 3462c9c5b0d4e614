"""`plob`."""

from ..faults import Fault
from ..proof import CORRESPONDENCE, EQUAL, Proof

# Few events fill a counter.
FULL = "2x21,CNT_W=2"
EVICTIONS = ("small", "table-1", "4x21s0", "3x16", "4x21s2")

PROOFS = (
    Proof("plob", "equal", EQUAL, EVICTIONS, CORRESPONDENCE, FULL, reference=True),
)

FAULTS = (
    Fault("plob", "equal", "small", "stuck bit: bit 12 of matrix.shadow[1][0] at 1"),
)
