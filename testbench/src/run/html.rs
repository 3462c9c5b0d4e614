//! A run's page: one file, readable in print and without JavaScript.

use std::fmt::Write;

use super::plot::{self, Drawn};
use super::Report;
use crate::area;

const STYLE: &str = "\
body{font:15px/1.45 system-ui,sans-serif;color:#1b1b1b;max-width:60rem;margin:2rem auto;padding:0 1rem}\
h1{font-size:1.6rem;margin-bottom:.2rem}h2{font-size:1.15rem;margin-top:2rem;border-bottom:1px solid #ccc}\
table{border-collapse:collapse;margin:.6rem 0}th,td{padding:.2rem .7rem;text-align:right;border-bottom:1px solid #ddd}\
th:first-child,td:first-child{text-align:left}thead th{border-bottom:2px solid #888}\
.pass,.fail,.part{padding:.5rem .9rem;border-left:6px solid}\
.pass{border-color:#009e73;background:#e9f6f2}.fail{border-color:#d55e00;background:#fdeee4;font-weight:600}\
.part{border-color:#e69f00;background:#fdf5e2}\
.row{display:flex;flex-wrap:wrap;gap:2.5rem}figure{margin:.8rem 0}figcaption{color:#555;font-size:.9rem}\
svg{max-width:100%;height:auto}.dot{display:inline-block;width:.75em;height:.75em;margin-right:.4em}\
@media print{body{margin:0;max-width:none}h2{break-after:avoid}figure,table{break-inside:avoid}}";

/// The page. `areas` are the units' numbers.
pub fn html(report: &Report, areas: &[area::Report]) -> Drawn {
    let mut out = String::new();
    let title = escaped(&report.title);
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title}</title><style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n\
         <p>{} on {}, seed {}; cotenant {}.</p>\n",
        escaped(&report.name),
        escaped(&report.platform),
        report.seed,
        env!("CARGO_PKG_VERSION"),
    )?;
    verdict(&mut out, report)?;
    answer(&mut out, report)?;
    kernels(&mut out, report)?;
    matrices(&mut out, report)?;
    out.push_str("<h2>Over time</h2>\n");
    let victim = escaped(&report.kernels[report.under_test].name);
    for (picture, caption) in [
        (
            plot::shares(report, true)?,
            format!("Shares of {victim}'s misses by GDC, each period for itself."),
        ),
        (
            plot::shares(report, false)?,
            format!("The same by PLOB, over the other kernels; a gap where none of {victim}'s lines was evicted."),
        ),
        (
            plot::occupancy(report)?,
            "Lines owned at the end of each period, as an occupancy monitor would report.".into(),
        ),
        (plot::hit_rate(report)?, "Hit rate in each period.".into()),
        (plot::access_rate(report)?, "Accesses to the L2 in each period.".into()),
    ] {
        figure(&mut out, &picture, &caption)?;
    }
    out.push_str("<h2>Over the sets</h2>\n");
    figure(
        &mut out,
        &plot::sets(report)?,
        "Misses by set; each row is as dark as its largest allows.",
    )?;
    hardware(&mut out, areas)?;
    out.push_str("</body></html>\n");
    Ok(out)
}

type Written = Result<(), std::fmt::Error>;

fn figure(out: &mut String, svg: &str, caption: &str) -> Written {
    writeln!(
        out,
        "<figure>{}<figcaption>{caption}</figcaption></figure>",
        svg.trim()
    )
}

/// Whether to believe the page; at the top, where it is seen.
fn verdict(out: &mut String, report: &Report) -> Written {
    if let Some(mismatch) = &report.mismatch {
        writeln!(
            out,
            "<p class=\"fail\">FAILED: hardware and golden models differ: {}</p>",
            escaped(mismatch)
        )?;
    }
    if !report.complete {
        writeln!(
            out,
            "<p class=\"part\">Interrupted: this is what was done so far.</p>"
        )?;
    }
    match report.lockstep {
        Some(l) if report.mismatch.is_none() => writeln!(
            out,
            "<p class=\"pass\">{}: {} cycles in lockstep with the golden model, {} mismatches; \
             counters read every {} cycles come to the golden cache's sums.</p>",
            l.hardware, l.cycles, l.mismatches, report.period
        ),
        Some(_) => Ok(()),
        None => writeln!(
            out,
            "<p class=\"part\">No hardware in lockstep: the golden models alone.</p>"
        ),
    }
}

fn cells(out: &mut String, tag: &str, cells: &[String]) -> Written {
    out.push_str("<tr>");
    for cell in cells {
        write!(out, "<{tag}>{cell}</{tag}>")?;
    }
    out.push_str("</tr>\n");
    Ok(())
}

fn table(out: &mut String, rows: &[Vec<String>]) -> Written {
    out.push_str("<table><thead>");
    let (head, body) = rows.split_first().ok_or(std::fmt::Error)?;
    cells(out, "th", head)?;
    out.push_str("</thead><tbody>\n");
    for row in body {
        cells(out, "td", row)?;
    }
    out.push_str("</tbody></table>\n");
    Ok(())
}

/// A kernel's name behind a square of its colour.
fn dotted(report: &Report, kid: usize) -> String {
    let plotters::style::RGBColor(r, g, b) = plot::colour(kid);
    let name = escaped(&report.kernels[kid].name);
    format!("<span class=\"dot\" style=\"background:rgb({r},{g},{b})\"></span>{name}")
}

fn percent(share: Option<f64>) -> String {
    share.map_or("-".into(), |share| format!("{share:.1} %"))
}

/// Who costs the kernel under test its misses.
fn answer(out: &mut String, report: &Report) -> Written {
    let victim = escaped(&report.kernels[report.under_test].name);
    writeln!(out, "<h2>Who costs {victim} its misses</h2>")?;
    let (gdc, plob) = report.shares();
    let ours = |row: Option<&[f64]>, kid: usize| {
        percent(row.and_then(|row| row.get(kid)).map(|share| 100.0 * share))
    };
    let heads = match &report.paper {
        Some(_) => vec!["", "GDC", "GDC, paper", "PLOB", "PLOB, paper"],
        None => vec!["", "GDC", "PLOB"],
    };
    let mut rows = vec![heads.into_iter().map(String::from).collect()];
    for kid in 0..report.kernels.len() {
        let mut row = vec![dotted(report, kid), ours(gdc, kid)];
        match &report.paper {
            Some(paper) => row.extend([
                percent(paper.gdc.get(kid).copied()),
                ours(plob, kid),
                percent(paper.plob.get(kid).copied()),
            ]),
            None => row.push(ours(plob, kid)),
        }
        rows.push(row);
    }
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
            " The paper's shares are those of {}; its simulator, latencies and kernels' sizes are \
             not all known, so they are shown and not fitted.",
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
        "footprint",
        "in flight",
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
            format!("{} KiB", kernel.footprint >> 10),
            kernel.in_flight.to_string(),
            kernel.accesses.to_string(),
            format!("{kcycle:.1}"),
            percent(rate),
            kernel.misses.to_string(),
            kernel.latency.map_or("-".into(), |l| format!("{l:.0}")),
            kernel.laps.to_string(),
            kernel.occupancy.to_string(),
        ]);
    }
    table(out, &rows)?;
    let g = &report.geometry;
    writeln!(
        out,
        "<p>{} cycles, {} accesses, {} evictions. L2: {} sets x {} ways x {} B in {} banks.</p>",
        report.cycles, report.accesses, report.evictions, g.sets, g.ways, g.line, g.banks
    )
}

/// Who demotes and who evicts whom.
fn matrices(out: &mut String, report: &Report) -> Written {
    out.push_str("<h2>Who pushes whose lines</h2>\n<div class=\"row\">\n");
    for (title, counts) in [
        ("Demotions (GDC)", &report.gdc),
        ("Evictions (PLOB)", &report.ike),
    ] {
        let most = counts.iter().flatten().copied().max().unwrap_or(0).max(1);
        write!(
            out,
            "<table><thead><tr><th>{title}:<br>whose lines \\ by whom</th>"
        )?;
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
                    "<td style=\"background:rgba(213,94,0,{shade:.3})\">{count}</td>"
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
        "set",
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
            mapping.map_or("-".into(), |mapping| mapping.luts.to_string())
        };
        let width = |of: fn(&area::CounterWidth) -> String| {
            area.counter_width.as_ref().map_or("-".into(), of)
        };
        rows.push(vec![
            area.unit.into(),
            area.set.into(),
            area.area.flop_bits.to_string(),
            area.area.ram_bits.to_string(),
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
         <code>needed</code> is the counter width for the period, at an access a cycle.</p>\n",
    );
    Ok(())
}

/// Text for HTML.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(c),
        }
    }
    out
}
