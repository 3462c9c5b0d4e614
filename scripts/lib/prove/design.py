"""What is proven: Verilog as `cotenant export` writes it, or other RTL with the same ports."""

import json
import re
import shutil
import threading
from dataclasses import dataclass, field
from pathlib import Path

from .tools import ProofError, run


@dataclass
class Design:
    """A unit in Verilog."""

    unit: str
    set: str
    top: str
    parameters: dict
    # Each with its name in Verilog, its own in the netlist, direction, width and elements.
    ports: list
    sources: list
    # What inputs are legal: rules of the golden model, each with name, text and Verilog.
    assumptions: list = field(default_factory=list)

    @property
    def inputs(self):
        """Names and widths of what may be anything."""
        return [(port["name"], port["width"]) for port in self.ports if port["direction"] == "input"]


_SOUND = {}
_EXPORTING = threading.Lock()


def sound(binary: Path, unit: str, name: str, out: Path, without="") -> Design:
    """The unit without a fault, exported once for all who ask in this run."""
    folder = out / "sound" / re.sub(r"[^\w-]+", "_", f"{unit}_{name}_{without}").strip("_")
    with _EXPORTING:
        key = (folder, unit, name, without)
        if key not in _SOUND:
            if (folder / "export.log").exists():
                shutil.rmtree(folder)
            _SOUND[key] = export(binary, unit, name, folder / "export", without)
        return _SOUND[key]


def export(binary: Path, unit: str, name: str, folder: Path, without="", fault="") -> Design:
    """Has the unit exported and reads what the export says of itself.

    `without` is an instance of the top module that is left out: what it put out are inputs, which
    may be anything in any cycle. So what is proven of the rest holds with whatever stands there.
    `fault` is one that the unit gets, as `cotenant export --list-faults` words it."""
    command = [str(binary), "export", unit, "--config", name, "--unrolled", "--json"]
    command += ["--out", str(folder)]
    command += [f"--without={without}"] if without else []
    command += [f"--fault={fault}"] if fault else []
    run(command, folder.parent, "export", 60)
    manifest = folder / "export.json"
    try:
        about = json.loads(manifest.read_text())
        return Design(
            unit=unit,
            set=about["set"],
            top=about["top"],
            parameters=about["parameters"],
            ports=[dict(port, name=port["verilog"], own=port["name"]) for port in about["ports"]],
            sources=[folder / name for name in about["sources"]],
            assumptions=about["assumptions"],
        )
    except (OSError, ValueError, KeyError) as error:
        raise ProofError(f"{manifest}: not what cotenant export writes: {error!r}") from error
