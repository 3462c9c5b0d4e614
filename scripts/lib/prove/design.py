"""What is proven: Verilog as `cotenant export` writes it, or somebody's own with the same ports."""

import json
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from .tools import ProofError, run


@dataclass
class Design:
    """A unit in Verilog."""

    unit: str
    set: str
    top: str
    parameters: dict
    # Each with name, direction and width.
    ports: list
    sources: list
    # What inputs are legal: rules of the golden model, each with name, text and Verilog.
    assumptions: list = field(default_factory=list)
    # What was cut out: the instance in the top module, names and widths of its outputs.
    cut: str = ""
    cut_outputs: list = field(default_factory=list)

    @property
    def inputs(self):
        """Names and widths of what may be anything."""
        own = [(port["name"], port["width"]) for port in self.ports if port["direction"] == "input"]
        return own + [(f"cut_{name}", width) for name, width in self.cut_outputs]


def export(binary: Path, unit: str, name: str, folder: Path) -> Design:
    """Has the unit exported and reads what the export says of itself."""
    command = [str(binary), "export", unit, "--set", name, "--out", str(folder), "--json"]
    run(command, folder.parent, "export", 60)
    manifest = folder / "export.json"
    try:
        about = json.loads(manifest.read_text())
        return Design(
            unit=unit,
            set=about["set"],
            top=about["top"],
            parameters=about["parameters"],
            ports=[dict(port, name=port["verilog"]) for port in about["ports"]],
            sources=[folder / name for name in about["sources"]],
            assumptions=about["assumptions"],
        )
    except (OSError, ValueError, KeyError) as error:
        raise ProofError(f"{manifest}: not what cotenant export writes: {error!r}") from error


# What `cotenant export` writes before the body of a module, and an output in it.
HEAD = r"module {} \(.*?\n\);\n"
OUTPUT = re.compile(r"output (?:wire|reg) (?:\[(\d+):0\] )?(\w+)")


def cut_out(design: Design, instance: str, folder: Path) -> Design:
    """The unit without what is in an instance: its module has the same ports and no body.

    Nothing drives its outputs; the harness makes them inputs, which may be anything in any cycle. So
    what is proven of the rest holds with whatever stands there.
    """
    top = design.sources[-1].read_text()
    found = re.findall(rf"^  (\w+) {instance} \($", top, re.MULTILINE)
    if len(found) != 1:
        raise ProofError(f"{design.sources[-1]}: no instance '{instance}' to cut out")
    sources, outputs = [], []
    for file in design.sources:
        head = re.search(HEAD.format(found[0]), file.read_text(), re.DOTALL)
        if head:
            outputs = [(name, int(high or 0) + 1) for high, name in OUTPUT.findall(head[0])]
            file = folder / f"{found[0]}.v"
            file.write_text(f"// Cut out.\n{head[0].replace('output reg', 'output wire')}endmodule\n")
        sources.append(file)
    if not outputs:
        raise ProofError(f"{design.sources[-1]}: no module {found[0]} with outputs to cut out")
    return replace(design, sources=sources, cut=instance, cut_outputs=outputs)
