"""Deciding claims about a faulty unit, of which a counterexample is wanted.

Where a proof begins with a reset, it is looked for cycle by cycle first: to prove what does not
hold would take much longer. What is not found so is decided as any other claim."""

from . import engines
from .engines import FREE, _from_reset
from .proof import CORRESPONDENCE, REACHABILITY
from .tools import ProofError

_BEGINS = {CORRESPONDENCE: ("zero",), REACHABILITY: FREE}


def decide(circuit, proof, parameters):
    """A counterexample, or None if there is none."""
    if proof.engine in _BEGINS:
        try:
            return _from_reset(circuit, _BEGINS[proof.engine])
        except ProofError:
            pass  # None in so few cycles.
    return engines.decide(circuit, proof, parameters)
