"""A unit on the ECP5 without wide LUTs: what they cost where multiplexers are wide."""

import dataclasses
import shutil
from pathlib import Path

from . import design, records
from .family import ECP5

# LUT4s stay as they are, in place of being joined into LUT5 to LUT7.
OPTION = "-nowidelut"
FAMILY = dataclasses.replace(ECP5, synthesis=f"{ECP5.synthesis} {OPTION}")


def narrow(chosen):
    """Prints the MHz of the placer's seeds, and the cells; gives them to be recorded."""
    unit, _, name = chosen.what.partition(":")
    work = chosen.out or Path("out/fpga/narrow")
    shutil.rmtree(work, ignore_errors=True)
    one = design.export(unit, name, work / "verilog")
    entry, speed = records.placed(FAMILY, one, work, chosen.seeds)
    cells = entry["cells"]
    print(
        f"{unit} {one.set}, {ECP5.title}, {OPTION}: {speed}, "
        f"{cells['COMB']} COMB, {cells['FF']} FF, {cells['RAM']} RAM"
    )
    return entry | {"part": f"the whole unit, `{OPTION}`"}
