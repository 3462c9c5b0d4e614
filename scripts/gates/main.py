"""The command line: one unit, its netlist again, or the table of all."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from . import flow, records, table, units
from .records import ROOT
from .tools import GateError

EPILOG = """\
examples:
  scripts/asic run gdcu --set table-1          gates, vectors, area, slack, power
  scripts/asic play out/asic/gdcu_table-1      the vectors on gates.v in that folder, as it is now
  scripts/asic table                           measure what has changed, write docs/asic.md
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
        description="Units as gates of the osu018 library.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="make a unit into gates and measure it")
    run.add_argument("unit", help="as `cotenant list` names it")
    run.add_argument("--set", default="table-1", help="a parameter set [table-1]")
    run.add_argument("--out", type=Path, help="[out/asic/UNIT_SET]")
    default = flow.Settings()
    run.add_argument(
        "--period", type=_number(float, 0.1), default=default.period, metavar="NS",
        help=f"of the clock [{default.period:g}]",
    )  # fmt: skip
    run.add_argument("--cycles", type=_number(int, 3), default=default.cycles, help="of vectors")
    run.add_argument("--seed", type=_number(int, 0), default=default.seed, help="of vectors")
    run.add_argument("--json", action="store_true", help="print the record as JSON")
    play = commands.add_parser("play", help="play the vectors on a folder's gates.v")
    play.add_argument("folder", type=Path, help="written by run")
    for name, said in (("table", "write docs/asic.md"), ("check", "compare docs/asic.md")):
        command = commands.add_parser(name, help=said)
        command.add_argument("unit", nargs="*", help="units to measure [all]")
        command.add_argument("--records", type=Path, default=records.DATA, help=argparse.SUPPRESS)
        command.add_argument("--page", type=Path, default=table.PAGE, help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def _binary() -> Path:
    given = os.environ.get("COTENANT")
    if given:
        return Path(given).resolve()
    if not shutil.which("cargo"):
        raise GateError("cargo is not there: install Rust, or set COTENANT to the program")
    build = subprocess.run(["cargo", "build", "--quiet", "--package", "cotenant"], cwd=ROOT)
    if build.returncode:
        raise GateError("cargo build --package cotenant fails, see above")
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve() / "debug/cotenant"


def _run(chosen) -> int:
    settings = flow.Settings(chosen.period, chosen.cycles, chosen.seed)
    place = chosen.out or Path("out/asic") / f"{chosen.unit}_{chosen.set}"
    if place.exists() and not (place / "record.json").is_file():
        raise GateError(f"{place} is in the way: choose another --out")
    binary = _binary()
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=".asic-") as parent:
        beside = Path(parent) / "new"
        beside.mkdir()
        record = flow.record(binary, chosen.unit, chosen.set, beside.resolve(), settings)
        (beside / "record.json").write_text(json.dumps(record, indent=1) + "\n")
        if place.exists():
            place.rename(Path(parent) / "old")
        beside.rename(place)
    print(json.dumps(record) if chosen.json else _said(record, settings, place))
    return 0 if record["passes"] else 1


def _said(record, settings, place) -> str:
    name = f"{record['unit']} {record['set']}"
    if not record["passes"]:
        return f"{name}: the gates differ from the vectors: see {place}/vectors.log"
    power = record["power_mw"]
    return (
        f"{name}: gates as the vectors, {record['compared']} cycles compared\n"
        f"  area      {record['nand2']:.0f} NAND2, {record['area_um2']:.0f} um2:"
        f" {record['cells']} cells, {record['flops']} of them flops\n"
        f"  timing    worst slack {record['slack_ns']:.2f} ns at {settings.period:g} ns\n"
        f"  power     {power['total']:.3g} mW: {power['internal']:.3g} internal,"
        f" {power['switching']:.3g} switching, {power['leakage']:.2g} leakage;"
        f" {record['activity']:.3f} changes a net and cycle\n"
        f"  files     {place}"
    )


def _play(chosen) -> int:
    good, said = flow.play(flow.opened(chosen.folder.resolve()))
    print(said.strip())
    return 0 if good else 1


def _table(chosen) -> int:
    settings = flow.Settings()
    data = records.empty(settings)
    known = records.reusable(chosen.records, data)
    if chosen.unit:
        # The others' stay as they are.
        if not known:
            raise GateError("no records of these tools and this flow: run scripts/asic table")
    binary = _binary()
    kept = {(one["unit"], one["set"]): one for one in known}
    for unit, name in units.named_sets(binary):
        old = kept.get((unit, name))
        if old and chosen.unit and unit not in chosen.unit:
            data["records"].append(old)
            continue
        bits = units.stored_bits(binary, unit, name)
        if sum(bits.values()) > units.LARGEST:
            data["left_out"].append({"unit": unit, "set": name} | bits)
            continue
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            design = flow.export(binary, unit, name, folder / "plain")
            if old and old["verilog"] == flow.digest(design) and old["aliases"] == design.about["aliases"]:
                data["records"].append(old)
                continue
            record = flow.record(binary, unit, name, folder, settings)
        if not record["passes"]:
            print(f"{unit} {name}: the gates differ from the vectors: run scripts/asic run {unit}"
                  f" --set {name}")  # fmt: skip
            return 1
        print(_said(record, settings, "not kept"), flush=True)
        data["records"].append(record)
        # What is measured is not measured again, should this stop before its end.
        kept[unit, name] = record
        records.write(chosen.records, records.dumps(data | {"records": list(kept.values())}))
    data["arrays"] = units.arrays(binary)
    records.write(chosen.records, records.dumps(data))
    records.write(chosen.page, table.page(data))
    print(f"{chosen.page}: {len(data['records'])} rows")
    return 0


def _check(chosen) -> int:
    data = records.load(chosen.records)
    binary, wrong = _binary(), []
    if not chosen.page.is_file() or chosen.page.read_text() != table.page(data):
        wrong.append(f"{chosen.page} is not what its records say")
    if data["arrays"] != units.arrays(binary):
        wrong.append("the cache's arrays are others than in the records")
    known = {(one["unit"], one["set"]): one for one in data["records"]}
    left_out = {(one["unit"], one["set"]) for one in data["left_out"]}
    sets = units.named_sets(binary, chosen.unit)
    for unit, name in sets:
        if (unit, name) in left_out:
            continue
        record = known.get((unit, name))
        if not record:
            wrong.append(f"{unit} {name} has no record")
            continue
        with tempfile.TemporaryDirectory() as folder:
            today = flow.digest(flow.export(binary, unit, name, Path(folder)))
        if record["verilog"] != today:
            wrong.append(f"{unit} {name}: the Verilog is {today}, its record is of {record['verilog']}")
    for what in wrong:
        print(f"asic: {what}: run scripts/asic table")
    if not wrong:
        print(f"{chosen.page}: {len(sets)} sets of {len({unit for unit, _ in sets})} units compared")
    return 1 if wrong else 0


def main(arguments=None) -> int:
    """Runs the command; its exit code."""
    chosen = _arguments(arguments)
    command = {"run": _run, "play": _play, "table": _table, "check": _check}[chosen.command]
    try:
        return command(chosen)
    except GateError as error:
        print(f"asic: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
