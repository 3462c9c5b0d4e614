//! One MILG in an open loop, with the failure rates of table 2, which do not depend on its limit.

use cotenant_golden::sm::milg::{In, Milg, Params, Release};
use cotenant_golden::{Model, ParamError};
use serde::Serialize;

use super::WIDTHS;
use crate::experiments::kernel::{Kernel, AX, KS, SV, WARPS};

/// Peaks to start from: every warp of the SM has an instruction in flight (table 1); the largest
/// static limit that the paper tries; the one from which on it finds performance low
/// (section 3.3.1).
const PEAKS: [u64; 3] = [WARPS, 24, 8];

/// Limits, interval by interval, under a constant failure rate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// The kernel.
    pub kernel: &'static str,
    /// Its failures in an interval.
    pub failures: u64,
    /// Width of the failure counter.
    pub fail_w: usize,
    /// What the formula divides by.
    pub divisor: u64,
    /// Instructions in flight before there is a limit.
    pub peak: u64,
    /// The limit after each interval, until it stays; the kernel always issues up to it. A limit
    /// shows twice where the interval in which it came into force began with more in flight.
    pub limits: Vec<u64>,
}

impl Limits {
    /// As if at another width.
    pub(super) fn at_width(&self, fail_w: usize) -> Self {
        Self {
            fail_w,
            ..self.clone()
        }
    }
}

/// Limits, interval by interval, once the failures have ceased.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Climb {
    /// How a limit is released.
    pub release: Release,
    /// The limit after each interval, of eight at most; null: there is none.
    pub limits: Vec<Option<u64>>,
}

/// An interval with so many failures, spread evenly over its requests, and the division after it.
fn interval(milg: &mut Milg, failures: u64) {
    let requests = 1 << milg.params().interval_w;
    for request in 0..requests {
        let before = failures * request / requests;
        for _ in before..failures * (request + 1) / requests {
            step(
                milg,
                In {
                    fail: true,
                    ..In::default()
                },
            );
        }
        step(
            milg,
            In {
                request: true,
                ..In::default()
            },
        );
    }
    // And the cycle in which the peak has seen the closing one.
    for _ in 0..=milg.params().count_w {
        step(milg, In::default());
    }
}

fn step(milg: &mut Milg, input: In) {
    debug_assert_eq!(milg.assume(&input), Ok(()));
    milg.step(&input);
}

/// Brings the instructions in flight to a number, one per cycle, as far as the limit lets them.
fn fill(milg: &mut Milg, wanted: u64) {
    while milg.state().in_flight > wanted {
        step(
            milg,
            In {
                complete: true,
                ..In::default()
            },
        );
    }
    while milg.state().in_flight < wanted.min(milg.state().limit) {
        step(
            milg,
            In {
                issue: true,
                ..In::default()
            },
        );
    }
}

/// The limit in force, if there is one.
fn limit(milg: &Milg) -> Option<u64> {
    let state = milg.state();
    (!state.unlimited).then_some(state.limit)
}

fn of(kernel: &Kernel, fail_w: usize, peak: u64) -> Result<Limits, ParamError> {
    let params = Params {
        fail_w,
        ..Params::PAPER
    };
    let failures = kernel.failures_of(1 << params.interval_w);
    let mut milg = Milg::new(params)?;
    fill(&mut milg, peak);
    let mut limits: Vec<u64> = Vec::new();
    // Until it can fall no further, or an interval that began at the limit has left it there.
    while limits.last() != Some(&1) && !limits.ends_with(&[milg.state().limit; 3]) {
        interval(&mut milg, failures);
        let Some(limit) = limit(&milg) else { break };
        limits.push(limit);
        fill(&mut milg, limit);
    }
    Ok(Limits {
        kernel: kernel.name,
        failures,
        fail_w,
        divisor: failures.min((1 << fail_w) - 1) >> Params::PAPER.interval_w,
        peak,
        limits,
    })
}

/// Every kernel, width and peak.
pub fn limits() -> Result<Vec<Limits>, ParamError> {
    let mut all = Vec::new();
    for kernel in [KS, SV, AX] {
        for peak in PEAKS {
            for fail_w in WIDTHS {
                all.push(of(&kernel, fail_w, peak)?);
            }
        }
    }
    Ok(all)
}

/// Intervals in which a limit may rise.
const CLIMB: usize = 7;

/// All ways of release, from a limit of 1.
pub fn climbs() -> Result<Vec<Climb>, ParamError> {
    let climb = |release| {
        let mut milg = Milg::new(Params {
            release,
            ..Params::PAPER
        })?;
        fill(&mut milg, 1);
        interval(&mut milg, 2048);
        let mut limits = vec![limit(&milg)];
        while limits.last() != Some(&None) && limits.len() <= CLIMB {
            interval(&mut milg, 0);
            limits.push(limit(&milg));
        }
        Ok(Climb { release, limits })
    };
    Release::ALL.into_iter().map(climb).collect()
}

#[cfg(test)]
mod tests {
    //! Rationale: the page's sequences, by hand from the formula. A limit counts twice where the
    //! interval in which it comes into force began with more in flight.
    use super::*;

    #[test]
    fn limits_by_hand() {
        for (kernel, fail_w, peak, divisor, limits) in [
            // 4095 >> 10 = 3; 96 / 3, 32 / 3, 10 / 3, 3 / 3
            (KS, 12, 96, 3, &[32, 32, 10, 10, 3, 3, 1][..]),
            (AX, 12, 8, 3, &[2, 2, 1]),
            // 8151 >> 10 = 7
            (KS, 14, 24, 7, &[3, 3, 1]),
            // 5356 >> 10 = 5; 96 / 5, 19 / 5, 3 / 5
            (SV, 17, 96, 5, &[19, 19, 3, 3, 1]),
            // 16383 >> 10 = 15, 81613 >> 10 = 79
            (AX, 14, 96, 15, &[6, 6, 1]),
            (AX, 20, 96, 79, &[1]),
        ] {
            let found = of(&kernel, fail_w, peak).unwrap();
            assert_eq!((found.divisor, &found.limits[..]), (divisor, limits));
        }
    }
}
