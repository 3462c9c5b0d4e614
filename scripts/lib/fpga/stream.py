"""What the demo is given and what it has to answer: the accesses, the text, the golden model's."""

import json
from pathlib import Path

from . import tools
from .design import Design

LINE_BYTES = 128


def _clog2(value: int) -> int:
    return (value - 1).bit_length()


def accesses(trace: Path, kernels: int, count: int):
    """The first `count` accesses of the first `kernels` kernels: [(kernel, op, address)]."""
    found = []
    try:
        lines = trace.read_text().splitlines()
    except OSError as error:
        raise tools.FpgaError(f"{trace}: {error.strerror}") from error
    header = True
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = [field.strip() for field in line.split(",")]
        if header and fields[0] == "kernel":
            header = False
            continue
        try:
            kernel, op, address = int(fields[0]), fields[1].upper(), int(fields[2], 0)
        except (ValueError, IndexError):
            raise tools.FpgaError(
                f"{trace}:{number}: expected kernel,op,address, found '{line}'"
            ) from None
        if op not in ("R", "W") or kernel < 0 or address < 0:
            raise tools.FpgaError(f"{trace}:{number}: expected op R or W, and no sign: '{line}'")
        if kernel < kernels:
            found.append((kernel, op, address))
        if len(found) == count:
            return found
    raise tools.FpgaError(
        f"{trace} has {len(found)} accesses of kernels below {kernels}: expected {count} at least"
    )


def template(monitor: Design, count: int) -> list:
    """The text: pieces, and (matrix, row, column) where a counter is printed. The one description
    of its form: both the demo's memory and the expected text are made of it."""
    kernels = range(monitor.parameters["KERNELS"])
    width = digits(monitor)
    out = [f"llc_monitor {monitor.set}, {count} accesses\r\n"]
    head = "".join(" " + f"K{k}".rjust(width) for k in kernels)
    for title, matrix in (("demotions (GDC)", 0), ("evictions (PLOB)", 1)):
        out.append(f"{title}, victim by aggressor\r\n   {head}\r\n")
        for victim in kernels:
            out.append(f"{f'K{victim}':3}")
            for aggressor in kernels:
                out += [" ", (matrix, victim, aggressor)]
            out.append("\r\n")
    out.append(f"accesses\r\n   {head}\r\n")
    for row, title in enumerate(("hit", "mis")):
        out.append(title)
        for kernel in kernels:
            out += [" ", (2, row, kernel)]
        out.append("\r\n")
    return out


def digits(monitor: Design) -> int:
    """Decimal digits of the greatest count."""
    return len(str(2 ** monitor.port("read_count") - 1))


def expected(monitor: Design, count: int, golden: dict) -> bytes:
    """The text with the golden model's counts."""
    rows = {0: golden["gdc"], 1: golden["ike"]}
    by_kernel = {entry["kid"]: entry for entry in golden["kernels"]}
    rows[2] = [
        [by_kernel[k][what] if k in by_kernel else 0 for k in range(monitor.parameters["KERNELS"])]
        for what in ("hits", "misses")
    ]
    out = ""
    for piece in template(monitor, count):
        if isinstance(piece, str):
            out += piece
        else:
            matrix, row, column = piece
            out += str(rows[matrix][row][column]).rjust(digits(monitor))
    return out.encode("ascii")


def write(monitor: Design, played: list, folder: Path):
    """Writes config.vh, stream.hex, text.hex, and trace.csv, the accesses played."""
    parameters = monitor.parameters
    for name in ("SETS", "BANKS"):
        if parameters[name] & (parameters[name] - 1):
            raise tools.FpgaError(f"{monitor.set}: {name} is no power of two")
    kid_w = monitor.port("map_kid")
    banks, sets = parameters["BANKS"], parameters["SETS"]
    lines = [address // LINE_BYTES for _, _, address in played]
    line_w = max(_clog2(banks) + _clog2(sets) + 1, max(lines).bit_length())
    if line_w > _clog2(banks) + _clog2(sets) + parameters["TAG_W"]:
        raise tools.FpgaError(f"an address has more bits than the tags of {monitor.set}")
    (folder / "stream.hex").write_text(
        "".join(f"{kernel << line_w | line:x}\n" for (kernel, _, _), line in zip(played, lines))
    )
    token_w = max(8, 1 + 2 + 2 * kid_w)
    tokens = []
    for piece in template(monitor, len(played)):
        if isinstance(piece, str):
            tokens += piece.encode("ascii")
        else:
            matrix, row, column = piece
            place = (matrix << kid_w | row) << kid_w | column
            tokens.append(1 << (token_w - 1) | place)
    tokens.append(0)
    (folder / "text.hex").write_text("".join(f"{token:x}\n" for token in tokens))
    values = {
        "BANKS": banks,
        "STAGES": parameters["STAGES"],
        "KID_W": kid_w,
        "REQUESTER_W": monitor.port("map_requester"),
        "SET_W": monitor.port("request_set") // banks,
        "TAG_W": parameters["TAG_W"],
        "WAY_W": monitor.port("invalidate_way") // banks,
        "COUNT_W": monitor.port("read_count"),
        "DIGITS": digits(monitor),
        "ACCESSES": len(played),
        "LINE_W": line_w,
        "TOKENS": len(tokens),
        "TOKEN_W": token_w,
    }
    (folder / "config.vh").write_text(
        f"// Written by scripts/fpga for llc_monitor {monitor.set}.\n"
        f"`define LLC_MONITOR {monitor.top}\n"
        + "".join(f"localparam {name} = {value};\n" for name, value in values.items())
    )
    (folder / "trace.csv").write_text(
        "kernel,op,address\n" + "".join(f"{k},{op},{address:#x}\n" for k, op, address in played)
    )


def golden(monitor: Design, folder: Path) -> dict:
    """What `cotenant replay` says of trace.csv."""
    parameters = monitor.parameters
    sets = parameters["SETS"] * parameters["BANKS"]
    arguments = ["replay", "--trace", "trace.csv", "--json", "--line", LINE_BYTES, "--sets", sets]
    for option in ("ways", "kernels", "banks"):
        arguments += [f"--{option}", parameters[option.upper()]]
    answer = tools.cotenant(arguments, folder)
    (folder / "replay.json").write_text(answer)
    return json.loads(answer)
