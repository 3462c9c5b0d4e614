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
        return f"{name}: the gate-level netlist differs from the vectors: see vectors.log"
    power = record["power_mw"]
    return (
        f"{name}: gate-level netlist equals the vectors, {record['compared']} cycles compared\n"
        f"  area      {record['nand2']:.0f} NAND2, {record['area_um2']:.0f} um2:"
        f" {record['cells']} cells, {record['flops']} of them flops\n"
        f"  timing    worst slack {record['slack_ns']:.2f} ns at {period:g} ns\n"
        f"  power     {power['total']:.3g} mW: {power['internal']:.3g} internal,"
        f" {power['switching']:.3g} switching, {power['leakage']:.2g} leakage;"
        f" {record['activity']:.3f} changes a net and cycle"
    )


def _by_name(data: list) -> dict:
    return {(one["unit"], one["set"]): one for one in data}


def _today(binary, unit, name) -> dict:
    """What a record must be of to be today's."""
    with tempfile.TemporaryDirectory() as folder:
        design = flow.export(binary, unit, name, Path(folder))
        return {"netlist": design.netlist, "aliases": design.about["aliases"]}


def _measured(binary, unit, name, settings) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        record = flow.record(binary, unit, name, Path(folder), settings)
    print(said(record, settings.period), flush=True)
    return record


def table(binary: Path, chosen: list, known: bool, data_at: Path, page_at: Path) -> int:
    """Measures what has changed of the chosen units, or of all; writes records and page.

    With `known` nothing is measured: what has no record of today's netlist is listed as such."""
    settings = flow.Settings()
    data = records.empty(settings)
    kept = _by_name(records.reusable(data_at, data))
    if chosen and not kept:
        raise GateError("no records of these tools and this flow: run scripts/asic table")
    # Names what there is, if one is wrong.
    wanted = units.named_sets(binary, chosen)
    for unit, name in units.named_sets(binary):
        old, today = kept.get((unit, name)), _today(binary, unit, name)
        if old and ((unit, name) not in wanted or old | today == old):
            data["left_out" if "ram_bits" in old else "records"].append(old)
            continue
        if known or (unit, name) not in wanted:
            data["unmeasured"].append({"unit": unit, "set": name})
            continue
        bits = units.stored_bits(binary, unit, name)
        if sum(bits.values()) > units.LARGEST:
            data["left_out"].append({"unit": unit, "set": name} | today | bits)
            continue
        record = _measured(binary, unit, name, settings)
        if not record["passes"]:
            print(f"asic: see it with: scripts/asic run {unit} --config {name}")
            return 1
        data["records"].append(record)
        # What is measured is not measured again, should this stop before its end.
        kept[unit, name] = record
        so_far = [one for one in kept.values() if "ram_bits" not in one]
        records.write(data_at, records.dumps(data | {"records": so_far}))
    data["arrays"] = units.arrays(binary)
    records.write(data_at, records.dumps(data))
    records.write(page_at, page_of.page(data))
    print(f"{page_at}: {len(data['records'])} rows")
    return 0


def check(binary: Path, chosen: list, data_at: Path, page_at: Path) -> int:
    """Compares page, records and today's netlists of the chosen units, or of all."""
    data, wrong = records.load(data_at), []
    if data["flow"] != flow.Settings().flow():
        wrong.append("the records are of another flow than today's scripts")
    if not page_at.is_file() or page_at.read_text() != page_of.page(data):
        wrong.append(f"{page_at} is not what its records say")
    if data["arrays"] != units.arrays(binary):
        wrong.append("the cache's arrays are others than in the records")
    known = _by_name(data["records"])
    without = _by_name(data["left_out"] + data["unmeasured"])
    sets = units.named_sets(binary, chosen)
    for unit, name in sets:
        if (unit, name) in without:
            continue
        record = known.get((unit, name))
        if not record:
            wrong.append(f"{unit} {name} has no record")
            continue
        today = _today(binary, unit, name)["netlist"]
        if record["netlist"] != today:
            old = record["netlist"]
            wrong.append(f"{unit} {name}: the netlist is {today}, its record is of {old}")
    for what in wrong:
        print(f"asic: {what}: run scripts/asic table")
    if not wrong:
        count = len({unit for unit, _ in sets})
        print(f"{page_at}: {len(sets)} sets of {count} units compared")
    return 1 if wrong else 0
