//! Rationale: the table is written by hand, so it is checked against what it
//! claims: that names are unique, that the parameters are those that the
//! blocks declare, that every set elaborates cleanly, and that what is not in
//! it is refused with good advice.

use cotenant_netlist::hdl::*;
use cotenant_units::drive::{DriveError, Driver};
use cotenant_units::table::{self, TableError};
use std::collections::BTreeSet;

#[test]
fn names_are_unique_and_found() {
    for unit in table::units() {
        let sets = table::sets(unit).unwrap();
        let names = sets.iter().flat_map(|s| s.aliases.iter().chain([&s.name]));
        let unique: BTreeSet<&str> = names.clone().copied().collect();
        assert_eq!(unique.len(), names.clone().count(), "{unit}");
        for name in unique {
            assert!(table::set(unit, name).is_ok(), "{unit} {name}");
        }
        // What every unit's help and examples may name.
        for alias in ["table-1", "small", "large"] {
            assert!(table::set(unit, alias).is_ok(), "{unit} {alias}");
        }
        let aliases: BTreeSet<&str> = sets.iter().flat_map(|s| s.aliases.clone()).collect();
        let fourth = ["figure-2", "three", "wide"];
        assert!(fourth.iter().any(|a| aliases.contains(a)), "{unit}");
        assert_eq!(aliases.len(), 4, "{unit}: {aliases:?}");
    }
}

#[test]
fn test_sets_have_an_alias_and_come_once() {
    for unit in table::units() {
        let aliased: BTreeSet<&str> = table::sets(unit)
            .unwrap()
            .iter()
            .filter(|set| !set.aliases.is_empty())
            .map(|set| set.name)
            .collect();
        let tested = table::test_sets(unit).unwrap();
        let names: BTreeSet<&str> = tested.iter().map(|set| set.name).collect();
        // Of a unit behind a bus they are fewer.
        let behind_bus = unit.ends_with("_apb") || unit.ends_with("_axi");
        match behind_bus {
            true => assert!(names.is_subset(&aliased), "{unit}"),
            false => assert_eq!(names, aliased, "{unit}"),
        }
        assert_eq!(names.len(), tested.len(), "{unit}");
        assert!(names.len() >= if behind_bus { 2 } else { 3 }, "{unit}");
    }
    assert!(table::test_sets("gdc").is_err());
}

#[test]
fn every_set_is_the_block_that_it_says_and_elaborates_without_warnings() {
    for unit in table::units() {
        for set in table::sets(unit).unwrap() {
            let block = table::build(unit, set.name).unwrap();
            let netlist = cotenant_netlist::elaborate(&block, unit).unwrap();
            assert!(
                netlist.warnings.is_empty(),
                "{unit} {}: {:?}",
                set.name,
                netlist.warnings
            );
            let values = set
                .params
                .iter()
                .map(|(name, value)| format!("_{}{value}", name.to_lowercase().replace('_', "")));
            let name = values.fold(unit.to_string(), |name, value| name + &value);
            assert_eq!(netlist.module().name, name, "{unit} {}", set.name);
        }
    }
}

#[test]
fn inputs_and_outputs_are_those_of_the_block() {
    struct Ports(usize, Vec<(String, AtomKind, usize)>);
    impl Probe for Ports {
        fn visit_start_scope(&mut self, _name: &str, _node: &dyn Block) {
            self.0 += 1;
        }
        fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
            if self.0 == 1 && signal.kind().is_parameter() && signal.descriptor().name != "clock" {
                self.1.push((name.into(), signal.kind(), signal.bits()));
            }
        }
        fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
            self.0 -= 1;
        }
    }
    for unit in table::units() {
        let mut block = table::build(unit, "table-1").unwrap();
        let mut declared = Ports(0, vec![]);
        block.accept(unit, &mut declared);
        let inputs = block.inputs();
        let mut listed: Vec<_> = inputs
            .iter()
            .map(|(name, port)| (name.to_string(), AtomKind::InputParameter, port.width()))
            .collect();
        listed.extend(
            block
                .outputs()
                .iter()
                .map(|(name, port)| (name.to_string(), AtomKind::OutputParameter, port.width())),
        );
        assert_eq!(listed, declared.1, "{unit}");
    }
}

#[test]
fn what_is_not_in_the_table_is_refused_with_the_nearest() {
    let refused = |unit: &str, set: &str| table::build(unit, set).map(|_| ()).unwrap_err();
    assert_eq!(
        refused("lru", "16x4"),
        TableError::UnknownUnit {
            unit: "lru".into(),
            nearest: "lru_stack".into()
        }
    );
    for (unit, set, nearest) in [
        ("gdcu", "20x4x21", "16x4x21"),
        ("gdcu", "16x4", "16x4x21"),
        ("lru_stack", "16x5", "16x4"),
        ("popcnt", "table1", "table-1"),
        ("milg", "7x13x10", "7x14x10"),
        ("qbmi", "6x10", "8x10"),
        ("mem_issue", "2-milg-gbmi", "2-milg-qbmi"),
    ] {
        let expected = TableError::UnknownSet {
            unit: unit.into(),
            set: set.into(),
            nearest: nearest.into(),
        };
        assert_eq!(refused(unit, set), expected);
    }
}

#[test]
fn a_driver_refuses_ports_and_values_that_do_not_fit() {
    let mut driver = Driver::of(table::build("kid_demux", "4").unwrap()).unwrap();
    assert!(matches!(
        driver.set("selct", 1u8),
        Err(DriveError::UnknownPort { ports, .. }) if ports == ["enable", "select"]
    ));
    assert!(matches!(
        driver.get("select"),
        Err(DriveError::UnknownPort { .. })
    ));
    assert!(matches!(
        driver.set("select", 4u8),
        Err(DriveError::DoesNotFit { width: 2, .. })
    ));
}

#[test]
fn a_combinational_loop_does_not_settle() {
    #[derive(Default, LogicBlock)]
    struct Ring {
        pub stop: Signal<In, Bit>,
        pub q: Signal<Out, Bit>,
    }
    impl Logic for Ring {
        #[hdl_gen]
        fn update(&mut self) {
            self.q.next = !self.q.val() & !self.stop.val();
        }
    }
    assert_eq!(
        Driver::combinational(Ring::default()).err(),
        Some(DriveError::Unsettled)
    );
}

#[test]
fn the_sources_hide_nothing_from_the_elaborator() {
    let sources = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
    let findings = cotenant_netlist::source::check_dir(sources).unwrap();
    assert!(findings.is_empty(), "{findings:#?}");
}
