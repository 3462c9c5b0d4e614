"""OpenSTA on the gate-level netlist: worst slack, and power with the activity of the vectors."""

import re
from pathlib import Path

from . import library
from .tools import GateError, run

# Picofarad at every output.
LOAD = 0.02

# The clock of a unit without one is a period and nothing else.
TIMING = """\
read_liberty {liberty}
read_verilog {netlist}
link_design {top}
create_clock -name clock -period {period} {clock}
set inputs [list]
foreach port [all_inputs] {{
  if {{[get_name $port] != "{clock}"}} {{ lappend inputs $port }}
}}
set_driving_cell -lib_cell {driver} $inputs
set_input_delay 0 -clock clock $inputs
set_output_delay 0 -clock clock [all_outputs]
set_load {load} [all_outputs]
report_checks -path_delay max -digits 4
report_worst_slack -digits 4
"""

POWER_MARK = "cells at activity {}"
POWER = """\
set_power_activity -global -activity 0 -duty 0.5
puts "cells at activity 0"
report_power -instances [get_cells *] -digits 6
set_power_activity -global -activity 1 -duty 0.5
puts "cells at activity 1"
report_power -instances [get_cells *] -digits 6
"""

# OpenSTA goes on after an error and ends with 0.
WRAPPED = """\
if {{[catch {{ source {script} }} message]}} {{
  puts "Error: $message"
  exit 1
}}
"""


def script(netlist: str, top: str, clock: str, period: float) -> str:
    """Commands that time a netlist and report its power; `clock` is its port, or empty."""
    timing = TIMING.format(
        liberty=library.LIBERTY,
        netlist=netlist,
        top=top,
        period=f"{period:g}",
        clock=clock,
        driver=library.DRIVER,
        load=LOAD,
    )
    return timing + POWER


def analyse(folder: Path, script: str) -> str:
    """Runs commands, kept as sta.tcl; what OpenSTA says, kept as sta.rpt."""
    (folder / "sta.tcl").write_text(script)
    (folder / "wrapped.tcl").write_text(WRAPPED.format(script="sta.tcl"))
    said = run(["sta", "-no_splash", "-exit", "wrapped.tcl"], folder)
    (folder / "wrapped.tcl").unlink()
    (folder / "sta.rpt").write_text(said)
    # A warning is a pin or a port that was not found: the result would be of something else.
    for line in said.splitlines():
        if line.startswith(("Error", "Warning")):
            raise GateError(f"OpenSTA: {line}")
    return said


def worst_slack(said: str) -> float:
    """The worst slack in nanoseconds."""
    match = re.search(r"^worst slack (-?[\d.]+)$", said, re.M)
    if not match:
        raise GateError("OpenSTA reports no worst slack: there is no path")
    return float(match[1])


def power(said: str, gates: list, activity: dict) -> dict:
    """Power in milliwatts, each cell with the activity of what it drives.

    OpenSTA 2.0 takes no activity from waves, and its own propagation knows neither enables nor
    reset. But a cell's power is linear in its activity, so its power at activity 0, the clock
    alone, and at 1 tell that at any other."""
    idle, busy = _cells(said, 0), _cells(said, 1)
    total = dict.fromkeys(_KINDS, 0.0)
    for gate in gates:
        try:
            driven = [activity[net][0] for _, net in gate.outputs()]
            rest, work = idle[gate.name], busy[gate.name]
        except KeyError as error:
            raise GateError(f"{gate.kind} {gate.name}: no wave or power of {error}") from None
        share = sum(driven) / len(driven)
        for kind, low, high in zip(_KINDS, rest, work):
            total[kind] += (low + share * (high - low)) * 1e3
    if not gates or len(idle) != len(gates):
        raise GateError(f"OpenSTA reports the power of {len(idle)} cells, expected {len(gates)}")
    return total


_KINDS = ("internal", "switching", "leakage", "total")


def _cells(said, level):
    """Power of each cell in watts at activity 0 or 1: internal, switching, leakage, total."""
    part = said.split(POWER_MARK.format(level))
    if len(part) != 2:
        raise GateError(f"OpenSTA reports no power at activity {level}")
    lines = part[1].split(POWER_MARK.format(level + 1))[0].splitlines()
    rows = [line.split() for line in lines]
    cells = [row for row in rows if len(row) == 5 and row[4].startswith("_")]
    return {row[4]: [float(value) for value in row[:4]] for row in cells}
