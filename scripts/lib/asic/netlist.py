"""Reads the gate-level netlist that Yosys writes: which pin of which cell drives which bit."""

import re
from dataclasses import dataclass

from .tools import GateError

# As Yosys writes them, a cell with a line a pin:  NAND2X1 _123_ (
_CELL = re.compile(r"^  (\w+) (_\d+_) \(\n((?:    \.\w+\(.*\),?\n)+)  \);$", re.M)
_PIN = re.compile(r"^    \.(\w+)\((.*?)\),?$", re.M)
_ANY_CELL = re.compile(r"^  (?!module|wire|input|output|assign)[\w\\].* \($", re.M)
# Output pins of the library's cells.
_OUTPUTS = ("Y", "Q", "YC", "YS")


@dataclass(frozen=True)
class Gate:
    """A cell of the netlist."""

    kind: str
    name: str
    # The net at each pin: `name`, or `name [bit]`, escaped names without their backslash.
    pins: tuple

    def outputs(self):
        """Pin and net of each output."""
        return [(pin, net) for pin, net in self.pins if pin in _OUTPUTS]


def _net(text: str) -> str:
    """A net as a wave file names it."""
    match = re.fullmatch(r"\\(\S+) (\[\d+\])?|(\w+)\s*(\[\d+\])?", text)
    if not match:
        # A constant or a concatenation: nothing that a cell drives.
        return text
    name, bit = (match[1], match[2]) if match[1] else (match[3], match[4])
    return f"{name} {bit}" if bit else name


def read(text: str) -> list:
    """All gates of a flat netlist."""
    gates = [
        Gate(kind, name, tuple((pin, _net(net)) for pin, net in _PIN.findall(pins)))
        for kind, name, pins in _CELL.findall(text)
    ]
    # What this does not understand must not be left out in silence.
    expected = len(_ANY_CELL.findall(text))
    if len(gates) != expected or not gates:
        raise GateError(f"gate-level netlist: {expected} cells, but {len(gates)} are understood")
    return gates
