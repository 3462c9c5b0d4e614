"""`quota_victim`."""

from ..faults import Fault
from ..proof import EQUAL, SAT, Proof

SETS = ("small", "4x3", "6x3", "8x3")

PROOFS = (
    Proof("quota_victim", "equal", EQUAL, SETS, SAT, reference=True, faulty="4x3"),
    Proof(
        "quota_victim",
        "rule",
        "the victim is a line of the set, the least recently used one of those that it may be; an "
        "application at or below its quota loses no line to another, if quotas add up to the ways",
        SETS,
        SAT,
        facts=("known", "kept", "oldest", "adds_up"),
        files=("quota_victim_rule",),
        faulty="4x3",
    ),
)

FAULTS = (
    Fault("quota_victim", "equal", "4x3", "stuck input: bit 2 of quota at 0"),
    Fault("quota_victim", "rule", "4x3", "stuck input: bit 0 of requester at 0"),
    Fault("quota_victim", "rule", "4x3", "swapped operands: Mux of victim_position"),
    Fault("quota_victim", "rule", "4x3", "off by one: Eq of victim_valid"),
)
