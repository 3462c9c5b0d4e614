"""How often each net of a simulated netlist changes, for the power that it takes.

A net is looked at once per cycle, just before the clock rises, when all has settled: inputs of the
testbench change at the falling edge, where a real one changes them after the rising one, and what
that stirs up in between is no work of the unit."""

import re
from dataclasses import dataclass

from .tools import GateError


@dataclass
class _Bit:
    """A bit of a signal: its value, and what was seen of it."""

    value: str = "x"
    seen: str = "x"
    since: int = 0
    changes: int = 0
    ones: int = 0

    def sample(self, cycle):
        """Notes the value before the clock rises in `cycle`; the one before held until then."""
        if self.seen == "1":
            self.ones += cycle - self.since
        if {self.seen, self.value} == {"0", "1"}:
            self.changes += 1
        self.seen, self.since = self.value, cycle


def measure(lines, clock="clock") -> dict:
    """Changes a cycle and the part of the cycles at 1, by the net's name, of what a VCD shows.

    `lines` has a scope with the testbench's `clock`, in it one with the netlist. Changes from or
    to X count as none."""
    scopes, signals, names, clock_id = [], {}, {}, None
    for line in lines:
        words = line.split()
        if not words:
            continue
        if words[0] == "$scope":
            scopes.append(words[2])
        elif words[0] == "$upscope":
            scopes.pop()
        elif words[0] == "$var":
            width, code, name = int(words[2]), words[3], words[4]
            if len(scopes) == 1 and name == clock:
                clock_id = code
            bits = signals.setdefault(code, [_Bit() for _ in range(width)])
            if len(scopes) == 2:
                names.update(_names(name, " ".join(words[5:-1]), bits))
        elif words[0] == "$enddefinitions":
            break
    if clock_id is None or not names:
        raise GateError(f"wave of the gate-level netlist: no '{clock}', or no netlist below it")
    cycles = _changes(lines, signals, clock_id)
    if not cycles:
        raise GateError(f"wave of the gate-level netlist: '{clock}' never rises")
    for bits in signals.values():
        for bit in bits:
            bit.value = bit.seen
            bit.sample(cycles)
    return {name: (bit.changes / cycles, bit.ones / cycles) for name, bit in names.items()}


def _names(name, span, bits):
    """Names of a signal's bits, the last of its range first; `span` is range or only bit."""
    name = name.removeprefix("\\")
    match = re.fullmatch(r"\[(\d+)(?::(\d+))?\]", span)
    if not match:
        return [(name, bits[0])]
    high, low = int(match[1]), int(match[2] or match[1])
    step = 1 if high >= low else -1
    return [(f"{name} [{low + step * place}]", bit) for place, bit in enumerate(bits)]


def _changes(lines, signals, clock_id):
    """Plays the changes; the number of rising edges of the clock."""
    cycles, block, touched = 0, [], set()
    for line in lines:
        if line.startswith("#"):
            cycles += _apply(block, signals, clock_id, cycles, touched)
            block = []
        elif line[0] in "01xXzZ":
            block.append((line[1:].strip(), line[0].lower()))
        elif line[0] in "bB":
            value, code = line[1:].split()
            block.append((code, value.lower()))
    return cycles + _apply(block, signals, clock_id, cycles, touched)


def _apply(block, signals, clock_id, cycles, touched):
    """Takes over what changes at one time; 1 if the clock rises then."""
    rises = signals[clock_id][0].value == "0" and (clock_id, "1") in block
    if rises:
        for code in touched:
            for bit in signals[code]:
                if bit.value != bit.seen:
                    bit.sample(cycles)
        touched.clear()
    for code, value in block:
        bits = signals[code]
        if len(value) < len(bits):
            # Shortened as the standard says: X and Z repeat, others are filled with 0.
            value = (value[0] if value[0] in "xz" else "0") * (len(bits) - len(value)) + value
        for bit, digit in zip(bits, reversed(value)):
            bit.value = digit
    touched.update(code for code, _ in block)
    return int(rises)
