"""The demo of examples/fpga: built for a board, simulated, compared with the golden model."""

import difflib
import shutil
from dataclasses import dataclass
from pathlib import Path

from . import design, stream, tools
from .family import ECP5, ICE40, Family

SOURCE = tools.ROOT / "examples" / "fpga"
TRACE = tools.ROOT / "examples" / "traces" / "four_kernels.csv"
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


def prepare(board: Board, set_name: str, count: int, trace: Path, source: Path, folder: Path) -> Job:
    """Exports the monitor, writes the demo's memories, asks the golden model."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
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
    """Makes NAME.json for the placer and NAME.netlist.v for the simulator."""
    name = job.board.name
    # config.vh names the monitor: read in the modules' order, demo.v after it.
    job.board.family.synthesise(job.folder, job.sources, name, name, set_=f"-set BAUD {baud}")
    script = f"read_json {name}.json; write_verilog -noattr {name}.netlist.v"
    tools.run(["yosys", "-q", "-p", script], job.folder, "netlist.yosys")


def simulate(job: Job, baud: int, what: str, sources: list):
    """Runs the testbench on `sources` in Icarus and compares what the line said."""
    board = job.board
    bits = 2 * 11 * len(job.text)
    # The sweep and the stream take cycles, not bits.
    bits += 4 * (job.accesses + job.monitor.parameters["SETS"]) * baud // board.clock_hz + 1000
    defines = {"BOARD": board.name, "CLOCK_HZ": board.clock_hz, "BAUD": baud, "LIMIT": 2 * bits}
    command = ["iverilog", "-g2005", "-Wall", "-Wno-timescale", "-o", f"{what}.vvp"]
    command += [f"-D{key}={value}" for key, value in defines.items()]
    command += ["-DBUTTON"] if board.button else []
    command += ["-s", "testbench", "testbench.v", *sources]
    tools.run(command, job.folder, f"{what}.iverilog")
    (job.folder / "received.txt").unlink(missing_ok=True)
    said = tools.run(["vvp", "-n", f"{what}.vvp"], job.folder, f"{what}.vvp")
    compare(job, said)


def compare(job: Job, said: str):
    """The two texts received are the golden model's, or it tells where they differ."""
    if "FAIL" in said:
        raise Missed(said, job)
    received = (job.folder / "received.txt").read_bytes()
    if received != 2 * job.text:
        wanted = (2 * job.text).decode("ascii").splitlines()
        got = received.decode("latin-1").splitlines()
        lines = difflib.unified_diff(wanted, got, "golden model", "serial line", lineterm="", n=0)
        raise Missed("\n".join(lines), job)


class Missed(tools.Missed):
    """The line said something else than the golden model."""

    def __init__(self, what: str, job: Job):
        super().__init__(f"{what.strip()}\nthe demo sent something else (in {job.folder})")


def place(job: Job, seed: int, at_least: float) -> tuple:
    """Places and routes; fails where the clock is faster than the design. Gives MHz and cells."""
    board, folder = job.board, job.folder
    constraints = {
        "icepack": ("--pcf", board.constraints, "--asc", f"{board.name}.asc"),
        "yowasp-ecppack": ("--lpf", board.constraints, "--textcfg", f"{board.name}.config"),
    }[board.family.packer]
    mhz, log = board.family.place(folder, board.name, seed, at_least, constraints)
    if mhz is None:
        errors = [line for line in log.splitlines() if "ERROR" in line] or ["no reason given"]
        raise tools.Missed(f"{job.monitor.set} is not placed on {board.title}: {errors[0]}")
    if mhz < at_least:
        raise tools.Missed(
            f"timing is missed: {mhz:.1f} MHz on {board.title}, {at_least:.1f} MHz wanted"
        )
    return mhz, board.family.utilisation(log)


def pack(job: Job) -> Path:
    """Makes the bitstream."""
    name, folder = job.board.name, job.folder
    if job.board.family is ICE40:
        tools.run(["icepack", f"{name}.asc", f"{name}.bin"], folder, "icepack")
        return folder / f"{name}.bin"
    command = ["yowasp-ecppack", "--compress", f"{name}.config", f"{name}.bit"]
    tools.run(command, folder, "ecppack")
    return folder / f"{name}.bit"
