"""Proofs of the units behind a bus: its protocol, and the way from it to the registers.

The unit's inner block, `monitor` or `issue`, is left out: whatever it puts out, the bus is answered.
"""

from .proof import REACHABILITY, Proof

# Cycles from the first of a transfer at the register port to its answer.
ANSWER = 4

APB4 = ("requested", "stable", "bounded", "quiet", "errors", "passed", "once", "returned")
AXI4_LITE = ("requested", "counted", *APB4[1:])
PORT = ("answered", "silent", "held")
WIDTHS = {"select": 1, "write": 1, "address": 14, "write_data": 32, "strobe": 4}
WIDTHS |= {"done": 1, "error": 1, "read_data": 32}


def sweep(parameters):
    """Cycles after a reset in which limits are set, and accesses to them wait: one word per pair."""
    if "SETS" not in parameters:
        return 0
    kid_width = max(1, (parameters["KERNELS"] - 1).bit_length())
    return 2 ** (2 * kid_width + 1)


def _port(parameters):
    signals = [(f"port_{name}", width, [f"dut.registers.{name}"]) for name, width in WIDTHS.items()]
    return [*signals, ("port_waits", 1, ["dut.registers.port.hold"])]


def _llc(parameters):
    kid_width = max(1, (parameters["KERNELS"] - 1).bit_length())
    total = parameters["CNT_W"] + (parameters["BANKS"] - 1).bit_length()
    requester = parameters["REQUESTERS"].bit_length()
    widths = {"live": ("read_live", 1), "matrix": ("read_matrix", 2)}
    widths |= {name: (f"read_{name}", kid_width) for name in ("victim", "aggressor")}
    widths |= {"map": ("map_valid", 1), "requester": ("map_requester", requester)}
    widths |= {"kid": ("map_kid", kid_width), "snapshot": ("snapshot", 1), "flush": ("flush", 1)}
    asks = [(f"asks_{name}", width, [f"dut.registers.{port}"]) for name, (port, width) in widths.items()]
    flags = [
        f"dut.registers.{kind}.flags_{victim}"
        for kind in ("demotions", "evictions")
        for victim in range(parameters["KERNELS"])
    ]
    return [
        *_port(parameters),
        *asks,
        ("counter_read", total, ["dut.registers.read_count"]),
        ("timer_expires", 1, ["dut.registers.timer.expires"]),
        ("port_looks", 1, ["dut.registers.port.looks"]),
        ("sweeping", 1, ["dut.registers.scan.sweeping"]),
        ("limit_writes", 1, ["dut.registers.scan.limits_write_enable"]),
        ("limit_write_pair", 2 * kid_width + 1, ["dut.registers.scan.limits_write_address"]),
        ("limit_write_data", 32, ["dut.registers.scan.limits_write_data"]),
        ("limit_read_pair", 2 * kid_width + 1, ["dut.registers.scan.limits_read_address"]),
        ("limit_given", 32, ["dut.registers.scan.limits_read_data"]),
        ("slots", 1, ["dut.registers.scan.scans"]),
        ("weighs", 1, ["dut.registers.scan.compared"]),
        ("weighed_limit", 32, ["dut.registers.scan.limit_register"]),
        ("over", parameters["KERNELS"], flags),
    ]


def _issue(parameters):
    kid_width = max(1, (parameters["KERNELS"] - 1).bit_length())
    told = {"valid": 1, "kid": kid_width, "limit": parameters["LIMIT_W"], "unlimited": 1}
    return _port(parameters) + [
        (f"told_{name}", width, [f"dut.registers.set_{name}"]) for name, width in told.items()
    ]


def _apb4(parameters):
    return {"WAITS": ANSWER, "SLOW": sweep(parameters)}


def _axi4_lite(parameters):
    # It is the other's turn, then its own.
    return {"WAITS": 2 * (ANSWER + 1), "SLOW": sweep(parameters)}


LLC = ("small", "figure-2", "table-1")
ISSUE = ("small", "2-smil-rbmi", "8-milg-qbmi")


def _protocol(unit, cut, sets, bus, facts, constants):
    words = {"apb4": "APB4", "axi4_lite": "AXI4-Lite"}[bus]
    return Proof(
        unit,
        "bus",
        f"{words}: no answer without a request, stable while it waits, none after a reset, bounded; "
        "each access reaches its register once, and its answer is the bus's",
        sets,
        REACHABILITY,
        facts=(*facts, *PORT),
        files=(bus, "register_port"),
        modules=(f"{bus}_protocol", f"{bus}_port", "register_port"),
        assumed=bus,
        constants=constants,
        inside=_port,
        cut=cut,
    )


def _registers(unit, cut, sets, bus, claim, facts, inside):
    return Proof(
        unit,
        "registers",
        claim,
        sets,
        REACHABILITY,
        facts=facts,
        files=(f"{inside.__name__[1:]}_registers",),
        references=(f"{inside.__name__[1:]}_registers",),
        assumed=bus,
        modules=(f"{bus}_protocol",),
        constants=_apb4 if bus == "apb4" else _axi4_lite,
        inside=inside,
        cut=cut,
    )


def _proofs(unit, suffix, bus, facts, constants):
    name = f"{unit}_{suffix}"
    if unit == "llc_monitor":
        return [
            _protocol(name, "monitor", LLC, bus, facts, constants),
            _registers(name, "monitor", LLC[:2] if bus == "apb4" else LLC[:1], bus, LLC_CLAIM, LLC_FACTS, _llc),
        ]
    return [
        _protocol(name, "issue", ISSUE, bus, facts, constants),
        _registers(name, "issue", ISSUE[:2], bus, ISSUE_CLAIM, ISSUE_FACTS, _issue),
    ]


LLC_FACTS = ("decided", "kept", "effective", "read", "set", "limited", "weighed", "blamed", "cleared")
LLC_CLAIM = (
    "an access is an error if and only if it should be, and then without effect; reads give what "
    "was written last, counters what the monitor's read port gave; a pair is over its budget only "
    "if its count was above its limit, until a write clears it; pairs are compared in turn, a round "
    "after each snapshot with what the period came to, else with the running counts"
)
ISSUE_FACTS = ("decided", "kept", "effective")
ISSUE_CLAIM = (
    "an access is an error if and only if it should be, and then without effect; reads give what "
    "the last snapshot captured, limits what is in force"
)
BUSES = (("apb", "apb4", APB4, _apb4), ("axi", "axi4_lite", AXI4_LITE, _axi4_lite))

BUS_PROOFS = tuple(
    proof
    for unit in ("llc_monitor", "mem_issue")
    for bus in BUSES
    for proof in _proofs(unit, *bus)
)
