//! `rrip`: re-reference interval prediction in one cache set: which line a miss replaces, and the
//! predictions after an access.
//!
//! Source: TAP, section 3.4: "RRIP represents the insertion position as the Re-Reference Prediction
//! Value (RRPV). With an n-bit register per cache block for the LRU counter, an RRPV of 0 indicates
//! an MRU position and an RRPV of 2^n - 1 represents an LRU position." A hit sets 0. SRRIP inserts
//! 2^n - 2, a long interval, BRRIP mostly 2^n - 1, a distant one. TAP-RRIP leaves hits of the GPGPU
//! application without effect, and "in this case, TAP-RRIP chooses a GPGPU block over a CPU block
//! for the replacement".
//!
//! What a miss does, in this order:
//! 1. The first invalid way is filled, if there is one; no other line changes.
//! 2. Else, while no line has 2^n - 1, all lines age by one.
//! 3. Of the lines with 2^n - 1 the first preferred one is replaced; if none is preferred, the first.
//! 4. The new line gets 2^n - 2, or 2^n - 1.
//!
//! Combinational: the cache keeps the predictions.
//!
//! ASSUMPTION, from the literature about RRIP: the victim is the first with 2^n - 1, and all age
//! until there is one. ASSUMPTION: the first is that of the lowest way. ASSUMPTION: an invalid way
//! is filled before a valid line is replaced, whatever is preferred, and the set does not age.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::llc::{id_w, ByPosition, MAX_WAYS};
use crate::model::{limit, Model, ParamError, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;

/// Parameters of [`Rrip`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Ways of the set, 2 to [`MAX_WAYS`].
    #[range(2..=MAX_WAYS)]
    pub ways: usize,
    /// Bits of a prediction, 1 to 8.
    #[range(1..=8)]
    pub rrpv_w: usize,
}

impl Params {
    /// The prediction of a distant interval, 2^n - 1, with which a line can be replaced.
    pub fn distant(&self) -> u8 {
        limit(self.rrpv_w) as u8
    }

    /// The prediction of a long interval, 2^n - 2.
    pub fn long(&self) -> u8 {
        self.distant() - 1
    }
}

/// Input ports.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// The prediction of each way's line.
    #[port([p.rrpv_w; p.ways])]
    pub rrpv: Vec<u8>,
    /// The ways that hold a valid line.
    #[port([1; p.ways])]
    pub valid: u64,
    /// The ways whose lines are replaced before others that can be replaced, too.
    #[port([1; p.ways])]
    pub preferred: u64,
    /// There is an access this cycle.
    pub access_valid: bool,
    /// It hits.
    pub access_hit: bool,
    /// The way that it hits; not looked at on a miss.
    #[port(id_w(p.ways))]
    pub access_way: u8,
    /// A hit predicts that the line is used again soon.
    pub promote: bool,
    /// A miss inserts its line with the prediction of a distant interval, not of a long one.
    pub insert_distant: bool,
}

/// Output ports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Ports)]
pub struct Out {
    /// The way that a miss fills.
    #[port(id_w(p.ways))]
    pub victim_way: u8,
    /// It holds a valid line, so that filling it is an eviction.
    pub victim_valid: bool,
    /// By how much all lines age before a miss finds its victim.
    #[port(p.rrpv_w)]
    pub ageings: u8,
    /// The prediction of each way's line after the access.
    #[port([p.rrpv_w; p.ways])]
    pub next_rrpv: ByPosition,
}

/// No registers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {}

/// What the search for a victim finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Victim {
    /// The way to fill.
    pub way: usize,
    /// It holds a valid line.
    pub valid: bool,
    /// How often all lines have aged.
    pub ageings: u8,
}

/// Searches for a victim; lines age in `rrpv`, and stay below or at `distant`.
pub fn search(rrpv: &mut [u8], distant: u8, valid: u64, preferred: u64) -> Victim {
    let marked = |mask: u64, way: usize| mask >> way & 1 == 1;
    let ways = 0..rrpv.len();
    if let Some(way) = ways.clone().find(|&way| !marked(valid, way)) {
        return Victim {
            way,
            valid: false,
            ageings: 0,
        };
    }
    let mut ageings = 0;
    let way = loop {
        match first(rrpv, distant, |way| marked(preferred, way)) {
            None if ageings < distant => {
                rrpv.iter_mut().for_each(|line| *line += 1);
                ageings += 1;
            }
            found => break found.unwrap_or(0),
        }
    };
    Victim {
        way,
        valid: true,
        ageings,
    }
}

/// The first preferred line that can be replaced, else the first that can.
fn first(rrpv: &[u8], distant: u8, preferred: impl Fn(usize) -> bool) -> Option<usize> {
    let replaceable = || (0..rrpv.len()).filter(|&way| rrpv[way] >= distant);
    replaceable()
        .find(|&way| preferred(way))
        .or_else(|| replaceable().next())
}

/// The model.
#[derive(Debug, Clone)]
pub struct Rrip {
    params: Params,
    state: State,
    rules: Arc<Rules<In, State>>,
}

impl Model for Rrip {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn new(params: Params) -> Result<Self, ParamError> {
        params.check_ranges()?;
        Ok(Self {
            rules: Arc::new(Self::rules(&params)),
            params,
            state: State {},
        })
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn reset(&mut self) {}

    fn step(&mut self, input: &In) -> Out {
        let Params { ways, .. } = self.params;
        let (distant, long) = (self.params.distant(), self.params.long());
        let mut before = [0; MAX_WAYS];
        for (line, &rrpv) in before[..ways].iter_mut().zip(&input.rrpv) {
            *line = rrpv.min(distant);
        }
        let mut aged = before;
        let victim = search(&mut aged[..ways], distant, input.valid, input.preferred);
        let mut after = before;
        if input.access_valid && input.access_hit {
            let hit = after[..ways].get_mut(usize::from(input.access_way));
            if let (Some(hit), true) = (hit, input.promote) {
                *hit = 0;
            }
        } else if input.access_valid {
            after = aged;
            after[victim.way] = if input.insert_distant { distant } else { long };
        }
        Out {
            victim_way: victim.way as u8,
            victim_valid: victim.valid,
            ageings: victim.ageings,
            next_rrpv: ByPosition::copied(&after[..ways]),
        }
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(p: &Params) -> Rules<In, State> {
        let hit = each(0..p.ways, |way| {
            let line = valid_line(input!(valid[way]), input!(access_way));
            input!(access_way).is(way).implies(line)
        });
        Rules::new().legal(
            "valid_hit",
            "A hit is in a way that holds a valid line.",
            input!(access_valid)
                .and(input!(access_hit))
                .implies(input!(access_way).below(p.ways).and(hit)),
        )
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

#[cfg(test)]
mod tests;
