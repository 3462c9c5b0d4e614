"""`drrip`."""

from ..faults import Fault
from ..proof import CORRESPONDENCE, EQUAL, INDUCTION, Proof

DUELS = ("4x2x1p2", "small", "64x3x8p4", "1024x1x32", "4096x2x32", "table-1")


def _register(parameters):
    return [("lfsr", 31, ["dut.lfsr"])]


PROOFS = (
    Proof("drrip", "equal", EQUAL, DUELS, CORRESPONDENCE, reference=True),
    Proof(
        "drrip",
        "policy",
        "selectors stop at their ends; leader sets keep their policy, followers do as PSEL says, or "
        "as BRRIP under the mask, where hits do not promote; draws are those of the polynomial",
        DUELS,
        INDUCTION,
        facts=("saturates", "leaders", "followers", "inserted", "drawn"),
        files=("drrip_policy",),
        inside=_register,
    ),
)

FAULTS = (
    Fault("drrip", "equal", "small", "stuck input: bit 3 of access_set at 0"),
    Fault("drrip", "policy", "small", "stuck net: bit 0 of Eq of highest[0] at 0", "saturates"),
    Fault("drrip", "policy", "small", "stuck net: bit 0 of Or of leads at 0", "leaders"),
    Fault("drrip", "policy", "small", "stuck input: bit 1 of rrip_mask at 0", "followers"),
    Fault("drrip", "policy", "small", "wrong operation: And of insert_distant", "inserted"),
    Fault("drrip", "policy", "small", "stuck bit: bit 0 of lfsr at 0", "drawn"),
)
