"""What the program says of its units: which there are, and what stands beside them."""

import json
from pathlib import Path

from .tools import GateError, run

# The units that are counted against the cache's arrays, with this set.
BESIDE_THE_CACHE = ("gdcu", "plob", "llc_monitor")
TABLE_1 = "table-1"

# RAM becomes flops here, and a design of more bits is left out of the table.
LARGEST = 4096


def _json(binary: Path, *arguments) -> dict:
    text = run([binary, *arguments, "--json"], Path.cwd())
    try:
        return json.loads(text)
    except ValueError as error:
        raise GateError(f"cotenant {' '.join(arguments)} --json: {error}") from error


def named_sets(binary: Path, chosen=()) -> list:
    """Units and their parameter sets that have another name, too, in the program's order."""
    units = _json(binary, "list")["units"]
    known = [unit["name"] for unit in units]
    for unit in chosen:
        if unit not in known:
            raise GateError(f"no unit '{unit}'; there are {', '.join(known)}")
    return [
        (unit["name"], one["name"])
        for unit in units
        for one in unit["sets"]
        if one["aliases"] and (not chosen or unit["name"] in chosen)
    ]


def stored_bits(binary: Path, unit: str, name: str) -> dict:
    """Flop and RAM bits of a unit."""
    area = _json(binary, "area", unit, "--config", name)["units"][0]
    return {"flop_bits": area["flop_bits"], "ram_bits": area["ram_bits"]}


def arrays(binary: Path) -> list:
    """How many of each counting unit a cache needs, and the bits of its arrays."""
    found = []
    for unit in BESIDE_THE_CACHE:
        document = _json(binary, "area", unit, "--config", TABLE_1)
        area, cache = document["units"][0], document["cache"]
        found.append({"unit": unit, "set": area["set"], "cache": cache} | area["share"])
    return found
