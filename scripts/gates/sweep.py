"""All units: measured where they have changed, written as a table, and compared with it."""

import tempfile
from pathlib import Path

from . import flow, records, units
from . import table as page_of
from .tools import GateError


def said(record: dict, period: float) -> str:
    """A record for people."""
    name = f"{record['unit']} {record['set']}"
    if not record["passes"]:
        return f"{name}: the gates differ from the vectors: see vectors.log"
    power = record["power_mw"]
    return (
        f"{name}: gates as the vectors, {record['compared']} cycles compared\n"
        f"  area      {record['nand2']:.0f} NAND2, {record['area_um2']:.0f} um2:"
        f" {record['cells']} cells, {record['flops']} of them flops\n"
        f"  timing    worst slack {record['slack_ns']:.2f} ns at {period:g} ns\n"
        f"  power     {power['total']:.3g} mW: {power['internal']:.3g} internal,"
        f" {power['switching']:.3g} switching, {power['leakage']:.2g} leakage;"
        f" {record['activity']:.3f} changes a net and cycle"
    )


def _by_name(data: list) -> dict:
    return {(one["unit"], one["set"]): one for one in data}


def _measured(binary, unit, name, old, settings):
    """The old record if it is of today's Verilog, else a new one."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        design = flow.export(binary, unit, name, folder / "plain")
        today = {"verilog": flow.digest(design), "aliases": design.about["aliases"]}
        if old and all(old[key] == value for key, value in today.items()):
            return old
        record = flow.record(binary, unit, name, folder, settings)
    print(said(record, settings.period), flush=True)
    return record


def table(binary: Path, chosen: list, data_at: Path, page_at: Path) -> int:
    """Measures what has changed of the chosen units, or of all; writes records and page."""
    settings = flow.Settings()
    data = records.empty(settings)
    kept = _by_name(records.reusable(data_at, data))
    if chosen and not kept:
        raise GateError("no records of these tools and this flow: run scripts/asic table")
    sets = units.named_sets(binary)
    # Names what there is, if one is wrong.
    wanted = units.named_sets(binary, chosen)
    for unit, name in sets:
        old = kept.get((unit, name))
        if old and (unit, name) not in wanted:
            data["records"].append(old)
            continue
        bits = units.stored_bits(binary, unit, name)
        if sum(bits.values()) > units.LARGEST:
            data["left_out"].append({"unit": unit, "set": name} | bits)
            continue
        record = _measured(binary, unit, name, old, settings)
        if not record["passes"]:
            print(f"asic: see it with: scripts/asic run {unit} --set {name}")
            return 1
        data["records"].append(record)
        if record is not old:
            # What is measured is not measured again, should this stop before its end.
            kept[unit, name] = record
            records.write(data_at, records.dumps(data | {"records": list(kept.values())}))
    data["arrays"] = units.arrays(binary)
    records.write(data_at, records.dumps(data))
    records.write(page_at, page_of.page(data))
    print(f"{page_at}: {len(data['records'])} rows")
    return 0


def check(binary: Path, chosen: list, data_at: Path, page_at: Path) -> int:
    """Compares page, records and today's Verilog of the chosen units, or of all."""
    data, wrong = records.load(data_at), []
    if data["flow"] != flow.Settings().flow():
        wrong.append("the records are of another flow than today's scripts")
    if not page_at.is_file() or page_at.read_text() != page_of.page(data):
        wrong.append(f"{page_at} is not what its records say")
    if data["arrays"] != units.arrays(binary):
        wrong.append("the cache's arrays are others than in the records")
    known, left_out = _by_name(data["records"]), _by_name(data["left_out"])
    sets = units.named_sets(binary, chosen)
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
            old = record["verilog"]
            wrong.append(f"{unit} {name}: the Verilog is {today}, its record is of {old}")
    for what in wrong:
        print(f"asic: {what}: run scripts/asic table")
    if not wrong:
        count = len({unit for unit, _ in sets})
        print(f"{page_at}: {len(sets)} sets of {count} units compared")
    return 1 if wrong else 0
