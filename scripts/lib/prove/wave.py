"""Counterexamples as waves: played in Icarus, which knows nothing of the solver, and read back."""

import re
from pathlib import Path

from .circuit import UNKNOWN, Circuit, Counterexample
from .tools import ProofError, run

LIMIT = 60
# An output that is 1 whatever the inputs are, whose name Yosys does not keep; see circuit.py.
ALWAYS = ("always", 0)
WAVE = "counterexample.vcd"
# A signal that Verilog can name; others come from Yosys.
NAME = re.compile(r"[A-Za-z_][\w$]*(\[\d+\])?(\.[A-Za-z_][\w$]*(\[\d+\])?)*")
MADE_UP = re.compile(r"(^|\.)_\d+_$")


def _values(names, digits):
    """Values of signals from those of their bits."""
    values = {}
    for bits, digit in zip(names, digits):
        for name, bit in bits:
            values[name] = values.get(name, 0) | digit << bit
    return values


def _bench(circuit, found, inputs):
    names = [name for name, _ in inputs]
    clocked = "clock" in names
    connected = ", ".join(f".{name}({name})" for name in names)
    lines = ["`timescale 1ns/1ns", "module replay;"]
    lines += [f"  reg [{width - 1}:0] {name} = 0;" for name, width in inputs]
    lines += [f"  prove prove ({connected});", "  initial begin"]
    lines += [f'    $dumpfile("{WAVE}");', "    $dumpvars(0, prove);", "    #1;"]
    if found.state is not None:
        # What the claims do not depend on shall not be X.
        if "reset" in names:
            lines.append("    reset = 1; #1 clock = 1; #1 clock = 0; reset = 0; #1;")
        # Released, a variable keeps its value and a net goes back to its driver's.
        for name, value in sorted(_values(circuit.latches, found.state).items()):
            # Nor those that Yosys made up for words of memories: the exported Verilog has none.
            if not NAME.fullmatch(name) or MADE_UP.search(name):
                continue
            if name.endswith("]"):
                lines.append(f"    prove.{name} = 'h{value:x};")
            else:
                lines.append(f"    force prove.{name} = 'h{value:x}; release prove.{name};")
    bits = [[bit] for bit in circuit.inputs]
    for number, digits in enumerate(found.cycles):
        if number:
            lines.append("    #4 clock = 1; #5 clock = 0;" if clocked else "    #9;")
        for name, value in _values(bits, digits).items():
            if name not in ("clock", UNKNOWN[0]):
                lines.append(f"    {name} = 'h{value:x};")
        lines.append("    #1;")
    return "\n".join([*lines, "    #5 $finish;", "  end", "endmodule", ""])


def last_values(wave: Path):
    """The value of each signal at the end of a VCD file, by its path."""
    names, scopes, values = {}, [], {}
    words = iter(wave.read_text().split("$enddefinitions", 1)[0].split("$end"))
    for declaration in words:
        parts = declaration.split()
        if parts[:1] == ["$scope"]:
            scopes.append(parts[2])
        elif parts[:1] == ["$upscope"]:
            scopes.pop()
        elif parts[:1] == ["$var"]:
            names.setdefault(parts[3], []).append(".".join([*scopes, parts[4]]))
    for line in wave.read_text().split("$enddefinitions", 1)[-1].splitlines():
        if line[:1] in ("b", "B"):
            value, code = line[1:].split()
            values[code] = value
        elif line[:1] in ("0", "1", "x", "z"):
            values[line[1:]] = line[0]
    return {name: values.get(code, "x") for code, all_ in names.items() for name in all_}


def replay(circuit: Circuit, found: Counterexample, inputs, files, include: Path) -> Path:
    """Writes the wave of a counterexample and checks that the claim fails at its end."""
    folder = circuit.folder
    (folder / "replay.v").write_text(_bench(circuit, found, inputs))
    build = ["iverilog", "-g2005", f"-I{include}", "-s", "replay", "-o", "replay.vvp", "replay.v"]
    run([*build, *map(str, files)], folder, "iverilog", LIMIT)
    run(["vvp", "-N", "replay.vvp"], folder, "vvp", LIMIT)
    wave = folder / WAVE
    if not wave.exists():
        raise ProofError(f"{wave}: not written, see {folder / 'vvp.log'}")
    values = last_values(wave)
    name, bit = found.output
    if found.output == ALWAYS:
        # Whatever the inputs are, one of the claims fails; Yosys does not say which.
        claims = re.compile(r"prove\.(violated|refuted|differs)_\w+$")
        ends = ["1" for path, value in values.items() if claims.search(path) and "1" in value]
    else:
        ends = [value for path, value in values.items() if path.endswith(f"prove.{name}")]
    if not ends or ends[0].zfill(bit + 1)[-1 - bit] != "1":
        raise ProofError(f"{wave}: {name}[{bit}] is not high at the end, so Icarus and abc differ")
    if not any(".dut." in path for path in values):
        raise ProofError(f"{wave}: the unit is not in it")
    return wave
