"""An LRU stack that someone else has written, beside the golden model: every output, every cycle."""

from itertools import islice

import cocotb
from cocotb.triggers import Timer

from cotenant import Model, Stimulus


@cocotb.test()
async def is_the_golden_model(dut):
    model = Model("lru_stack", "2x2")
    stimulus = Stimulus(model, seed=cocotb.RANDOM_SEED, directed=2000)
    for cycle, inputs in enumerate(islice(stimulus, 5000)):
        dut.clock.value = 0
        for name, value in inputs.items():
            getattr(dut, name).value = value
        await Timer(5, "ns")
        for name, expected in model.step(inputs).items():
            if cycle > 0:  # flops are unknown before the first reset
                got = int(getattr(dut, name).value)
                assert got == expected, f"cycle {cycle}: {name} is {got}, expected {expected}"
        dut.clock.value = 1
        await Timer(5, "ns")
