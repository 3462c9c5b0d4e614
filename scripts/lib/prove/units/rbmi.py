"""`rbmi`."""

from ..faults import Fault
from ..proof import CORRESPONDENCE, EQUAL, INDUCTION, Proof

TURNS = ("small", "4", "large", "three", "5", "16")


def _turn(parameters):
    return [("last", max(1, (parameters["KERNELS"] - 1).bit_length()), ["dut.last"])]


PROOFS = (
    Proof("rbmi", "equal", EQUAL, TURNS, CORRESPONDENCE, reference=True),
    Proof(
        "rbmi",
        "fair",
        "a grant has a request, one at most; a lone kernel is never blocked; "
        "one that waits is passed over at most K - 1 times",
        TURNS,
        INDUCTION,
        facts=("fair",),
        inside=_turn,
    ),
)

FAULTS = (
    Fault("rbmi", "equal", "three", "stuck bit: bit 0 of last at 0"),
    Fault("rbmi", "fair", "three", "stuck bit: bit 0 of last at 0"),
)
