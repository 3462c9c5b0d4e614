//! A run's page: one file, readable in print and without JavaScript.

mod parts;

use std::fmt::Write;

use super::plot::{self, Drawn};
use super::Report;
use crate::export::area;
use parts::{escaped, figure, grouped, percent, table, Written};

const STYLE: &str = include_str!("style.css");

/// The page. `areas` are the units' numbers.
pub fn html(report: &Report, areas: &[area::Report]) -> Drawn {
    let mut out = String::new();
    let title = escaped(&report.title);
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title}</title><style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n\
         <p><code>{}</code> on {}, seed {}; cotenant {}.</p>\n",
        escaped(&report.name),
        escaped(&report.platform),
        report.seed,
        env!("CARGO_PKG_VERSION"),
    )?;
    verdict(&mut out, report)?;
    answer(&mut out, report)?;
    kernels(&mut out, report)?;
    inside(&mut out, report)?;
    matrices(&mut out, report)?;
    over_time(&mut out, report)?;
    out.push_str("<h2>Over the sets</h2>\n");
    figure(
        &mut out,
        &plot::sets(report)?,
        "<b>Misses by set</b>; in each row the darkest set is the one with most, white has none.",
    )?;
    hardware(&mut out, areas)?;
    beside(&mut out, report)?;
    out.push_str("</body></html>\n");
    Ok(out)
}

fn over_time(out: &mut String, report: &Report) -> Result<(), Box<dyn std::error::Error>> {
    out.push_str("<h2>Over time</h2>\n<p class=\"legend\">");
    for kid in 0..report.kernels.len() {
        write!(out, "<span>{}</span>", dotted(report, kid))?;
    }
    out.push_str("</p>\n<div class=\"row\">\n");
    let victim = escaped(&report.kernels[report.under_test].name);
    for (picture, caption) in [
        (
            plot::shares(report, true)?,
            format!("<b>Shares of {victim}'s misses by GDC</b> in percent, each period for itself."),
        ),
        (
            plot::shares(report, false)?,
            format!("<b>The same by PLOB</b>, over the other kernels; a gap where they evicted none of {victim}'s lines."),
        ),
        (
            plot::pressure(report)?,
            format!("<b>Demotions of {victim}'s lines</b> in a thousand cycles, by whom."),
        ),
        (
            plot::occupancy(report)?,
            "<b>Lines owned</b> at the end of each period, as an occupancy monitor would report; the axis ends at all lines of the cache.".into(),
        ),
        (plot::hit_rate(report)?, "<b>Hit rate</b> in percent, in each period.".into()),
        (plot::access_rate(report)?, "<b>Accesses to the L2</b> in a thousand cycles.".into()),
    ] {
        figure(out, &picture, &caption)?;
    }
    out.push_str("</div>\n");
    Ok(())
}

/// Whether to believe the page; at the top, where it is seen.
fn verdict(out: &mut String, report: &Report) -> Written {
    if let Some(mismatch) = &report.mismatch {
        writeln!(
            out,
            "<p class=\"fail\">FAILED: hardware and golden models differ: {}</p>",
            escaped(mismatch)
        )?;
        if let Some(cycle) = report.mismatch_cycle {
            let from = cycle.saturating_sub(50);
            writeln!(
                out,
                "<p>It was in cycle {cycle}. Shares and matrices below are the golden cache's. \
                 Waves of it: <code>cotenant run {} --seed {} --window {from}..{}</code></p>",
                escaped(&report.name),
                report.seed,
                cycle + 10,
            )?;
        }
    }
    if !report.complete {
        writeln!(
            out,
            "<p class=\"part\">Interrupted: this is what was done so far, {} of {} accesses.</p>",
            grouped(report.accesses),
            grouped(report.accesses_wanted),
        )?;
    }
    match report.lockstep {
        Some(l) if report.mismatch.is_none() => writeln!(
            out,
            "<p class=\"pass\"><b>{}: {} cycles in lockstep with the golden model, {} mismatches.</b> \
             Every output and register was compared in every cycle; counters, read every {} cycles, \
             come to the golden cache's sums.</p>",
            l.hardware,
            grouped(l.cycles),
            l.mismatches,
            grouped(report.period)
        ),
        Some(_) => Ok(()),
        None => writeln!(
            out,
            "<p class=\"part\">No hardware in lockstep: the golden models alone.</p>"
        ),
    }
}

/// A kernel's name behind a square of its colour.
fn dotted(report: &Report, kid: usize) -> String {
    let plotters::style::RGBColor(r, g, b) = plot::colour(kid);
    let name = escaped(&report.kernels[kid].name);
    format!("<span class=\"dot\" style=\"background:rgb({r},{g},{b})\"></span>{name}")
}

/// Who costs the kernel under test its misses.
fn answer(out: &mut String, report: &Report) -> Written {
    let victim = escaped(&report.kernels[report.under_test].name);
    writeln!(out, "<h2>Who costs {victim} its misses</h2>")?;
    let rows = report.table_of_shares(percent, |kid| dotted(report, kid));
    table(out, &rows)?;
    let wbd = report.wbd[report.under_test];
    write!(
        out,
        "<p>PLOB's distance from GDC (wbd, GDC section IV-C): {}.",
        wbd.map_or("-".into(), |wbd| format!("{wbd:.3}"))
    )?;
    if let Some(paper) = &report.paper {
        write!(
            out,
            " The paper's shares are those of {}; it leaves latencies, grids and some of the \
             kernels' sizes open, so that ours rest on assumptions, marked in \
             scenario.toml and in the platform.",
            escaped(&paper.source)
        )?;
    }
    out.push_str("</p>\n");
    Ok(())
}

fn kernels(out: &mut String, report: &Report) -> Written {
    out.push_str("<h2>Kernels</h2>\n");
    let heads = [
        "",
        "loop",
        "",
        "IPC",
        "accesses",
        "a kcycle",
        "hit rate",
        "misses",
        "latency",
        "laps",
        "lines owned",
    ];
    let mut rows = vec![heads.map(String::from).to_vec()];
    for kernel in &report.kernels {
        let rate =
            (kernel.accesses > 0).then(|| 100.0 * kernel.hits as f64 / kernel.accesses as f64);
        let kcycle = 1000.0 * kernel.accesses as f64 / report.cycles.max(1) as f64;
        rows.push(vec![
            dotted(report, kernel.kid),
            escaped(&kernel.body),
            escaped(&kernel.parameters).replace(", ", "<br>"),
            format!("{:.3}", kernel.ipc),
            grouped(kernel.accesses),
            format!("{kcycle:.1}"),
            percent(rate),
            grouped(kernel.misses),
            kernel.latency.map_or("-".into(), |l| format!("{l:.0}")),
            grouped(kernel.laps),
            grouped(kernel.occupancy),
        ]);
    }
    table(out, &rows)?;
    let g = &report.geometry;
    writeln!(
        out,
        "<p>{} cycles, {} accesses, {} evictions. L2: {} sets × {} ways × {} B in {} bank{}.</p>",
        grouped(report.cycles),
        grouped(report.accesses),
        grouped(report.evictions),
        g.sets,
        g.ways,
        g.line,
        g.banks,
        if g.banks == 1 { "" } else { "s" },
    )
}

/// What the kernels did in the SMs and behind them.
fn inside(out: &mut String, report: &Report) -> Written {
    out.push_str("<h2>In the SMs and behind them</h2>\n");
    let heads = [
        "",
        "instructions",
        "loads",
        "hits",
        "merged",
        "misses",
        "stores",
        "no line",
        "no queue",
        "no MSHR",
        "no merge",
        "pending",
    ];
    let mut sms = vec![heads.map(String::from).to_vec()];
    let heads = [
        "",
        "L2 merged",
        "fetches",
        "write-backs",
        "DRAM read",
        "written",
        "row hits",
        "replies",
    ];
    let mut behind = vec![heads.map(String::from).to_vec()];
    for kernel in &report.kernels {
        let (sm, memory) = (&kernel.stats.sm, &kernel.stats.memory);
        let failures = &sm.failures;
        let counts = [
            sm.instructions(),
            sm.loads,
            sm.hits,
            sm.merged,
            sm.misses,
            sm.stores,
            failures.line_alloc,
            failures.miss_queue,
            failures.mshr_entry,
            failures.mshr_merge,
            failures.rw_pending,
        ];
        let mut row = vec![dotted(report, kernel.kid)];
        row.extend(counts.map(grouped));
        sms.push(row);
        let served = memory.dram_reads + memory.dram_writes;
        let row_hits = (served > 0).then(|| 100.0 * memory.row_hits as f64 / served as f64);
        let kib = |bytes: u64| format!("{} KiB", grouped(bytes >> 10));
        behind.push(vec![
            dotted(report, kernel.kid),
            grouped(memory.merged),
            grouped(memory.fetches),
            grouped(memory.write_backs),
            kib(memory.dram_read_bytes),
            kib(memory.dram_write_bytes),
            percent(row_hits),
            grouped(memory.replies),
        ]);
    }
    table(out, &sms)?;
    out.push_str(
        "<p>Warp instructions; requests of a line each. A load hits in the L1D, is merged with one \
         on its way, or misses. On the right, cycles in which the request at the head of the \
         load/store unit is refused: no line of its set, no place in the miss queue, no MSHR, no \
         place in one, or a load pending to the line that it would write.</p>\n",
    );
    table(out, &behind)?;
    out.push_str(
        "<p>All of these add up, level by level, with nothing left in flight; it is checked at the \
         end of each run.</p>\n",
    );
    Ok(())
}

/// Who demotes and who evicts whom.
fn matrices(out: &mut String, report: &Report) -> Written {
    out.push_str(
        "<h2>Who pushes whose lines</h2>\n<p>A row is whose lines, a column by whom; the darker, \
         the more of the table's largest count.</p>\n<div class=\"row\">\n",
    );
    for (title, counts) in [
        ("Demotions (GDC)", &report.gdc),
        ("Evictions (PLOB)", &report.ike),
    ] {
        let most = counts.iter().flatten().copied().max().unwrap_or(0).max(1);
        write!(out, "<table class=\"matrix\"><thead><tr><th>{title}</th>")?;
        for kid in 0..counts.len() {
            write!(out, "<th>{}</th>", dotted(report, kid))?;
        }
        out.push_str("</tr></thead><tbody>\n");
        for (victim, row) in counts.iter().enumerate() {
            write!(out, "<tr><td>{}</td>", dotted(report, victim))?;
            for count in row {
                let shade = *count as f64 / most as f64 * 0.75;
                write!(
                    out,
                    "<td style=\"background:rgba(213,94,0,{shade:.3})\">{}</td>",
                    grouped(*count)
                )?;
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</tbody></table>\n");
    }
    out.push_str("</div>\n");
    Ok(())
}

fn hardware(out: &mut String, areas: &[area::Report]) -> Written {
    if areas.is_empty() {
        return Ok(());
    }
    out.push_str("<h2>What it costs</h2>\n");
    let heads = [
        "unit",
        "parameter set",
        "flops",
        "RAM bits",
        "LUT4",
        "LUT6",
        "CNT_W",
        "needed",
        "share of tags and data",
    ];
    let mut rows = vec![heads.map(String::from).to_vec()];
    for area in areas {
        let luts = |index: usize| {
            let mapping = area.area.mappings.get(index);
            mapping.map_or("-".into(), |mapping| grouped(mapping.luts as u64))
        };
        let width = |of: fn(&area::CounterWidth) -> String| {
            area.counter_width.as_ref().map_or("-".into(), of)
        };
        rows.push(vec![
            area.unit.into(),
            area.set.into(),
            grouped(area.area.flop_bits as u64),
            grouped(area.area.ram_bits as u64),
            luts(0),
            luts(1),
            width(|width| width.built.to_string()),
            width(|width| width.derived.to_string()),
            area.share
                .as_ref()
                .map_or("-".into(), |share| format!("{:.2} %", 100.0 * share.share)),
        ]);
    }
    table(out, &rows)?;
    out.push_str(
        "<p>Flop and RAM bits are exact; look-up tables are estimated from the netlist. \
         <code>needed</code> is the counter width for the period, at an access a cycle; the share is of as \
         many units as the cache takes: one a bank, stacks one a set.</p>\n",
    );
    Ok(())
}

/// What else there is, and how to have it again.
fn beside(out: &mut String, report: &Report) -> Written {
    writeln!(
        out,
        "<h2>Beside this page</h2>\n<p><code>report.json</code> has all numbers, \
         <code>scenario.toml</code> the scenario{}. The same scenario and seed give the same numbers: \
         <code>cotenant run {} --seed {}</code></p>",
        match report.lockstep {
            Some(_) => ", <code>waves.vcd</code> some cycles of netlist and golden model side by side, \
                        <code>verilog/</code> the hardware that ran",
            None => "",
        },
        escaped(&report.name),
        report.seed,
    )
}
