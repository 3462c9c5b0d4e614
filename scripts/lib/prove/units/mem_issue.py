"""`mem_issue`."""

from ..faults import Fault
from ..proof import EQUAL, INDUCTION, REACHABILITY, Proof

CORES = ("small", "table-1", "2-smil-rbmi", "three", "3-milgd-qbmic", "4-milg-qbmi", "8-smil-rbmi")


IN_TURN = ("2-smil-rbmi", "3-smil-rbmi", "8-smil-rbmi")
BY_QUOTA = ("2-smil-qbmi", "3-smil-qbmi", "4-smil-qbmi")
# Small enough for a bound on what MILG divides; it is proven equal by itself at any width.
DYNAMIC = ("small",)


def _turns(parameters):
    width = max(1, (parameters["KERNELS"] - 1).bit_length())
    return [("turn", width, ["dut.rbmi_0.last"]), ("ref_turn", width, ["ref.in_turn.rbmi.last"])]


def _scheduled(parameters):
    path = "dut.qbmi_0.active_register" if parameters["PRIORITY"] else "dut.active_register"
    return [("scheduled", parameters["KERNELS"], [path])]


def _around(name, limiter, sets, engine, facts):
    """QBMI is left out; that it grants the highest quota is proven of it."""
    return Proof(
        "mem_issue",
        name,
        f"with {limiter}, whatever QBMI grants of what it is asked, every output and all that it is "
        "given equal those of a naive reference",
        sets,
        engine,
        reference=True,
        reference_widths=("QUOTA_W",),
        facts=facts,
        lemmas=("granted",),
        cut="qbmi[0]",
    )


PROOFS = (
    Proof(
        "mem_issue",
        "gated",
        "a grant goes to a kernel that wants it, is active and below its limit, to one at most; "
        "if there is one, it does",
        CORES,
        INDUCTION,
        facts=("gated",),
        inside=_scheduled,
    ),
    Proof(
        "mem_issue",
        "equal",
        EQUAL + ", with SMIL and RBMI",
        IN_TURN,
        INDUCTION,
        reference=True,
        reference_widths=("QUOTA_W",),
        facts=("same", "turns"),
        inside=_turns,
    ),
    _around("around", "SMIL", BY_QUOTA, INDUCTION, ("same",)),
    _around("dynamic", "MILG", DYNAMIC, REACHABILITY, ()),
)

FAULTS = (
    Fault("mem_issue", "gated", "small", "wrong operation: Less of milg[1].allow"),
    Fault("mem_issue", "gated", "small", "stuck input: bit 0 of lsu_ready at 1"),
)
