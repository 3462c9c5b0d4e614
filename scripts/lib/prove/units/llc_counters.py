"""`llc_counters`."""

from ..faults import Fault
from ..proof import CORRESPONDENCE, EQUAL, Proof

# Few events fill a counter.
FULL = "2x2x1,CNT_W=2"
COUNTERS = ("small", "figure-2", "3x3x2s0", "5x3x1s2", "6x3x2,CNT_W=8,REQUESTERS=5")

PROOFS = (
    Proof("llc_counters", "equal", EQUAL, COUNTERS, CORRESPONDENCE, FULL, reference=True),
)

FAULTS = (
    Fault("llc_counters", "equal", "figure-2", "stuck input: bit 2 of demoted at 0"),
)
