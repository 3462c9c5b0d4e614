//! Rationale: addresses must be what the case says, whatever the mapping; curves must have the
//! order and the knee of figure 8. A mapping with rows of its own and one whose rows the memory
//! gives take other branches, and so do a place that there is not and lines that run out.

use super::*;
use crate::addr::mapping::Field;

/// Few points, all cases.
fn few(memory: &str) -> CasesConfig {
    CasesConfig {
        blocks: vec![1, 8, 15, 20, 50],
        reads: 100,
        ..CasesConfig::named(memory).unwrap()
    }
}

fn at(rows: &[CaseRow], case: Case, blocks: u64) -> f64 {
    let row = rows
        .iter()
        .find(|row| row.case == case && row.blocks == blocks);
    row.unwrap().normalised
}

#[test]
fn figure_8_is_repeated() {
    let rows = cases(&few("gtx1080"), &mut |_, _| true).unwrap();
    let [scsb, dcsb, scdb, dcdb, dm] = Case::ALL.map(|case| at(&rows, case, 50));
    assert!(scsb > 10.0, "{scsb}");
    assert!(scsb >= dcsb && dcsb > 0.8 * scsb, "{scsb} {dcsb}");
    for (case, most) in [(Case::Scdb, scdb), (Case::Dcdb, dcdb)] {
        assert!(most < scsb && most > 1.5, "{most}");
        // Section IV-E: the knee is at 16, the MSHRs of a module.
        assert!(at(&rows, case, 15) < 1.05);
        assert!(at(&rows, case, 20) > 1.2);
    }
    assert!((dm - 1.0).abs() < 0.01, "{dm}");
    assert!(rows
        .iter()
        .all(|row| row.blocks > 1 || (row.normalised - 1.0).abs() < 1e-9));
}

#[test]
fn addresses_are_where_the_case_says() {
    for name in ["gtx1080", "v100"] {
        let config = few(name);
        let (lines, mapping) = (Lines { config: &config }, &config.mapping);
        let home = mapping.map(0);
        for case in Case::ALL {
            let place = lines.place(case, &home).unwrap();
            let found = lines.of(case, &place, 60).unwrap();
            for address in &found {
                let there = mapping.map(*address);
                assert!(case.holds(&home, &there), "{name} {case:?}");
                assert_eq!((there.set, there.bank), (place.set, place.bank));
            }
            let tags: std::collections::BTreeSet<u64> =
                found.iter().map(|it| mapping.map(*it).tag).collect();
            assert_eq!(tags.len(), 60);
        }
    }
}

#[test]
fn progress_and_bytes_are_the_same_each_time() {
    let config = CasesConfig {
        blocks: vec![2, 3],
        cases: vec![Case::Dcsb, Case::Dm],
        ..few("gtx1080")
    };
    let mut seen = vec![];
    let rows = cases(&config, &mut |done, total| {
        seen.push((done, total));
        true
    })
    .unwrap();
    assert_eq!(seen, [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]);
    let text = serde_json::to_string(&rows).unwrap();
    assert!(
        text.starts_with("[{\"case\":\"DCSB\",\"blocks\":2,\"cycles\":"),
        "{text}"
    );
    let again = cases(&config, &mut |_, _| true).unwrap();
    assert_eq!(text, serde_json::to_string(&again).unwrap());
}

#[test]
fn errors_say_what_is_expected() {
    let fails = |config: CasesConfig| cases(&config, &mut |_, _| true).unwrap_err().to_string();
    let good = || few("gtx1080");
    assert!(CasesConfig::named("gtx")
        .unwrap_err()
        .to_string()
        .contains("no memory \"gtx\""));
    let error = fails(CasesConfig {
        lines: 16,
        ..good()
    });
    assert_eq!(
        error,
        "lines is 16, expected more than the 16 ways of a set, to 4096"
    );
    assert!(fails(CasesConfig { reads: 0, ..good() }).starts_with("reads is 0, expected 1"));
    let error = fails(CasesConfig {
        blocks: vec![1, 0],
        ..good()
    });
    assert_eq!(error, "blocks is 0, expected 1 to 1024");
    let error = fails(CasesConfig {
        blocks: vec![1000],
        ..good()
    });
    assert!(
        error.contains("4096 lines in set 0 and bank 0, expected 20000 or more"),
        "{error}"
    );
    // One module only: there is no other one.
    let mut table = good().mapping.table().clone();
    (table.modules, table.banks) = (1, 4);
    table.module = Some(vec![]);
    table.bank.drain(..5);
    table.bijective.remove(0);
    let one = Mapping::new(table).unwrap();
    assert_eq!(one.functions(Field::Module), [0; 0]);
    let error = fails(CasesConfig {
        mapping: one,
        ..good()
    });
    assert!(error.contains("has no place for DM"), "{error}");
}

#[test]
fn what_is_stopped_has_the_rows_so_far() {
    let config = few("gtx1080");
    let all = cases(&config, &mut |_, _| true).unwrap();
    let some = cases(&config, &mut |done, _| done < 3).unwrap();
    assert_eq!(some[..], all[..3]);
    assert!(cases(&config, &mut |_, _| false).unwrap().is_empty());
}
