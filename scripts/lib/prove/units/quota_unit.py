"""`quota_unit`."""

import itertools

from ..faults import Fault
from ..proof import CASES, Cases, INDUCTION, Proof

QUOTAS = ("small", "table-1", "3x8", "three", "4x32", "large")
TABLES = ("small", "table-1", "3x8", "three")


def quota_steps(ratio_max):
    """Cycles in which quota_unit multiplies the primes of prime powers up to ratio_max."""
    powers = {2: (2, 4, 8, 16, 32), 3: (3, 9, 27), 5: (5, 25)}
    powers |= {prime: (prime,) for prime in (7, 11, 13, 17, 19, 23, 29, 31)}
    return sum(
        prime.bit_length() - 1
        for prime, of in powers.items()
        for power in of
        if power <= ratio_max
    )


def quota_latency(parameters):
    """Cycles from a start of quota_unit to its set."""
    return parameters["KERNELS"] * (quota_steps(parameters["RATIO_MAX"]) + 1) + 1


def _schedule(parameters):
    return [("left", quota_latency(parameters).bit_length(), ["dut.left"])]


def quota_cases(parameters):
    """Each kernel inactive, with any ratio, or active with a ratio from 1 to the largest."""
    kernels, largest = parameters["KERNELS"], parameters["RATIO_MAX"]
    bits = range(largest.bit_length())
    for ratios in itertools.product(range(largest + 1), repeat=kernels):
        case = {}
        for kernel, ratio in enumerate(ratios):
            case["active", kernel] = int(ratio > 0)
            for bit in bits:
                at = kernel * len(bits) + bit
                case["ratio", at] = ratio >> bit & 1 if ratio else None
        yield case


PROOFS = (
    Proof(
        "quota_unit",
        "timed",
        "a set takes K(S + 1) + 1 cycles, busy until then; quotas change at no other time",
        QUOTAS,
        INDUCTION,
        facts=("timed",),
        inside=_schedule,
    ),
    Proof(
        "quota_unit",
        "defined",
        "a set is the least common multiple of the active kernels' ratios, divided by each",
        TABLES,
        CASES,
        facts=("defined",),
        cases=Cases(
            first={"reset": 0, "clear": 0, "start": 1},
            then={"reset": 0, "clear": 0, "start": 0},
            inputs=quota_cases,
            cycle=quota_latency,
        ),
    ),
)

FAULTS = (
    Fault("quota_unit", "timed", "small", "stuck net: bit 0 of Mux of quota_register[0].d at 0"),
    Fault("quota_unit", "defined", "small", "stuck bit: bit 1 of waiting[0] at 0"),
    Fault("quota_unit", "defined", "small", "stuck bit: bit 1 of quota_register[1] at 0"),
)
