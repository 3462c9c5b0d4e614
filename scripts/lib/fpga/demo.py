"""The demo of examples/fpga: built for a board, simulated, compared with the golden model."""

import difflib
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from . import design, stream, tools
from .family import ECP5, ICE40, Family

SOURCE = tools.ROOT / "examples" / "fpga"
TRACE = tools.ROOT / "examples" / "traces" / "four_kernels.csv"
# In each folder that scripts/fpga made: only such a one is replaced.
MARK = ".fpga"
COMMON = ("uart_tx.v", "decimal.v", "demo.v")


@dataclass(frozen=True)
class Board:
    """A board: its top module has its name, and stands in a file of this name."""

    name: str
    title: str
    family: Family
    clock_hz: int
    constraints: str
    button: bool


HX8K = Board("hx8k", "iCE40-HX8K Breakout Board", ICE40, 12_000_000, "hx8k.pcf", False)
ULX3S = Board("ulx3s", "ULX3S 25F", ECP5, 25_000_000, "ulx3s.lpf", True)
BOARDS = {board.name: board for board in (HX8K, ULX3S)} | {"ecp5": ULX3S}


@dataclass(frozen=True)
class Job:
    """A demo in its folder: the monitor, the files of the design, the text it has to send."""

    board: Board
    folder: Path
    monitor: design.Design
    sources: list
    text: bytes
    accesses: int


def refuse_other(folder: Path):
    """Only what scripts/fpga made is replaced."""
    if folder.exists() and not (folder / MARK).exists():
        raise tools.FpgaError(f"{folder} holds something else: give another --out, or remove it")


def prepare(board: Board, set_name: str, count: int, trace: Path, source: Path, folder: Path) -> Job:
    """Exports the monitor, writes the demo's memories, asks the golden model."""
    refuse_other(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / MARK).touch()
    monitor = design.export("llc_monitor", set_name, folder / "monitor")
    played = stream.accesses(trace, monitor.parameters["KERNELS"], count)
    stream.write(monitor, played, folder)
    answer = stream.golden(monitor, folder)
    text = stream.expected(monitor, len(played), answer)
    (folder / "expected.txt").write_bytes(text)
    files = [*COMMON, f"{board.name}.v", board.constraints, "testbench.v"]
    for name in files:
        try:
            shutil.copy(source / name, folder)
        except OSError as error:
            raise tools.FpgaError(f"{error.filename}: {error.strerror}") from error
    sources = [f"monitor/{name}" for name in monitor.sources]
    sources += [*COMMON, f"{board.name}.v"]
    return Job(board, folder, monitor, sources, text, len(played))


def synthesise(job: Job, baud: int):
    """Makes NAME.json for the placer."""
    name = job.board.name
    job.board.family.synthesise(job.folder, job.sources, name, name, f"BAUD {baud}")


def defines(job: Job, baud: int) -> list:
    """What the testbench has to know."""
    board = job.board
    # Two texts; the sweep and the stream take cycles, not bits.
    bits = 2 * 11 * len(job.text) + 1000
    bits += 4 * (job.accesses + job.monitor.parameters["SETS"]) * baud // board.clock_hz
    values = {"BOARD": board.name, "CLOCK_HZ": board.clock_hz, "BAUD": baud, "LIMIT": 2 * bits}
    return [f"-D{key}={value}" for key, value in values.items()] + ["-DBUTTON"] * board.button


def simulate(job: Job, baud: int):
    """Runs the testbench on the design in Icarus and compares what the line said."""
    command = ["iverilog", "-g2005", "-Wall", "-Wno-timescale", *defines(job, baud)]
    command += ["-s", "testbench", "-o", "design.vvp", "testbench.v", *job.sources]
    tools.run(command, job.folder, "iverilog")
    (job.folder / "received.txt").unlink(missing_ok=True)
    compare(job, tools.run(["vvp", "-n", "design.vvp"], job.folder, "vvp"))


def simulate_bitstream(job: Job, baud: int, optimise="-O1"):
    """Unpacks the bitstream to Verilog and runs the testbench on it in Verilator: iCE40 only.
    `optimise` is for g++: compiling takes longer than a short text."""
    name, folder = job.board.name, job.folder
    tools.run(["iceunpack", f"{name}.bin", "unpacked.asc"], folder, "iceunpack")
    command = ["icebox_vlog", "-s", "-n", name, "-p", job.board.constraints, "unpacked.asc"]
    text = tools.run(command, folder, "icebox_vlog")
    # It declares the ports once more as nets, which Verilator takes of a plain port list only.
    header = re.compile(rf"module {name} \((.*?)\);")
    ports = [port.split() for port in header.search(text)[1].split(",")]
    plain = f"module {name} ({', '.join(port for _, port in ports)});"
    plain += "".join(f" {direction} {port};" for direction, port in ports)
    (folder / "unpacked.v").write_text(header.sub(plain, text, count=1))
    cells = Path(tools.find("yosys")).resolve().parent.parent / "share/yosys/ice40/cells_sim.v"
    if not cells.exists():
        raise tools.FpgaError(f"{cells} is not there: expected with Yosys")
    command = ["verilator", "--binary", "--timing", "-Wno-fatal", "-Wno-lint", "--x-initial", "0"]
    command += ["-DNETLIST", "-DNO_ICE40_DEFAULT_ASSIGNMENTS", *defines(job, baud)]
    command += ["-CFLAGS", optimise, "--top", "testbench", "--Mdir", "verilator"]
    tools.run([*command, "testbench.v", "unpacked.v", cells], folder, "verilator")
    (folder / "received.txt").unlink(missing_ok=True)
    compare(job, tools.run([folder.resolve() / "verilator/Vtestbench"], folder, "bitstream"))


def compare(job: Job, said: str):
    """The two texts received are the golden model's, or it tells where they differ."""
    if "FAIL" in said:
        raise tools.Missed(f"{said.strip()} (in {job.folder})")
    received = (job.folder / "received.txt").read_bytes()
    if received != 2 * job.text:
        wanted = (2 * job.text).decode("ascii").splitlines()
        got = received.decode("latin-1").splitlines()
        lines = difflib.unified_diff(wanted, got, "golden model", "serial line", lineterm="", n=0)
        differences = "\n".join(lines)
        raise tools.Missed(f"{differences}\nthe line says something else (in {job.folder})")


def place(job: Job, seed: int, at_least: float) -> tuple:
    """Places and routes; fails where the clock is faster than the design. Gives MHz and cells."""
    board, folder = job.board, job.folder
    constraints = {
        "icepack": ("--pcf", board.constraints, "--asc", f"{board.name}.asc"),
        "yowasp-ecppack": ("--lpf", board.constraints, "--textcfg", f"{board.name}.config"),
    }[board.family.packer]
    mhz, said = board.family.place(folder, board.name, seed, at_least, constraints)
    if mhz is None:
        raise tools.Missed(f"{job.monitor.set} is not placed on {board.title}: {said}")
    if mhz < at_least:
        raise tools.Missed(
            f"timing is missed: {mhz:.1f} MHz on {board.title}, {at_least:.1f} MHz wanted"
        )
    return mhz, board.family.utilisation(said)


def pack(job: Job) -> Path:
    """Makes the bitstream."""
    name, folder = job.board.name, job.folder
    if job.board.family is ICE40:
        tools.run(["icepack", f"{name}.asc", f"{name}.bin"], folder, "icepack")
        return folder / f"{name}.bin"
    command = ["yowasp-ecppack", "--compress", f"{name}.config", f"{name}.bit"]
    tools.run(command, folder, "ecppack")
    return folder / f"{name}.bit"


def record(job: Job, mhz: float, cells: dict) -> dict:
    """What the page says of it."""
    family = job.board.family
    return {
        "title": job.board.title,
        "set": job.monitor.set,
        "netlist": job.monitor.netlist,
        "clock_mhz": job.board.clock_hz / 1e6,
        "cells": cells,
        "mhz": round(mhz, 1),
        "tools": [tools.version("yosys"), tools.version(family.placer[0])],
    }


def finish(part: Path, out: Path):
    """Puts the folder in its place."""
    if out.exists():
        shutil.rmtree(out)
    part.rename(out)
