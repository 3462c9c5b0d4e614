"""`xsratio`."""

from ..faults import Fault
from ..proof import EQUAL, INDUCTION, Proof

# Divisions of 21 bits are beyond the solvers.
NARROW = ("small", "three", "2,XS_W=2,CNT_W=2,T_XS=1", "5w2c8t1", "7w5c5t29")
COUNTED = ("small", "three", "table-1", "5w2c8t1", "7w5c5t29", "large")


def _counters(parameters):
    applications = range(parameters["APPLICATIONS"])
    return [
        ("counts", parameters["CNT_W"], [f"dut.count_{i}" for i in applications]),
        ("left", parameters["CNT_W"].bit_length(), ["dut.left"]),
    ]


def _registers(parameters):
    width = parameters["CNT_W"]
    kept = ("most_gpu", "most_cpu", "divisor", "remainder", "shift")
    applications = range(parameters["APPLICATIONS"])
    return [
        *_counters(parameters),
        ("kinds", 1, [f"dut.of_gpu_{i}" for i in applications]),
        *((name, width, [f"dut.{name}"]) for name in kept),
    ]


PROOFS = (
    Proof(
        "xsratio",
        "equal",
        EQUAL + " that divides with `/`",
        NARROW,
        INDUCTION,
        reference=True,
        reference_state=("naive_gpu", "naive_left", "naive_dividend", "naive_divisor"),
        facts=("steps",),
        inside=_registers,
    ),
    Proof(
        "xsratio",
        "counted",
        "counters stop at their limit, and nothing is lost between periods; a ratio is there CNT_W + 1 "
        "cycles after the last period's end, changes at no other time, and is 1 or at least the threshold",
        COUNTED,
        INDUCTION,
        facts=("saturates", "conserved", "timed"),
        files=("xsratio_counted",),
        inside=_counters,
    ),
)

FAULTS = (
    Fault("xsratio", "equal", "small", "wrong operation: Not of fits"),
    Fault("xsratio", "equal", "small", "lost write: of_gpu[1]"),
    Fault("xsratio", "equal", "small", "lost write: divisor"),
    Fault("xsratio", "counted", "small", "lost write: count[1]", claim="saturates"),
    Fault("xsratio", "counted", "small", "stuck input: bit 0 of access_app at 0", claim="conserved"),
    Fault("xsratio", "counted", "small", "wrong operation: And of done_register.d", claim="timed"),
)
