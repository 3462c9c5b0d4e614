"""`qbmi`."""

from ..faults import Fault
from ..proof import EQUAL, INDUCTION, Proof
from .quota_unit import quota_latency

# With a lag, too.
ISSUES = (
    "small", "table-1", "3x3c", "three", "2x10c", "3x10c", "4x10", "2x2l1", "2x10l1", "3x3cl2",
)
# Of these, `defined` shows of quota_unit that no quota of a set is 0.
LITERAL = ("small", "table-1", "3x3c", "three", "2x10c", "3x10c")


def _meters(parameters):
    def each(flop):
        return [f"dut.meter_{i}.{flop}" for i in range(parameters["KERNELS"])]

    interval, ratio = parameters["INTERVAL_W"], min(32, 2 ** parameters["INTERVAL_W"])
    delayed = [f"dut.undeducted_{i}" for i in range(parameters["LAG"])]
    return [
        ("turn", "$clog2(KERNELS)", ["dut.last"]),
        ("dirty", 1, ["dut.dirty"]),
        # Without a lag there is none, and what is here is not looked at.
        ("delayed", "KERNELS", delayed or ["dut.active_register"]),
        ("accepted", interval, each("requests")),
        ("begun", interval, each("instructions")),
        ("to_go", (ratio - 1).bit_length(), each("left")),
        ("total", interval + 1, each("total")),
        ("sum", interval + 1, each("sum")),
        ("candidate", ratio.bit_length(), each("candidate")),
    ]


def _waiting(parameters):
    kernels = range(parameters["KERNELS"])
    return [
        ("sets", "(QUOTA_W - 1)", [f"dut.unit.quota_register_{i}" for i in kernels]),
        ("emptied", "KERNELS", ["dut.emptied"]),
    ]


def _fresh(parameters):
    ratios = dict(parameters, RATIO_MAX=min(32, 2 ** parameters["INTERVAL_W"]))
    return [
        ("dirty", 1, ["dut.dirty"]),
        ("updates", 1, ["dut.updates"]),
        ("begins", 1, ["dut.starts"]),
        ("unit_left", (quota_latency(ratios) - 1).bit_length(), ["dut.unit.left"]),
    ]


PROOFS = (
    Proof(
        "qbmi",
        "equal",
        EQUAL + " that divides with `/`, whatever the quota unit puts out",
        ISSUES,
        INDUCTION,
        reference=True,
        reference_widths=("QUOTA_W",),
        reference_state=(
            "last", "owed", "undeducted", "requests", "instructions", "counted", "next", "due",
        ),
        facts=("steps",),
        inside=_meters,
        cut="unit",
    ),
    Proof(
        "qbmi",
        "waiting",
        "while one waits each other is granted less than 2^(QUOTA_W + 1) times, "
        "if kernels neither come nor go; an active kernel always has quota left",
        LITERAL,
        INDUCTION,
        facts=("waiting",),
        lemmas=("positive",),
        inside=_waiting,
    ),
    Proof(
        "qbmi",
        "fresh",
        "a new ratio or a change of the kernels is in the set in force after at most "
        "2(K(S + 1) + 1) cycles",
        (*ISSUES, "large"),
        INDUCTION,
        facts=("fresh",),
        inside=_fresh,
    ),
)

FAULTS = (
    Fault("qbmi", "equal", "small", "missing reset: active_register"),
    Fault("qbmi", "equal", "small", "off by one: Add of meter[1].next_candidate"),
    Fault("qbmi", "equal", "small", "stuck input: bit 1 of ready at 1"),
    Fault("qbmi", "fresh", "small", "stuck bit: bit 0 of dirty at 0"),
    Fault("qbmi", "fresh", "small", "lost write: unit.left"),
)
