"""The hardware side of the units: what goes on in it, and what the registers should say of it."""

from cocotb.triggers import ClockCycles, RisingEdge

from cache import Cache


def _packed(values, width):
    """Elements in one word, the first lowest."""
    return sum(value << i * width for i, value in enumerate(values))


class LlcMonitor:
    """Accesses to the cache beside which `llc_monitor` stands."""

    # Requests of the hardware side, low while it is idle.
    idle = ("access_valid", "invalidate_valid")

    def __init__(self, dut, registers):
        self.dut, self.parameters = dut, registers.parameters
        self.kernels = self.parameters["KERNELS"]
        # Accesses on their way to the counters, two rounds of the scan over all pairs, of the
        # period that ended and of the running one, and a sweep.
        self.settled = 4 * self.kernels**2 + 16
        self.swept = max(self.parameters["SETS"], 2 * 4 ** (self.kernels - 1).bit_length()) + 4
        self.reset()

    def reset(self):
        """What a reset does."""
        self.cache = Cache(self.parameters)
        self.last = Cache(self.parameters)
        self.sequence = 0
        self.timer_fired = False

    def model(self, model):
        """What registers that the hardware drives read, and what they refuse."""
        self.registers = model
        live = {"STATUS": lambda row, column: 1 | self.sequence << 8}
        for name in self.cache.counts:
            live[name] = lambda row, column, name=name: self.last.count(name, row, column)
            live[name + "_LIVE"] = lambda row, column, name=name: self.cache.count(name, row, column)
        live["IRQ_STATUS"] = lambda row, column: self._status()
        most = (1 << self.parameters["CNT_W"]) - 1
        refuses = {"MAP": lambda row, value: value & 0xFF >= self.kernels}
        for name in ("DEMOTION_LIMIT", "EVICTION_LIMIT"):
            refuses[name] = lambda row, value: most < value < 0xFFFFFFFF
        return live, refuses

    def _status(self):
        """Bits of IRQ_STATUS."""
        held = self.registers.held
        bits = self.timer_fired << 2
        for bit, kind in enumerate(("DEMOTION", "EVICTION")):
            for victim in range(self.kernels):
                over, mask = held[f"{kind}_OVER", victim, 0], held[f"{kind}_MASK", victim, 0]
                bits |= bool(over & mask) << bit
        return bits

    def interrupt(self):
        """Whether `irq` should be high."""
        return bool(self._status() & self.registers.held["IRQ_ENABLE", 0, 0])

    def written(self, name, row, data):
        """What a write does to the hardware."""
        if name == "CONTROL" and data & 1:
            self.snapshot()
        if name == "CONTROL" and data & 2:
            self.cache.flush()
        if name == "IRQ_STATUS" and data & 4:
            self.timer_fired = False

    def snapshot(self):
        """The period is over."""
        self.last.counts = self.cache.counts
        self.cache.start_period()
        self.sequence = (self.sequence + 1) % 256

    def scan(self):
        """Budgets exceeded by what was counted; a bit stays until it is cleared."""
        held = self.registers.held
        for kind, counts in (("DEMOTION", "GDC"), ("EVICTION", "IKE")):
            for victim in range(self.kernels):
                for aggressor in range(self.kernels):
                    count = self.cache.count(counts, victim, aggressor)
                    over = count > held[f"{kind}_LIMIT", victim, aggressor]
                    held[f"{kind}_OVER", victim, 0] |= over << aggressor

    async def work(self, random, cycles):
        """Accesses of random kernels to few lines, one access per bank and cycle at most."""
        own, dut = self.parameters, self.dut
        set_w = max(1, (own["SETS"] - 1).bit_length())
        requester_w = own["REQUESTERS"].bit_length()
        for _ in range(cycles):
            valid, sets, tags, requesters = 0, [], [], []
            for bank in range(own["BANKS"]):
                sets.append(random.randrange(min(4, own["SETS"])))
                tags.append(random.randrange(2 * own["WAYS"]))
                requesters.append(random.randrange(own["REQUESTERS"] + 1))
                if random.random() < 0.8:
                    valid |= 1 << bank
                    kernel = self.registers.held["MAP", requesters[-1], 0]
                    self.cache.access(bank, sets[-1], tags[-1], kernel)
            dut.access_valid.value = valid
            dut.request_set.value = _packed(sets, set_w)
            dut.access_tag.value = _packed(tags, own["TAG_W"])
            dut.access_requester.value = _packed(requesters, requester_w)
            await RisingEdge(dut.clock)
        dut.access_valid.value = 0


class MemIssue:
    """Kernels that issue memory instructions through `mem_issue`."""

    idle = ("launch", "exit", "want", "lsu_ready", "complete", "request_valid", "fail_valid")

    def __init__(self, dut, registers):
        self.dut, self.parameters = dut, registers.parameters
        # Two sets of quotas, at 41 cycles per kernel.
        self.settled = 2 * 41 * self.parameters["KERNELS"] + 16
        self.swept = 2
        self.reset()

    def reset(self):
        """What a reset does."""
        self.sequence = 0
        self.captured = {}

    def _ports(self):
        """What the ports say now: by register and kernel."""
        kernels, dut = self.parameters["KERNELS"], self.dut
        found = {(name, 0): int(getattr(dut, name.lower()).value)
                 for name in ("ACTIVE", "ALLOW", "UNLIMITED")}
        for name in ("IN_FLIGHT", "LIMIT", "QUOTA"):
            port = getattr(dut, name.lower())
            width = len(port) // kernels
            for kernel in range(kernels):
                value = int(port.value) >> kernel * width & ((1 << width) - 1)
                found[name, kernel] = value & 0xFFFFFFFF
                if name == "QUOTA":
                    found["QUOTA_HIGH", kernel] = value >> 32
        return found

    def model(self, model):
        """What registers that the hardware drives read, and what they refuse."""
        live = {"STATUS": lambda row, column: self.sequence << 8}
        for name in ("ACTIVE", "ALLOW", "UNLIMITED", "IN_FLIGHT", "LIMIT", "QUOTA", "QUOTA_HIGH"):
            live[name] = lambda row, column, name=name: self.captured.get((name, row), 0)
        live["SET_LIMIT"] = lambda row, column: (
            self._ports()["LIMIT", row] | (self._ports()["UNLIMITED", 0] >> row & 1) << 31
        )
        limits = 1 << self.parameters["LIMIT_W"]
        refuses = {
            "SET_LIMIT": lambda row, value: not value >> 31
            and not 0 < value & 0xFFFF < limits
        }
        return live, refuses

    def interrupt(self):
        """There is none."""
        return False

    def written(self, name, row, data):
        """What a write does to the hardware."""
        if name == "CONTROL" and data & 1:
            self.captured = self._ports()
            self.sequence = (self.sequence + 1) % 256

    def scan(self):
        """Nothing to wait for."""

    async def work(self, random, cycles):
        """Kernels come, issue, complete, and go."""
        dut, kernels = self.dut, self.parameters["KERNELS"]
        bits = (1 << kernels) - 1
        dut.launch.value = random.getrandbits(kernels)
        for _ in range(cycles):
            await RisingEdge(dut.clock)
            dut.launch.value = random.getrandbits(kernels) & random.getrandbits(kernels)
            dut.exit.value = random.getrandbits(kernels) & random.getrandbits(kernels)
            dut.want.value = random.getrandbits(kernels)
            dut.lsu_ready.value = random.randrange(2)
            dut.lsu_kid.value = random.randrange(kernels)
            asks = random.randrange(3)
            dut.request_valid.value = int(asks == 1)
            dut.request_first.value = random.randrange(2)
            dut.fail_valid.value = int(asks == 2)
        for name in self.idle:
            getattr(dut, name).value = 0
        await ClockCycles(dut.clock, 4)
        # Half of what is in flight completes.
        for _ in range(8):
            flying = sum(bool(self._ports()["IN_FLIGHT", k]) << k for k in range(kernels))
            dut.complete.value = flying & random.getrandbits(kernels) & bits
            await RisingEdge(dut.clock)
            dut.complete.value = 0
            await ClockCycles(dut.clock, 1)


UNITS = {"llc_monitor": LlcMonitor, "mem_issue": MemIssue}
