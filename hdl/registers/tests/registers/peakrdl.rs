//! Rationale: SystemRDL is for other people's tools, so one of them reads it: PeakRDL must accept
//! it, find each register where the description has it, and make documentation and a C header of
//! it; what contradicts itself it must refuse, or its silence means nothing.

use std::collections::BTreeSet;

use cotenant_registers::{system_rdl, Map};

use crate::tools::{run, said};
use crate::{kernels, maps};

/// The smallest and the largest of each unit: a run of PeakRDL takes a second.
fn some() -> Vec<Map> {
    maps()
        .into_iter()
        .filter(|map| kernels(map).is_some_and(|kernels| [2, 8].contains(&kernels)))
        .collect()
}

/// First address of each register as `peakrdl dump` prints it: `0x0800-0x0803: unit.NAME...`.
fn dumped(text: &str) -> BTreeSet<u32> {
    let addresses = text.lines().filter_map(|line| {
        let (range, _) = line.split_once(": ")?;
        let (from, _) = range.trim().split_once('-')?;
        u32::from_str_radix(from.trim_start_matches("0x"), 16).ok()
    });
    addresses.collect()
}

#[test]
fn every_register_is_where_the_description_has_it() {
    for map in some() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("unit.rdl"), system_rdl(&map)).unwrap();
        let output = run("peakrdl", &["dump", "--unroll", "unit.rdl"], folder.path());
        assert!(output.status.success(), "{}", said(&output));
        let expected: BTreeSet<u32> = (0..1 << map.width)
            .filter(|address| map.at(*address).is_some())
            .collect();
        let found = dumped(&said(&output));
        assert_eq!(found, expected, "{:?}", map.parameters);
    }
}

#[test]
fn documentation_and_a_c_header_are_made_of_it() {
    for map in some() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("unit.rdl"), system_rdl(&map)).unwrap();
        for arguments in [
            ["html", "unit.rdl", "-o", "html"],
            ["c-header", "unit.rdl", "-o", "unit.h"],
        ] {
            let output = run("peakrdl", &arguments, folder.path());
            assert!(output.status.success(), "{}", said(&output));
            assert_eq!(
                said(&output).to_lowercase().matches("warning").count(),
                0,
                "{}",
                said(&output)
            );
        }
        assert!(folder.path().join("html/index.html").is_file());
        let output = run(
            "gcc",
            &["-std=c11", "-fsyntax-only", "unit.h"],
            folder.path(),
        );
        assert!(output.status.success(), "{}", said(&output));
    }
}

#[test]
fn contradictions_are_refused() {
    let map = &some()[0];
    let good = system_rdl(map);
    for (from, to) in [
        ("VERSION @ 0x4;", "VERSION @ 0x0;"),
        ("MAJOR[31:16]", "MAJOR[31:15]"),
        ("singlepulse;", "onread = rclr;"),
    ] {
        let bad = good.replacen(from, to, 1);
        assert_ne!(bad, good, "{from}");
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("unit.rdl"), bad).unwrap();
        let output = run("peakrdl", &["dump", "unit.rdl"], folder.path());
        assert!(!output.status.success(), "{to}: {}", said(&output));
    }
}
