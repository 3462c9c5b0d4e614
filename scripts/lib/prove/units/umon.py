"""`umon`."""

from ..faults import Fault
from ..proof import EQUAL, REACHABILITY, Proof

# Small, since a reset leaves the memories as they are, and a bound on what they may hold is needed.
STACKS = (
    "2x2x2,TAG_W=1,CNT_W=1",
    "2x4x2,TAG_W=2,CNT_W=2",
    "2x8x4,TAG_W=2,CNT_W=1",
    "3x4x2,TAG_W=2,CNT_W=1",
)

PROOFS = (Proof("umon", "equal", EQUAL, STACKS, REACHABILITY, reference=True),)

FAULTS = (
    Fault("umon", "equal", STACKS[0], "lost write: forward"),
    Fault("umon", "equal", STACKS[0], "lost write: written_valid"),
    Fault("umon", "equal", STACKS[0], "stuck input: bit 0 of access_tag at 1"),
)
