"""`pivot`."""

from ..faults import Fault
from ..proof import EQUAL, INDUCTION, Proof

GAMES = ("small", "3x3", "figure-2", "table-1")


def _register(parameters):
    return [("lfsr", 31, ["dut.lfsr"])]


PROOFS = (
    Proof(
        "pivot",
        "equal",
        EQUAL,
        GAMES,
        INDUCTION,
        reference=True,
        reference_state=("ref_lfsr",),
        facts=("same",),
        inside=_register,
        faulty="figure-2",
    ),
    Proof(
        "pivot",
        "charged",
        "one kernel is charged for each miss: the victim for an own one, else a co-runner that has "
        "lines, before which there are fewer lines than ways, and with it not",
        GAMES,
        INDUCTION,
        facts=("one", "own", "lines", "pivotal"),
        files=("pivot_charged",),
        inside=_register,
        faulty="figure-2",
    ),
)

FAULTS = (
    Fault("pivot", "equal", "figure-2", "stuck input: bit 2 of above at 0"),
    Fault("pivot", "charged", "figure-2", "stuck input: bit 0 of access_kid at 0", "own"),
)
