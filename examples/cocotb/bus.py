"""Managers of cocotbext-axi behind one interface: whole or narrow accesses, and back-pressure."""

import logging

from cocotbext.axi import ApbBus, ApbMaster, AxiLiteBus, AxiLiteMaster, AxiResp


def _error(response):
    """A slave error or none; anything else is no answer of these units."""
    assert response.resp in (AxiResp.OKAY, AxiResp.SLVERR), f"response {response.resp!r}"
    return response.resp == AxiResp.SLVERR


class _Manager:
    """What both buses have."""

    # Whether a read and a write can be under way at once.
    both = False

    def __init__(self, master, pauses):
        self.master, self._pauses = master, pauses

    async def read(self, address, size=4):
        """Data and whether it is an error; None if a reset came in between."""
        response = await self.master.read(address, size)
        if response is None:
            return None
        return int.from_bytes(response.data, "little"), _error(response)

    async def write(self, address, data, size=4):
        """Whether it is an error; None if a reset came in between. A size below 4 writes the
        lowest bytes alone."""
        lanes = (data & ((1 << 8 * size) - 1)).to_bytes(size, "little")
        response = await self.master.write(address, lanes)
        return None if response is None else _error(response)

    def hurry(self):
        """No pauses."""
        for channel in self._pauses:
            channel.clear_pause_generator()
            channel.pause = False

    def dawdle(self, random, share):
        """Pauses in about this share of the cycles, in each channel on its own: requests come
        apart, answers are left waiting."""

        def pauses(seed):
            own = type(random)(seed)
            while True:
                yield own.random() < share

        for channel in self._pauses:
            channel.set_pause_generator(pauses(random.getrandbits(32)))


class Apb(_Manager):
    """APB4."""

    def __init__(self, dut):
        master = ApbMaster(ApbBus.from_entity(dut), dut.clock, dut.reset)
        master.log.setLevel(logging.ERROR)
        super().__init__(master, [master])


class Axi(_Manager):
    """AXI4-Lite."""

    both = True

    def __init__(self, dut):
        master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axi"), dut.clock, dut.reset)
        write, read = master.write_if, master.read_if
        channels = [write.aw_channel, write.w_channel, write.b_channel]
        channels += [read.ar_channel, read.r_channel]
        for part in [write, read, *channels]:
            part.log.setLevel(logging.ERROR)
        super().__init__(master, channels)


def manager(dut):
    """That of the bus that the top module has."""
    return Apb(dut) if hasattr(dut, "psel") else Axi(dut)
