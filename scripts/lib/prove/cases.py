"""All cases at once: each signal is two integers, of which bit i belongs to case i: whether it can
be 0 there, and whether it can be 1. What depends on something unknown can be both."""

from .circuit import Circuit, Counterexample
from .tools import ProofError

# The flop that says that all was well so far.
HELD = "claims.held"


def go_through(circuit: Circuit, cases, parameters):
    """A counterexample among the cases, or None if all claims hold in all of them."""
    table = list(cases.inputs(parameters))
    every = (1 << len(table)) - 1
    enumerated = _columns(table)
    last = cases.cycle(parameters)
    following = [literal for _, literal in circuit.latch_literals]
    steps = _cone(circuit, following)
    state = [(every, every)] * len(circuit.latches)
    for cycle in range(last + 1):
        values = {0: (every, 0)}
        fixed = cases.then if cycle else cases.first
        for (name, bit), literal in zip(circuit.inputs, circuit.input_literals):
            known = (every, every)
            if name in fixed:
                known = (0, every) if fixed[name] >> bit & 1 else (every, 0)
            elif not cycle and (name, bit) in enumerated:
                known = enumerated[name, bit]
            values[literal] = known
        for (literal, _), known in zip(circuit.latch_literals, state):
            values[literal] = known
        _evaluate(steps if cycle < last else circuit.gates, values)
        if cycle < last:
            state = [_at(values, literal) for literal in following]
    held = next(i for i, names in enumerate(circuit.latches) if HELD in (name for name, _ in names))
    if state[held][1] != every:
        raise ProofError(f"{circuit.folder}: some cases are illegal or fail on the way")
    for output, literal in zip(circuit.outputs, circuit.output_literals):
        violated = _at(values, literal)[1]
        if violated:
            case = table[(violated & -violated).bit_length() - 1]
            return _counterexample(circuit, cases, case, last, output)
    return None


def _columns(table):
    """The cases by input bit."""
    columns = {}
    for key in table[0] if table else ():
        zero = "".join("0" if case[key] == 1 else "1" for case in reversed(table))
        one = "".join("0" if case[key] == 0 else "1" for case in reversed(table))
        columns[key] = (int(zero, 2), int(one, 2))
    if not columns:
        raise ProofError("there are no cases to go through")
    return columns


def _cone(circuit, literals):
    """The gates that the literals depend on."""
    needed = {literal & ~1 for literal in literals}
    gates = []
    for gate in reversed(circuit.gates):
        if gate[0] in needed:
            needed |= {gate[1] & ~1, gate[2] & ~1}
            gates.append(gate)
    return gates[::-1]


def _at(values, literal):
    zero, one = values[literal & ~1]
    return (one, zero) if literal & 1 else (zero, one)


def _evaluate(gates, values):
    for gate, left, right in gates:
        (left_zero, left_one), (right_zero, right_one) = _at(values, left), _at(values, right)
        values[gate] = (left_zero | right_zero, left_one & right_one)


def _counterexample(circuit, cases, case, last, output):
    """What was unknown is 0, except that all was well before."""
    state = [int(HELD in (name for name, _ in names)) for names in circuit.latches]
    cycles = []
    for cycle in range(last + 1):
        given = dict.fromkeys(circuit.inputs, 0)
        if not cycle:
            given |= {key: value or 0 for key, value in case.items()}
        fixed = cases.then if cycle else cases.first
        cycles.append([fixed.get(key[0], given[key]) for key in circuit.inputs])
    return Counterexample(output=output, state=state, cycles=cycles)
