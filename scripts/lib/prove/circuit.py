"""From Verilog to an and-inverter graph, by Yosys."""

from dataclasses import dataclass
from pathlib import Path

from .harness import TOP
from .tools import ProofError, run

# Yosys may take as long.
LIMIT = 120

# The name of what was an x.
UNKNOWN = ("x", 0)

# Flops stay plain: no enables or resets are moved into them. An x may be anything, so that no tool
# chooses a value for it. What is undriven is an error.
SCRIPT = """
read_verilog -noblackbox -I{include} {sources}
hierarchy -check -top {top}
proc; flatten
setundef -anyseq
memory -nomap; memory_map
opt -nodffe -nosdff
check -assert
dffunmap; techmap
setundef -anyseq
opt -fast -nodffe -nosdff
aigmap; opt_clean
write_aiger -map circuit.map circuit.aig
write_aiger -ascii circuit.aag
"""


@dataclass(frozen=True)
class Circuit:
    """An and-inverter graph; bits of signals in the order of the file."""

    folder: Path
    # Name and bit; UNKNOWN where there was an x.
    inputs: list
    # Names of one bit, each with its bit, the outermost first.
    latches: list
    outputs: list
    # Literals: of the inputs, of the latches' present and next values, of the outputs.
    input_literals: list
    latch_literals: list
    output_literals: list
    # Literals of the gates: output and operands.
    gates: list

    def after_reset(self):
        """The flops' values after a cycle of reset, whatever state and inputs were; None where
        it depends on them."""
        value = {0: 0}
        for (name, _), literal in zip(self.inputs, self.input_literals):
            value[literal] = 1 if name == "reset" else None

        def at(literal):
            known = value.get(literal & ~1)
            return known if known is None else known ^ (literal & 1)

        for gate, left, right in self.gates:
            operands = (at(left), at(right))
            value[gate] = 0 if 0 in operands else None if None in operands else 1
        return [at(following) for _, following in self.latch_literals]


@dataclass(frozen=True)
class Counterexample:
    """How an output comes to be high."""

    output: tuple
    # Values of the flops before the first cycle, as in Circuit.latches; None: begins with reset.
    state: list
    # Values of the inputs, cycle by cycle.
    cycles: list


def _read_map(path):
    bits = {"input": {}, "latch": {}, "output": {}}
    for line in path.read_text().splitlines():
        kind, index, bit, name = line.split(maxsplit=3)
        bits.get(kind, {}).setdefault(int(index), []).append((name, int(bit)))
    return bits


def _depth(named):
    return named[0].count("."), named


def _outputs(names, literals):
    """Of outputs that are the same signal, the map names only one; of constants, none."""
    known = {literals[i]: bits[0] for i, bits in names.items()}
    constants = {0: ("never", 0), 1: ("always", 0)}
    return [
        names[i][0] if i in names else known.get(literal) or constants[literal]
        for i, literal in enumerate(literals)
    ]


def build(folder: Path, files, include: Path) -> Circuit:
    """Reads the harness and all it uses."""
    sources = " ".join(f'"{file}"' for file in files)
    script = SCRIPT.format(include=include, sources=sources, top=TOP)
    (folder / "circuit.ys").write_text(script)
    run(["yosys", "-q", "-s", "circuit.ys"], folder, "yosys", LIMIT)
    try:
        bits = _read_map(folder / "circuit.map")
        lines = (folder / "circuit.aag").read_text().splitlines()
        _, inputs, latches, outputs, gates = map(int, lines[0].split()[1:6])
        count = inputs + latches + outputs + gates
        numbers = [[int(n) for n in line.split()] for line in lines[1 : 1 + count]]
    except (OSError, ValueError, IndexError) as error:
        raise ProofError(f"{folder}: Yosys left no circuit: {error}") from error
    ends = [inputs, inputs + latches, inputs + latches + outputs]
    return Circuit(
        folder=folder,
        inputs=[bits["input"].get(i, [UNKNOWN])[0] for i in range(inputs)],
        latches=[sorted(bits["latch"][i], key=_depth) for i in range(latches)],
        outputs=_outputs(bits["output"], [line[0] for line in numbers[ends[1] : ends[2]]]),
        input_literals=[line[0] for line in numbers[: ends[0]]],
        latch_literals=[(line[0], line[1]) for line in numbers[ends[0] : ends[1]]],
        output_literals=[line[0] for line in numbers[ends[1] : ends[2]]],
        gates=[tuple(line) for line in numbers[ends[2] : ends[2] + gates]],
    )
