"""The cell library: osu018, standard cells of Oklahoma State University for a 0.18 um process.

It comes with Debian's qflow-tech-osu018 and is never copied here."""

import hashlib
import re
from functools import lru_cache
from pathlib import Path

from .tools import GateError

NAME = "osu018_stdcells"
FOLDER = Path("/usr/share/qflow/tech/osu018")
# Timing, power and area; and what the cells do, in Verilog.
LIBERTY = FOLDER / f"{NAME}.lib"
VERILOG = FOLDER / f"{NAME}.v"
# Drives every input in synthesis and timing analysis.
DRIVER = "BUFX2"
# Everything that holds a bit.
FLOPS = ("DFFPOSX1", "DFFNEGX1", "DFFSR", "LATCH")
# Area is told in these.
NAND2 = "NAND2X1"


def _text() -> str:
    try:
        return LIBERTY.read_text()
    except OSError as error:
        raise GateError(f"{LIBERTY}: {error.strerror}: run scripts/setup") from error


@lru_cache
def areas() -> dict:
    """Area of each cell in square micrometres."""
    found = re.findall(r"^cell \((\w+)\) \{.*?^\s*area : ([\d.]+);", _text(), re.M | re.S)
    areas = {name: float(area) for name, area in found}
    if NAND2 not in areas or DRIVER not in areas:
        raise GateError(f"{LIBERTY}: no area of {NAND2} or {DRIVER}: expected the osu018 library")
    return areas


@lru_cache
def digest() -> str:
    """Of the timing library's text."""
    return hashlib.sha256(_text().encode()).hexdigest()[:16]
