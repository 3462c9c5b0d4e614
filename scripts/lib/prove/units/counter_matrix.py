"""`counter_matrix`."""

from ..faults import Fault
from ..proof import CORRESPONDENCE, EQUAL, INDUCTION, Proof

# Few events fill a counter.
FULL = "2x2x21,CNT_W=2"
COUNTERS = ("small", "figure-2", "table-1", "3x3x16")


def _matrix(parameters, signal):
    kernels = range(parameters["KERNELS"])
    return [f"dut.{signal}_{victim}_{aggressor}" for victim in kernels for aggressor in kernels]


def _rows(parameters, signal):
    return [f"dut.{signal}_{victim}" for victim in range(parameters["KERNELS"])]


def _conserved(parameters):
    width = parameters["CNT_W"]
    return [
        ("counts", width, _matrix(parameters, "count")),
        ("shadows", width, _matrix(parameters, "shadow")),
        ("passed", parameters["KERNELS"], _rows(parameters, "passed")),
        ("last_passed", parameters["KERNELS"], _rows(parameters, "last_passed")),
    ]


def _marked(parameters):
    return [probe for probe in _conserved(parameters) if probe[0] in ("counts", "passed")]


PROOFS = (
    Proof("counter_matrix", "equal", EQUAL, COUNTERS, CORRESPONDENCE, FULL, reference=True),
    Proof(
        "counter_matrix",
        "conserved",
        "nothing is lost or counted twice between snapshot and clear",
        COUNTERS,
        INDUCTION,
        FULL,
        facts=("conserved",),
        inside=_conserved,
    ),
    Proof(
        "counter_matrix",
        "marked",
        "an overflow mark is set if and only if a count was cut",
        COUNTERS,
        INDUCTION,
        FULL,
        facts=("marked",),
        inside=_marked,
    ),
)

FAULTS = (
    Fault("counter_matrix", "equal", "figure-2", "off by one: Add of sequence_register.d"),
    Fault("counter_matrix", "conserved", "figure-2", "off by one: Add of sum"),
    Fault("counter_matrix", "conserved", "figure-2", "stuck input: bit 1 of inc_kid at 0"),
    Fault(
        "counter_matrix", "conserved", "figure-2",
        "stuck net: bit 5 of Mux of read_row[1].d at 0",
    ),
    Fault("counter_matrix", "marked", "figure-2", "lost write: count[3][3]"),
    Fault("counter_matrix", "marked", "figure-2", "wrong operation: Add of sum"),
)
