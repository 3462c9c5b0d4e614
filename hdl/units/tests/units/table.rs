//! Rationale: the table is written by hand, so it is checked against what it
//! claims: that names are unique, that the parameters are those that the
//! units declare, that every set elaborates cleanly, that a text names the set that it says, and
//! that what no unit can be is refused with good advice.

use crate::compiled::BLOCKS;
use cotenant_netlist::hdl::*;
use cotenant_units::drive::{DriveError, Driver};
use cotenant_units::llc::KidDemux;
use cotenant_units::table::{self, TableError};
use std::collections::BTreeSet;

#[test]
fn names_are_unique_and_found() {
    for unit in table::units() {
        let sets = table::sets(unit).unwrap();
        let aliases = sets.iter().flat_map(|s| s.aliases.iter().copied());
        let names = aliases.chain(sets.iter().map(|s| s.name));
        let unique: BTreeSet<&str> = names.clone().collect();
        assert_eq!(unique.len(), names.clone().count(), "{unit}");
        for name in unique {
            assert!(table::set(unit, name).is_ok(), "{unit} {name}");
        }
        // What every unit's help and examples may name.
        for alias in ["table-1", "small", "large"] {
            assert!(table::set(unit, alias).is_ok(), "{unit} {alias}");
        }
        let aliases: BTreeSet<&str> = sets.iter().flat_map(|s| s.aliases.clone()).collect();
        // A hash has no number of kernels or ways that could be odd.
        if !["xor_hash", "address_map"].contains(&unit) {
            let fourth = ["figure-2", "three", "wide", "every-set", "nru"];
            assert!(fourth.iter().any(|a| aliases.contains(a)), "{unit}");
            assert!(aliases.len() >= 4, "{unit}: {aliases:?}");
        }
    }
}

#[test]
fn test_sets_have_an_alias_and_come_once() {
    for unit in table::units() {
        let aliased: BTreeSet<&str> = table::sets(unit)
            .unwrap()
            .into_iter()
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
    let mut modules = BTreeSet::new();
    for unit in table::units() {
        for set in table::sets(unit).unwrap() {
            let netlist = table::netlist(unit, &set).unwrap().unwrap();
            assert!(
                netlist.warnings.is_empty(),
                "{unit} {}: {:?}",
                set.name,
                netlist.warnings
            );
            // Choices are named if one of them is taken.
            let choices: &[&str] = match unit {
                "attribution" => &["QUEUE", "MODE"],
                _ => &["SCE", "SAMPLED", "MODE", "RAM_STAGES"],
            };
            let choice = |name: &&str| choices.contains(name);
            let taken = set
                .params
                .iter()
                .any(|(name, value)| choice(name) && *value > 0);
            let values = set
                .params
                .iter()
                .filter(|(name, _)| taken || !choice(name))
                // Nor is an empty list of an array named.
                .filter(|(name, value)| *value > 0 || !name.ends_with(|c: char| c.is_ascii_digit()))
                .map(|(name, value)| format!("_{}{value}", name.to_lowercase().replace('_', "")));
            let name = values.fold(unit.to_string(), |name, value| name + &value);
            let module = netlist.module().name.clone();
            // The many masks of a hash are too long for the name of a file.
            if name.len() <= 100 {
                assert_eq!(module, name, "{unit} {}", set.name);
            } else {
                let (kept, hash) = module.split_at(module.len() - 16);
                let kept = kept.strip_suffix("_h").unwrap_or("no hash");
                assert!(
                    name.starts_with(kept) && kept.len() > unit.len(),
                    "{module}"
                );
                assert!(u64::from_str_radix(hash, 16).is_ok(), "{module}");
            }
            assert!(modules.insert(module), "{unit} {}: twice", set.name);
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
    for compiled in BLOCKS {
        let (unit, mut block) = (compiled.unit, compiled.block());
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
fn any_legal_parameters_are_a_set() {
    let params = |unit: &str, text: &str| -> Vec<usize> {
        table::set(unit, text).unwrap().values().collect()
    };
    for (unit, text, values, name) in [
        ("gdcu", "12x5x24", vec![12, 5, 24, 1], "12x5x24"),
        ("gdcu", "12x5x24s3", vec![12, 5, 24, 3], "12x5x24s3"),
        (
            "gdcu",
            "WAYS=12,KERNELS=5,CNT_W=24",
            vec![12, 5, 24, 1],
            "12x5x24",
        ),
        (
            "gdcu",
            "stages=0, ways=12, kernels=5, cnt_w=24",
            vec![12, 5, 24, 0],
            "12x5x24s0",
        ),
        ("gdcu", "table-1,WAYS=12", vec![12, 4, 21, 1], "12x4x21"),
        ("gdcu", "16x4x16,CNT_W=21", vec![16, 4, 21, 1], "16x4x21"),
        ("kid_demux", "64", vec![64], "64"),
        ("kid_demux", "KERNELS=0x40", vec![64], "64"),
        ("milg", "6x9x5d", vec![6, 9, 5, 1], "6x9x5d"),
        ("milg", "6x9x5,RELEASE=3", vec![6, 9, 5, 3], "6x9x5p"),
        // Requesters are as many as kernels unless given.
        (
            "llc_monitor",
            "12x5x128x2",
            vec![12, 5, 128, 2, 36, 21, 1, 5, 0, 0, 0, 0],
            "12x5x128x2",
        ),
        (
            "llc_monitor",
            "table-1,KERNELS=6",
            vec![16, 6, 64, 4, 36, 21, 1, 6, 0, 0, 0, 0],
            "16x6x64x4",
        ),
        (
            "llc_monitor",
            "small,TAG_W=20,REQUESTERS=7",
            vec![2, 2, 16, 1, 20, 21, 1, 7, 0, 0, 0, 0],
            "2x2x16x1,TAG_W=20,REQUESTERS=7",
        ),
        (
            "llc_monitor",
            "table-1,SAMPLED=16",
            vec![16, 4, 64, 4, 36, 21, 1, 4, 0, 16, 0, 0],
            "16x4x64x4,SAMPLED=16",
        ),
        (
            "llc_monitor",
            "large,SAMPLED=16,MODE=1",
            vec![16, 8, 64, 2, 36, 21, 1, 8, 0, 16, 1, 0],
            "16x8x64x2,SAMPLED=16,MODE=1",
        ),
        (
            "llc_monitor",
            "16x4x64x1r1",
            vec![16, 4, 64, 1, 36, 21, 1, 4, 0, 0, 0, 1],
            "16x4x64x1r1",
        ),
        (
            "attribution",
            "16x8x256x16l4p",
            vec![16, 8, 256, 16, 36, 12, 4, 24, 0, 1],
            "16x8x256x16l4p",
        ),
        (
            "counter_matrix",
            "KERNELS=5,INC_W=3,CNT_W=9",
            vec![5, 3, 9],
            "KERNELS=5,INC_W=3,CNT_W=9",
        ),
        ("counter_matrix", "table-1", vec![4, 5, 21], "16x4x21"),
        (
            "mem_issue",
            "KERNELS=3",
            vec![3, 1, 1, 12, 0, 0, 0, 7, 10, 5],
            "3-milg-qbmi",
        ),
    ] {
        assert_eq!(params(unit, text), values, "{unit} {text}");
        assert_eq!(table::set(unit, text).unwrap().name, name, "{unit} {text}");
        assert_eq!(
            params(unit, name),
            values,
            "a name is read back: {unit} {name}"
        );
    }
}

#[test]
fn what_is_no_set_is_refused_with_advice() {
    let refused = |unit: &str, set: &str| table::set(unit, set).unwrap_err();
    assert_eq!(
        refused("lru", "16x4"),
        TableError::UnknownUnit {
            unit: "lru".into(),
            nearest: "lru_stack".into()
        }
    );
    for (unit, set, nearest) in [
        ("gdcu", "16x4", "16x4x21"),
        ("gdcu", "16x4x21x1", "16x4x21"),
        ("gdcu", "16x4x21q2", "16x4x21s2"),
        ("lru_stack", "16x4s2", "16x4"),
        ("popcnt", "table1", "table-1"),
        ("mem_issue", "2-milg-gbmi", "2-milg-qbmi"),
    ] {
        let expected = TableError::UnknownSet {
            unit: unit.into(),
            set: set.into(),
            nearest: nearest.into(),
        };
        assert_eq!(refused(unit, set), expected);
    }
    for (unit, set, parts) in [
        ("gdcu", "65x4x21", ["WAYS", "65", "1 to 64"]),
        ("gdcu", "table-1,CNT_W=0", ["CNT_W", "0", "5 to 64"]),
        ("gdcu", "16x4x21s4", ["STAGES", "4", "0 to 3"]),
        (
            "llc_monitor",
            "table-1,SETS=48",
            ["SETS", "power of two", "llc_monitor"],
        ),
        // What a part requires.
        (
            "llc_monitor_apb",
            "table-1,SETS=48",
            ["SETS", "power of two", "48"],
        ),
        (
            "mem_issue_axi",
            "table-1,FAIL_W=3",
            ["INTERVAL_W", "10", "1 to 2"],
        ),
        (
            "gdcu",
            "WAYS=12,KERNELS=5",
            ["CNT_W", "not given", "figure-2,KEY=VALUE"],
        ),
        (
            "gdcu",
            "table-1,WAYZ=12",
            ["WAYZ", "no parameter", "WAYS, KERNELS, CNT_W, STAGES"],
        ),
        ("gdcu", "table-1,WAYS=twelve", ["WAYS", "twelve", "number"]),
        ("gdcu", "table-1,WAYS=0x", ["WAYS", "0x", "number"]),
        ("gdcu", "table-1,12", ["'12'", "KEY=VALUE", "WAYS"]),
        ("gdcu", "table-1,WAYS=2,WAYS=3", ["WAYS", "twice", "gdcu"]),
    ] {
        let text = refused(unit, set).to_string();
        for part in parts {
            assert!(text.contains(part), "{unit} {set}: {text}");
        }
    }
}

#[test]
fn a_driver_refuses_ports_and_values_that_do_not_fit() {
    let mut driver = Driver::of(Box::<KidDemux!(4)>::default()).unwrap();
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
