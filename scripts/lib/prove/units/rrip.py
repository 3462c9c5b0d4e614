"""`rrip`."""

from ..faults import Fault
from ..proof import EQUAL, SAT, Proof

SETS = ("nru", "small", "3r3", "4", "16", "table-1")

PROOFS = (
    Proof("rrip", "equal", EQUAL, SETS, SAT, reference=True, faulty="4"),
    Proof(
        "rrip",
        "victim",
        "the search ends within 2^n - 1 ageings, at an invalid way or a line with the highest RRPV, "
        "preferred ones first, the lowest way among equals; a hit changes its own line alone; others "
        "keep their order",
        SETS,
        SAT,
        facts=("ends", "oldest", "favoured", "lowest", "ordered", "touched"),
        files=("rrip_victim",),
        faulty="4",
    ),
)

FAULTS = (
    Fault("rrip", "equal", "4", "stuck input: bit 3 of preferred at 1"),
    Fault("rrip", "victim", "4", "stuck net: bit 1 of Mux of ageings at 0", "ends"),
    Fault("rrip", "victim", "4", "stuck net: bit 1 of And of older at 0", "oldest"),
    Fault("rrip", "victim", "4", "stuck input: bit 3 of preferred at 0", "favoured"),
    Fault("rrip", "victim", "4", "stuck net: bit 0 of Mux of oldest at 0", "lowest"),
    Fault("rrip", "victim", "4", "stuck net: bit 1 of Mux of after[2] at 0", "ordered"),
    Fault("rrip", "victim", "4", "stuck input: bit 0 of promote at 1", "touched"),
)
