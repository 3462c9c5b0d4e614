//! The report as Markdown.

use std::fmt::Write;

use cotenant_golden::workload::program::table2::Benchmark;

use super::pair::REPORTED;
use super::simulate::SHOWN;
use super::{KernelCounts, Outcome, Report, Run, Together};
use crate::experiments::issue_control::{Seen, Span};
use crate::experiments::table::{number, percent, table};

impl Report {
    /// The report as Markdown.
    pub fn text(&self) -> String {
        let mut out = format!(
            "Preset {}, {} cycles per run, seed {:#x}. Without: nothing between schedulers and \
             load/store unit. With: mem_issue {} (QBMI+DMIL) on all SMs.\n\n",
            self.preset, self.cycles, self.seed, self.set
        );
        // Writing to a string cannot fail.
        if let Some(mismatch) = self.mismatch() {
            let _ = writeln!(out, "MISMATCH: {mismatch}\n");
        }
        if !self.complete {
            out += "Interrupted or stopped: not all runs were completed; the numbers cover the \
                    simulated part.\n\n";
        }
        let sections = [
            self.lockstep(),
            self.together(),
            self.ipc(),
            self.cache(),
            self.limits(),
            self.paper(),
        ];
        out + &sections.join("\n")
    }

    fn lockstep(&self) -> String {
        let rows = self.pairs.iter().flat_map(|outcome| {
            outcome.with.lockstep.iter().map(|lockstep| {
                vec![
                    outcome.pair.name(),
                    lockstep.sm.to_string(),
                    lockstep.engine.into(),
                    lockstep.cycles.to_string(),
                    lockstep.mismatch.clone().unwrap_or_else(|| "none".into()),
                ]
            })
        });
        let text = table(
            "mem_issue as netlist and golden model in lockstep",
            &["pair", "SM", "engine", "cycles compared", "mismatch"],
            rows,
        );
        format!("{text}\n{} cycles in all.\n", self.lockstep_cycles)
    }

    fn together(&self) -> String {
        let rows = self.pairs.iter().flat_map(|outcome| {
            let row = |variant: &str, of: &Together| {
                vec![
                    outcome.pair.name(),
                    variant.into(),
                    number(of.weighted_speedup, 3),
                    number(of.antt, 3),
                    number(of.fairness, 3),
                ]
            };
            [
                row("without", &outcome.together_without),
                row("with", &outcome.together_with),
            ]
        });
        table(
            "Performance of the pairs",
            &["pair", "mem_issue", "weighted speedup", "ANTT", "fairness"],
            rows,
        )
    }

    fn ipc(&self) -> String {
        let rows = self.pairs.iter().flat_map(|outcome| {
            (0..2).map(move |kernel| {
                let ipc = |run: &Run| format!("{:.3}", run.kernels[kernel].ipc);
                let name = outcome.pair.kernels[kernel];
                vec![
                    outcome.pair.name(),
                    name.into(),
                    outcome.pair.blocks[kernel].to_string(),
                    self.alone(name).map_or("-".into(), ipc_of),
                    ipc(&outcome.without),
                    ipc(&outcome.with),
                    number(outcome.together_without.normalised[kernel], 3),
                    number(outcome.together_with.normalised[kernel], 3),
                ]
            })
        });
        let heads = [
            "pair",
            "kernel",
            "blocks per SM",
            "IPC alone",
            "without",
            "with",
            "normalised: without",
            "with",
        ];
        let mut text = table("Warp instructions per cycle of the GPU", &heads, rows);
        text.push('\n');
        for outcome in &self.pairs {
            let (name, why) = (outcome.pair.name(), outcome.pair.partition);
            let _ = writeln!(text, "- Blocks of {name}: {why}.");
        }
        text
    }

    fn cache(&self) -> String {
        let alone = self.alone.iter().flat_map(|run| &run.kernels);
        let alone = alone.map(|kernel| cache_row("alone", "", kernel));
        let pairs = self.pairs.iter().flat_map(|outcome| {
            let variants = [("without", &outcome.without), ("with", &outcome.with)];
            variants.into_iter().flat_map(|(variant, run)| {
                let name = outcome.pair.name();
                let row = move |kernel| cache_row(&name, variant, kernel);
                run.kernels.iter().map(row)
            })
        });
        table(
            "L1D: misses of loads in percent (in table 2: of the kernel alone), reservation failures \
             per access in total and by reason",
            &[
                "pair",
                "mem_issue",
                "kernel",
                "accesses per 1000 cycles of an SM",
                "misses",
                "table 2",
                "failures",
                "table 2",
                "line",
                "miss queue",
                "MSHR",
                "merge",
                "write",
            ],
            alone.chain(pairs),
        )
    }

    fn limits(&self) -> String {
        let rows = self.pairs.iter().flat_map(|outcome| {
            (0..2).filter_map(move |kernel| {
                let seen = seen(&outcome.with, kernel)?;
                let limited = seen.limit.cycles as f64 / seen.in_flight.cycles.max(1) as f64;
                let mut cells = vec![outcome.pair.name(), outcome.pair.kernels[kernel].into()];
                cells.push(percent(Some(1.0 - limited)));
                for span in [seen.limit, seen.quota, seen.in_flight] {
                    cells.extend(span_cells(&span));
                }
                Some(cells)
            })
        });
        table(
            &format!("Limits, quotas and memory instructions in flight on SM {SHOWN}, over cycles"),
            &[
                "pair",
                "kernel",
                "without limit, %",
                "limit: least",
                "mean",
                "most",
                "quota: least",
                "mean",
                "most",
                "in flight: least",
                "mean",
                "most",
            ],
            rows,
        )
    }

    fn paper(&self) -> String {
        let rows = REPORTED.iter().filter_map(|reported| {
            let named = |outcome: &&Outcome| outcome.pair.name() == reported.pair;
            let outcome = self.pairs.iter().find(named)?;
            Some(vec![
                reported.pair.into(),
                reported.what.into(),
                reported.scheme.into(),
                number(Some(reported.paper), reported.places),
                reported.source.into(),
                number((reported.ours)(outcome), reported.places),
            ])
        });
        let text = table(
            "Comparison with the paper",
            &[
                "pair",
                "what",
                "scheme in the paper: here",
                "paper",
                "source",
                "here",
            ],
            rows,
        );
        format!(
            "{text}\nThe paper has no numbers of single pairs under QBMI+DMIL: section 3.4 says \
             that it is slightly better than DMIL.\n"
        )
    }

    fn alone(&self, name: &str) -> Option<&KernelCounts> {
        let mut kernels = self.alone.iter().flat_map(|run| &run.kernels);
        kernels.find(|kernel| kernel.name == name)
    }
}

fn ipc_of(kernel: &KernelCounts) -> String {
    format!("{:.3}", kernel.ipc)
}

fn cache_row(pair: &str, variant: &str, kernel: &KernelCounts) -> Vec<String> {
    let benchmark = Benchmark::named(kernel.name).filter(|_| pair == "alone");
    let of = |count: u64| {
        let share = count as f64 / kernel.accesses as f64;
        number((kernel.accesses > 0).then_some(share), 2)
    };
    let failures = &kernel.failures;
    let mut cells = vec![pair.into(), variant.into(), kernel.name.into()];
    cells.push(number(kernel.accesses_per_kilocycle, 0));
    cells.push(percent(kernel.miss_rate));
    cells.push(benchmark.map_or(String::new(), |row| row.misses.to_string()));
    cells.push(number(kernel.failures_per_access, 2));
    let failed = |row: &Benchmark| format!("{:.2}", f64::from(row.failures) / 100.0);
    cells.push(benchmark.map_or(String::new(), failed));
    cells.extend([
        of(failures.line_alloc),
        of(failures.miss_queue),
        of(failures.mshr_entry),
        of(failures.mshr_merge),
        of(failures.rw_pending),
    ]);
    cells
}

/// What a kernel's unit saw over a whole run.
fn seen(run: &Run, kernel: usize) -> Option<Seen> {
    let periods = run.moments.iter().map(|moment| moment.kernels[kernel].seen);
    periods.flatten().reduce(Seen::and)
}

fn span_cells(span: &Span) -> [String; 3] {
    let some = |value: u64| match span.cycles {
        0 => "-".into(),
        _ => value.to_string(),
    };
    [some(span.min), number(span.mean(), 1), some(span.max)]
}
