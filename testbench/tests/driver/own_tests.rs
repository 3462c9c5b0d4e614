//! The driver against a fake bus, sound and broken.

use std::path::Path;
use std::process::{Command, Output};

use super::{cc, edit, run, said, sources, STRICT};

/// Compiles and runs one of the driver's own tests.
fn unit_test(folder: &Path, unit: &str, flags: &str) -> Output {
    let program = folder.join(unit);
    let sources = [
        format!("{unit}_test.c"),
        format!("cotenant_{unit}.c"),
        "cotenant.c".into(),
    ];
    run(cc(&format!("{STRICT} {flags}"), folder)
        .args(&sources)
        .arg("-o")
        .arg(&program));
    Command::new(program).output().unwrap()
}

const SANE: &str = "-fsanitize=address,undefined -fno-sanitize-recover=all";

#[test]
fn the_driver_sees_every_error() {
    let folder = sources();
    for unit in ["llc", "issue", "managed"] {
        let output = unit_test(folder.path(), unit, SANE);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let text = said(&output);
        let checks = text.strip_prefix(&format!("{unit}_test: ")).unwrap();
        let (checks, rest) = checks.split_once(" checks, ").unwrap();
        assert!(checks.parse::<u32>().unwrap() > 100, "{text}");
        assert_eq!(rest, "0 failed\n");
    }
}

// Each is a check or an order of accesses that a careless port might drop.
#[test]
fn a_broken_driver_fails_its_tests() {
    let cases = [
        ("llc", "cotenant.c", "if (id != expected->id)", "if (0)"),
        (
            "llc",
            "cotenant.c",
            "!= expected->major)",
            "< expected->major)",
        ),
        ("issue", "cotenant.c", "unit == expected->unit ?", "unit ?"),
        ("llc", "cotenant.c", "2 * rest == whole &&", "0 &&"),
        (
            "llc",
            "cotenant_llc.c",
            "if (after != counts->sequence) continue;",
            "(void)after;",
        ),
        (
            "llc",
            "cotenant_llc.c",
            "status &= enable;",
            "(void)enable;",
        ),
        ("llc", "cotenant_llc.c", "over &= mask;", ""),
        (
            "llc",
            "cotenant_llc.c",
            "counts->overflow_hits || counts->overflow_misses",
            "counts->overflow_hits",
        ),
        (
            "llc",
            "cotenant_llc.c",
            "if (llc->device.minor >= 1)",
            "if (llc->device.minor < 99)",
        ),
        (
            "llc",
            "cotenant_llc.c",
            "if (sce) COTENANT_TRY",
            "COTENANT_TRY",
        ),
        (
            "llc",
            "cotenant_llc.c",
            "return sampled ? read_sampled(llc, counts) : COTENANT_OK;",
            "return read_sampled(llc, counts);",
        ),
        (
            "llc",
            "cotenant_llc.c",
            "counts->overflow_sce || counts->overflow_shares",
            "counts->overflow_sce",
        ),
        (
            "llc",
            "cotenant_llc.c",
            "divided(counts->shares[victim], victim, false)",
            "divided(counts->shares[victim], victim, true)",
        ),
        (
            "llc",
            "cotenant_llc.h",
            "COTENANT_LLC_CHARGES 64u",
            "COTENANT_LLC_CHARGES 63u",
        ),
        (
            "llc",
            "cotenant_llc.c",
            "mask_at(matrix, victim), mask & ~over",
            "mask_at(matrix, victim), mask",
        ),
        (
            "issue",
            "cotenant_issue.c",
            "if (after == state->sequence) return",
            "if (after) return",
        ),
        (
            "issue",
            "cotenant_issue.c",
            "quota_width > 32)",
            "quota_width > 0)",
        ),
        (
            "managed",
            "cotenant_managed.c",
            "if ((before & moves) != (after & moves)) continue;",
            "(void)moves;",
        ),
        (
            "managed",
            "cotenant_managed.c",
            "COTENANT_MANAGED_STATUS_SEQUENCE_MASK | COTENANT_MANAGED_STATUS_BUSY_MASK",
            "COTENANT_MANAGED_STATUS_SEQUENCE_MASK",
        ),
        (
            "managed",
            "cotenant_managed.c",
            "if (ways[n] == 0) return COTENANT_RANGE;",
            "",
        ),
        (
            "managed",
            "cotenant_managed.c",
            "status &= enable;",
            "(void)enable;",
        ),
        (
            "managed",
            "cotenant_managed.c",
            "policy & ~given",
            "policy & given",
        ),
        (
            "managed",
            "cotenant_managed.c",
            "if (period->application[n].overflow) return true;",
            "if (period->application[n].overflow) return false;",
        ),
    ];
    for (unit, file, from, to) in cases {
        let folder = sources();
        edit(&folder.path().join(file), from, to);
        let output = unit_test(folder.path(), unit, "");
        assert_eq!(output.status.code(), Some(1), "{to}: {}", said(&output));
        assert!(said(&output).contains(": not so: "), "{to}");
    }
}

// Memory is copied and cleared by the compiler's own calls; nothing else may be missing.
#[test]
fn the_driver_asks_for_no_library() {
    let folder = sources();
    let objects = [
        "cotenant",
        "cotenant_llc",
        "cotenant_issue",
        "cotenant_managed",
    ];
    let objects = objects.map(|stem| {
        let flags = format!("{STRICT} -ffreestanding -Os -c {stem}.c");
        run(&mut cc(&flags, folder.path()));
        format!("{stem}.o")
    });
    let linked = cc("-r -nostdlib -o driver.o", folder.path())
        .args(objects)
        .output();
    assert!(linked.unwrap().status.success());
    let missing = run(Command::new("nm")
        .args(["-u", "driver.o"])
        .current_dir(folder.path()));
    let missing = missing.split_whitespace().filter(|word| *word != "U");
    let unexpected: Vec<&str> = missing
        .filter(|name| !["memcpy", "memset"].contains(name))
        .collect();
    assert_eq!(unexpected, [""; 0]);
}
