"""`address_map`."""

from ..faults import Fault
from ..proof import EQUAL, SAT, Proof

SETS = ("small", "gtx1080", "bits", "large")


def _other(parameters):
    return [("other", parameters["ADDRESS_W"])]


PROOFS = (
    Proof("address_map", "equal", EQUAL, SETS, SAT, reference=True),
    Proof(
        "address_map",
        "apart",
        "lines of other addresses have another set or another tag, by a mapping that is a bijection",
        ("small", "gtx1080", "bits"),
        SAT,
        facts=("apart",),
        free=_other,
    ),
)

FAULTS = (
    Fault("address_map", "equal", "small", "stuck input: bit 7 of address at 0"),
    Fault("address_map", "apart", "small", "stuck input: bit 7 of address at 1"),
)
