"""Tests of a unit behind a bus, whichever unit and bus it is. From the environment: REGISTERS, the
JSON of `cotenant registers`; SEED and STEPS of the random test."""

import os
from random import Random

import cocotb
from cocotb.clock import Clock
from cocotb.result import SimTimeoutError
from cocotb.triggers import ClockCycles, RisingEdge, Timer, with_timeout

from bus import manager
from registers import FIXED, Map, Model
from units import UNITS

MAP = Map(os.environ["REGISTERS"])
SEED = int(os.environ.get("SEED", "1"), 0)
STEPS = int(os.environ.get("STEPS", "300"))
# Kinds of registers that software writes and reads back.
PLAIN = ("MAP", "PERIOD", "IRQ_ENABLE", "DEMOTION_MASK", "EVICTION_MASK", "DEMOTION_LIMIT",
         "EVICTION_LIMIT", "SET_LIMIT")
CLOCK_NS = 10
# An answer that has not come by then will not come.
PATIENCE_NS = 100_000


class Bench:
    """A unit after a reset, its bus, and what is expected of both."""

    def __init__(self, dut):
        self.dut, self.random = dut, Random(SEED)
        self.map = MAP
        self.unit = UNITS[self.map.unit](dut, self.map)
        self.model = Model(self.map, {}, {})
        self.model.live, self.model.refuses = self.unit.model(self.model)
        cocotb.start_soon(Clock(dut.clock, CLOCK_NS, units="ns").start())
        for port in dut:
            # Inputs of the hardware side, those of the bus are the manager's.
            if port._path.count(".") == 1 and port._name in HARDWARE:
                port.value = 0
        self.bus = manager(dut)

    async def reset(self, cycles=2):
        """Resets unit, manager and expectations."""
        self.dut.reset.value = 1
        for name in self.unit.idle:
            getattr(self.dut, name).value = 0
        await ClockCycles(self.dut.clock, cycles)
        self.dut.reset.value = 0
        self.unit.reset()
        self.model.reset()
        await RisingEdge(self.dut.clock)

    async def cycles(self, count):
        """Waits; without waking up at every edge."""
        await Timer(count * CLOCK_NS, "ns")
        await RisingEdge(self.dut.clock)

    async def ready(self):
        """Until what is cleared after a reset or flush is."""
        await self.cycles(self.unit.swept)

    async def settle(self):
        """Until registers show what went on."""
        await self.cycles(self.unit.settled)
        self.unit.scan()

    async def answer(self, asked, what):
        """What the bus answers; a bus that hangs is told."""
        try:
            return await with_timeout(asked, PATIENCE_NS, "ns")
        except SimTimeoutError:
            raise AssertionError(f"no answer to the {what}") from None

    async def read(self, address, size=4):
        """Reads and compares; within a word, so that it is one transfer."""
        size = min(size, 4 - address % 4)
        expected = self.model.read(address)
        if size < 4:
            expected = expected[0] & ((1 << 8 * size) - 1), expected[1]
        found = await self.answer(self.bus.read(address, size), f"read of {self.named(address)}")
        assert found == expected, (
            f"read of {self.named(address)}: {found[0]:#x}, error {found[1]}; "
            f"expected {expected[0]:#x}, error {expected[1]}"
        )
        return found[0]

    async def write(self, address, data, size=4):
        """Writes and compares; what it does to the unit is expected from now on."""
        strobe = (1 << size) - 1
        asked = self.bus.write(address, data, size)
        failed = await self.answer(asked, f"write to {self.named(address)}")
        expected, found = self.model.write(address, data, strobe)
        assert failed == expected, (
            f"write of {data:#x}, strobe {strobe:#x}, to {self.named(address)}: "
            f"error {failed}; expected {expected}"
        )
        if found:
            register, row, _ = found
            self.unit.written(register.name, row, data)
            # What a write asks for shows a few cycles later.
            await self.cycles(4)
            if register.name == "CONTROL" and data & 2:
                await self.ready()

    async def interrupt(self):
        """Compares `irq`, where there is one."""
        if hasattr(self.dut, "irq"):
            await self.cycles(3)
            found, expected = int(self.dut.irq.value), int(self.unit.interrupt())
            assert found == expected, f"irq is {found}, expected {expected}"

    def named(self, address):
        """An address in words."""
        found = self.map.at(address)
        if not found:
            return f"{address:#x}"
        return f"{found[0].name}[{found[1]}][{found[2]}] at {address:#x}"

    def some_value(self, name, row):
        """A value for a register, mostly one that it takes."""
        value = self.random.choice([0, 1, 3, 0xFFFFFFFF, self.random.getrandbits(32)])
        if name in ("DEMOTION_LIMIT", "EVICTION_LIMIT"):
            most = (1 << self.map.parameters["CNT_W"]) - 1
            value = self.random.choice([0, 3, 40, most, most + 1, 0xFFFFFFFE, 0xFFFFFFFF])
        if name == "PERIOD":
            # Never over while the test runs.
            value |= 1 << 31
        if name == "MAP":
            value = self.random.randrange(self.unit.kernels + 1)
        if name == "SET_LIMIT":
            value &= 0x8000003F
        return value

    def elsewhere(self):
        """Addresses at which there is nothing: gaps, each register's end, odd ones."""
        mapped = self.map.mapped()
        ends = {address + 4 for address in mapped} | {self.map.bytes - 4}
        gaps = {self.random.randrange(0, self.map.bytes, 4) for _ in range(20)}
        odd = {address + self.random.randrange(1, 4) for address in self.random.sample(mapped, 8)}
        return sorted((ends | gaps | odd) - set(mapped) - {self.map.bytes})


HARDWARE = {
    "access_valid", "invalidate_valid", "request_set", "access_tag", "access_requester",
    "invalidate_way", "launch", "exit", "want", "lsu_ready", "complete", "request_valid",
    "request_first", "fail_valid", "lsu_kid",
}


async def after_reset(dut):
    """A bench that is ready."""
    bench = Bench(dut)
    await bench.reset()
    await bench.ready()
    return bench


@cocotb.test()
async def reads_as_described(dut):
    """After a reset each register reads what the description says; where there is none, an error."""
    bench = await after_reset(dut)
    for address in bench.map.mapped():
        await bench.read(address)
    for address in bench.elsewhere():
        await bench.read(address)
        await bench.read(address, 1)
    await bench.interrupt()


@cocotb.test()
async def reads_back_what_was_written(dut):
    """Each register that can be written, and all others unchanged in the end."""
    bench = await after_reset(dut)
    for register in bench.map.registers.values():
        if register.name in PLAIN and register.mask("ReadWrite"):
            for row, column in register.places():
                address = register.address(row, column)
                for _ in range(2):
                    await bench.write(address, bench.some_value(register.name, row))
                    await bench.read(address)
    for address in bench.map.mapped():
        await bench.read(address)


@cocotb.test()
async def errors_change_nothing(dut):
    """Wrong address, size, access or value: an error each, and every register as before."""
    bench = await after_reset(dut)
    for address in bench.elsewhere():
        await bench.write(address, bench.random.getrandbits(32), 4 - address % 4)
    for register in bench.map.registers.values():
        for row, column in register.places():
            address = register.address(row, column)
            if register.mask("ReadOnly", *FIXED) and not register.mask("ReadWrite", "ClearByOne"):
                await bench.write(address, 0xFFFFFFFF)
            else:
                await bench.write(address, 0xFFFFFFFF, bench.random.randrange(1, 4))
    for name, refuses in bench.model.refuses.items():
        for row, column in bench.map[name].places():
            value = next(v for v in (0, bench.map.parameters["KERNELS"], 0xFFFFFFFE) if refuses(row, v))
            await bench.write(bench.map[name].address(row, column), value)
    for address in bench.map.mapped():
        await bench.read(address)


@cocotb.test()
async def shows_what_goes_on(dut):
    """Work, a snapshot, and all that can be read of it, before and after."""
    bench = await after_reset(dut)
    control = bench.map["CONTROL"].address()
    for _ in range(2):
        await bench.unit.work(bench.random, 150)
        await bench.settle()
        for address in bench.map.mapped():
            await bench.read(address)
        await bench.write(control, 1)
        for address in bench.map.mapped():
            await bench.read(address)


@cocotb.test(skip=MAP.unit != "llc_monitor")
async def budget_is_kept_or_told(dut):
    """An interrupt if and only if a pair that is not masked exceeds its limit; the pair is named."""
    bench = await after_reset(dut)
    registers, kernels = bench.map, bench.unit.kernels
    for kind in ("DEMOTION", "EVICTION"):
        victim, aggressor = 0, kernels - 1
        await bench.write(registers[f"{kind}_LIMIT"].address(victim, aggressor), 5)
        await bench.write(registers[f"{kind}_MASK"].address(victim), 1 << aggressor)
        await bench.write(registers["IRQ_ENABLE"].address(), 3)
        await bench.interrupt()
        await bench.unit.work(bench.random, 300)
        await bench.settle()
        await bench.interrupt()
        assert int(dut.irq.value), "the test does not reach the limit"
        over = registers[f"{kind}_OVER"].address(victim)
        await bench.read(over)
        await bench.read(registers["IRQ_STATUS"].address())
        # It is set again as long as the period lasts, and not after it.
        await bench.write(over, 0xFFFFFFFF)
        await bench.settle()
        await bench.read(over)
        await bench.write(registers["CONTROL"].address(), 1)
        await bench.settle()
        await bench.write(over, 0xFFFFFFFF)
        await bench.settle()
        await bench.read(over)
        await bench.interrupt()
        assert not int(dut.irq.value), "cleared, it stays cleared"
        # The other kind's turn.
        await bench.write(registers[f"{kind}_MASK"].address(victim), 0)


@cocotb.test(skip=MAP.unit != "llc_monitor")
async def period_is_kept(dut):
    """Snapshots as often as PERIOD says, each told, until it is 0."""
    bench = await after_reset(dut)
    registers, period = bench.map, 64
    status = registers["IRQ_STATUS"].address()
    await bench.write(registers["IRQ_ENABLE"].address(), 4)
    await bench.write(registers["PERIOD"].address(), period)
    await with_timeout(RisingEdge(dut.irq), PATIENCE_NS, "ns")
    before = (await bench.bus.read(registers["STATUS"].address()))[0] >> 8
    await bench.cycles(3 * period)
    after = (await bench.bus.read(registers["STATUS"].address()))[0] >> 8
    assert after - before == 3, f"{after - before} snapshots in three periods"
    await bench.write(registers["PERIOD"].address(), 0)
    assert (await bench.bus.read(status))[0] == 4
    await bench.write(status, 4)
    await bench.cycles(2 * period)
    assert (await bench.bus.read(status))[0] == 0
    assert not int(dut.irq.value)


async def _hit_by_reset(bench):
    """A reset while transfers are under way: afterwards all is as after any."""
    address = bench.random.choice(bench.map.mapped())
    started = [cocotb.start_soon(bench.bus.read(address))]
    if bench.bus.both or bench.random.randrange(2):
        started.append(cocotb.start_soon(bench.bus.write(address, bench.random.getrandbits(32))))
    await ClockCycles(bench.dut.clock, bench.random.randrange(1, 14))
    await bench.reset(bench.random.randrange(1, 4))
    for one in started:
        await with_timeout(one, PATIENCE_NS, "ns")
    if bench.random.randrange(2):
        await bench.ready()
        return
    # What comes at once is answered, too, when limits are in place.
    limits = [name for name in ("DEMOTION_LIMIT", "SET_LIMIT") if name in bench.map.registers]
    register = bench.map[limits[0]]
    await bench.read(register.address())
    await bench.ready()


@cocotb.test()
async def random_transfers(dut):
    """Any access to any register, with back-pressure, work and resets in between."""
    bench = await after_reset(dut)
    random, registers = bench.random, bench.map
    mapped = registers.mapped()
    constants = [one.address() for one in registers.registers.values() if one.mask(*FIXED)]
    weights = {"read": 10, "write": 10, "both": 4, "narrow": 2, "unmapped": 2, "work": 1, "reset": 0.3}
    # Each at least once.
    plan = random.choices(list(weights), weights.values(), k=max(0, STEPS - len(weights)))
    plan = random.sample([*weights, *plan], len(weights) + len(plan))
    for choice in plan:
        if random.random() < 0.05:
            if random.randrange(2):
                bench.bus.dawdle(random, random.choice([0.2, 0.6, 0.9]))
            else:
                bench.bus.hurry()
        address = random.choice(mapped)
        register, row, _ = registers.at(address)
        value = bench.some_value(register.name, row)
        if choice == "read":
            await bench.read(address)
        elif choice in ("write", "narrow"):
            await bench.write(address, value, 4 if choice == "write" else random.randrange(1, 4))
        elif choice == "both":
            # Two at once, of which neither concerns the other.
            reading = cocotb.start_soon(bench.read(random.choice(constants)))
            await bench.write(address, value)
            await reading
        elif choice == "unmapped":
            other = random.choice(bench.elsewhere())
            await bench.read(other)
            await bench.write(other, value, 4 - other % 4)
        elif choice == "work":
            await bench.unit.work(random, random.randrange(1, 100))
        else:
            await _hit_by_reset(bench)
        if choice in ("write", "both", "work"):
            await bench.settle()
        await bench.interrupt()
    bench.bus.hurry()
    for address in mapped:
        await bench.read(address)
