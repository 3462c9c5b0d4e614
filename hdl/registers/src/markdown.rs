//! A description as Markdown tables.

use std::fmt::Write;

use crate::map::{Access, Field, Map, Register, Reset};

/// Reset values of rows that are all named.
const FEW: usize = 8;

/// The registers as a Markdown table, one row per field, with the dimensions of this parameter set.
pub fn markdown(map: &Map) -> String {
    let mut out = String::from(
        "| address | register | bits | field | access | reset | |\n|---|---|---|---|---|---|---|\n",
    );
    let there = map.registers.iter().filter(|register| register.rows > 0);
    for register in there {
        let _ = writeln!(
            out,
            "| {} | **{}**{} | | | | | {} |",
            address(register),
            register.name,
            subscripts(register),
            cell(register.doc)
        );
        for field in register.fields.iter().filter(|field| field.width > 0) {
            let _ = writeln!(
                out,
                "| | | {} | {} | {} | {} | {} |",
                bits(field),
                field.name,
                field.access.name(),
                reset(field),
                cell(field.doc)
            );
        }
    }
    out
}

fn address(register: &Register) -> String {
    let mut text = format!("`{:#06x}", register.offset);
    for (index, stride) in [
        (register.row, register.row_stride),
        (register.column, register.column_stride),
    ] {
        if !index.is_empty() {
            let _ = write!(text, " + {stride} {index}");
        }
    }
    text + "`"
}

fn subscripts(register: &Register) -> String {
    let mut text = String::new();
    for (index, count) in [
        (register.row, register.rows),
        (register.column, register.columns),
    ] {
        if !index.is_empty() {
            let _ = write!(text, "[{index}: {count}]");
        }
    }
    text
}

fn bits(field: &Field) -> String {
    match field.width {
        1 => field.lsb.to_string(),
        width => format!("{}:{}", field.lsb + width - 1, field.lsb),
    }
}

fn reset(field: &Field) -> String {
    match &field.reset {
        Reset::Same(value) if *value < 10 || field.access == Access::Parameter => value.to_string(),
        Reset::Same(value) => format!("{value:#x}"),
        Reset::ByRow(values) => {
            let first: Vec<String> = values.iter().take(FEW).map(u32::to_string).collect();
            match values.last() {
                Some(last) if values.len() > FEW => format!("{}, ... {last}", first.join(", ")),
                _ => first.join(", "),
            }
        }
    }
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
