//! The report as Markdown.

use cotenant_golden::addr::tx2::{Hop, Interference, Kernel, Tx2Row, KERNEL};

use super::Report;
use crate::experiments::statement::statements;
use crate::experiments::table::{percent, table};

/// What is beside the kernel.
fn beside(row: &Tx2Row) -> String {
    match row.interference {
        None => "alone".into(),
        Some(Interference::Kernel { stride, bytes, hop }) => {
            let bytes = if bytes == 1 {
                String::new()
            } else {
                format!(", {bytes} bytes")
            };
            let hop = if hop == Hop::Block {
                ""
            } else {
                ", hop x stride"
            };
            format!("stride {stride}{bytes}{hop}")
        }
        Some(Interference::Copy { lines: 1 }) => "1 line".into(),
        Some(Interference::Copy { lines }) => format!("{lines} lines"),
    }
}

fn name(kernel: Kernel) -> &'static str {
    match kernel {
        Kernel::Vadd => "vadd",
        Kernel::Gemm => "gemm",
    }
}

/// Of what others did to the kernel, the part of each row's sum.
fn by_others(matrix: &[Vec<u64>]) -> u64 {
    let row = matrix.get(KERNEL).into_iter().flatten().enumerate();
    row.filter(|(kid, _)| *kid != KERNEL)
        .map(|(_, count)| count)
        .sum()
}

impl Report {
    /// The report as Markdown.
    pub fn text(&self) -> String {
        let mut out = String::from(
            "Slowdown: the time of a run of the kernel as a multiple of its time alone. Demotions and \
             evictions by others are what the monitor counts (GDC, PLOB); blamed on others is the part of \
             the kernel's misses that the exact shares give to them. Listing 1 as printed hops by blockDim; \
             \"hop x stride\" is the reading that hops by blockDim x stride.\n\n",
        );
        if !self.complete {
            out += &format!("Interrupted: {} runs were done.\n\n", self.rows.len());
        }
        out += &table(
            "Each run",
            &[
                "kernel",
                "beside",
                "slowdown",
                "miss rate (%)",
                "demotions by others",
                "evictions by others",
                "misses blamed on others (%)",
            ],
            self.rows.iter().map(|row| {
                let m = &row.matrices;
                let count = |counts: &[u64]| counts.get(KERNEL).copied().unwrap_or(0);
                let (hits, misses) = (count(&m.hits), count(&m.misses));
                let all = hits + misses;
                let rate = (all > 0).then(|| misses as f64 / all as f64);
                let own = m.exact.get(KERNEL).and_then(|row| row.get(KERNEL));
                let total: f64 = m.exact.get(KERNEL).into_iter().flatten().sum();
                let blamed = own.filter(|_| total > 0.0).map(|own| 1.0 - own / total);
                vec![
                    name(row.kernel).into(),
                    beside(row),
                    format!("{:.2}", row.slowdown),
                    percent(rate),
                    by_others(&m.gdc).to_string(),
                    by_others(&m.ike).to_string(),
                    percent(blamed),
                ]
            }),
        );
        if self.complete {
            out += &format!("\n{}", statements(&self.statements));
        }
        out += &match &self.lockstep {
            None => "\nNo hardware ran beside it: no run was begun.\n".into(),
            Some(count) => {
                let what = match count.mismatches {
                    0 => "no mismatch",
                    _ => "MISMATCH",
                };
                let (hardware, cycles) = (&count.hardware, count.cycles);
                format!("\n{hardware}: {cycles} cycles compared, {what}\n")
            }
        };
        out
    }
}
