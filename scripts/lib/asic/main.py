"""The command line: one unit, its netlist again, or the table of all."""

import argparse
import json
import os
import signal
import sys
import tempfile
from pathlib import Path

import program

from . import flow, records, sweep, table
from .tools import GateError

EPILOG = """\
examples:
  scripts/asic run gdcu --config table-1       synthesis, vectors, area, slack, power
  scripts/asic play out/asic/gdcu_table-1      the vectors on gates.v in that folder, as it is now
  scripts/asic table                           measure what has changed, write docs/asic.md
  scripts/asic table --known                   the same without measuring: lists what is new
  scripts/asic check                           are table, records and today's Verilog the same?

Variables: COTENANT, the program [built by cargo, debug].
exit code: 0 done, 1 vectors or table differ, 2 could not run"""


def _number(kind, low):
    def parse(text):
        try:
            value = kind(text, 0) if kind is int else kind(text)
        except ValueError:
            value = low - 1
        if not value >= low:
            raise argparse.ArgumentTypeError(f"'{text}': expected a number of at least {low}")
        return value

    return parse


def _arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="asic",
        description="ASIC synthesis of units with the osu018 standard-cell library.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="synthesize a unit and measure it")
    run.add_argument("unit", help="as `cotenant list` names it")
    run.add_argument(
        "--config", "--set", dest="set", metavar="CONFIG", default="table-1",
        help="a parameter set [table-1]",
    )  # fmt: skip
    run.add_argument("--out", type=Path, help="[out/asic/UNIT_SET]")
    default = flow.Settings()
    run.add_argument(
        "--period", type=_number(float, 0.1), default=default.period, metavar="NS",
        help=f"of the clock [{default.period:g}]",
    )  # fmt: skip
    run.add_argument("--cycles", type=_number(int, 3), default=default.cycles, help="of vectors")
    run.add_argument("--seed", type=_number(int, 0), default=default.seed, help="of vectors")
    run.add_argument("--json", action="store_true", help="print the record as JSON")
    play = commands.add_parser("play", help="simulate the vectors on a folder's gates.v")
    play.add_argument("folder", type=Path, help="written by run")
    for name, said in (("table", "write docs/asic.md"), ("check", "compare docs/asic.md")):
        command = commands.add_parser(name, help=said)
        command.add_argument("unit", nargs="*", help="units to measure [all]")
        if name == "table":
            command.add_argument(
                "--known", action="store_true", help="measure nothing, list what is new"
            )
        command.add_argument("--records", type=Path, default=records.DATA, help=argparse.SUPPRESS)
        command.add_argument("--page", type=Path, default=table.PAGE, help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def _run(chosen) -> int:
    settings = flow.Settings(chosen.period, chosen.cycles, chosen.seed)
    place = chosen.out or Path("out/asic") / f"{chosen.unit}_{chosen.set}"
    if place.exists() and not (place / "record.json").is_file():
        raise GateError(f"{place} is in the way: choose another --out")
    binary = program.cotenant()
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=".asic-") as parent:
        beside = Path(parent) / "new"
        beside.mkdir()
        record = flow.record(binary, chosen.unit, chosen.set, beside.resolve(), settings)
        (beside / "record.json").write_text(json.dumps(record, indent=1) + "\n")
        if place.exists():
            place.rename(Path(parent) / "old")
        beside.rename(place)
    if chosen.json:
        print(json.dumps(record))
    else:
        print(sweep.said(record, settings.period))
        print(f"  files     {place}")
    return 0 if record["passes"] else 1


def _play(chosen) -> int:
    good, said = flow.play(flow.opened(chosen.folder.resolve()))
    print(said.strip())
    return 0 if good else 1


def main(arguments=None) -> int:
    """Runs the command; its exit code."""
    chosen = _arguments(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    command = {
        "run": _run,
        "play": _play,
        "table": lambda chosen: sweep.table(
            program.cotenant(), chosen.unit, chosen.known, chosen.records, chosen.page
        ),
        "check": lambda chosen: sweep.check(
            program.cotenant(), chosen.unit, chosen.records, chosen.page
        ),
    }[chosen.command]
    try:
        return command(chosen)
    except BrokenPipeError:
        # The reader has gone; nor may Python write what it still holds.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except (GateError, program.ProgramError) as error:
        print(f"asic: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
