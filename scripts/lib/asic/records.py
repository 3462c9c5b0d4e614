"""The records behind docs/asic.md: what was measured, with what, of which netlist."""

import json
import os
import tempfile
from pathlib import Path

from . import library, tools
from .flow import Settings
from .tools import GateError

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "docs/asic/records.json"
SCHEMA = 2
# What differs from unit to unit.
LISTS = ("records", "left_out", "unmeasured", "arrays")


def empty(settings: Settings) -> dict:
    """Records of the tools that are installed, none yet."""
    return {
        "schema": SCHEMA,
        "flow": settings.flow(),
        "tools": tools.versions(),
        "library": {"name": library.NAME, "digest": library.digest()},
        "period_ns": settings.period,
        "cycles": settings.cycles,
        "seed": settings.seed,
    } | {key: [] for key in LISTS}


def load(path: Path) -> dict:
    """The records in a file."""
    try:
        data = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise GateError(f"{path}: {error}: run scripts/asic table") from error
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise GateError(f"{path}: expected records of schema {SCHEMA}: run scripts/asic table")
    return dict.fromkeys(LISTS, []) | data


def reusable(path: Path, fresh: dict) -> list:
    """What a file of the same flow and tools has measured or left out; nothing without a file."""
    if not path.exists():
        return []
    data = load(path)
    same = all(data.get(key) == value for key, value in fresh.items() if key not in LISTS)
    return data["records"] + data["left_out"] if same else []


def dumps(data: dict) -> str:
    """As JSON, one record per line, so that a change shows which."""
    text = json.dumps({key: value for key, value in data.items() if not isinstance(value, list)})
    parts = [text[:-1]]
    for key, value in data.items():
        if isinstance(value, list):
            lines = ",\n".join(f"  {json.dumps(one)}" for one in value)
            parts.append(f',\n "{key}": [\n{lines}\n ]' if value else f',\n "{key}": []')
    return "".join(parts) + "\n}\n"


def write(path: Path, text: str):
    """Writes a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "w") as file:
            file.write(text)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
