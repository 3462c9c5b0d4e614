//! The HTML report of a run: one file, readable in print and without JavaScript.

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
    if report.kernels.iter().any(|kernel| kernel.stats.is_some()) {
        inside(&mut out, report)?;
    }
    matrices(&mut out, report)?;
    over_time(&mut out, report)?;
    out.push_str("<h2>Misses per set</h2>\n");
    figure(
        &mut out,
        &plot::sets(report)?,
        "<b>Misses per set</b>; per kernel (row), the darkest set has the most misses; white sets have none.",
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
            format!("<b>Shares of {victim}'s misses by GDC</b> (%) in each period."),
        ),
        (
            plot::shares(report, false)?,
            format!("<b>Shares of {victim}'s misses by PLOB</b> (%), among the other kernels; there is a gap in periods in which they evicted none of {victim}'s lines."),
        ),
        (
            plot::pressure(report)?,
            format!("<b>Demotions of {victim}'s lines per kilocycle</b>, by aggressor."),
        ),
        (
            plot::occupancy(report)?,
            "<b>Cache occupancy</b>: lines owned at the end of each period, as an occupancy monitor reports them; the axis ends at the number of lines of the cache.".into(),
        ),
        (plot::hit_rate(report)?, "<b>Hit rate</b> (%) in each period.".into()),
        (plot::access_rate(report)?, "<b>L2 accesses per kilocycle</b>.".into()),
    ] {
        figure(out, &picture, &caption)?;
    }
    out.push_str("</div>\n");
    Ok(())
}

/// Whether hardware and golden models agree; at the top of the page.
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
                "<p>The mismatch is in cycle {cycle}. Shares and matrices below are those of the golden cache. \
                 To write its waves: <code>cotenant run {} --seed {} --window {from}..{}</code></p>",
                escaped(&report.name),
                report.seed,
                cycle + 10,
            )?;
        }
    }
    if !report.complete {
        writeln!(
            out,
            "<p class=\"part\">Interrupted after {} of {} accesses; the numbers below cover these.</p>",
            grouped(report.accesses),
            grouped(report.accesses_wanted),
        )?;
    }
    match report.lockstep {
        Some(l) if report.mismatch.is_none() => writeln!(
            out,
            "<p class=\"pass\"><b>{}: {} cycles in lockstep with the golden model, {} mismatches.</b> \
             All outputs and all state but pipeline flops were compared in every cycle; the counters, \
             read every {} cycles, add up to the counts of the golden cache.</p>",
            l.hardware,
            grouped(l.cycles),
            l.mismatches,
            grouped(report.period)
        ),
        Some(_) => Ok(()),
        None => writeln!(
            out,
            "<p class=\"part\">No hardware in lockstep: only the golden models ran.</p>"
        ),
    }
}

/// A kernel's name behind a square of its colour.
fn dotted(report: &Report, kid: usize) -> String {
    let plotters::style::RGBColor(r, g, b) = plot::colour(kid);
    let name = escaped(&report.kernels[kid].name);
    format!("<span class=\"dot\" style=\"background:rgb({r},{g},{b})\"></span>{name}")
}

/// Miss attribution: the share of each kernel in the misses of the kernel under test.
fn answer(out: &mut String, report: &Report) -> Written {
    let victim = escaped(&report.kernels[report.under_test].name);
    writeln!(out, "<h2>Miss attribution for {victim} (%)</h2>")?;
    let rows = report.table_of_shares(percent, |kid| dotted(report, kid));
    table(out, &rows)?;
    let [gdc, plob] = report
        .distances()
        .map(|far| far.map_or("-".into(), |far| format!("{far:.3}")));
    let wbd = report.wbd[report.under_test];
    write!(
        out,
        "<p>Exact are the Shapley shares of the misses that happened, over all coalitions of the \
         co-runners with the order of accesses kept; a kernel's own are those that it has alone too. \
         Distance of the counters' shares from them, over the co-runners (wbd): GDC {gdc}, PLOB {plob}. \
         PLOB's distance from GDC (wbd, GDC section IV-C): {}.",
        wbd.map_or("-".into(), |wbd| format!("{wbd:.3}"))
    )?;
    if let Some(paper) = &report.paper {
        write!(
            out,
            " The paper's shares are those of {}; it does not state latencies, grids and some of the \
             kernels' sizes; the assumptions made here are marked in \
             scenario.toml and in the platform file.",
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
        "per kcycle",
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
        "<p>{} cycles, {} accesses, {} evictions. Shared cache: {} sets × {} ways × {} B in {} bank{}.</p>",
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
    out.push_str("<h2>SMs and memory system</h2>\n");
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
    for (kernel, stats) in report
        .kernels
        .iter()
        .filter_map(|kernel| Some((kernel, kernel.stats.as_ref()?)))
    {
        let (sm, memory) = (&stats.sm, &stats.memory);
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
        "<p>Instructions are warp instructions; a request is for one line. A load hits in the L1D, merges with a \
         pending miss, or misses. The last five columns are reservation failures: cycles in which the request at the head of the \
         load/store unit is refused because no line of its set, no miss queue entry, no MSHR or no \
         merge slot of its MSHR is free, or because a load of the line to be written is pending.</p>\n",
    );
    table(out, &behind)?;
    out.push_str(
        "<p>At the end of each run it is checked that these counts agree from level to level and that \
         nothing is left in flight.</p>\n",
    );
    Ok(())
}

/// Demotions and evictions per victim and aggressor.
fn matrices(out: &mut String, report: &Report) -> Written {
    out.push_str(
        "<h2>Demotion and eviction matrices</h2>\n<p>Rows are victims, columns are aggressors; cells are shaded \
         relative to the largest count of the table.</p>\n<div class=\"row\">\n",
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
    out.push_str("<h2>Area</h2>\n");
    let heads = [
        "unit",
        "parameter set",
        "flops",
        "RAM bits",
        "LUT4",
        "LUT6",
        "CNT_W",
        "needed",
        "share of L2 arrays",
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
         <code>needed</code> is the counter width that the period requires at one access per cycle; the share \
         is that of all units that the cache needs (one per bank; one LRU stack per set) in its tag and data bits.</p>\n",
    );
    Ok(())
}

/// The other files of the folder, and how to repeat the run.
fn beside(out: &mut String, report: &Report) -> Written {
    writeln!(
        out,
        "<h2>Files</h2>\n<p><code>report.json</code> contains all numbers, \
         <code>scenario.toml</code> the scenario{}. The same scenario and seed give the same numbers: \
         <code>cotenant run {} --seed {}</code></p>",
        match report.lockstep {
            Some(_) => ", <code>waves.vcd</code> some cycles of netlist and golden model side by side, \
                        <code>verilog/</code> the Verilog of the hardware that ran",
            None => "",
        },
        escaped(&report.name),
        report.seed,
    )
}
