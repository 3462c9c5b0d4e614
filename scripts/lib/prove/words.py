"""Words of a unit's memories as signals of their own, which facts can speak of.

Yosys makes flops of a memory's words after it has flattened the harness, when wires can no longer be
joined to them by name. So it does that for the unit alone first; the result stands for its Verilog
in the circuit. Simulators know the words in the Verilog as it was exported.
"""

from pathlib import Path

from .circuit import LIMIT
from .tools import run

SCRIPT = """
read_verilog -noblackbox {sources}
hierarchy -check -top {top}
proc; flatten
setattr -set keep 1 {flops}
memory -nomap; memory_map
opt_clean
write_verilog -noattr words.v
"""


def apart(folder: Path, sources, top, paths) -> Path:
    """The same Verilog with a register per word.

    Flops of which facts speak, by `paths`, stay where a fault leaves nothing that reads them."""
    names = [path.split(".", 1)[1] for path in paths if "[" not in path]
    text = SCRIPT.format(
        sources=" ".join(f'"{file}"' for file in sources),
        top=top,
        flops=" ".join(f"w:{name}" for name in names),
    )
    (folder / "words.ys").write_text(text)
    run(["yosys", "-q", "-s", "words.ys"], folder, "words", LIMIT)
    return folder / "words.v"
