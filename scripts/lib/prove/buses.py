"""Proofs of the units behind a bus: its protocol, and the way from it to the registers.

The unit's inner block, `monitor`, `counters`, `issue` or `managed`, is left out: whatever it puts out, the bus is answered.
"""

from .faults import Fault
from .proof import INDUCTION, REACHABILITY, Proof

# Cycles from the first of a transfer at the register port to its answer.
ANSWER = 4

APB4 = ("requested", "stable", "bounded", "quiet", "errors", "passed", "once", "returned")
AXI4_LITE = ("requested", "counted", *APB4[1:])
PORT = ("answered", "silent", "held")
WIDTHS = {"select": 1, "write": 1, "address": 14, "write_data": 32, "strobe": 4}
WIDTHS |= {"done": 1, "error": 1, "read_data": 32}


def sweep(parameters):
    """Cycles after a reset in which limits are set, and accesses to them wait: one word per pair."""
    if "BANKS" not in parameters:
        return 0
    kid_width = max(1, (parameters["KERNELS"] - 1).bit_length())
    return 2 ** (2 * kid_width + 1)


def _port(parameters):
    signals = [(f"port_{name}", width, [f"dut.registers.{name}"]) for name, width in WIDTHS.items()]
    return [*signals, ("port_waits", 1, ["dut.registers.port.hold"])]


def _bits(name, width, *path):
    return (name, width, [".".join(("dut.registers", *path))])


def _file(widths):
    """Ports of the register file."""
    bus = {name: width for name, width in WIDTHS.items()}
    return [_bits(f"file_{name}", width, name) for name, width in {**bus, **widths}.items()]


def _under_way(registers):
    """The access in its port."""
    steps = [_bits(f"port_{step}", 1, "port", step) for step in ("looking", "reading", "sampling", "answering")]
    held = {"hits": ("hit", registers), "row": ("row", 8), "column": ("column", 8)}
    held |= {"data": ("data", 32), "write": ("write", 1), "error": ("error", 1), "read": ("read", 32)}
    return steps + [
        _bits(f"port_{name}", width, "port", f"{flop}_register") for name, (flop, width) in held.items()
    ]


def _limits(parameters):
    """Ports of the memory of the limits."""
    pair = 2 * _kid_width(parameters) + 1
    ports = {"write_enable": 1, "write_address": pair, "read_address": pair, "read_data": 32}
    ports = [_bits(f"limit_{port}", width, "scan", f"limits_{port}") for port, width in ports.items()]
    return [*ports, _bits("limit_write_value", 32, "scan", "limits_write_data")]


def _kid_width(parameters):
    return max(1, (parameters["KERNELS"] - 1).bit_length())


def _llc(parameters):
    kernels, kid = parameters["KERNELS"], _kid_width(parameters)
    total = parameters["CNT_W"] + (parameters["BANKS"] - 1).bit_length()
    requester = parameters["REQUESTERS"].bit_length()
    ports = {"ready": 1, "mapped_kid": kid, "read_count": total, "read_overflow": 1}
    ports |= {"overflow_gdc": kernels, "overflow_ike": kernels, "overflow_access": 2}
    ports |= {"sequence_number": 8, "flush": 1, "snapshot": 1, "map_valid": 1, "map_kid": kid}
    ports |= {"map_requester": requester, "read_matrix": 2, "read_live": 1, "irq": 1}
    ports |= {"read_victim": kid, "read_aggressor": kid, "period_passed": 1, "irq_enable": 3}
    scan = {"matrix": ("slot_matrix", 1), "victim": ("slot_victim", kid)}
    scan |= {"aggressor": ("slot_aggressor", kid), "limit": ("limit_register", 32)}
    scan |= {name: (name, 1) for name in ("sweep", "closing", "asked", "compared", "above")}
    pairs = ("sweep_pair", "closing_pair", "asked_pair", "compared_pair", "above_pair")
    scan |= {name: (name, 2 * kid + 1) for name in pairs}
    timer = {"period": ("period_register", 32), "left": ("left", 32), "expiring": ("expiring", 1)}

    def budgets(what):
        rows = [f"{of}.{what}_{victim}" for of in ("demotions", "evictions") for victim in range(kernels)]
        return [f"dut.registers.{row}" for row in rows]

    return [
        *_file(ports),
        *_under_way(29),
        *_limits(parameters),
        *[_bits(f"scan_{name}", width, "scan", flop) for name, (flop, width) in scan.items()],
        *[_bits(f"timer_{name}", width, "timer", flop) for name, (flop, width) in timer.items()],
        ("file_over", kernels, budgets("flags")),
        ("file_mask", kernels, budgets("masks")),
    ]


def _issue(parameters):
    kernels = parameters["KERNELS"]
    ports = {name: kernels for name in ("active", "allow", "unlimited")}
    ports |= {name: kernels * parameters["COUNT_W"] for name in ("in_flight", "limit")}
    ports |= {"quota": "KERNELS * QUOTA_W", "set_valid": 1, "set_unlimited": 1}
    ports |= {"set_kid": _kid_width(parameters), "set_limit": parameters["LIMIT_W"]}
    then = {name: kernels for name in ("active", "allow", "unlimited")}

    def captured(name, width):
        flops = [f"dut.registers.{name}_then_{kernel}" for kernel in range(kernels)]
        return (f"then_{name}", width, flops)

    return [
        *_file(ports),
        *_under_way(16),
        _bits("then_sequence", 8, "sequence_"),
        *[_bits(f"then_{name}", width, f"{name}_then") for name, width in then.items()],
        captured("in_flight", parameters["COUNT_W"]),
        captured("limit", parameters["COUNT_W"]),
        captured("quota", "QUOTA_W"),
    ]


def _managed(parameters):
    applications = parameters["APPLICATIONS"]
    app, position = max(1, (applications - 1).bit_length()), parameters["WAYS"].bit_length()
    counter, core = parameters["CNT_W"], parameters["ID_W"]
    ports = {name: 1 for name in ("ready", "busy", "decided", "insensitive")}
    ports |= {name: applications for name in ("ucp_mask", "rrip_mask", "streaming")}
    ports |= {"quota": applications * position, "psel": applications * parameters["PSEL_W"]}
    ports |= {"xsratio": parameters["XS_W"], "read_count": counter, "sequence_number": 8}
    ports |= {"overflow_evictions": applications, "overflow_accesses": 2}
    ports |= {"period": 1, "policy": 2, "aware": 1, "gpu": applications, "sample": 1, "choose": 1}
    ports |= {"choose_pol1": core, "choose_pol2": core, "detect": 1, "stream_accesses": counter}
    ports |= {"stream_rate": 8, "quota_override": 1, "quota_given": applications * position}
    ports |= {"mask_override": 1, "ucp_mask_given": applications, "rrip_mask_given": applications}
    ports |= {"read_matrix": 1, "read_row": app, "read_app": app, "read_live": 1, "irq": 1}
    flops = {"policy": ("policy_register", 7), "gpu": ("gpu_register", applications)}
    flops |= {"pol1": ("pol1_register", core), "pol2": ("pol2_register", core)}
    flops |= {"choosing": ("choosing", 1), "accesses": ("accesses_register", counter)}
    flops |= {"rate": ("rate_register", 8), "ucp_mask": ("ucp_mask_register", applications)}
    flops |= {"rrip_mask": ("rrip_mask_register", applications), "causes": ("irq_status", 2)}
    flops |= {"enabled": ("irq_enable", 2), "irq": ("irq_register", 1)}
    timer = {"period": ("period_register", 32), "left": ("left", 32), "expiring": ("expiring", 1)}

    def quotas(name):
        each = [f"dut.registers.{name}_{application}" for application in range(applications)]
        return (f"set_{name}", position, each)

    return [
        *_file(ports),
        *_under_way(33),
        *[_bits(f"set_{name}", width, flop) for name, (flop, width) in flops.items()],
        quotas("prepared"),
        quotas("given"),
        *[_bits(f"timer_{name}", width, "timer", flop) for name, (flop, width) in timer.items()],
    ]


def _apb4(parameters):
    return {"WAITS": ANSWER, "SLOW": sweep(parameters)}


def _axi4_lite(parameters):
    # It is the other's turn, then its own.
    return {"WAITS": 2 * (ANSWER + 1), "SLOW": sweep(parameters)}


LLC = ("small", "figure-2", "table-1")
ISSUE = ("small", "2-smil-rbmi", "8-milg-qbmi")
MANAGED = ("small", "three", "table-1")


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


def _registers(unit, cut, sets, claim, facts, inside, wired=(), constants=lambda parameters: {}):
    return Proof(
        unit,
        "registers",
        claim,
        sets,
        INDUCTION,
        facts=facts,
        files=(f"{inside.__name__[1:]}_registers", *wired),
        constants=constants,
        references=(f"{inside.__name__[1:]}_registers",),
        inside=inside,
        cut=cut,
    )


def _remembered(unit, cut, sets):
    return Proof(
        unit,
        "limits",
        "the memory of the limits gives what was last written for a pair",
        sets,
        REACHABILITY,
        facts=("remembered",),
        files=("llc_limits",),
        inside=_limits,
        cut=cut,
    )


def _proofs(unit, suffix, bus, facts, constants):
    name = f"{unit}_{suffix}"
    if unit == "llc_monitor":
        return [
            _protocol(name, "monitor", LLC, bus, facts, constants),
            _registers(
                name, "monitor", LLC[:2], LLC_CLAIM, LLC_FACTS, _llc, ("llc_monitor_wired",)
            ),
            _remembered(name, "monitor", LLC[:1]),
        ]
    if unit == "llc_counters":
        return [
            _protocol(name, "counters", LLC, bus, facts, constants),
            _registers(
                name, "counters", LLC[:2], LLC_CLAIM, LLC_FACTS, _llc, ("llc_counters_wired",),
                # What a monitor without sets and tags reads.
                lambda parameters: {"SETS": 1, "TAG_W": 0},
            ),
        ]
    if unit == "managed_llc":
        return [
            _protocol(name, "managed", MANAGED, bus, facts, constants),
            _registers(name, "managed", MANAGED, MANAGED_CLAIM, MANAGED_FACTS, _managed),
        ]
    return [
        _protocol(name, "issue", ISSUE, bus, facts, constants),
        _registers(name, "issue", ISSUE, ISSUE_CLAIM, ISSUE_FACTS, _issue),
    ]


LLC_FACTS = ("answered", "asked", "stored", "called", "wired", "accessed", "found", "kept")
LLC_CLAIM = (
    "every output and register of the register file equals that of a naive reference in every cycle: "
    "answers, errors and reads, what the monitor is told and asked, budgets, periods, the interrupt"
)
MANAGED_FACTS = ("answered", "asked", "told", "wired", "accessed", "kept")
MANAGED_CLAIM = (
    "every output and register of the register file equals that of a naive reference in every cycle: "
    "answers, errors and reads, what the unit is told and asked, periods, the interrupt"
)
ISSUE_FACTS = ("answered", "set", "wired", "accessed", "captured")
ISSUE_CLAIM = (
    "every output and register of the register file equals that of a naive reference in every cycle: "
    "answers, errors and reads, snapshots, limits"
)
BUSES = (("apb", "apb4", APB4, _apb4), ("axi", "axi4_lite", AXI4_LITE, _axi4_lite))

BUS_PROOFS = tuple(
    proof
    for unit in ("llc_monitor", "llc_counters", "mem_issue", "managed_llc")
    for bus in BUSES
    for proof in _proofs(unit, *bus)
)

# Each property of a protocol has one that it alone has to find; a reference is compared as a whole.
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
        "llc_monitor_apb", "bus", "small",
        "off by one: Add of registers.scan.sweep_pair.d",
        "bounded",
    ),
    Fault("llc_monitor_axi", "bus", "small", "wrong operation: And of bus.write_waits", "passed"),
    Fault("llc_monitor_apb", "registers", "small", "lost write: registers.scan.above"),
    Fault("llc_monitor_apb", "registers", "small", "stuck bit: bit 0 of registers.irq_register at 0"),
    Fault("llc_monitor_apb", "registers", "small", "stuck input: bit 0 of monitor.overflow_gdc at 0"),
    Fault("llc_monitor_apb", "registers", "small", "stuck input: bit 0 of monitor.ready at 1"),
    Fault("llc_monitor_apb", "registers", "small", "stuck input: bit 0 of monitor.mapped_kid at 0"),
    Fault("llc_monitor_apb", "registers", "small", "swapped operands: Mux of registers.timer.left"),
    Fault("llc_monitor_apb", "registers", "small", "stuck input: bit 0 of monitor.read_overflow at 0"),
    Fault("llc_monitor_apb", "registers", "small", "wrong operation: And of registers.port.looking.d"),
    Fault("llc_monitor_apb", "registers", "small", "wrong operation: And of registers.port.writes"),
    Fault("llc_monitor_apb", "registers", "small", "wrong operation: And of registers.refuses_limit"),
    Fault("llc_monitor_apb", "registers", "small", "stuck net: bit 0 of Mux of registers.port.row_register.d at 0"),
    Fault("llc_monitor_apb", "registers", "small", "stuck net: bit 20 of Mux of registers.port.read_register.d at 0"),
    Fault("llc_monitor_apb", "registers", "small", "swapped operands: Mux of registers.scan.limits.write_address"),
    Fault("llc_monitor_apb", "registers", "small", "off by one: Add of registers.scan.sweep_pair.d"),
    Fault("llc_monitor_apb", "registers", "small", "wrong operation: And of registers.scan.slot_aggressor"),
    Fault("llc_monitor_apb", "registers", "small", "stuck bit: bit 3 of registers.scan.limit_register at 1"),
    Fault("llc_monitor_apb", "registers", "small", "lost write: registers.scan.compared_pair"),
    Fault("llc_monitor_apb", "registers", "small", "wrong operation: And of registers.evictions.clear"),
    Fault("llc_monitor_axi", "registers", "small", "stuck net: bit 1 of Mux of registers.demotions.masks[0].d at 0"),
    Fault("llc_counters_apb", "registers", "small", "stuck input: bit 0 of counters.read_overflow at 0"),
    Fault("llc_counters_axi", "registers", "small", "wrong operation: And of registers.refuses_limit"),
    Fault("mem_issue_apb", "registers", "2-smil-rbmi", "stuck net: bit 1 of Mux of registers.port.data_register.d at 1"),
    Fault("mem_issue_apb", "registers", "2-smil-rbmi", "stuck net: bit 0 of And of registers.port.answering.d at 1"),
    Fault("mem_issue_apb", "registers", "2-smil-rbmi", "wrong operation: And of registers.port.write_register"),
    Fault("mem_issue_apb", "registers", "2-smil-rbmi", "stuck input: bit 0 of issue.quota at 0"),
    Fault("mem_issue_axi", "registers", "small", "wrong operation: And of registers.port.reading.d"),
    Fault("managed_llc_apb", "registers", "small", "wrong operation: And of registers.refuses_quotas"),
    Fault("managed_llc_apb", "registers", "small", "lost write: registers.choosing"),
    Fault("managed_llc_apb", "registers", "small", "stuck bit: bit 1 of registers.irq_status at 0"),
    Fault("managed_llc_apb", "registers", "small", "stuck input: bit 0 of managed.decided at 0"),
    Fault("managed_llc_axi", "registers", "small", "stuck bit: bit 5 of registers.policy_register at 0"),
    Fault(
        "llc_monitor_apb", "limits", "small",
        "stuck bit: bit 0 of registers.scan.limits at 1",
        "remembered",
    ),
    Fault(
        "llc_monitor_apb", "limits", "small",
        "stuck bit: bit 1 of registers.scan.limits at 0",
        "remembered",
    ),
    Fault(
        "llc_monitor_axi", "limits", "small",
        "stuck bit: bit 1 of registers.scan.limits at 0",
        "remembered",
    ),
)
