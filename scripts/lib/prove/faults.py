"""Faults of the units that the proofs must find, as `cotenant export --list-faults` words them.

A proof that cannot fail is worth nothing: each is shown at least one fault of the netlist, and each
property of a unit behind a bus one that it alone has to find."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One that a proof must find."""

    unit: str
    proof: str
    set: str
    # As `cotenant export --fault` takes it.
    words: str
    # The one fact of the proof that it has to break; any, where none is named.
    claim: str = ""


FAULTS = (
    Fault("popcnt", "equal", "table-1", "wrong operation: Xor of adder_tree.group[2].sum[1]"),
    Fault("popcnt", "equal", "figure-2", "stuck input: bit 2 of data at 0"),
    Fault("demotion", "equal", "figure-2", "stuck input: bit 2 of access_pos at 0"),
    Fault("kid_demux", "equal", "figure-2", "stuck input: bit 0 of select at 0"),
    Fault("counter_matrix", "equal", "figure-2", "off by one: Add of sequence_register.d"),
    Fault("counter_matrix", "conserved", "figure-2", "off by one: Add of sum"),
    Fault("counter_matrix", "conserved", "figure-2", "stuck input: bit 1 of inc_kid at 0"),
    Fault(
        "counter_matrix", "conserved", "figure-2",
        "stuck net: bit 5 of Mux of read_row[1].d at 0",
    ),
    Fault("counter_matrix", "marked", "figure-2", "lost write: count[3][3]"),
    Fault("counter_matrix", "marked", "figure-2", "wrong operation: Add of sum"),
    Fault("gdcu", "equal", "figure-2", "off by one: Add of matrix.sum"),
    Fault("plob", "equal", "small", "stuck bit: bit 12 of matrix.shadow[1][0] at 1"),
    Fault("gdcu", "counted", "figure-2", "stuck input: bit 5 of stack_owner at 0"),
    Fault("lru_stack", "order", "figure-2", "stuck net: bit 3 of Mux of update.next_valid at 1"),
    Fault("lru_stack", "order", "figure-2", "swapped operands: Mux of update.new_way[3]"),
    Fault("lru_stack", "equal", "figure-2", "lost write: owner[0]"),
    Fault("milg", "equal", "small", "lost write: left"),
    Fault("milg", "equal", "small", "wrong operation: And of closing"),
    Fault("milg", "safe", "small", "missing reset: grew"),
    Fault("milg", "safe", "small", "stuck bit: bit 1 of limit_register at 0"),
    Fault("milg", "safe", "small", "off by one: Sub of counter.less"),
    Fault("smil", "equal", "small", "off by one: Sub of counter.less"),
    Fault("smil", "safe", "small", "wrong operation: Sub of counter.less"),
    Fault("rbmi", "equal", "three", "stuck bit: bit 0 of last at 0"),
    Fault("rbmi", "fair", "three", "stuck bit: bit 0 of last at 0"),
    Fault("quota_unit", "timed", "small", "stuck net: bit 0 of Mux of quota_register[0].d at 0"),
    Fault("quota_unit", "defined", "small", "stuck bit: bit 1 of waiting[0] at 0"),
    Fault("quota_unit", "defined", "small", "stuck bit: bit 1 of quota_register[1] at 0"),
    Fault("qbmi", "credit", "small", "missing reset: active_register"),
    Fault("qbmi", "credit", "small", "off by one: Add of meter[1].next_candidate"),
    Fault("qbmi", "credit", "small", "stuck input: bit 1 of ready at 1"),
    Fault("qbmi", "waiting", "small", "stuck net: bit 3 of Add of credit[1].sum at 0"),
    Fault("qbmi", "fresh", "small", "stuck bit: bit 2 of newest[1] at 0"),
    Fault("mem_issue", "gated", "small", "wrong operation: Less of milg[1].allow"),
    Fault("mem_issue", "gated", "small", "stuck input: bit 0 of lsu_ready at 1"),
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
    Fault(
        "llc_monitor_axi", "registers", "small",
        "stuck net: bit 1 of Mux of registers.demotions.masks[0].d at 0",
        "kept",
    ),
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
    Fault(
        "mem_issue_axi", "registers", "small",
        "wrong operation: And of registers.port.reading.d",
        "kept",
    ),
)
