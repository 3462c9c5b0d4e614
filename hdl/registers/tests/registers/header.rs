//! Rationale: a driver is compiled once for all parameter sets, so the header must not depend on
//! them, and a C compiler must find in it the addresses that the description has.

use std::fmt::Write;

use cotenant_registers::{c_header, Map};

use crate::maps;
use crate::tools::{run, said};

#[test]
fn it_is_the_same_for_all_parameter_sets() {
    for unit in ["llc_monitor", "mem_issue", "managed_llc"] {
        let mut headers: Vec<String> = maps()
            .iter()
            .filter(|map| map.unit == unit)
            .map(c_header)
            .collect();
        headers.dedup();
        assert_eq!(headers.len(), 1, "{unit}");
    }
}

/// A C program that fails to compile unless the header has this map's addresses and fields.
fn program(map: &Map) -> String {
    let mut text = String::from("#include \"registers.h\"\n");
    let mut number = 0;
    let mut claim = |left: String, right: u32| {
        number += 1;
        // C99's static assertion: an array of a negative size is refused.
        let _ = writeln!(
            text,
            "extern char claim_{number}[({left} == {right:#x}u) ? 1 : -1];"
        );
    };
    for register in map.registers.iter().filter(|register| register.rows > 0) {
        let name = format!("COTENANT_{}_{}", map.prefix, register.name);
        let (row, column) = (register.rows - 1, register.columns - 1);
        let at = match (register.row, register.column) {
            ("", _) => format!("{name}_OFFSET"),
            (_, "") => format!("{name}_AT({row}u)"),
            _ => format!("{name}_AT({row}u, {column}u)"),
        };
        claim(at, register.address(row, column));
        for field in &register.fields {
            let name = format!("{name}_{}", field.name);
            claim(
                format!(
                    "({name}_MASK >> {name}_SHIFT << {name}_SHIFT & {:#x}u)",
                    field.mask()
                ),
                field.mask(),
            );
        }
    }
    text + "int main(void) { return 0; }\n"
}

#[test]
fn a_c99_compiler_finds_the_addresses_and_fields_of_the_description() {
    let flags = [
        "-std=c99",
        "-Wall",
        "-Wextra",
        "-Wpedantic",
        "-Werror",
        "-fsyntax-only",
        "main.c",
    ];
    for map in maps() {
        let folder = tempfile::tempdir().unwrap();
        let header = c_header(&map);
        std::fs::write(folder.path().join("registers.h"), &header).unwrap();
        std::fs::write(folder.path().join("main.c"), program(&map)).unwrap();
        let output = run("gcc", &flags, folder.path());
        assert!(
            output.status.success(),
            "{:?}: {}",
            map.parameters,
            said(&output)
        );
        // The claims can fail.
        let moved = header.replace("_CONTROL_OFFSET 0x1c", "_CONTROL_OFFSET 0x20");
        assert_ne!(moved, header);
        std::fs::write(folder.path().join("registers.h"), moved).unwrap();
        assert!(!run("gcc", &flags, folder.path()).status.success());
    }
}
