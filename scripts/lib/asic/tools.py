"""Running other programs, with errors that say which one, where and what to do."""

import re
import subprocess
from pathlib import Path


class GateError(Exception):
    """Why a unit could not be synthesized or measured."""


def run(command, folder: Path, limit: float = 1200) -> str:
    """What `command` prints when run in `folder`; an error if it fails."""
    tool = Path(command[0]).name
    try:
        done = subprocess.run(
            [str(part) for part in command],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=limit,
            text=True,
            errors="replace",
        )
    except OSError as error:
        hint = "run cargo build" if tool == "cotenant" else "run scripts/setup"
        raise GateError(f"{command[0]} does not start ({error.strerror}): {hint}") from error
    except subprocess.TimeoutExpired as error:
        raise GateError(f"{tool} takes longer than {limit:.0f} s") from error
    if done.returncode:
        lines = [line for line in done.stdout.splitlines() if line.strip()]
        said = "\n".join(lines[-10:]) or "nothing"
        raise GateError(f"{tool} fails with {done.returncode}:\n{said}")
    return done.stdout


def versions() -> dict:
    """Versions of the tools that results depend on, by name."""
    asked = {
        "Yosys": (["yosys", "-V"], r"Yosys (\S+)"),
        "Icarus Verilog": (["iverilog", "-V"], r"Icarus Verilog version (\S+)"),
        "OpenSTA": (["sta", "-version"], r"(\d\S+)"),
    }
    found = {}
    for name, (command, pattern) in asked.items():
        said = run(command, Path.cwd(), 60)
        match = re.search(pattern, said)
        if not match:
            raise GateError(f"{' '.join(command)}: no version in {said!r}")
        found[name] = match[1]
    return found
