"""`kid_demux`."""

from ..faults import Fault
from ..proof import EQUAL, Proof, SAT

LANES = ("small", "table-1", "large", "3")

PROOFS = (
    Proof("kid_demux", "equal", EQUAL, LANES, SAT, reference=True),
)

FAULTS = (
    Fault("kid_demux", "equal", "figure-2", "stuck input: bit 0 of select at 0"),
)
