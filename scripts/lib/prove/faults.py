"""Faults of the units that the proofs must find, as `cotenant export --list-faults` words them.

A proof that cannot fail is worth nothing. Those at the outputs are chosen in outputs.py; these are
inside, and each property of a unit behind a bus has one that it alone has to find."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One that a proof must find."""

    unit: str
    proof: str
    set: str
    # As `cotenant export --fault` takes it.
    words: str
    # The one fact of the proof that it has to break; any, where none is named.
    claim: str = ""

    @property
    def options(self):
        """What has to be refuted: there is no other."""
        return (self.words,)
