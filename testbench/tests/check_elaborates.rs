//! Rationale: everything else here reads the netlist, so first of all each unit must have one, in
//! each parameter set that is served, and without a warning: an unread bit is logic that is not
//! there.
use cotenant_units::table;

#[test]
fn every_unit_in_every_set_elaborates_without_a_warning() {
    let mut problems = Vec::new();
    for unit in table::units() {
        for set in table::sets(unit).unwrap() {
            match table::netlist(unit, &set).unwrap() {
                Ok(netlist) => {
                    let warnings = netlist.warnings.iter();
                    problems.extend(warnings.map(|w| format!("{unit} {}: {w}", set.name)));
                }
                Err(error) => problems.push(format!("{unit} {}: {error}", set.name)),
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
