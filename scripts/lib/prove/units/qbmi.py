"""`qbmi`."""

from ..faults import Fault
from ..proof import INDUCTION, Proof
from .quota_unit import quota_latency

ISSUES = ("small", "table-1", "3x3c", "three", "2x10c", "3x10c", "4x10")


def _sets_in_force(parameters):
    kernels = range(parameters["KERNELS"])
    return [("sets", "(QUOTA_W - 1)", [f"dut.unit.quota_register_{i}" for i in kernels])]


def _newest(parameters):
    kernels = range(parameters["KERNELS"])
    return ("newest", "(QUOTA_W - 1)", [f"dut.newest_{i}" for i in kernels])


def _credit(parameters):
    kernels = range(parameters["KERNELS"])
    return _sets_in_force(parameters) + [
        ("candidates", "RATIO_W", [f"dut.meter_{i}.candidate" for i in kernels]),
        ("steps_left", "$clog2(RATIO_MAX)", [f"dut.meter_{i}.left" for i in kernels]),
        ("pending", "KERNELS", ["dut.pending"]),
        ("single", "KERNELS", ["dut.single"]),
        ("refill", "KERNELS", ["dut.refill"]),
        ("turn", "$clog2(KERNELS)", ["dut.last"]),
        _newest(parameters),
    ]


def _fresh(parameters):
    ratios = dict(parameters, RATIO_MAX=min(32, 2 ** parameters["INTERVAL_W"]))
    return [
        ("dirty", 1, ["dut.dirty"]),
        ("updates", 1, ["dut.updates"]),
        ("begins", 1, ["dut.starts"]),
        ("unit_left", (quota_latency(ratios) - 1).bit_length(), ["dut.unit.left"]),
        _newest(parameters),
        *_sets_in_force(parameters),
    ]


PROOFS = (
    Proof(
        "qbmi",
        "credit",
        "the quota of an inactive kernel is 0, and that of one active kernel at most; a grant is "
        "taken off two cycles later, and nothing else is; a grant has a request, one at most, of "
        "the highest quota; a lone kernel is never blocked",
        ISSUES,
        INDUCTION,
        facts=("credit",),
        lemmas=("positive",),
        inside=_credit,
    ),
    Proof(
        "qbmi",
        "waiting",
        "while one waits each other is granted less than 2^(QUOTA_W + 2) times, "
        "if kernels neither come nor go",
        ISSUES,
        INDUCTION,
        facts=("waiting",),
        lemmas=("positive", "credit"),
        inside=_credit,
    ),
    Proof(
        "qbmi",
        "fresh",
        "a new ratio or a change of the kernels is in the set in force after at most "
        "2(K(S + 1) + 1) + 1 cycles",
        (*ISSUES, "large"),
        INDUCTION,
        facts=("fresh",),
        inside=_fresh,
    ),
)

FAULTS = (
    Fault("qbmi", "credit", "small", "missing reset: active_register"),
    Fault("qbmi", "credit", "small", "off by one: Add of meter[1].next_candidate"),
    Fault("qbmi", "credit", "small", "stuck input: bit 1 of ready at 1"),
    Fault("qbmi", "waiting", "small", "stuck net: bit 3 of Add of credit[1].sum at 0"),
    Fault("qbmi", "fresh", "small", "stuck bit: bit 2 of newest[1] at 0"),
)
