//! A description as SystemRDL 2.0.

use std::fmt::Write;

use crate::map::{Access, Field, Map, Register};

/// The map as a SystemRDL address map of the unit's name, as PeakRDL reads it.
///
/// A matrix is an array of register files, one per row, since its rows do not follow each other
/// closely. Rows with reset values of their own (MAP) are registers `MAP_0`, `MAP_1` and so on:
/// tools do not take reset values of single elements of an array.
pub fn system_rdl(map: &Map) -> String {
    let mut out = String::new();
    let list = map.parameters.iter();
    let parameters: Vec<String> = list
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    let _ = writeln!(
        out,
        "// Registers of {} with {}.\n// SPDX-License-Identifier: MIT OR Apache-2.0\n\n\
         addrmap {} {{\n  name = \"{}\";\n  desc = {};\n  \
         default regwidth = 32;\n  default accesswidth = 32;\n  addressing = regalign;\n",
        map.unit,
        parameters.join(", "),
        map.unit,
        map.unit,
        quoted(map.summary),
    );
    let there = map.registers.iter().filter(|register| register.rows > 0);
    there.for_each(|register| write(&mut out, register));
    out.push_str("};\n");
    out
}

fn write(out: &mut String, register: &Register) {
    let Register { name, offset, .. } = register;
    let array = match register.row {
        "" => String::new(),
        _ => format!("[{}]", register.rows),
    };
    let stride = match register.row {
        "" => String::new(),
        _ => format!(" += {:#x}", register.row_stride),
    };
    if register.rows_differ() {
        for row in 0..register.rows {
            body(out, register, row, "  ");
            let (name, address) = (register.name_of_row(row), register.address(row, 0));
            let _ = writeln!(out, "  }} {name} @ {address:#x};\n");
        }
        return;
    }
    if register.column.is_empty() {
        body(out, register, 0, "  ");
        let _ = writeln!(out, "  }} {name}{array} @ {offset:#x}{stride};\n");
        return;
    }
    let _ = writeln!(
        out,
        "  regfile {{\n    name = \"{name}, by {}\";",
        register.row
    );
    body(out, register, 0, "    ");
    let _ = writeln!(
        out,
        "    }} {}[{}] @ 0x0 += {:#x};\n  }} {name}{array} @ {offset:#x}{stride};\n",
        register.column.to_uppercase(),
        register.columns,
        register.column_stride
    );
}

/// A register of this row, its closing brace left open for the instance's name.
fn body(out: &mut String, register: &Register, row: usize, indent: &str) {
    let _ = writeln!(
        out,
        "{indent}reg {{\n{indent}  name = \"{}\";\n{indent}  desc = {};",
        register.name,
        quoted(register.doc)
    );
    for field in register.fields.iter().filter(|field| field.width > 0) {
        let _ = writeln!(
            out,
            "{indent}  field {{\n{indent}    desc = {};\n{indent}    {}\n{indent}  }} {}[{}:{}]{};",
            quoted(field.doc),
            properties(field.access),
            field.name,
            field.lsb + field.width - 1,
            field.lsb,
            reset(field, row),
        );
    }
}

fn properties(access: Access) -> &'static str {
    match access {
        Access::Constant | Access::Parameter => "sw = r; hw = na;",
        Access::ReadOnly => "sw = r; hw = w;",
        Access::ReadWrite => "sw = rw; hw = r;",
        Access::Pulse => "sw = w; hw = r; singlepulse;",
        Access::ClearByOne => "sw = rw; hw = r; hwset; onwrite = woclr;",
    }
}

/// The value after reset, where hardware does not drive the field.
fn reset(field: &Field, row: usize) -> String {
    let value = field.settled(row);
    value.map_or(String::new(), |value| format!(" = {value:#x}"))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
