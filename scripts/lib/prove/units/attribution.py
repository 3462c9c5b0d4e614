"""`attribution`."""

from ..faults import Fault
from ..proof import EQUAL, REACHABILITY, Proof

# Small, since a reset leaves the memories as they are, and a bound on what they may hold is needed.
SETS = ("1x2x4x2,TAG_W=3,PARTIAL_W=2,CNT_W=3", "1x3x2x2,TAG_W=2,PARTIAL_W=2,CNT_W=3")

PROOFS = (Proof("attribution", "equal", EQUAL, SETS, REACHABILITY, reference=True),)

FAULTS = (
    Fault("attribution", "equal", SETS[0], "stuck input: bit 0 of access_set at 1"),
)
