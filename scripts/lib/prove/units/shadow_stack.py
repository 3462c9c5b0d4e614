"""`shadow_stack`."""

from ..faults import Fault
from ..proof import EQUAL, REACHABILITY, Proof

# Small, since a reset leaves the memories as they are, and a bound on what they may hold is needed.
STACKS = ("1x2x2,TAG_W=1", "1x2x2,TAG_W=2")

PROOFS = (Proof("shadow_stack", "equal", EQUAL, STACKS, REACHABILITY, reference=True),)

FAULTS = (
    Fault("shadow_stack", "equal", STACKS[0], "stuck input: bit 0 of access_tag at 1"),
)
