"""Which proofs there are, of which parameter sets, and the mutants that must fail them."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, Optional

FORMAL = Path(__file__).resolve().parent.parent

# How a claim is decided; see engines.py.
SAT, INDUCTION, CORRESPONDENCE = "sat", "induction", "correspondence"


@dataclass(frozen=True)
class Proof:
    """A claim about a unit."""

    unit: str
    name: str
    claim: str
    sets: tuple
    engine: str
    # Compared with references/UNIT.v, output by output.
    reference: bool = False
    # Outputs of the reference that only the facts use.
    reference_state: tuple = ()
    # Files facts/UNIT_FACT.vh.
    facts: tuple = ()
    # The same, of what follows from them.
    consequences: tuple = ()
    # Signals inside the unit: name, width of one, paths; of the parameters.
    inside: Optional[Callable] = None
    # Cycles that an induction looks back; of the parameters.
    depth: Callable = field(default=lambda parameters: 1)

    @property
    def looks_inside(self):
        """Knows the names of our flops."""
        return self.inside is not None

    def weight(self, name):
        """How long it takes, roughly, for the order of jobs."""
        size = {"table-1": 2, "16x4": 2, "16x4x21": 2, "figure-2": 1}.get(name, 0)
        return (self.engine != SAT, size, self.unit == "lru_stack" and self.reference)

    @property
    def reference_files(self):
        """The references that the unit's is made of."""
        parts = ("delay", "counter_matrix") if self.unit in ("gdcu", "plob") else ()
        return (*parts, self.unit)


def _matrix(parameters, signal):
    kernels = range(parameters["KERNELS"])
    return [f"dut.{signal}_{victim}_{aggressor}" for victim in kernels for aggressor in kernels]


def _conserved(parameters):
    width = parameters["CNT_W"]
    return [
        ("counts", width, _matrix(parameters, "count")),
        ("shadows", width, _matrix(parameters, "shadow")),
        ("live", parameters["KERNELS"], ["dut.live_overflow"]),
    ]


def _marked(parameters):
    return [probe for probe in _conserved(parameters) if probe[0] != "shadows"]


def _adders(parameters):
    position = parameters["WAYS"].bit_length()
    return [
        ("adder_valid", 1, ["dut.matrix.inc_valid"]),
        ("adder_inc", parameters["KERNELS"] * position, ["dut.matrix.inc"]),
    ]


# With numbers that are no powers of two, so that there are codes without a kernel or way.
SIZES = ("small", "figure-2", "table-1")
ONE = (*SIZES, "3", "large")
LANES = ("small", "table-1", "large", "3")
STACKS = (*SIZES, "3x3")
COUNTERS = (*SIZES, "3x3x16")
EVICTIONS = ("small", "table-1", "4x21s0", "3x16", "4x21s2")
PIPELINES = (*COUNTERS, "4x4x21s0", "4x4x21s2")
EQUAL = "every output equals that of a naive reference"

PROOFS = (
    Proof("popcnt", "equal", EQUAL, ONE, SAT, reference=True),
    Proof("demotion", "equal", EQUAL, ONE, SAT, reference=True),
    Proof("kid_demux", "equal", EQUAL, LANES, SAT, reference=True),
    Proof("counter_matrix", "equal", EQUAL, COUNTERS, CORRESPONDENCE, reference=True),
    Proof(
        "counter_matrix",
        "conserved",
        "nothing is lost or counted twice between snapshot and clear",
        COUNTERS,
        INDUCTION,
        facts=("conserved",),
        inside=_conserved,
    ),
    Proof(
        "counter_matrix",
        "marked",
        "an overflow mark is set if and only if a count was cut",
        COUNTERS,
        INDUCTION,
        facts=("marked",),
        inside=_marked,
    ),
    Proof("gdcu", "equal", EQUAL, PIPELINES, CORRESPONDENCE, reference=True),
    Proof("plob", "equal", EQUAL, EVICTIONS, CORRESPONDENCE, reference=True),
    Proof(
        "gdcu",
        "counted",
        "the increments at the adders sum to the valid lines demoted",
        PIPELINES,
        INDUCTION,
        facts=("lines",),
        consequences=("counted",),
        inside=_adders,
        depth=lambda parameters: max(1, parameters["STAGES"]),
    ),
    Proof(
        "lru_stack",
        "order",
        "the stack is a permutation, the invalid ways at the bottom",
        STACKS,
        INDUCTION,
        facts=("order",),
    ),
    Proof(
        "lru_stack",
        "equal",
        EQUAL + " that keeps ages",
        STACKS,
        INDUCTION,
        reference=True,
        reference_state=("way_age", "way_owner", "way_valid"),
        facts=("order", "ages"),
    ),
)
