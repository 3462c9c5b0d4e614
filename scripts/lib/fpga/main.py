"""The command line: a demo for a board, its simulation, the table."""

import argparse
import sys
from pathlib import Path

from . import counting, demo, path, records, table, tools
from .family import ECP5, FAMILIES

# What is measured apart from the table.
PARTS = {"counting": counting.counting, "path": path.path}

DESCRIPTION = "Places and routes what `cotenant export` writes, for iCE40 HX8K and ECP5-25k."

EPILOG = """\
examples:
  scripts/fpga demo hx8k                       bitstream and proof of it, in out/fpga/hx8k
  scripts/fpga demo ecp5 --config 16x4x16x1
  scripts/fpga simulate hx8k                   the design alone, no synthesis
  scripts/fpga table                           measure what is not, write docs/fpga.md's table
  scripts/fpga table --only gdcu:16x4x32       one parameter set
  scripts/fpga counting gdcu:16x4x32s3         its counters without snapshot and read port
  scripts/fpga path qbmi:table-1               its issue path without what makes the quotas

COTENANT is the program that exports and replays [built by cargo, debug]; nextpnr and the others
are looked for in target/venv and on PATH.

exit code: 0 done, 1 timing missed, does not fit, or another text than the golden model's; 2 could
not run"""


def _arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="fpga",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name, about in (
        ("demo", "simulate, synthesise, place, route, pack, and simulate the bitstream"),
        ("simulate", "simulate the design and compare its text with the golden model's"),
    ):
        one = commands.add_parser(name, help=about, description=about)
        one.add_argument("board", choices=list(demo.BOARDS), help="ecp5 is ulx3s")
        one.add_argument(
            "--config", "--set", dest="set", metavar="CONFIG", default="4x4x64x1",
            help="a parameter set of llc_monitor [4x4x64x1]",
        )  # fmt: skip
        one.add_argument("--accesses", type=int, default=1024, metavar="N", help="[1024]")
        one.add_argument("--trace", type=Path, default=demo.TRACE, help="CSV [four_kernels.csv]")
        one.add_argument("--baud", type=int, default=115200, help="[115200]")
        one.add_argument("--source", type=Path, default=demo.SOURCE, help="[examples/fpga]")
        one.add_argument("--out", type=Path, metavar="DIR", help="[out/fpga/BOARD]")
        if name == "demo":
            one.add_argument("--seed", type=int, default=1, help="of the placer [1]")
            one.add_argument("--record", action="store_true", help="in docs/fpga and its page")
            one.add_argument("--mhz", type=float, help="to reach [the board's clock]")
    of_placer = f"of the placer [{records.SEEDS}]"
    about = "measure Fmax and area, write the table of docs/fpga.md"
    one = commands.add_parser("table", help=about, description=about)
    one.add_argument("--check", action="store_true", help="compare table, data, today's Verilog")
    one.add_argument("--only", nargs="+", metavar="UNIT:SET", help="these [sets with an alias]")
    one.add_argument("--forget", action="store_true", help="drop what is of other Verilog, no more")
    one.add_argument("--all", action="store_true", help="all parameter sets")
    one.add_argument("--families", nargs="+", choices=list(FAMILIES), default=list(FAMILIES))
    one.add_argument("--seeds", type=int, default=records.SEEDS, metavar="N", help=of_placer)
    one.add_argument("--data", type=Path, default=records.FOLDER, help="[docs/fpga]")
    one.add_argument("--page", type=Path, default=table.PAGE, help="[docs/fpga.md]")
    one.add_argument("--out", type=Path, metavar="DIR", help="for work [out/fpga/table]")
    for name, what, about in (
        ("counting", "gdcu:SET", "cells of a GDCU's counting part"),
        ("path", "qbmi:SET", "Fmax of a QBMI's issue path, without what makes its quotas"),
    ):
        about += ", on the ECP5"
        one = commands.add_parser(name, help=about, description=about)
        one.add_argument("what", metavar=what)
        one.add_argument("--record", action="store_true", help="in docs/fpga and its page")
        one.add_argument("--out", type=Path, metavar="DIR", help=f"for work [out/fpga/{name}]")
        if name != "counting":
            one.add_argument("--seeds", type=int, default=records.SEEDS, metavar="N", help=of_placer)
    chosen = parser.parse_args(arguments)
    if chosen.command == "counting" and not chosen.what.startswith("gdcu:"):
        parser.error(f"{chosen.what}: expected gdcu:SET, as `cotenant list gdcu` names them")
    if chosen.command == "path" and not chosen.what.startswith("qbmi:"):
        parser.error(f"{chosen.what}: expected qbmi:SET, as `cotenant list qbmi` names them")
    if chosen.command in ("table", "path") and chosen.seeds < 1:
        parser.error("--seeds: expected 1 or more")
    return chosen


def _demo(chosen):
    board = demo.BOARDS[chosen.board]
    if chosen.accesses < 2 or not 0 < chosen.baud <= board.clock_hz // 4:
        raise tools.FpgaError(
            f"expected 2 accesses or more and a baud rate up to {board.clock_hz // 4}"
        )
    out = chosen.out or Path("out/fpga") / board.name
    demo.refuse_other(out)
    # Built beside and renamed; where it fails, the logs are kept in the .part folder.
    part = out.with_name(out.name + ".part")
    job = demo.prepare(board, chosen.set, chosen.accesses, chosen.trace, chosen.source, part)
    _say(f"llc_monitor {chosen.set} on {board.title}, {job.accesses} accesses")
    demo.simulate(job, chosen.baud)
    _say(f"simulated at {chosen.baud} baud: the golden model's text, twice")
    if chosen.command == "demo":
        demo.synthesise(job, chosen.baud)
        goal = chosen.mhz or board.clock_hz / 1e6
        mhz, cells = demo.place(job, chosen.seed, goal)
        used = ", ".join(f"{n} of {most} {name}" for name, (n, most) in cells.items())
        _say(f"placed and routed: {used}")
        _say(f"{mhz:.1f} MHz, wanted {goal:.1f} MHz")
        bitstream = demo.pack(job)
        if board.family is demo.ICE40:
            demo.simulate_bitstream(job, chosen.baud)
            _say("bitstream unpacked and simulated: the golden model's text, twice")
        _say(f"bitstream: {out / bitstream.name}")
        if chosen.record:
            entry = demo.record(job, mhz, cells)
            records.note(records.FOLDER, "demo", board.name, entry)
            table.write_page(table.PAGE, records.FOLDER)
    demo.finish(part, out)


def _part(chosen):
    entry = PARTS[chosen.command](chosen)
    if chosen.record:
        entry["tools"] = [tools.version("yosys"), tools.version(ECP5.placer[0])]
        name = f"{chosen.command} {entry['unit']} {entry['set']}"
        records.note(records.FOLDER, "part", name, entry)
        table.write_page(table.PAGE, records.FOLDER)


def _say(line):
    print(line, flush=True)


def main(arguments=None) -> int:
    """Runs it; the exit code."""
    chosen = _arguments(arguments)
    try:
        if chosen.command in PARTS:
            _part(chosen)
        elif chosen.command != "table":
            _demo(chosen)
        elif chosen.check:
            table.check(chosen)
        else:
            table.measure(chosen)
    except tools.Missed as missed:
        print(f"fpga: {missed}", file=sys.stderr)
        return 1
    except tools.FpgaError as error:
        print(f"fpga: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0
