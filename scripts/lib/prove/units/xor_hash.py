"""`xor_hash`."""

from ..faults import Fault
from ..proof import EQUAL, SAT, Proof

SETS = ("small", "gtx1080-set", "gtx1080-bank", "gtx1080-module", "bits", "large", "one")


def _other(parameters):
    return [("other", parameters["ADDRESS_W"])]


PROOFS = (
    Proof("xor_hash", "equal", EQUAL, SETS, SAT, reference=True),
    Proof(
        "xor_hash",
        "linear",
        "the index of the XOR of two addresses is the XOR of their indices",
        SETS,
        SAT,
        facts=("linear",),
        free=_other,
    ),
)

FAULTS = (
    Fault("xor_hash", "equal", "small", "stuck input: bit 2 of address at 0"),
    Fault("xor_hash", "linear", "small", "stuck input: bit 2 of address at 1"),
)
