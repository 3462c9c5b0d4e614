"""Which proofs there are, and of which parameter sets."""

import itertools

from .buses import BUS_PROOFS
from .proof import CASES, CORRESPONDENCE, INDUCTION, SAT, Cases, Proof


def _matrix(parameters, signal):
    kernels = range(parameters["KERNELS"])
    return [f"dut.{signal}_{victim}_{aggressor}" for victim in kernels for aggressor in kernels]


def _rows(parameters, signal):
    return [f"dut.{signal}_{victim}" for victim in range(parameters["KERNELS"])]


def _conserved(parameters):
    width = parameters["CNT_W"]
    return [
        ("counts", width, _matrix(parameters, "count")),
        ("shadows", width, _matrix(parameters, "shadow")),
        ("passed", parameters["KERNELS"], _rows(parameters, "passed")),
        ("last_passed", parameters["KERNELS"], _rows(parameters, "last_passed")),
    ]


def _marked(parameters):
    return [probe for probe in _conserved(parameters) if probe[0] in ("counts", "passed")]


def _divider(parameters):
    count, fail, interval = (parameters[key] for key in ("COUNT_W", "FAIL_W", "INTERVAL_W"))
    return [
        ("peak", count, ["dut.peak"]),
        ("grew", 1, ["dut.grew"]),
        ("began", 1, ["dut.began"]),
        ("closed", 1, ["dut.closed"]),
        ("failures", fail, ["dut.failures"]),
        ("requests", interval, ["dut.requests"]),
        ("last", 1, ["dut.last"]),
        ("left", count.bit_length(), ["dut.left"]),
        ("divisor", fail - interval, ["dut.divisor"]),
        ("remainder", fail - interval, ["dut.remainder"]),
        ("shift", count, ["dut.shift"]),
    ]


def _interval(parameters):
    names = ("peak", "grew", "began", "closed", "requests", "last", "left")
    return [probe for probe in _divider(parameters) if probe[0] in names]


def _turn(parameters):
    return [("last", max(1, (parameters["KERNELS"] - 1).bit_length()), ["dut.last"])]


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


def _sets_in_force(parameters):
    kernels = range(parameters["KERNELS"])
    return [("sets", "(QUOTA_W - 1)", [f"dut.unit.quota_register_{i}" for i in kernels])]


def _newest(parameters):
    kernels = range(parameters["KERNELS"])
    return ("newest", "(QUOTA_W - 1)", [f"dut.newest_{i}" for i in kernels])


def _credit(parameters):
    kernels = range(parameters["KERNELS"])
    return _sets_in_force(parameters) + [
        ("candidates", "RATIO_W", [f"dut.meter_{i}.candidate" for i in kernels]),
        ("steps_left", "$clog2(RATIO_MAX)", [f"dut.meter_{i}.left" for i in kernels]),
        ("pending", "KERNELS", ["dut.pending"]),
        ("single", "KERNELS", ["dut.single"]),
        ("refill", "KERNELS", ["dut.refill"]),
        ("turn", "$clog2(KERNELS)", ["dut.last"]),
        _newest(parameters),
    ]


def _fresh(parameters):
    ratios = dict(parameters, RATIO_MAX=min(32, 2 ** parameters["INTERVAL_W"]))
    return [
        ("dirty", 1, ["dut.dirty"]),
        ("updates", 1, ["dut.updates"]),
        ("begins", 1, ["dut.starts"]),
        ("unit_left", (quota_latency(ratios) - 1).bit_length(), ["dut.unit.left"]),
        _newest(parameters),
        *_sets_in_force(parameters),
    ]


def _scheduled(parameters):
    path = "dut.qbmi_0.active_register" if parameters["PRIORITY"] else "dut.active_register"
    return [("scheduled", parameters["KERNELS"], [path])]


def _adders(parameters):
    position = parameters["WAYS"].bit_length()
    return [
        ("adder_valid", 1, ["dut.matrix.inc_valid"]),
        ("adder_inc", parameters["KERNELS"] * position, ["dut.matrix.inc"]),
    ]


# With numbers that are no powers of two, so that there are codes without a kernel or way.
SIZES = ("small", "figure-2", "table-1")
ONE = (*SIZES, "3", "large")
LANES = ("small", "table-1", "large", "3")
STACKS = (*SIZES, "3x3")
COUNTERS = (*SIZES, "3x3x16")
EVICTIONS = ("small", "table-1", "4x21s0", "3x16", "4x21s2")
PIPELINES = (*COUNTERS, "4x4x21s0", "4x4x21s2", "4x4x21s3")
LIMITS = ("small", "3x6x3", "table-1", "3x6x3d", "7x12x10d", "wide", "large")
GATES = ("small", "table-1", "wide", "3x2", "large")
TURNS = ("small", "4", "large", "three", "5", "16")
QUOTAS = ("small", "table-1", "3x8", "three", "4x32", "large")
TABLES = ("small", "table-1", "3x8", "three")
ISSUES = ("small", "table-1", "3x3c", "three", "2x10c", "3x10c", "4x10")
CORES = ("small", "table-1", "2-smil-rbmi", "three", "3-milgd-qbmic", "4-milg-qbmi", "8-smil-rbmi")
EQUAL = "every output equals that of a naive reference"

UNIT_PROOFS = (
    Proof("popcnt", "equal", EQUAL, ONE, SAT, reference=True),
    Proof("demotion", "equal", EQUAL, ONE, SAT, reference=True),
    Proof("kid_demux", "equal", EQUAL, LANES, SAT, reference=True),
    Proof("counter_matrix", "equal", EQUAL, COUNTERS, CORRESPONDENCE, reference=True),
    Proof(
        "counter_matrix",
        "conserved",
        "nothing is lost or counted twice between snapshot and clear",
        COUNTERS,
        INDUCTION,
        facts=("conserved",),
        inside=_conserved,
    ),
    Proof(
        "counter_matrix",
        "marked",
        "an overflow mark is set if and only if a count was cut",
        COUNTERS,
        INDUCTION,
        facts=("marked",),
        inside=_marked,
    ),
    Proof("gdcu", "equal", EQUAL, PIPELINES, CORRESPONDENCE, reference=True),
    Proof("plob", "equal", EQUAL, EVICTIONS, CORRESPONDENCE, reference=True),
    Proof(
        "gdcu",
        "counted",
        "the increments at the adders sum to the valid lines demoted",
        PIPELINES,
        INDUCTION,
        facts=("lines",),
        consequences=("counted",),
        inside=_adders,
        depth=lambda parameters: max(1, parameters["STAGES"]),
    ),
    Proof(
        "lru_stack",
        "order",
        "the stack is a permutation, the invalid ways at the bottom",
        STACKS,
        INDUCTION,
        facts=("order",),
    ),
    Proof(
        "lru_stack",
        "equal",
        EQUAL + " that keeps ages",
        STACKS,
        INDUCTION,
        reference=True,
        reference_state=("way_age", "way_owner", "way_valid"),
        facts=("order", "ages"),
    ),
    Proof(
        "milg",
        "equal",
        EQUAL + " that divides with `/`",
        LIMITS,
        INDUCTION,
        reference=True,
        reference_state=("most", "refused", "accepted", "dividend", "each", "ended", "due"),
        facts=("steps",),
        inside=_divider,
    ),
    Proof(
        "milg",
        "safe",
        "in flight is what was issued and not completed, the peak no less, a limit at least 1; "
        "a division ends before the next interval",
        LIMITS,
        INDUCTION,
        facts=("safe",),
        inside=_interval,
    ),
    Proof(
        "smil", "equal", EQUAL, GATES, INDUCTION, reference=True, facts=("same",)
    ),
    Proof(
        "smil",
        "safe",
        "in flight is what was issued and not completed, a limit at least 1",
        GATES,
        INDUCTION,
        facts=("safe",),
    ),
    Proof("rbmi", "equal", EQUAL, TURNS, CORRESPONDENCE, reference=True),
    Proof(
        "rbmi",
        "fair",
        "a grant has a request, one at most; a lone kernel is never blocked; "
        "one that waits is passed over at most K - 1 times",
        TURNS,
        INDUCTION,
        facts=("fair",),
        inside=_turn,
    ),
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
    Proof(
        "qbmi",
        "credit",
        "the quota of an inactive kernel is 0, and that of one active kernel at most; a grant is "
        "taken off two cycles later, and nothing else is; a grant has a request, one at most, of "
        "the highest quota; a lone kernel is never blocked",
        ISSUES,
        INDUCTION,
        facts=("credit",),
        lemmas=("positive",),
        inside=_credit,
    ),
    Proof(
        "qbmi",
        "waiting",
        "while one waits each other is granted less than 2^(QUOTA_W + 2) times, "
        "if kernels neither come nor go",
        ISSUES,
        INDUCTION,
        facts=("waiting",),
        lemmas=("positive", "credit"),
        inside=_credit,
    ),
    Proof(
        "qbmi",
        "fresh",
        "a new ratio or a change of the kernels is in the set in force after at most "
        "2(K(S + 1) + 1) + 1 cycles",
        (*ISSUES, "large"),
        INDUCTION,
        facts=("fresh",),
        inside=_fresh,
    ),
    Proof(
        "mem_issue",
        "gated",
        "a grant goes to a kernel that wants it, is active and below its limit, to one at most; "
        "if there is one, it does",
        CORES,
        INDUCTION,
        facts=("gated",),
        inside=_scheduled,
    ),
)

PROOFS = (*UNIT_PROOFS, *BUS_PROOFS)
