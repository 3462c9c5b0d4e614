"""Deciding claims about a circuit. All engines are complete proofs: what they prove holds
for ever, not up to a depth.

sat: no flops; each output is shown to be 0 for all inputs (abc sat; iprove where that gives up).

induction: facts hold in a cycle that follows a reset, or `depth` cycles with legal inputs in
which all facts held, whatever state that started from. So they hold for ever after a reset. Each
is decided by itself, all being assumed before. Consequences are decided in any state with
the facts (as sat, on the unrolled circuit).

cases: inputs of the first cycle are gone through one by one, all at once, bit by bit; flops may be
anything before it, and so may inputs that are not given. A value that depends on them is unknown;
the claims must be known to hold after a number of cycles.

reachability: a bound on the states that follow from a reset is searched for, in which all claims
hold and which no step leaves (abc pdr). It needs no hints and no names from inside. What a reset
leaves undefined, as the content of a memory, may be anything.

correspondence: starting from reset, signals of unit and reference are found to be equal, by
simulation and induction, until the outputs are (abc dprove). It needs no hints, but starts
from one state: it is also shown that reset leads to that state from any other.
"""

from .cases import go_through
from .proof import CASES, CORRESPONDENCE, INDUCTION, REACHABILITY, SAT
from .circuit import Circuit, Counterexample
from .tools import ProofError, run

# abc may take as long for one proof.
LIMIT = 240
# Cycles from reset in which a counterexample is looked for.
SEARCH = 40

ABC = "berkeley-abc"

# The solver alone answers most questions at once; iprove rewrites and sweeps in between, which takes
# ten times as long where it does not help.
DECIDERS = {"prove": "sat -C 300000", "sweep": "iprove"}


def decide(circuit: Circuit, proof, parameters):
    """A counterexample, or None if there is none."""
    engine, depth = proof.engine, proof.depth(parameters)
    if engine == SAT:
        if circuit.latches:
            raise ProofError(f"{circuit.folder}: has flops, sat is for units without")
        return _each(circuit, circuit.folder / "circuit.aig", 1, range(len(circuit.outputs)))
    if engine == INDUCTION:
        return _induction(circuit, depth)
    if engine == CASES:
        return go_through(circuit, proof.cases, parameters)
    if engine == REACHABILITY:
        return _reachability(circuit)
    assert engine == CORRESPONDENCE
    return _correspondence(circuit)


def bound(proof, parameters) -> str:
    """What the proof looks at, for reports."""
    return {
        SAT: "all inputs",
        INDUCTION: f"unbounded, {proof.depth(parameters)}-induction",
        CASES: "all ratios, from any state",
        CORRESPONDENCE: "unbounded, from reset",
        REACHABILITY: "unbounded, from reset",
    }[proof.engine]


def _abc(circuit, commands, name):
    """Runs abc; what it prints, by the last thing that it was told to echo."""
    script = circuit.folder / f"{name}.abc"
    script.write_text("\n".join(commands) + "\n")
    text = run([ABC, "-q", f"source {script.name}"], circuit.folder, name, LIMIT)
    parts = text.split("about ")
    return {part.split(maxsplit=1)[0]: part for part in parts[1:]}


def _each(circuit, aig, frames, wanted):
    """Whether each of the wanted outputs, of all frames one after the other, is always 0."""
    unknown = list(wanted)
    for name, decider in DECIDERS.items():
        said = _abc(circuit, _cones(aig, unknown, decider), name)
        for number in unknown:
            if "SATISFIABLE" in said.get(str(number), "").replace("UNSATISFIABLE", ""):
                return _values(circuit, aig, frames, number)
        unknown = [number for number in unknown if "UNSATISFIABLE" not in said.get(str(number), "")]
        if not unknown:
            return None
    bits = [circuit.outputs[number % len(circuit.outputs)] for number in unknown]
    names = ", ".join(f"{name}[{bit}]" for name, bit in bits[:3])
    log = circuit.folder / f"{name}.log"
    raise ProofError(f"abc does not decide {len(unknown)} claims ({names}), see {log}")


def _cones(aig, numbers, decider):
    """Decides outputs one after the other."""
    commands = []
    for number in numbers:
        commands += [f"read_aiger {aig.name}", f"cone -a -O {number}", f"echo about {number}", decider]
    return commands


def _digits(circuit, name, count):
    text = (circuit.folder / name).read_text().split("#")[0]
    digits = [int(digit) for digit in text if digit in "01"]
    if len(digits) < count:
        raise ProofError(f"{circuit.folder / name}: {len(digits)} values, {count} expected")
    return digits


def _values(circuit, aig, frames, number):
    """The inputs that make an output of an unrolled circuit high."""
    commands = [f"read_aiger {aig.name}", f"cone -a -O {number}", "iprove", "write_cex values.txt"]
    _abc(circuit, commands, "values")
    inputs = len(circuit.inputs)
    digits = _digits(circuit, "values.txt", frames * inputs + len(circuit.latches))
    # Up to the frame of that output.
    last = number // len(circuit.outputs) + 1
    return Counterexample(
        output=circuit.outputs[number % len(circuit.outputs)],
        state=digits[frames * inputs :],
        cycles=[digits[i * inputs : (i + 1) * inputs] for i in range(last)],
    )


def _induction(circuit, depth):
    frames = depth + 1
    unroll = ["read_aiger circuit.aig", f"frames -F {frames}", "comb", "write_aiger unrolled.aig"]
    _abc(circuit, unroll, "unroll")
    count = len(circuit.outputs)
    facts = [i for i, (name, _) in enumerate(circuit.outputs) if name.startswith("violated_")]
    others = [i for i in range(count) if i not in set(facts)]
    # Facts in the last cycle, consequences in the first, whose state is any.
    wanted = [depth * count + i for i in facts] + others
    constant = {i for i, literal in enumerate(circuit.output_literals) if literal == 0}
    wanted = [number for number in wanted if number % count not in constant]
    return _each(circuit, circuit.folder / "unrolled.aig", frames, wanted)


def _correspondence(circuit):
    free = [
        circuit.latches[i][0]
        for i, value in enumerate(circuit.after_reset())
        if value is None
    ]
    if free:
        names = ", ".join(f"{name}[{bit}]" for name, bit in free[:3])
        raise ProofError(
            f"{len(free)} flops are not reset ({names}): correspondence starts from reset"
        )
    commands = ["read_aiger circuit.aig", "zero", "orpos", "strash", "echo about all", "dprove"]
    answer = _abc(circuit, commands, "prove").get("all", "nothing")
    if "Networks are equivalent" in answer:
        return None
    return _from_reset(circuit, ["zero"])


# Flops may hold anything at first; nothing is claimed before a reset.
FREE = ("logic", "undc", "strash", "zero")


def _reachability(circuit):
    # Equal signals first, for all claims at once; then each claim by itself, with what it depends on.
    wanted = [i for i, literal in enumerate(circuit.output_literals) if literal != 0]
    commands = ["read_aiger circuit.aig", *FREE, "scleanup", "scorr", "write_aiger reduced.aig"]
    for number in wanted:
        commands += ["read_aiger reduced.aig", f"cone -s -O {number}", "scleanup"]
        commands += [f"echo about {number}", "pdr"]
    said = _abc(circuit, commands, "prove")
    for number in wanted:
        if "Property proved" not in said.get(str(number), "nothing"):
            return _from_reset(circuit, FREE)
    return None


def _from_reset(circuit, prepare):
    """A counterexample that begins with a reset."""
    commands = ["read_aiger circuit.aig", *prepare, "echo about search", f"bmc3 -F {SEARCH}"]
    answer = _abc(circuit, commands + ["write_cex values.txt"], "search").get("search", "nothing")
    if "was asserted in frame" not in answer:
        raise ProofError(f"abc does not decide, see {circuit.folder / 'prove.log'}")
    words = answer.replace(".", " ").split()
    number = int(words[words.index("Output") + 1])
    frames = int(words[words.index("frame") + 1]) + 1
    text = (circuit.folder / "values.txt").read_text().split("#")[0]
    digits = [int(digit) for digit in text if digit in "01"]
    # A line of flops, with one more that tells the first cycle if others are free then; by cycle
    # the inputs, behind the circuit's one for each flop that is free.
    inputs = len(circuit.inputs)
    wide = (len(digits) - len(circuit.latches)) // frames
    if wide < inputs:
        raise ProofError(f"{circuit.folder / 'values.txt'}: too few values, {len(digits)}")
    digits = digits[len(digits) - frames * wide :]
    return Counterexample(
        output=circuit.outputs[number],
        state=None,
        cycles=[digits[i * wide : i * wide + inputs] for i in range(frames)],
    )
