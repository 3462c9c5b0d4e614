"""Fields as programs generated from SystemRDL have them: address, lowest bit, width and value after
reset of what software reads, one field per line, `-` where hardware gives the value.

    generated.py regblock FILE.sv    a register block of PeakRDL-regblock
    generated.py uvm FILE.sv         a model for UVM of PeakRDL-uvm, with the access in UVM's terms
"""

import itertools
import re
import sys


def number(text):
    """A number of SystemVerilog."""
    text = text.replace("_", "")
    return int(text.rpartition("'h")[2], 16) if "'h" in text else int(text)


def offsets(expression, loops):
    """`'h800 + i0*'h40 + i1*'h4` for all values of its loop variables."""
    first, *rest = (part.strip() for part in expression.split(" + "))
    ranges = []
    for part in rest:
        variable, step = (side.strip() for side in part.split("*"))
        ranges.append([index * number(step) for index in range(loops[variable])])
    return [number(first) + sum(chosen) for chosen in itertools.product(*ranges)]


def regblock(text):
    """Of the block's read multiplexer, and of its registers' values while it is reset."""
    indices = re.compile(r"\[i\d+\]")
    resets = {}
    for path, value in re.findall(r"if\(rst\) begin\s+field_storage\.(\S+)\.value <= (\S+);", text):
        resets[indices.sub("", path)] = number(value)
    loops, addresses = {}, []
    for line in text[text.index("readback_data_var = '0;"):].splitlines():
        if loop := re.search(r"for\(int (i\d+)=0; i\d+<(\d+);", line):
            loops[loop[1]] = int(loop[2])
        if at := re.search(r"if\(\w*addr == (.*)\) begin", line):
            expression = re.sub(r"\(\d+\)'\((i\d+)\) \* ", r"\1*", at[1])
            addresses = offsets(expression, loops)
        if bits := re.search(r"readback_data_var\[(\d+)(?::(\d+))?\] = (\S+);", line):
            high, low, source = int(bits[1]), int(bits[2] or bits[1]), bits[3]
            if source.startswith("hwif_in."):
                value = None
            elif source.startswith("field_storage."):
                value = resets[indices.sub("", source[len("field_storage."):-len(".value")])]
            else:
                value = number(source)
            yield from ((address, low, high - low + 1, "", value) for address in addresses)


def uvm(text):
    """Of the model's classes, from the last one, which has the others, down."""
    classes = dict(re.findall(r"class (\w+) extends (?:uvm_reg|uvm_reg_block);(.*?)endclass", text, re.S))

    def below(name, base):
        body = classes[name]
        for field in re.findall(r"\.configure\(this, (\d+), (\d+), \"(\w+)\", \d, (\S+), (\d),", body):
            width, low, access, value, known = field
            yield base, int(low), int(width), access, number(value) if known == "1" else None
        types = {member: (kind, int(count or 1)) for kind, member, count in
                 re.findall(r"rand (\w+) (\w+)(?:\[(\d+)\])?;", body)}
        for member, at in re.findall(r"add_(?:reg|submap)\(this\.(\w+)[^,]*, ([^;]*)\);", body):
            kind, count = types[member]
            for offset in offsets(at, {"i0": count}):
                yield from below(kind, base + offset)

    return below(list(classes)[-1], 0)


form, file = sys.argv[1:]
with open(file, encoding="utf-8") as opened:
    found = {"regblock": regblock, "uvm": uvm}[form](opened.read())
for address, low, width, access, value in sorted(found, key=lambda one: one[:2]):
    words = [f"{address:#06x}", str(low), str(width), access, "-" if value is None else f"{value:#x}"]
    print(" ".join(word for word in words if word))
