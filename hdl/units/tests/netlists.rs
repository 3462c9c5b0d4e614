//! Rationale: a change of form (of a unit, of the elaborator, of its simplifier) must not change
//! the hardware unnoticed. The digest of every parameter set's netlist stands in `netlists.txt`;
//! whoever means to change hardware writes it again with `COTENANT_WRITE=1 cargo test --test
//! netlists`, and the change of that file shows which units and sets are other hardware now.

use std::fmt::Write;

use cotenant_units::table;

#[test]
fn every_parameter_set_has_the_netlist_that_is_recorded() {
    let mut digests = String::new();
    for unit in table::units() {
        for set in table::sets(unit).expect("a unit of the table") {
            let netlist = table::netlist(unit, &set).expect("a set of the table");
            let netlist = netlist.expect("elaborates");
            writeln!(digests, "{unit} {} {}", set.name, netlist.digest()).expect("a string");
        }
    }
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/netlists.txt");
    if std::env::var_os("COTENANT_WRITE").is_some() {
        std::fs::write(file, &digests).expect("netlists.txt is written");
    }
    let recorded = std::fs::read_to_string(file).expect("netlists.txt");
    let changed: Vec<&str> = digests
        .lines()
        .filter(|line| !recorded.lines().any(|known| known == *line))
        .collect();
    assert!(
        changed.is_empty(),
        "other netlists than netlists.txt has:\n{}",
        changed.join("\n")
    );
    assert_eq!(
        digests.lines().count(),
        recorded.lines().count(),
        "sets that are gone"
    );
}
