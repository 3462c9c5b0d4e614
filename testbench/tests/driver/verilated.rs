//! The drivers of `mem_issue` and `managed_llc` and the verilated units. A fake bus has the header's
//! offsets; the units have their own.

use std::process::{Command, Output};

use tempfile::TempDir;

use super::{cc, edit, examples, run, said, sources, STRICT};
use crate::common::command;

/// A driver, with the unit that it drives and what is played on it.
struct Driven {
    unit: &'static str,
    config: &'static str,
    /// Of `tests/STEM_design.cpp` and `cotenant_STEM.c`.
    stem: &'static str,
    bus: &'static str,
}

const ISSUE: Driven = Driven {
    unit: "mem_issue_apb",
    config: "2-smil-rbmi",
    stem: "issue",
    bus: "apb",
};

/// With counters of 12 bits, so that there are numbers which they do not hold.
const MANAGED: Driven = Driven {
    unit: "managed_llc_axi",
    config: "4x8x2x1x4x2b1c12",
    stem: "managed",
    bus: "axi",
};

impl Driven {
    fn compile(&self, folder: &TempDir) {
        for stem in ["cotenant", &format!("cotenant_{}", self.stem)] {
            run(&mut cc(&format!("{STRICT} -c {stem}.c"), folder.path()));
        }
    }

    /// The program, from the sources in a folder.
    fn verilate(&self, folder: &TempDir) {
        let Driven {
            unit, config, stem, ..
        } = self;
        let export = format!("export {unit} --config {config} --out unit");
        let arguments: Vec<&str> = export.split(' ').collect();
        run(&mut command(&arguments, folder.path()));
        self.compile(folder);
        let files = std::fs::read_to_string(folder.path().join("unit/files.f")).unwrap();
        let modules: Vec<&str> = files.lines().filter(|line| line.ends_with(".v")).collect();
        let top = modules.last().unwrap().trim_end_matches(".v");
        let driver = examples().join("driver");
        let include = format!(
            "-std=c++17 -I{} -I{}",
            folder.path().display(),
            driver.display()
        );
        run(Command::new("verilator")
            .args("--cc --exe --build -Wall -O1 --prefix Vdesign --top-module".split(' '))
            .args([
                top,
                "-MAKEFLAGS",
                "OPT_FAST=-O0 OPT_GLOBAL=-O0",
                "-CFLAGS",
                &include,
            ])
            .args(modules.iter().map(|file| format!("unit/{file}")))
            .args([
                driver.join(format!("tests/{stem}_design.cpp")),
                driver.join(format!("bus_{}.cpp", self.bus)),
            ])
            .args(["../cotenant.o".into(), format!("../cotenant_{stem}.o")])
            .current_dir(folder.path()));
    }

    fn play(&self, folder: &TempDir) -> Output {
        Command::new(folder.path().join("obj_dir/Vdesign"))
            .output()
            .unwrap()
    }

    /// Links the program again, with the driver as it is now.
    fn again(&self, folder: &TempDir) -> Output {
        self.compile(folder);
        let make = "make -C obj_dir -f Vdesign.mk Vdesign".split(' ');
        let make: Vec<&str> = make.collect();
        std::fs::remove_file(folder.path().join("obj_dir/Vdesign")).unwrap();
        run(Command::new(make[0])
            .args(&make[1..])
            .current_dir(folder.path()));
        self.play(folder)
    }
}

#[test]
fn limits_and_counts_of_mem_issue() {
    let folder = sources();
    ISSUE.verilate(&folder);
    let output = ISSUE.play(&folder);
    assert_eq!(said(&output), "issue_design: as expected behind APB4\n");
}

// A header that is wrong cannot be seen on the fake bus.
#[test]
fn quotas_masks_and_counts_of_managed_llc() {
    let folder = sources();
    MANAGED.verilate(&folder);
    let output = MANAGED.play(&folder);
    let expected = "managed_design: as expected behind AXI4-Lite\n";
    assert_eq!(said(&output), expected);
    for (from, to) in [
        (
            "_QUOTA_GIVEN_ROW_STRIDE 0x4u",
            "_QUOTA_GIVEN_ROW_STRIDE 0x8u",
        ),
        ("_EVICTIONS_ROW_STRIDE 0x40u", "_EVICTIONS_ROW_STRIDE 0x4u"),
        ("_RRIP_MASK_OFFSET 0x104u", "_RRIP_MASK_OFFSET 0x100u"),
    ] {
        let header = folder.path().join("managed_llc.h");
        edit(&header, from, to);
        let output = MANAGED.again(&folder);
        assert_eq!(output.status.code(), Some(1), "{to}: {}", said(&output));
        assert!(said(&output).contains(": not so: "), "{to}");
        edit(&header, to, from);
    }
    assert_eq!(said(&MANAGED.again(&folder)), expected);
}
