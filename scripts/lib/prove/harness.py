"""The Verilog in which a unit, its reference and the facts about it meet."""

from dataclasses import dataclass

from .proof import FORMAL, REACHABILITY, Proof
from .design import Design

# The module that is made here.
TOP = "prove"


@dataclass(frozen=True)
class Group:
    """Facts or consequences that have a name: a wire, and an output bit for each."""

    name: str
    width: str
    output: str


def _wire(direction, width, name):
    return f"  {direction + ' ' if direction else ''}wire [{width} - 1:0] {name};\n"


def _number(value):
    """A parameter as Verilog has it, where numbers without a width may have 32 bits."""
    return f"64'd{value}" if isinstance(value, int) and value >= 2**31 else value


def _instance(module, name, parameters, connections):
    passed = ", ".join(f".{key}({_number(value)})" for key, value in parameters.items())
    wires = ",\n      ".join(f".{port}({wire})" for port, wire in connections)
    return f"  {module}{f' #({passed})' if passed else ''} {name} (\n      {wires}\n  );\n"


def _probe(name, width, paths):
    """Signals inside the unit, the first lowest.

    Yosys joins wires of their names to them when it flattens; simulators know them by path.
    """
    joined = "".join(f"  (* hierconn *) wire [{width} - 1:0] \\{path} ;\n" for path in paths)
    escaped = ", ".join(f"\\{path} " for path in reversed(paths))
    plain = ", ".join(reversed(paths))
    vector = f"  wire [({width}) * {len(paths)} - 1:0] {name}"
    return (
        f"`ifdef YOSYS\n{joined}{vector} = {{{escaped}}};\n"
        f"`else\n{vector} = {{{plain}}};\n`endif\n"
    )


def _element_widths(design):
    """QUOTA_W of a port `quota` of several elements, where no parameter has that name."""
    return [
        f"  localparam {name} = {port['width'] // port['elements']};\n"
        for port in design.ports
        for name in [f"{port['name'].upper()}_W"]
        if port["elements"] > 1 and name not in design.parameters
    ]


def _usual(given):
    """Widths of a kernel's and a way's number and the largest ratio, of which facts speak."""
    usual = {}
    for name, width in (("KERNELS", "KID_W"), ("WAYS", "WAY_W")):
        if name in given:
            usual[width] = max(1, (given[name] - 1).bit_length())
    if "INTERVAL_W" in given:
        usual["RATIO_MAX"] = min(32, 2 ** given["INTERVAL_W"])
    return {name: value for name, value in usual.items() if name not in given}


def _assumed(design):
    """What inputs are legal, as the export says it."""
    lines = [
        f"  // {rule['text']}\n  wire legal_{rule['name']} = {rule['verilog']};\n"
        for rule in design.assumptions
    ]
    legal = " && ".join(f"legal_{rule['name']}" for rule in design.assumptions) or "1'b1"
    return "".join(lines) + f"  wire legal = {legal};\n"


def _equal(port):
    """Equality with the reference, element by element."""
    name, elements = port["name"], port["elements"]
    width = port["width"] // elements
    bits = (f"{name}[{i * width}+:{width}] == ref_{name}[{i * width}+:{width}]"
            for i in reversed(range(elements)))
    group = Group(f"equal_{name}", str(elements), f"differs_{name}")
    return group, f"  wire [{elements} - 1:0] {group.name} = {{{', '.join(bits)}}};\n"


def _claims(clocked, apart, facts, consequences, assumed):
    """The instance that decides; a constant stands in where there is nothing to decide."""

    def joined(groups, key, empty):
        return f"{{{', '.join([getattr(group, key) for group in reversed(groups)] + [empty])}}}"

    def count(groups):
        return " + ".join([group.width for group in groups] + ["1"])

    wires = [("clock", "clock"), ("reset", "reset")] if clocked else []
    wires += [
        ("legal", " & ".join(f"(&{wire})" for wire in assumed)),
        ("facts", joined(facts, "name", "1'b1")),
        ("consequences", joined(consequences, "name", "1'b1")),
        ("violated", joined(facts, "output", "no_fact")),
        ("refuted", joined(consequences, "output", "no_consequence")),
    ]
    parameters = {"FACTS": count(facts), "CONSEQUENCES": count(consequences)}
    if apart:
        parameters["APART"] = "1"
    return "  wire no_fact, no_consequence;\n" + _instance(
        "claims" if clocked else "claims_at_once", "claims", parameters, wires
    )


def free(design: Design, proof: Proof):
    """Names and widths of what may be anything."""
    return design.inputs + proof.free(design.parameters)


def text(design: Design, proof: Proof) -> str:
    """The top module: inputs free; one output bit per claim, high where it is violated."""
    inputs = [port for port in design.ports if port["direction"] == "input"]
    outputs = [port for port in design.ports if port["direction"] == "output"]
    constants = {**design.parameters, **proof.constants(design.parameters)}
    clocked = any(port["name"] == "clock" for port in inputs)
    facts, consequences = (
        [Group(name, f"{name.upper()}_FACTS", f"{how}_{name}") for name in names]
        for how, names in (("violated", proof.facts), ("refuted", proof.consequences))
    )

    inputs_free = free(design, proof)
    further = proof.free(design.parameters)
    body = [f"`define DUT {design.top}\n"] if further else []
    body += [_wire("input", width, name) for name, width in inputs_free]
    constants = {**_usual(constants), **constants}
    body += [f"  localparam {key} = {_number(value)};\n" for key, value in constants.items()]
    body += _element_widths(design)
    body.append("  genvar i, j;\n")
    body += [_wire("", port["width"], port["name"]) for port in outputs]
    if proof.assumed:
        body.append(f'`include "assumptions/{proof.assumed}.vh"\n')
    else:
        body.append(_assumed(design))
    if proof.inside:
        body += [_probe(*signals) for signals in proof.inside(design.parameters)]
    parts = proof.cut.split(",") if proof.cut else ()
    if any(name.startswith(f"{part}_") for name, _ in design.inputs for part in parts):
        # What the part that is left out puts out are inputs, by its name.
        body.append("`define CUT\n")
    body += [f'`include "facts/{name}.vh"\n' for name in proof.included]
    plain = [(port["name"], port["name"]) for port in inputs + outputs]
    body.append(_instance(design.top, "dut", {}, plain))
    if proof.reference:
        body += [_wire("", port["width"], "ref_" + port["name"]) for port in outputs]
        wires = [(port["name"], port["name"]) for port in inputs]
        wires += [(port["name"], "ref_" + port["name"]) for port in outputs]
        wires += [(name, name) for name in proof.reference_state]
        told = {**design.parameters, **{name: name for name in proof.reference_widths}}
        body.append(_instance("ref_" + design.unit, "ref", told, wires))
        compared = [p for p in outputs if not proof.compared or p["name"] in proof.compared]
        for group, wire in map(_equal, compared):
            consequences.append(group)
            body.append(wire)
    groups = facts + consequences
    body += [_wire("output", group.width, group.output) for group in groups]
    apart = proof.engine == REACHABILITY
    body.append(_claims(clocked, apart, facts, consequences, ("legal", *proof.lemmas)))

    names = [name for name, _ in inputs_free] + [group.output for group in groups]
    head = f"// {design.unit} {design.set}: {proof.claim}.\nmodule {TOP} (\n    "
    return head + ",\n    ".join(names) + "\n);\n" + "".join(body) + "endmodule\n"


def sources(design: Design, proof: Proof):
    """All files of a proof but the harness itself."""
    files = [FORMAL / "references" / f"{name}.v" for name in proof.reference_files]
    files += [FORMAL / "protocols" / f"{name}.v" for name in proof.modules]
    return [*design.sources, *files, FORMAL / "claims.v"]
