"""`attribution`."""

from ..faults import Fault
from ..proof import CORRESPONDENCE, EQUAL, Proof

# Few misses fill a counter.
FULL = "2x2x4x4,CNT_W=3"
SETS = ("small", "3x3x16x4l2", "figure-2", "queue", "2x2x4x4p", "pivot")

# The stacks are proven apart: what they are asked is compared, and they may answer anything.
PROOFS = (
    Proof(
        "attribution",
        "equal",
        EQUAL,
        SETS,
        CORRESPONDENCE,
        FULL,
        reference=True,
        cut="stacks",
    ),
)

FAULTS = (
    Fault("attribution", "equal", "3x3x16x4l2", "stuck input: bit 0 of access_set at 1"),
    Fault("attribution", "equal", "queue", "lost write: queue[0].used[1]"),
    Fault("attribution", "equal", "pivot", "lost write: pivot[0].lfsr"),
)
