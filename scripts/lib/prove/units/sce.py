"""`sce`."""

from ..faults import Fault
from ..proof import CORRESPONDENCE, EQUAL, Proof

# Few events fill a counter.
FULL = "2x2x21,CNT_W=2"
EVICTIONS = ("small", "figure-2", "3x3x16s0", "4x4x21s2", "6x3x21s3")

PROOFS = (
    Proof("sce", "equal", EQUAL, EVICTIONS, CORRESPONDENCE, FULL, reference=True),
)

FAULTS = (Fault("sce", "equal", "figure-2", "stuck input: bit 5 of stack_owner at 0"),)
