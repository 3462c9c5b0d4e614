//! A fault of each unit that every tool which compares must see.

use cotenant_units::table;

/// By unit, as `cotenant export --list-faults` words them.
pub const FAULTS: [(&str, &str); 19] = [
    (
        "popcnt",
        "wrong operation: Xor of adder_tree.group[0].sum[0]",
    ),
    ("kid_demux", "stuck input: bit 0 of enable at 1"),
    ("demotion", "stuck input: bit 0 of access_pos at 0"),
    ("counter_matrix", "wrong operation: Add of sum"),
    ("gdcu", "stuck input: bit 0 of access_valid at 1"),
    ("lru_stack", "swapped operands: Mux of update.new_way[3]"),
    ("plob", "wrong operation: And of demux.enable"),
    (
        "llc_monitor",
        "swapped operands: Mux of bank[0].directory.tag_writes",
    ),
    ("umon", "stuck input: bit 0 of access_valid at 1"),
    ("milg", "wrong operation: Sub of counter.less"),
    ("smil", "wrong operation: Less of allow"),
    ("quota_unit", "wrong operation: Or of multiple"),
    ("rbmi", "swapped operands: Mux of in_line"),
    ("qbmi", "lost write: active_register"),
    ("mem_issue", "lost write: active_register"),
    (
        "llc_monitor_apb",
        "wrong operation: Or of registers.port.whole",
    ),
    ("llc_monitor_axi", "swapped operands: Mux of bus.writing.d"),
    (
        "mem_issue_apb",
        "wrong operation: And of registers.port.writes",
    ),
    ("mem_issue_axi", "wrong operation: And of bus.write_waits"),
];

/// The parameter set that a unit's fault is tried in: the first of the test sets.
pub fn set_of(unit: &str) -> &'static str {
    table::test_sets(unit).unwrap()[0].name
}
