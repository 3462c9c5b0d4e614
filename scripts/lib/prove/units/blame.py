"""`blame`."""

from ..faults import Fault
from ..proof import EQUAL, SAT, Proof

GAMES = ("small", "3x3", "figure-2", "table-1", "32x4")

PROOFS = (
    Proof("blame", "equal", EQUAL, GAMES, SAT, reference=True),
    Proof(
        "blame",
        "axioms",
        "the parts add up to the miss; no lines, no part; as many lines, equal parts",
        GAMES,
        SAT,
        facts=("axioms",),
        faulty="figure-2",
    ),
)

FAULTS = (
    Fault("blame", "equal", "figure-2", "stuck input: bit 2 of above at 0"),
    Fault("blame", "axioms", "figure-2", "stuck input: bit 0 of access_kid at 0"),
)
