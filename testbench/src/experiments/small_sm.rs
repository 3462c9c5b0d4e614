//! A small SM: warps that issue through the golden `mem_issue` to the golden LSU and wait for
//! completion.
//!
//! Each warp of a kernel computes for as many cycles as table 2 has compute instructions per memory
//! instruction, issues one memory instruction with exactly the table's number of requests, waits
//! for its last response, and begins again. A request misses with the table's rate; a miss is
//! answered after the kernel's own latency, drawn evenly within a quarter above and below.
//!
//! ASSUMPTION: eight instructions wait in the LSU, two per scheduler. ASSUMPTION: a hit is answered
//! after 28 cycles; nothing waits for it but its warp.

use std::collections::VecDeque;

use cotenant_golden::sm::lsu::{Draw, Latency, Lsu};
use cotenant_golden::sm::mem_issue::{self, MemIssue};
use cotenant_golden::sm::{lsu, MAX_KERNELS};
use cotenant_golden::{Model, ParamError};

use super::kernel::{Kernel, MSHRS};
use crate::verify::stimulus::Random;

/// Instructions that wait in the LSU.
pub const DEPTH: usize = 8;

/// Cycles from a hit to its response.
const HIT_LATENCY: u32 = 28;

/// A kernel on the SM.
#[derive(Debug, Clone)]
pub struct Resident {
    /// What it does.
    pub kernel: Kernel,
    /// Its warps.
    pub warps: u64,
    /// Of each so many cycles it issues nothing in the second half; 0: it always may.
    pub pause: u64,
}

/// A kernel's warps and what they have done.
#[derive(Debug, Clone)]
struct Warps {
    resident: Resident,
    /// Those ready to issue a memory instruction.
    ready: u64,
    /// When those that compute will be.
    computing: VecDeque<u64>,
}

/// What happened in a cycle, or in one and quiet ones before it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cycle {
    /// The kernel whose instruction was issued.
    pub granted: Option<usize>,
    /// The kernels that wanted to issue.
    pub want: u64,
    /// The kernel whose request was accepted.
    pub accepted: Option<usize>,
    /// The limit of that kernel in this cycle, if there was one.
    pub limit: Option<u64>,
    /// The kernel whose request was refused.
    pub failed: Option<usize>,
}

/// The SM.
#[derive(Debug, Clone)]
pub struct SmallSm {
    unit: MemIssue,
    lsu: Lsu,
    warps: Vec<Warps>,
    random: Random,
    draw: Draw,
    // The draw is that of a request that was refused.
    held: bool,
    cycle: u64,
    // Whether quiet cycles are passed at once.
    jump: bool,
}

impl SmallSm {
    /// All kernels launched, all warps ready. `unit.kernels` is their number.
    ///
    /// # Errors
    /// [`ParamError`] when there is no such unit.
    pub fn new(
        unit: mem_issue::Params,
        residents: &[Resident],
        seed: u64,
    ) -> Result<Self, ParamError> {
        let kernels = residents.len();
        let mut unit = MemIssue::new(mem_issue::Params { kernels, ..unit })?;
        unit.step(&mem_issue::In {
            launch: (1 << kernels) - 1,
            ..mem_issue::In::default()
        });
        let latencies = || residents.iter().map(|resident| resident.kernel.latency());
        let lsu = Lsu::new(lsu::Params {
            kernels,
            depth: DEPTH,
            mshrs: MSHRS as usize,
            hit_latency: HIT_LATENCY,
            miss_latency: Latency {
                min: 1,
                max: 2 * latencies().max().unwrap_or(1),
            },
        })?;
        let warps = residents.iter().map(|resident| Warps {
            ready: resident.warps,
            computing: VecDeque::new(),
            resident: resident.clone(),
        });
        Ok(Self {
            unit,
            lsu,
            warps: warps.collect(),
            random: Random::new(seed),
            draw: Draw::default(),
            held: false,
            cycle: 0,
            jump: true,
        })
    }

    /// Passes every cycle one by one, which is slower and gives the same.
    #[cfg(test)]
    fn without_jumps(mut self) -> Self {
        self.jump = false;
        self
    }

    /// Cycles passed.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// The unit.
    pub fn unit(&self) -> &MemIssue {
        &self.unit
    }

    /// Passes a cycle, after quiet ones at once.
    pub fn step(&mut self) -> Cycle {
        self.cycle += 1;
        let want = self.wanting();
        self.draw();
        let offer = self.lsu.offer(&self.draw);
        for (kernel, warps) in self.warps.iter_mut().enumerate() {
            if offer.complete >> kernel & 1 == 1 {
                let ready = self.cycle + warps.resident.kernel.compute;
                warps.computing.push_back(ready);
            }
        }
        self.held = offer.fail_valid;
        let input = mem_issue::In {
            want,
            lsu_ready: offer.lsu_ready,
            complete: offer.complete,
            request_valid: offer.request_valid,
            request_first: offer.request_first,
            fail_valid: offer.fail_valid,
            lsu_kid: offer.lsu_kid,
            ..mem_issue::In::default()
        };
        let quiet = offer.complete == 0 && !offer.request_valid && !offer.fail_valid;
        let before = (quiet && self.jump && self.quiet() > 0).then(|| self.unit.state().clone());
        let out = self.unit.step(&input);
        let of = |valid: bool, kid: u8| valid.then_some(usize::from(kid));
        let granted = of(out.grant_valid, out.grant_kid);
        if let Some(kernel) = granted {
            let warps = &mut self.warps[kernel];
            warps.ready -= 1;
            let requests = warps.resident.kernel.requests;
            let issued = self.lsu.issue(out.grant_kid, requests);
            issued.expect("it was ready, and the kernel is on the SM");
        }
        // Inputs that change nothing now change nothing as long as they stay.
        if before.is_some_and(|before| before == *self.unit.state()) {
            let quiet = self.quiet();
            self.lsu.skip(quiet);
            self.cycle += quiet;
        }
        let accepted = of(offer.request_valid, offer.lsu_kid);
        let limited = accepted.filter(|kernel| out.unlimited >> kernel & 1 == 0);
        Cycle {
            granted,
            want,
            accepted,
            limit: limited.map(|kernel| out.limit[kernel]),
            failed: of(offer.fail_valid, offer.lsu_kid),
        }
    }

    /// The kernels with a warp that is ready to issue.
    fn wanting(&mut self) -> u64 {
        let cycle = self.cycle;
        let mut want = 0;
        for (kernel, warps) in self.warps.iter_mut().enumerate() {
            while warps.computing.front().is_some_and(|ready| *ready <= cycle) {
                warps.computing.pop_front();
                warps.ready += 1;
            }
            let pausing = warps.resident.pauses(cycle);
            want |= u64::from(warps.ready > 0 && !pausing) << kernel;
        }
        want
    }

    /// What chance decides of the head's request; a refused one tries again with the same.
    fn draw(&mut self) {
        let Some(kid) = self.lsu.head().filter(|_| !self.held) else {
            return;
        };
        let kernel = &self.warps[usize::from(kid)].resident.kernel;
        let mean = kernel.latency();
        let spread = self.random.below(mean as usize / 2 + 1) as u32;
        self.draw = Draw {
            hit: self.random.below(100) as u64 >= kernel.misses,
            latency: mean - mean / 4 + spread,
        };
    }

    /// Cycles from now on in which nothing comes of itself.
    fn quiet(&self) -> u64 {
        let changes = self.warps.iter().map(|warps| {
            let ready = warps.computing.front();
            let wake = ready.map_or(u64::MAX, |ready| ready.saturating_sub(self.cycle + 1));
            wake.min(warps.resident.pause_changes_after(self.cycle))
        });
        changes.chain([self.lsu.quiet()]).min().unwrap_or(0)
    }
}

impl Resident {
    /// Whether it issues nothing in this cycle.
    pub fn pauses(&self, cycle: u64) -> bool {
        self.pause > 0 && cycle % self.pause >= self.pause / 2
    }

    /// Cycles after this one in which it goes on pausing, or being awake.
    fn pause_changes_after(&self, cycle: u64) -> u64 {
        match self.pause {
            0 => u64::MAX,
            pause => {
                let at = cycle % pause;
                let next = if at < pause / 2 { pause / 2 } else { pause };
                next - at - 1
            }
        }
    }
}

// Masks over kernels fit.
const _: () = assert!(MAX_KERNELS < 64);

#[cfg(test)]
mod tests;
