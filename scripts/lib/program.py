"""The `cotenant` program that the scripts call."""

import functools
import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class ProgramError(Exception):
    """There is no program to call."""


@functools.cache
def cotenant() -> Path:
    """The one that COTENANT names, else the debug build, brought up to date."""
    given = os.environ.get("COTENANT")
    if given:
        found = shutil.which(given)
        if not found:
            raise ProgramError(f"COTENANT is {given}, expected a program that can be run")
        return Path(found).resolve()
    if not shutil.which("cargo"):
        raise ProgramError("cargo is not there: install Rust, or set COTENANT to the program")
    # All of the workspace, as its tests need it: of one package alone, more would be rebuilt.
    if subprocess.run(["cargo", "build", "--quiet", "--workspace"], cwd=ROOT).returncode:
        raise ProgramError("cargo build --workspace fails, see above")
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve() / "debug/cotenant"
