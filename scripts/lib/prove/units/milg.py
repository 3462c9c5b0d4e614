"""`milg`."""

from ..faults import Fault
from ..proof import EQUAL, INDUCTION, Proof

LIMITS = ("small", "3x6x3", "table-1", "3x6x3d", "7x12x10d", "3x6x3h", "3x6x3p", "wide", "large")


def _divider(parameters):
    count, fail, interval = (parameters[key] for key in ("COUNT_W", "FAIL_W", "INTERVAL_W"))
    return [
        ("peak", count, ["dut.peak"]),
        ("grew", 1, ["dut.grew"]),
        ("began", 1, ["dut.began"]),
        ("closed", 1, ["dut.closed"]),
        ("failures", fail, ["dut.failures"]),
        ("requests", interval, ["dut.requests"]),
        ("last", 1, ["dut.last"]),
        ("left", count.bit_length(), ["dut.left"]),
        ("divisor", fail - interval, ["dut.divisor"]),
        ("remainder", fail - interval, ["dut.remainder"]),
        ("shift", count, ["dut.shift"]),
    ]


def _interval(parameters):
    names = ("peak", "grew", "began", "closed", "requests", "last", "left")
    return [probe for probe in _divider(parameters) if probe[0] in names]


PROOFS = (
    Proof(
        "milg",
        "equal",
        EQUAL + " that divides with `/`",
        LIMITS,
        INDUCTION,
        reference=True,
        reference_state=("most", "refused", "accepted", "dividend", "each", "ended", "due"),
        facts=("steps",),
        inside=_divider,
    ),
    Proof(
        "milg",
        "safe",
        "in flight is what was issued and not completed, the peak no less, a limit at least 1; "
        "a division ends before the next interval",
        LIMITS,
        INDUCTION,
        facts=("safe",),
        inside=_interval,
    ),
)

FAULTS = (
    Fault("milg", "equal", "small", "lost write: left"),
    Fault("milg", "equal", "small", "wrong operation: And of closing"),
    Fault("milg", "equal", "3x6x3h", "missing reset: closed"),
    Fault("milg", "equal", "3x6x3p", "lost write: limit_register"),
    Fault("milg", "safe", "small", "missing reset: grew"),
    Fault("milg", "safe", "small", "stuck bit: bit 1 of limit_register at 0"),
    Fault("milg", "safe", "small", "off by one: Sub of counter.less"),
)
