//! `core_sampling`: whether a GPGPU application gains from the last-level cache, told by two of its
//! cores that use it differently.
//!
//! Source: TAP, section 3.1: "core sampling enforces one core (Core-POL1) to use the LRU insertion
//! policy and another core (Core-POL2) to use the MRU insertion policy. Once a period is over, the
//! core sampling controller (CSC) collects the performance metrics, such as the number of retired
//! instructions, from each core and compares them." Section 3.1.2: "If the CPI delta is less than
//! Threshold_alpha, caching has little effect on performance", and "we set Threshold_alpha to 5%".
//! Section 3.1.3: "One counter per core to count the number of retired instructions during one
//! period", and two registers with the ids of the sampled cores in each tile: "When a cache
//! operation is performed to a cache line, the core id field is checked."
//!
//! Timing: an instruction that retires at cycle t is counted at t + 1; one that retires in the cycle
//! of `period` belongs to the period that begins. The decision about the period that ends at t is
//! in `insensitive` at t + 1. Which policy an access follows is combinational.
//!
//! ASSUMPTION: the delta is that of the retired instructions, against the faster core's: in a period,
//! CPI is the inverse of their number. Exactly 5 % is friendly.
//! ASSUMPTION: if neither core has retired anything, what was decided before stays.
//! ASSUMPTION: counters stop at their limit.
//! ASSUMPTION: sampling is turned on and off, and sampled cores are changed, as a period ends, so that
//! a period is sampled as a whole by the same cores or not at all. After a reset it is on ("after a
//! few initial periods", section 3.1.4), by cores 0 and 1. At the end of a period that was not
//! sampled the mask is reset: all cores follow the underlying policy.
//! ASSUMPTION: rotation takes both cores to the next one, from the last to the first, after each
//! period that was sampled. Cores that are assigned take precedence over it.
//! ASSUMPTION: the ids are a register pair in each tile (table 2); all tiles hold the same.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::llc::id_w;
use crate::model::{limit, Model, ParamError, Part, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;
use crate::Inline;

/// The most cores of a GPU.
pub const MAX_CORES: usize = 32;

/// The most tiles of the cache.
pub const MAX_TILES: usize = 16;

/// Retired instructions, one number per core.
pub type ByCore = Inline<u8, MAX_CORES>;

/// Core ids, one per tile.
pub type ByTile = Inline<u8, MAX_TILES>;

/// Parameters of [`CoreSampling`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// GPU cores, 2 to [`MAX_CORES`].
    #[range(2..=MAX_CORES)]
    pub cores: usize,
    /// Tiles of the last-level cache, 1 to [`MAX_TILES`].
    #[range(1..=MAX_TILES)]
    pub tiles: usize,
    /// Bits of a core's id, enough for all cores, at most 8.
    #[range(id_w(p.cores)..=8)]
    pub id_w: usize,
    /// Bits of the instructions that a core retires in a cycle, 1 to 8.
    #[range(1..=8)]
    pub retired_w: usize,
    /// Bits of a counter, from `retired_w` to 32.
    #[range(p.retired_w..=32)]
    pub cnt_w: usize,
    /// 1: sampled cores rotate; 0: they do not.
    #[range(0..=1)]
    pub rotate: usize,
}

/// Input ports.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// Instructions that each core retires in this cycle.
    #[port([p.retired_w; p.cores])]
    pub retired: ByCore,
    /// A period ends.
    pub period: bool,
    /// The period that begins is sampled; looked at with `period`.
    pub sample: bool,
    /// With `period`: the cores that are named become the sampled ones.
    pub choose: bool,
    /// The core that becomes Core-POL1.
    #[port(p.id_w)]
    pub choose_pol1: u8,
    /// The core that becomes Core-POL2.
    #[port(p.id_w)]
    pub choose_pol2: u8,
    /// By tile: the core id beside it is that of a GPU core, which accesses the tile.
    #[port([1; p.tiles])]
    pub access_gpu: u64,
    /// By tile: the id of the accessing core.
    #[port([p.id_w; p.tiles])]
    pub access_core: ByTile,
}

/// Output ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct Out {
    /// Caching does not help: what was decided last. Registered.
    pub insensitive: bool,
    /// By tile: the access is of Core-POL1. Combinational.
    #[port([1; p.tiles])]
    pub pol1: u64,
    /// By tile: the access is of Core-POL2. Combinational.
    #[port([1; p.tiles])]
    pub pol2: u64,
}

/// Registers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {
    /// Instructions that each core has retired in the period. Reset: 0.
    #[register([p.cnt_w; p.cores])]
    pub retired: Vec<u64>,
    /// The id of Core-POL1, by tile. Reset: 0.
    #[register([p.id_w; p.tiles])]
    pub pol1: Vec<u8>,
    /// The id of Core-POL2, by tile. Reset: 1.
    #[register([p.id_w; p.tiles])]
    pub pol2: Vec<u8>,
    /// The period is sampled. Reset: 1.
    pub sampling: bool,
    /// What was decided last. Reset: 0.
    pub insensitive: bool,
}

/// Whether caching helps, by what the two cores have retired; nothing is known if that is nothing.
///
/// That is so if the slower core has lost at least 5 % of what the faster one has retired.
pub fn caching_helps(pol1: u64, pol2: u64) -> Option<bool> {
    let (slower, faster) = (pol1.min(pol2), pol1.max(pol2));
    let lost = faster - slower;
    (faster > 0).then(|| lost * 100 >= faster * 5)
}

/// The model.
#[derive(Debug, Clone)]
pub struct CoreSampling {
    params: Params,
    state: State,
    rules: Arc<Rules<In, State>>,
}

impl CoreSampling {
    /// A core has retired so many instructions in the period, at most as many as can be counted.
    ///
    /// For runs that start close to the limit, which takes a million cycles to reach.
    pub fn preset(&mut self, core: usize, retired: u64) {
        if let Some(counter) = self.state.retired.get_mut(core) {
            *counter = retired.min(limit(self.params.cnt_w));
        }
    }

    /// The sampled cores, Core-POL1 first: two different ones; others change nothing.
    pub fn preset_sampled(&mut self, cores: [usize; 2]) {
        let [pol1, pol2] = cores.map(|core| core.min(self.params.cores) as u8);
        if pol1 != pol2 && cores.iter().all(|&core| core < self.params.cores) {
            self.state.pol1.fill(pol1);
            self.state.pol2.fill(pol2);
        }
    }

    /// Whether the period is sampled, and what the last one has decided.
    pub fn preset_decision(&mut self, sampling: bool, insensitive: bool) {
        self.state.sampling = sampling;
        self.state.insensitive = insensitive;
    }

    /// What the two sampled cores have retired in the period.
    pub fn compared(&self) -> [u64; 2] {
        let State { pol1, pol2, .. } = &self.state;
        [pol1, pol2].map(|ids| self.retired_by(ids[0]))
    }

    fn retired_by(&self, core: u8) -> u64 {
        let retired = self.state.retired.get(usize::from(core));
        retired.copied().unwrap_or_default()
    }

    fn decide(&mut self) {
        let [pol1, pol2] = self.compared();
        if !self.state.sampling {
            self.state.insensitive = false;
        } else if let Some(helps) = caching_helps(pol1, pol2) {
            self.state.insensitive = !helps;
        }
    }

    /// Who is sampled in the period that begins.
    fn next_cores(&mut self, input: &In) {
        let cores = self.params.cores as u8;
        let rotates = self.params.rotate == 1 && self.state.sampling;
        let assigned = [input.choose_pol1, input.choose_pol2];
        let State { pol1, pol2, .. } = &mut self.state;
        for (ids, assigned) in [pol1, pol2].into_iter().zip(assigned) {
            for id in ids {
                if input.choose {
                    *id = assigned;
                } else if rotates {
                    *id = (*id + 1) % cores;
                }
            }
        }
        self.state.sampling = input.sample;
    }
}

impl Model for CoreSampling {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn new(params: Params) -> Result<Self, ParamError> {
        params.check_ranges()?;
        let mut model = Self {
            rules: Arc::new(Self::rules(&params)),
            params,
            state: State::default(),
        };
        model.reset();
        Ok(model)
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn reset(&mut self) {
        let Params { cores, tiles, .. } = self.params;
        self.state = State {
            retired: vec![0; cores],
            pol1: vec![0; tiles],
            pol2: vec![1; tiles],
            sampling: true,
            insensitive: false,
        };
    }

    fn step(&mut self, input: &In) -> Out {
        let state = &self.state;
        let accesses_of = |ids: &[u8]| {
            let accesses = |tile: &usize| {
                let core = input.access_core.get(*tile);
                input.access_gpu >> tile & 1 == 1 && core == ids.get(*tile)
            };
            let tiles = (0..self.params.tiles).filter(accesses);
            tiles.fold(0, |all, tile| all | u64::from(state.sampling) << tile)
        };
        let out = Out {
            insensitive: state.insensitive,
            pol1: accesses_of(&state.pol1),
            pol2: accesses_of(&state.pol2),
        };
        if input.reset {
            self.reset();
            return out;
        }
        if input.period {
            self.decide();
            self.next_cores(input);
            self.state.retired.fill(0);
        }
        let most = limit(self.params.cnt_w);
        for (counter, &retired) in self.state.retired.iter_mut().zip(&*input.retired) {
            *counter = most.min(*counter + u64::from(retired));
        }
        out
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(p: &Params) -> Rules<In, State> {
        let tiles = 0..p.tiles;
        Rules::new()
            .legal(
                "known_cores",
                "Cores that are assigned are two different ones that there are.",
                input!(choose).implies(all([
                    input!(choose_pol1).below(p.cores),
                    input!(choose_pol2).below(p.cores),
                    input!(choose_pol1).is(input!(choose_pol2)).not(),
                ])),
            )
            .invariant(
                "known_cores",
                "The sampled cores are two different ones that there are.",
                all([
                    register!(pol1[0]).below(p.cores),
                    register!(pol2[0]).below(p.cores),
                    register!(pol1[0]).is(register!(pol2[0])).not(),
                ]),
            )
            .invariant(
                "all_tiles",
                "All tiles hold the same ids.",
                each(tiles, |tile| {
                    let same = register!(pol1[tile]).is(register!(pol1[0]));
                    same.and(register!(pol2[tile]).is(register!(pol2[0])))
                }),
            )
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

impl Part for CoreSampling {
    fn registers(&mut self) -> &mut State {
        &mut self.state
    }
}

#[cfg(test)]
mod tests;
