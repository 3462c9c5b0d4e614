"""An LRU stack that someone else has written, beside the golden model: every output, every cycle."""

import random

import cocotb
from cocotb.triggers import Timer

from cotenant import Model


@cocotb.test()
async def is_the_golden_model(dut):
    model, draw = Model("lru_stack", "2x2"), random.Random(cocotb.RANDOM_SEED)
    rare = ("reset", "flush", "invalidate_valid")
    for cycle in range(5000):
        while True:
            inputs = {port.name: draw.getrandbits(port.width) for port in model.inputs}
            inputs.update({name: draw.random() < 0.05 for name in rare})
            inputs["reset"] |= cycle < 2
            if model.legal(inputs) is None:
                break
        dut.clock.value = 0
        for name, value in inputs.items():
            getattr(dut, name).value = int(value)
        await Timer(5, "ns")
        for name, expected in model.step(inputs).items():
            if cycle > 0:  # flops are unknown before the first reset
                got = int(getattr(dut, name).value)
                assert got == expected, f"cycle {cycle}: {name} is {got}, expected {expected}"
        dut.clock.value = 1
        await Timer(5, "ns")
