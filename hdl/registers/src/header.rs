//! A description as a C header.

use std::fmt::Write;

use crate::map::{Map, Register};
use crate::{ID, MAJOR, MAX_KERNELS};

/// The unit's registers as C macros: offsets, strides, masks and shifts of fields.
///
/// It is the same for every parameter set of the unit: how many rows and columns there are, and
/// how wide counters, a program reads from GEOMETRY and WIDTHS. Names begin with `COTENANT_LLC_`,
/// `COTENANT_ISSUE_` or `COTENANT_MANAGED_`.
pub fn c_header(map: &Map) -> String {
    let prefix = format!("COTENANT_{}", map.prefix);
    let guard = format!("{prefix}_REGISTERS_H");
    let mut out = format!(
        "/* Registers of {}, for every parameter set. */\n\
         /* SPDX-License-Identifier: MIT OR Apache-2.0 */\n\n\
         #ifndef {guard}\n#define {guard}\n\n",
        map.unit
    );
    let applications = map
        .parameters
        .iter()
        .any(|(name, _)| *name == "APPLICATIONS");
    let most = match applications {
        true => "APPLICATIONS_MAX",
        false => "KERNELS_MAX",
    };
    let constants = [
        ("ID_VALUE_EXPECTED", ID),
        ("VERSION_MAJOR_EXPECTED", MAJOR),
        ("VERSION_MINOR_EXPECTED", map.minor),
        (
            "UNIT_VALUE_EXPECTED",
            map.find("UNIT").map_or(0, |unit| unit.reset(0)),
        ),
        (most, MAX_KERNELS as u32),
        ("SPACE_BYTES", 1 << map.width),
    ];
    let _ = writeln!(
        out,
        "/* What a driver expects; it must refuse another MAJOR and takes any MINOR. */"
    );
    for (name, value) in constants {
        let _ = writeln!(out, "#define {prefix}_{name} {value:#x}u");
    }
    let mut registers: Vec<&Register> = map.registers.iter().collect();
    registers.sort_by_key(|register| register.offset);
    for register in registers {
        write(&mut out, &prefix, register);
    }
    let _ = writeln!(out, "\n#endif /* {guard} */");
    out
}

fn write(out: &mut String, prefix: &str, register: &Register) {
    let name = format!("{prefix}_{}", register.name);
    let _ = writeln!(out, "\n/* {}: {} */", register.name, comment(register.doc));
    let _ = writeln!(out, "#define {name}_OFFSET {:#x}u", register.offset);
    let (row, column) = (register.row, register.column);
    if !row.is_empty() {
        let _ = writeln!(out, "#define {name}_ROW_STRIDE {:#x}u", register.row_stride);
    }
    if !column.is_empty() {
        let stride = register.column_stride;
        let _ = writeln!(out, "#define {name}_COLUMN_STRIDE {stride:#x}u");
    }
    match (row, column) {
        ("", _) => {}
        (_, "") => {
            let _ = writeln!(
                out,
                "#define {name}_AT({row}) \\\n  ({name}_OFFSET + ({row}) * {name}_ROW_STRIDE)"
            );
        }
        _ => {
            let _ = writeln!(
                out,
                "#define {name}_AT({row}, {column}) \\\n  ({name}_OFFSET + ({row}) * {name}_ROW_STRIDE \
                 + ({column}) * {name}_COLUMN_STRIDE)"
            );
        }
    }
    for field in &register.fields {
        let name = format!("{name}_{}", field.name);
        let _ = writeln!(
            out,
            "/* {}: {} */\n#define {name}_SHIFT {}u\n#define {name}_MASK {:#x}u",
            field.name,
            comment(field.doc),
            field.lsb,
            field.span_mask()
        );
    }
}

fn comment(text: &str) -> String {
    text.replace("*/", "* /")
}
