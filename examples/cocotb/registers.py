"""The registers of a unit, from what `cotenant registers UNIT --config CONFIG --format json` writes, and
model of what software sees of them."""

import json
from pathlib import Path

WORD = 0xFFFFFFFF
WRITTEN = ("ReadWrite", "Pulse", "ClearByOne")
FIXED = ("Constant", "Parameter")


class Field:
    """Bits of a register."""

    def __init__(self, about):
        self.name, self.access, self.lsb = about["name"], about["access"], about["lsb"]
        self.mask = ((1 << about["width"]) - 1) << self.lsb
        self._reset = about["reset"]

    def reset(self, row):
        """Its bits after a reset, in place."""
        value = self._reset.get("Same", 0)
        if "ByRow" in self._reset:
            value = self._reset["ByRow"][row]
        return value << self.lsb & self.mask


class Register:
    """One register, a row of them, or a matrix."""

    def __init__(self, about):
        self.name, self.offset = about["name"], about["offset"]
        self.rows, self.columns = about["rows"], about["columns"]
        self.strides = about["row_stride"], about["column_stride"]
        self.fields = [Field(field) for field in about["fields"]]

    def address(self, row=0, column=0):
        """The byte address of one of them."""
        return self.offset + row * self.strides[0] + column * self.strides[1]

    def places(self):
        """All that the parameter set has: row and column."""
        return [(row, column) for row in range(self.rows) for column in range(self.columns)]

    def mask(self, *access):
        """The bits that are of one of these kinds."""
        return sum(field.mask for field in self.fields if field.access in access)

    def reset(self, row):
        """What it reads after a reset, where the hardware does not say otherwise."""
        return sum(field.reset(row) for field in self.fields)


class Map:
    """All registers of a unit with one parameter set."""

    def __init__(self, path):
        about = json.loads(Path(path).read_text())
        self.unit = about["unit"]
        self.parameters = dict(about["parameters"])
        self.bytes = 1 << about["width"]
        self.registers = {one["name"]: Register(one) for one in about["registers"]}
        self._at = {
            register.address(*place): (register, *place)
            for register in self.registers.values()
            for place in register.places()
        }

    def __getitem__(self, name):
        return self.registers[name]

    def at(self, address):
        """Register, row and column at a byte address, or None."""
        return self._at.get(address)

    def mapped(self):
        """All addresses at which there is a register."""
        return sorted(self._at)


class Model:
    """What reads give and writes do, in the order in which they are done.

    `live` has a function of row and column for each register that the hardware drives; `refuses`
    one of row and value for each that does not take every value.
    """

    def __init__(self, registers, live, refuses):
        self.map, self.live, self.refuses = registers, live, refuses
        self.reset()

    def reset(self):
        """Everything to its value after a reset."""
        self.held = {
            (register.name, *place): register.reset(place[0])
            for register in self.map.registers.values()
            for place in register.places()
        }

    def read(self, address):
        """Data, and whether it is an error."""
        found = self.map.at(address)
        if found is None:
            return 0, True
        register, row, column = found
        if register.name in self.live:
            return self.live[register.name](row, column), False
        readable = WORD & ~register.mask("Pulse")
        return self.held[register.name, row, column] & readable, False

    def write(self, address, data, strobe=0xF):
        """Whether it is an error; if not, the register and place are also given."""
        found = self.map.at(address)
        if found is None or strobe != 0xF or not found[0].mask(*WRITTEN):
            return True, None
        register, row, column = found
        refuses = self.refuses.get(register.name)
        if refuses and refuses(row, data):
            return True, None
        held = self.held[register.name, row, column]
        kept = held & ~register.mask("ReadWrite") & ~(register.mask("ClearByOne") & data)
        self.held[register.name, row, column] = kept | data & register.mask("ReadWrite")
        return False, found
