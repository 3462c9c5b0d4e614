//! The estimate as text.

use std::fmt::Write;

use cotenant_netlist::area::{Architecture, Area, RamArea};

use super::{Comparison, Named, Register, Report, Request};

/// One unit, each number with what it means.
pub fn text(report: &Report, request: &Request) -> String {
    let mut out = String::new();
    let area = &report.area;
    let aliases = match report.aliases.is_empty() {
        true => String::new(),
        false => format!(" ({})", report.aliases.join(", ")),
    };
    line(
        &mut out,
        &format!("{} {}{aliases}", report.unit, report.set),
    );
    row(&mut out, "flops", &storage(area));
    row(&mut out, "RAM", &rams(area));
    for mapping in &area.mappings {
        let cells = match mapping.architecture {
            Architecture::Ice40 => format!("{} SB_CARRY", mapping.carries),
            _ => format!(
                "{} CARRY4, {} MUXF7, {} MUXF8",
                mapping.carries, mapping.muxf7, mapping.muxf8
            ),
        };
        let value = format!(
            "{} LUT{}, {cells} (estimate, {})",
            mapping.luts,
            mapping.lut_inputs,
            mapping.architecture.name()
        );
        row(&mut out, "logic", &value);
    }
    for compared in report.yosys.iter().flatten() {
        row(&mut out, "Yosys", &against(report, compared));
    }
    let nand2 = format!(
        "{} equivalents: {} conjunctions, 4 per flop (osu018: DFFPOSX1 over NAND2X1); without RAM",
        area.nand2, area.gates
    );
    row(&mut out, "NAND2", &nand2);
    if let Some(width) = &report.counter_width {
        row(&mut out, "counters", &width.formula());
        let built = format!("CNT_W is {}", width.built);
        row(
            &mut out,
            "",
            &width
                .warning()
                .map_or(built, |text| format!("warning: {text}")),
        );
    }
    if let Some(paper) = &report.paper {
        named(&mut out, paper);
    }
    let Some(share) = &report.share else {
        return out;
    };
    let value = format!(
        "{:.3} % of tags and data: {} bits x {} ({}) over {} x {} tag bits and {} data bits",
        100.0 * share.share,
        share.unit_bits,
        share.copies,
        share.copies_are,
        share.tag_bits / u64::from(share.tag_width),
        share.tag_width,
        share.data_bits
    );
    row(&mut out, "share", &value);
    let geometry = &request.cache.geometry;
    let value = format!(
        "{} sets x {} ways x {} B, {} banks, {}-bit addresses; valid, dirty and replacement bits left out",
        geometry.sets, geometry.ways, geometry.line, geometry.banks, request.cache.address_bits
    );
    row(&mut out, "", &value);
    out
}

/// Flop bits beside those that the paper names.
fn named(out: &mut String, paper: &Named) {
    let list = |registers: &[Register]| {
        let each = registers.iter();
        let each = each.map(|register| format!("{} {}", register.name, register.bits));
        each.collect::<Vec<_>>().join(", ")
    };
    let (bits, besides) = paper.bits();
    let text = format!(
        "{bits} flop bits are named in the paper ({}): {}",
        paper.source,
        list(&paper.named)
    );
    row(out, "paper", &text);
    let text = format!("{besides} more are needed: {}", list(&paper.besides));
    row(out, "", &text);
    for (kernels, units) in &paper.units_of_sm {
        let text = format!(
            "an SM with {kernels} kernels: {} named, {} needed",
            units * bits,
            units * (bits + besides)
        );
        row(out, "", &text);
    }
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

fn row(out: &mut String, heading: &str, value: &str) {
    line(out, format!("  {heading:<10}{value}").trim_end());
}

fn storage(area: &Area) -> String {
    match area.removed_flop_bits {
        0 => format!("{} bits", area.flop_bits),
        removed => format!(
            "{} bits; {removed} more are unused, constant or equal to others: synthesis removes them",
            area.flop_bits
        ),
    }
}

fn rams(area: &Area) -> String {
    if area.rams.is_empty() {
        return "none".into();
    }
    let sum = |of: fn(&RamArea) -> usize| -> usize { area.rams.iter().map(of).sum() };
    format!(
        "{} bits in {}: {} iCE40 4 kbit, {} ECP5 DP16KD, or {} RAMB36 and {} RAMB18",
        area.ram_bits,
        area.rams.len(),
        sum(|ram| ram.ice40_4k),
        sum(|ram| ram.ecp5_dp16kd),
        sum(|ram| ram.xc7_ramb36),
        sum(|ram| ram.xc7_ramb18)
    )
}

fn against(report: &Report, compared: &Comparison) -> String {
    let mut text = format!(
        "{} LUT on {}: estimate {}",
        compared.luts,
        compared.architecture.name(),
        compared.estimate
    );
    if let Some(deviation) = compared.deviation {
        let _ = write!(text, " ({deviation:+.1} %)");
    }
    let flops = match compared.flops_equal {
        true => "the same".into(),
        false => format!("{} here", report.area.flop_bits),
    };
    let _ = write!(text, "; {} flops, {flops}", compared.flops);
    for (cell, count) in compared.rams.iter().chain(&compared.lut_rams) {
        let _ = write!(text, "; {count} {cell}");
    }
    if !compared.within {
        text += "; beyond 20 % and 10 LUT";
    }
    text
}

/// Many units, a line each.
pub fn table(reports: &[Report]) -> String {
    let compared = reports.iter().any(|report| report.yosys.is_some());
    let mut heads = vec![
        "unit", "set", "flops", "RAM bits", "LUT4", "SB_CARRY", "LUT6", "CARRY4", "NAND2", "CNT_W",
        "needed", "share",
    ];
    if compared {
        heads.extend(["Yosys LUT4", "", "Yosys LUT6", ""]);
    }
    let mut rows = vec![heads
        .iter()
        .map(|head| head.to_string())
        .collect::<Vec<_>>()];
    for report in reports {
        let area = &report.area;
        let names: Vec<&str> = match report.aliases.is_empty() {
            true => vec![report.set],
            false => report.aliases.clone(),
        };
        let mut row = vec![
            report.unit.to_string(),
            names.join(","),
            area.flop_bits.to_string(),
            area.ram_bits.to_string(),
        ];
        for architecture in Architecture::ALL {
            let mapping = area.mapping(architecture);
            let number = |n: Option<usize>| n.map_or("-".into(), |n| n.to_string());
            row.push(number(mapping.map(|m| m.luts)));
            row.push(number(mapping.map(|m| m.carries)));
        }
        row.push(area.nand2.to_string());
        let width = report.counter_width.as_ref();
        row.push(width.map_or("-".into(), |width| width.built.to_string()));
        row.push(width.map_or("-".into(), |width| {
            format!("{}{}", width.derived, if width.narrow { "!" } else { "" })
        }));
        let share = report.share.as_ref();
        row.push(share.map_or("-".into(), |share| format!("{:.3} %", 100.0 * share.share)));
        for compared in report.yosys.iter().flatten() {
            row.push(compared.luts.to_string());
            let mark = if compared.within { "" } else { "!" };
            let deviation = compared.deviation;
            row.push(deviation.map_or("-".into(), |d| format!("{d:+.1} %{mark}")));
        }
        rows.push(row);
    }
    aligned(&rows)
}

/// Columns: the first two to the left, numbers to the right.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let cells = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(at, (cell, &width))| match at {
                0 | 1 => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            });
        line(&mut out, cells.collect::<Vec<_>>().join("  ").trim_end());
    }
    out
}
