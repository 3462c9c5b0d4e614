"""Faults at the outputs: of each output that a proof is about, one bit is stuck.

A proof that none of them fails says nothing about that output. An output here is a port, or an
element of a port that has several, as one per kernel. A proof with a reference is about all of
them, and finds each stuck at 0 and stuck at 1; facts are about the ports that their text names,
and find either."""

import re
from dataclasses import dataclass
from typing import Optional

from .design import Design
from .proof import FORMAL, Proof

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Output:
    """A port, or one element of it."""

    port: str
    # The port in Verilog.
    verilog: str
    # Which element, where there are several.
    element: int
    # Its lowest and its highest bit.
    first: int
    last: int
    several: bool
    # What the port always is, if it is always the same: stuck at that is no fault.
    constant: Optional[int]

    @property
    def name(self):
        """As Verilog's designers would write it."""
        return f"{self.port}[{self.element}]" if self.several else self.port

    def is_always(self, bit, value):
        """Whether that is what the bit is with these parameters."""
        return self.constant is not None and self.constant >> bit & 1 == value

    def stuck(self, bit, value):
        """As `cotenant export --fault` takes it."""
        return f"stuck output: bit {bit} of {self.port} at {value}"


@dataclass(frozen=True)
class AtOutput:
    """A proof must find one of these faults."""

    unit: str
    proof: str
    set: str
    output: Output
    # As `cotenant export --fault` takes them, in the order in which they are tried.
    options: tuple
    # What they are called together.
    words: str
    # Any fact of the proof may break.
    claim: str = ""


def outputs(design: Design):
    """All of a unit."""
    found = []
    for port in design.ports:
        if port["direction"] == "output":
            several = port["elements"] > 1
            width = port["width"] // port["elements"]
            constant = int(port["constant"], 16) if "constant" in port else None
            for i in range(port["elements"]):
                first, last = i * width, (i + 1) * width - 1
                found.append(Output(port["own"], port["name"], i, first, last, several, constant))
    return found


def _words(names):
    """Those of files of facts, without comments."""
    texts = ((FORMAL / "facts" / f"{name}.vh").read_text() for name in names)
    return {word for text in texts for word in _WORD.findall(_COMMENT.sub("", text))}


def said(proof: Proof):
    """The words of its facts but those of what other proofs show and this assumes: a fault that
    breaks that is theirs to find."""
    names = [f"{proof.unit}_{name}" for name in (*proof.facts, *proof.consequences)]
    lemmas = [f"{proof.unit}_{name}" for name in proof.lemmas]
    return _words(proof.files or names) - _words(lemmas)


def about(design: Design, proof: Proof):
    """The outputs that the proof is about."""
    if proof.reference and not proof.compared:
        return outputs(design)
    words = set(proof.compared) or said(proof)
    return [one for one in outputs(design) if words & {one.port, one.verilog}]


def faults(design: Design, proof: Proof, name: str):
    """Those that the proof must find with the parameter set of that name."""
    found = []
    for output in about(design, proof):
        # Not every bit of a port can be both.
        bits = dict.fromkeys((output.first, output.last))
        kinds = ((0,), (1,)) if proof.reference else ((1, 0),)
        for values in kinds:
            options = tuple(
                output.stuck(bit, value)
                for bit in bits
                for value in values
                if not output.is_always(bit, value)
            )
            if not options:
                continue
            words = f"stuck output: {output.name}"
            words += f" at {values[0]}" if len(values) == 1 else ""
            found.append(AtOutput(proof.unit, proof.name, name, output, options, words))
    return found
