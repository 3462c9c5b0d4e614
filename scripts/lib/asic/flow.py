"""From a unit to its record: export, synthesis, simulation of the vectors, timing, power."""

import hashlib
import json
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from . import activity, library, netlist, sta
from .tools import GateError, run

# Picoseconds that abc sizes and buffers for; femtofarad at the outputs. abc reads the driver and
# the load from the file of constraints, and buffers and sizes only where it has one.
SYNTHESIS = """\
read_liberty -lib {liberty}
read_verilog {sources}
synth -flatten -top {top}
dfflibmap -liberty {liberty}
abc -D {picoseconds} -liberty {liberty} -constr abc.constr
opt_clean -purge
check -assert -mapped
tee -q -o cells.json stat -json
write_verilog -noattr -noexpr -simple-lhs gates.v
"""
CONSTRAINTS = "set_driving_cell {driver}\nset_load {load:g} [all_outputs]\n"

# Shows the netlist and the clock; changes are counted later.
WAVES = """\
module gates_waves;
  initial begin
    $dumpfile("gates.vcd");
    $dumpvars(1, {top}_tb.clock, {top}_tb.dut);
  end
endmodule
"""


@dataclass(frozen=True)
class Settings:
    """What a result depends on besides the unit."""

    # Nanoseconds; the clock's period in synthesis, timing and power.
    period: float = 5.0
    cycles: int = 2000
    seed: int = 0x9E37

    def flow(self) -> str:
        """Digest of all that leads from Verilog to a record, but for the tools."""
        parts = [SYNTHESIS, CONSTRAINTS, sta.TIMING, sta.POWER, repr(sta.LOAD)]
        parts += [repr(self), library.DRIVER]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Design:
    """An exported unit with its testbench, in DIR/rtl."""

    folder: Path
    about: dict

    @property
    def top(self) -> str:
        """Name of the top module."""
        return self.about["top"]

    @property
    def netlist(self) -> str:
        """Digest of the netlist that the Verilog was made from, by which records are found again:
        of inputs, outputs, flops, memories and logic. Designs of the same digest are the same
        hardware, whatever their wires are called and however the Verilog is written."""
        return self.about["netlist"]

    @property
    def clock(self) -> str:
        """Name of the clock; empty if there is none."""
        clocks = [port["verilog"] for port in self.about["ports"] if port["clock"]]
        return clocks[0] if clocks else ""


def opened(folder: Path) -> Design:
    """The design whose export is in DIR/rtl."""
    manifest = folder / "rtl/export.json"
    try:
        return Design(folder, json.loads(manifest.read_text()))
    except (OSError, ValueError) as error:
        raise GateError(f"{manifest}: {error}: expected a folder of scripts/asic run") from error


def export(binary: Path, unit: str, name: str, folder: Path, settings=None) -> Design:
    """Exports a unit into DIR/rtl, with its testbench if there are settings."""
    command = [binary, "export", unit, "--config", name, "--unrolled", "--out", folder / "rtl"]
    if settings:
        command += ["--testbench", "--cycles", settings.cycles, "--seed", settings.seed]
    folder.mkdir(parents=True, exist_ok=True)
    run(command, folder)
    return opened(folder)


def synthesise(design: Design, period: float) -> Counter:
    """Writes gates.v; how many cells there are of each kind."""
    folder = design.folder
    load = sta.LOAD * 1000
    (folder / "abc.constr").write_text(CONSTRAINTS.format(driver=library.DRIVER, load=load))
    (folder / "synthesis.ys").write_text(
        SYNTHESIS.format(
            liberty=library.LIBERTY,
            sources=" ".join(f"rtl/{name}" for name in design.about["sources"]),
            top=design.top,
            picoseconds=round(period * 1000),
        )
    )
    log = run(["yosys", "synthesis.ys"], folder)
    (folder / "synthesis.log").write_text(log)
    cells = json.loads((folder / "cells.json").read_text())["design"]["num_cells_by_type"]
    unknown = sorted(set(cells) - set(library.areas()))
    if unknown:
        raise GateError(f"gates.v: not in {library.NAME}: {', '.join(unknown)}")
    return Counter(cells)


def play(design: Design, waves=False) -> tuple:
    """Plays the unit's vectors on gates.v; whether all is as expected, and what was printed."""
    top, folder = design.top, design.folder
    command = ["iverilog", "-g2005", "-o", "gates.vvp", "-s", f"{top}_tb"]
    if waves:
        (folder / "gates_waves.v").write_text(WAVES.format(top=top))
        command += ["-s", "gates_waves", "gates_waves.v"]
    # Delays are left out: what takes how long is OpenSTA's.
    command += [f"-P{top}_tb.VECTORS=\"rtl/{top}.vec\"", f"rtl/{top}_tb.v", "gates.v"]
    run([*command, library.VERILOG], folder)
    said = run(["vvp", "-n", "gates.vvp"], folder)
    cycles = design.about["vectors"]["cycles"]
    match = re.search(r"^PASS (\d+) cycles, (\d+) compared$", said, re.M)
    good = bool(match) and int(match[1]) == cycles and int(match[2]) > 0
    return good, said


def record(binary: Path, unit: str, name: str, folder: Path, settings: Settings) -> dict:
    """All that is measured of a unit; files go to `folder`.

    The vectors' verdict is in `passes`; without a pass there is nothing else to know."""
    design = export(binary, unit, name, folder, settings)
    cells = synthesise(design, settings.period)
    good, said = play(design, waves=True)
    (folder / "vectors.log").write_text(said)
    result = {
        "unit": unit,
        "set": design.about["set"],
        "aliases": design.about["aliases"],
        "netlist": design.netlist,
        "passes": good,
    }
    if not good:
        return result
    with (folder / "gates.vcd").open() as waves:
        measured = activity.measure(waves)
    (folder / "gates.vcd").unlink()
    gates = netlist.read((folder / "gates.v").read_text())
    script = sta.script("gates.v", design.top, design.clock, settings.period)
    report = sta.analyse(folder, script)
    area = sum(library.areas()[kind] * count for kind, count in cells.items())
    result |= {
        "compared": int(re.search(r"(\d+) compared", said)[1]),
        "cells": sum(cells.values()),
        "flops": sum(cells[kind] for kind in library.FLOPS),
        "area_um2": area,
        "nand2": area / library.areas()[library.NAND2],
        "slack_ns": sta.worst_slack(report),
        "power_mw": sta.power(report, gates, measured),
        "activity": sum(changes for changes, _ in measured.values()) / len(measured),
    }
    return result
