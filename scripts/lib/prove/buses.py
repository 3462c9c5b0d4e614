"""Proofs of the units behind a bus: its protocol, and the way from it to the registers.

The unit's inner block, `monitor` or `issue`, is left out: whatever it puts out, the bus is answered.
"""

from .faults import Fault
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

# Each property has one that it alone has to find.
FAULTS = (
    Fault(
        "mem_issue_apb", "bus", "small",
        "wrong operation: And of registers.port.looking.d",
        "requested",
    ),
    Fault("mem_issue_apb", "bus", "small", "lost write: registers.port.answering", "stable"),
    Fault("mem_issue_apb", "bus", "small", "lost write: registers.port.sampling", "bounded"),
    Fault(
        "mem_issue_apb", "bus", "small",
        "stuck bit: bit 0 of registers.port.answering at 1",
        "quiet",
    ),
    Fault("mem_issue_apb", "bus", "small", "wrong operation: And of bus.pslverr", "errors"),
    Fault("mem_issue_apb", "bus", "small", "stuck input: bit 5 of pwdata at 1", "passed"),
    Fault("mem_issue_apb", "bus", "small", "wrong operation: And of registers.port.idle", "once"),
    Fault("mem_issue_apb", "bus", "small", "wrong operation: And of bus.pslverr", "returned"),
    Fault(
        "mem_issue_apb", "bus", "small",
        "wrong operation: And of registers.port.reading.d",
        "answered",
    ),
    Fault(
        "mem_issue_apb", "bus", "small",
        "stuck bit: bit 14 of registers.port.read_register at 1",
        "silent",
    ),
    Fault("mem_issue_apb", "bus", "small", "wrong operation: And of bus.select", "held"),
    Fault(
        "mem_issue_apb", "registers", "2-smil-rbmi",
        "stuck net: bit 1 of Mux of registers.port.data_register.d at 1",
        "decided",
    ),
    Fault(
        "mem_issue_apb", "registers", "2-smil-rbmi",
        "stuck net: bit 0 of And of registers.port.answering.d at 1",
        "kept",
    ),
    Fault(
        "mem_issue_apb", "registers", "2-smil-rbmi",
        "wrong operation: And of registers.port.write_register",
        "effective",
    ),
    Fault("mem_issue_axi", "bus", "small", "swapped operands: Mux of bus.ar_taken.d", "requested"),
    Fault("mem_issue_axi", "bus", "small", "wrong operation: And of bus.w_taken", "counted"),
    Fault("mem_issue_axi", "bus", "small", "lost write: bus.writing", "stable"),
    Fault("mem_issue_axi", "bus", "small", "lost write: bus.busy", "bounded"),
    Fault("mem_issue_axi", "bus", "small", "stuck bit: bit 0 of bus.b_valid at 1", "quiet"),
    Fault("mem_issue_axi", "bus", "small", "lost write: bus.b_valid", "errors"),
    Fault(
        "mem_issue_axi", "bus", "small",
        "stuck net: bit 8 of Mux of bus.ar_address.d at 1",
        "passed",
    ),
    Fault("mem_issue_axi", "bus", "small", "stuck net: bit 0 of Mux of bus.b_valid.d at 1", "once"),
    Fault(
        "mem_issue_axi", "bus", "small",
        "stuck net: bit 21 of Mux of bus.r_data.d at 1",
        "returned",
    ),
    Fault(
        "mem_issue_axi", "registers", "small",
        "wrong operation: And of registers.port.reading.d",
        "kept",
    ),
    Fault(
        "llc_monitor_apb", "bus", "small",
        "off by one: Add of registers.scan.sweep_pair.d",
        "bounded",
    ),
    Fault(
        "llc_monitor_apb", "registers", "small",
        "wrong operation: And of registers.port.looking.d",
        "decided",
    ),
    Fault(
        "llc_monitor_apb", "registers", "small",
        "wrong operation: And of registers.port.writes",
        "kept",
    ),
    Fault(
        "llc_monitor_apb", "registers", "small",
        "stuck net: bit 0 of Mux of registers.port.row_register.d at 0",
        "effective",
    ),
    Fault(
        "llc_monitor_apb", "registers", "small",
        "stuck net: bit 20 of Mux of registers.port.read_register.d at 0",
        "read",
    ),
    Fault(
        "llc_monitor_apb", "registers", "small",
        "swapped operands: Mux of registers.scan.limits.write_address",
        "set",
    ),
    Fault(
        "llc_monitor_apb", "registers", "small",
        "off by one: Add of registers.scan.sweep_pair.d",
        "limited",
    ),
    Fault(
        "llc_monitor_apb", "registers", "small",
        "wrong operation: And of registers.scan.slot_aggressor",
        "weighed",
    ),
    Fault(
        "llc_monitor_apb", "registers", "small",
        "stuck bit: bit 3 of registers.scan.limit_register at 1",
        "weighed",
    ),
    Fault(
        "llc_monitor_apb", "registers", "small",
        "stuck bit: bit 9 of registers.scan.limit_register at 1",
        "weighed",
    ),
    Fault(
        "llc_monitor_apb", "registers", "small",
        "lost write: registers.scan.compared_pair",
        "blamed",
    ),
    Fault(
        "llc_monitor_apb", "registers", "small",
        "wrong operation: And of registers.evictions.clear",
        "cleared",
    ),
    Fault("llc_monitor_axi", "bus", "small", "wrong operation: And of bus.write_waits", "passed"),
    Fault(
        "llc_monitor_axi", "registers", "small",
        "stuck net: bit 1 of Mux of registers.demotions.masks[0].d at 0",
        "kept",
    ),
)
