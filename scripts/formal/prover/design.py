"""What is proven: Verilog as `cotenant export` writes it, or somebody's own with the same ports."""

import json
from dataclasses import dataclass
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
        )
    except (OSError, ValueError, KeyError) as error:
        raise ProofError(f"{manifest}: not what cotenant export writes: {error!r}") from error
