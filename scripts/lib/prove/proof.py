"""What a proof is."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, Optional

FORMAL = Path(__file__).resolve().parents[2] / "formal"

# How a claim is decided; see engines.py.
SAT, INDUCTION, CORRESPONDENCE, CASES = "sat", "induction", "correspondence", "cases"
REACHABILITY = "reachability"

# What a proof with a reference claims.
EQUAL = "every output equals that of a naive reference"


@dataclass(frozen=True)
class Cases:
    """What is gone through one by one: the inputs of the first cycle, whatever the state is."""

    # Inputs in the first cycle and in those after it; others may be anything.
    first: dict
    then: dict
    # Of the parameters: each case as values of further inputs in the first cycle, bit by bit, None
    # where they may be anything; and the cycle in which the claims are looked at.
    inputs: Callable
    cycle: Callable


@dataclass(frozen=True)
class Proof:
    """A claim about a unit."""

    unit: str
    name: str
    claim: str
    sets: tuple
    engine: str
    # The parameter set with the faults at the outputs, where it is not the first: few cycles must
    # show each of them.
    faulty: str = ""
    # Compared with references/UNIT.v, output by output.
    reference: bool = False
    # Widths of elements that it is told beside the unit's parameters, as `QUOTA_W` of port `quota`.
    reference_widths: tuple = ()
    # Only these outputs are, if there are any: other proofs compare the others.
    compared: tuple = ()
    # Outputs of the reference that only the facts use.
    reference_state: tuple = ()
    # Files facts/UNIT_FACT.vh, where `files` does not say otherwise.
    facts: tuple = ()
    # The same, of what follows from them.
    consequences: tuple = ()
    # The same, of what other proofs show, and this assumes.
    lemmas: tuple = ()
    # Files facts/FILE.vh that have all of these, and modules protocols/MODULE.v that they use.
    files: Optional[tuple] = None
    modules: tuple = ()
    # Files references/REFERENCE.v that the facts use.
    references: tuple = ()
    # The file assumptions/FILE.vh with a protocol; the golden model's rules, where it is not given.
    assumed: str = ""
    # Further constants of the facts; of the parameters.
    constants: Callable = field(default=lambda parameters: {})
    # Further inputs of the facts, names and widths, which may be anything; of the parameters. Facts
    # that compare the unit with itself have further instances of it, `DUT.
    free: Callable = field(default=lambda parameters: [])
    # An instance in the top module that is left out: what it put out may be anything.
    cut: str = ""
    # For the engine that goes through cases.
    cases: Optional[Cases] = None
    # Signals inside the unit: name, width of one (or a Verilog constant), paths; of the parameters.
    inside: Optional[Callable] = None
    # Words of memories inside are such signals, too; see words.py.
    words: bool = False
    # Cycles that an induction looks back; of the parameters.
    depth: Callable = field(default=lambda parameters: 1)

    @property
    def faulty_set(self):
        """The parameter set with the faults at the outputs."""
        return self.faulty or self.sets[0]

    @property
    def included(self):
        """Files of facts/, in order."""
        names = (*self.lemmas, *self.facts, *self.consequences)
        return self.files or tuple(f"{self.unit}_{name}" for name in names)

    @property
    def looks_inside(self):
        """Knows the names of our flops."""
        return self.inside is not None

    @property
    def reference_files(self):
        """The references that the unit's is made of, or that facts use."""
        return _with_parts(self.unit) if self.reference else self.references


def _with_parts(name):
    """A reference behind those that its text has instances of."""
    text = (FORMAL / "references" / f"{name}.v").read_text()
    parts = dict.fromkeys(re.findall(r"^ +ref_(\w+)", text, re.MULTILINE))
    files = [file for part in parts for file in _with_parts(part)]
    return (*dict.fromkeys(files), name)
