"""`managed_llc`."""

from ..faults import Fault
from ..proof import CORRESPONDENCE, EQUAL, INDUCTION, Proof

TWO = ("small", "table-1", "2x4x2x1x2x2b4w2c2t1,TAG_W=2", "8x16x2x2x8x7b2")
THREE = ("three", "5x32x3x4x8x7b1,ROTATE=1")


def _cut(applications):
    """All parts are left out."""
    monitors = [f"monitor[{application}]" for application in range(applications)]
    others = ("gpu_ratio", "sampler", "masks", "shares", "evictions", "accesses")
    return ",".join(["directory", *monitors, *others])


def _proofs(names, sets, applications, compared=()):
    """Its parts are proven by themselves; what they are told is compared here."""
    equal, held = names
    return (
        Proof(
            "managed_llc",
            equal,
            f"whatever its parts do, for {applications} applications: e{EQUAL[1:]}, and what they are "
            f"told does{', where a third one matters' if compared else ''}",
            sets,
            # Of a third application there is no flop.
            INDUCTION if compared else CORRESPONDENCE,
            reference=True,
            compared=compared,
            cut=_cut(applications),
        ),
        Proof(
            "managed_llc",
            held,
            "if its parts do what is proven of them: quotas are all ways and at least one each, and a "
            "masked application never gets a second way; parts are told what they may be; each access "
            "is counted once, as a hit or a miss, in one period",
            sets,
            INDUCTION,
            facts=("told", "held", "once"),
            lemmas=("proven",),
            files=("managed_llc_proven", "managed_llc_held"),
            cut=_cut(applications),
        ),
    )


# Where a third application makes a difference.
_OF_THIRD = (
    *("quota", "ucp_mask", "rrip_mask", "psel", "streaming", "overflow_evictions"),
    *("sampler_access_gpu", "shares_read_count", "evictions_inc"),
    *(
        f"monitor_2_{port}"
        for port in (
            *("reset", "access_valid", "access_set", "access_tag", "snapshot", "read_position"),
            "read_live",
        )
    ),
)

PROOFS = (
    *_proofs(("equal", "held"), TWO, 2),
    *_proofs(("equal_three", "held_three"), THREE, 3, _OF_THIRD),
)

FAULTS = (
    # Quotas of software are not looked at.
    Fault("managed_llc", "equal", "small", "stuck input: bit 0 of quota_override at 0"),
    # TAP is never off.
    Fault("managed_llc", "equal", "small", "stuck input: bit 0 of aware at 1"),
    # A core that is sampled is not seen.
    Fault("managed_llc", "equal", "small", "stuck input: bit 0 of gpu at 0"),
    # Which matrix was asked for is forgotten.
    Fault("managed_llc", "equal", "small", "lost write: read_from"),
)
