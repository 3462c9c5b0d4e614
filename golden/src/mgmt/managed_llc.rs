//! `managed_llc`: TAP's management of a cache that a GPU and CPUs share, as one piece of hardware.
//!
//! Source: TAP, sections 3 and 5.3, tables 2 and 4. The directory has the lines. As a period ends, its
//! accesses become XSRATIO, what two sampled cores have retired becomes the word that caching helps or
//! not, both become masks, and with these the hits that each application's monitor has seen become
//! quotas. Software says which policy the directory follows (LRU; quotas; RRIP), whether it is that of
//! TAP, with masks and ratio, or without (UCP; DRRIP), and may give quotas and masks itself.
//!
//! It is made of the models of these units, which the policies of [`policy`](super::policy) check.
//!
//! Timing: an access at cycle t changes its set at the end of t + 1 and is reported at t + 2; it belongs
//! to the period in which it is reported. One that is reported in the cycle of `period` belongs to the
//! period that begins, as do instructions that retire in that cycle. With `period` at t the masks are
//! new at t + [`Params::masks_latency`], and the quotas at the latest [`ucp::Params::bound`] cycles
//! later; until then the old ones hold. A read given at t is answered at t + 1.
//!
//! ASSUMPTION: a monitor's period ends when its decision begins, with new masks; so what a decision
//! reads does not change under it. Each access is in one period of the monitors, too.
//! ASSUMPTION: a period that ends before the ratio of the one before is there drops that ratio; one that
//! ends later lets a decision go on, until the next one begins.
//! ASSUMPTION: there is one core sampling for all applications of the GPU; who runs on its cores is of
//! the GPU as `gpu` says in the cycle of the access.
//! ASSUMPTION: a tile of the cache has every (tiles)-th set, so that low bits of a set name it.
//! ASSUMPTION: masks given by software that would leave each application one way leave all unmasked.
//! Quotas given by software hold as they are.
//! ASSUMPTION: without TAP an application's hits are not divided, and there are no masks but those that
//! software gives. Sampled cores keep their policies.
//! ASSUMPTION: invalidations are not told to monitors and counters.

mod params;
mod ports;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::core_sampling::{self, ByTile, CoreSampling};
use super::managed_directory::{self, ManagedDirectory};
use super::tap::{self, Tap};
use super::ucp::{self, Ucp};
use super::umon::{self, Umon};
use super::xsratio::{self, Xsratio};
use super::ByApplication;
use crate::delay::Delayed;
use crate::llc::counter_matrix::{self, Answer, CounterMatrix, READ_LATENCY};
use crate::model::{limit, Model, ParamError, Part, Violation};
use crate::ports::{Parameters, Registers};
use crate::rules::*;

pub use params::Params;
pub use ports::{In, Out};

/// Registers and memories: those of the parts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {
    /// The lines.
    #[register(nested(p.directory()))]
    pub directory: managed_directory::State,
    /// What hits each application would have, by itself.
    #[register([nested(p.monitor()); p.applications])]
    pub monitor: Vec<umon::State>,
    /// The accesses of the period and their ratio.
    #[register(nested(p.xsratio()))]
    pub gpu_ratio: xsratio::State,
    /// The instructions of the period and the sampled cores.
    #[register(nested(p.sampling()))]
    pub sampler: core_sampling::State,
    /// The masks.
    #[register(nested(p.tap()))]
    pub masks: tap::State,
    /// The quotas.
    #[register(nested(p.ucp()))]
    pub shares: ucp::State,
    /// Evictions, `count[owner][evictor]`.
    #[register(nested(p.evictions()))]
    pub evictions: counter_matrix::State,
    /// Row 0 counts hits, row 1 misses, by application.
    #[register(nested(p.accesses()))]
    pub accesses: counter_matrix::State,
    /// What was asked for in the cycles before; [`READ_LATENCY`].
    #[register(skip)]
    pub answers: Delayed<Answer>,
}

/// The parts, which work on the registers in [`State`].
#[derive(Debug, Clone)]
struct Parts {
    directory: ManagedDirectory,
    monitor: Vec<Umon>,
    gpu_ratio: Xsratio,
    sampler: CoreSampling,
    masks: Tap,
    shares: Ucp,
    evictions: CounterMatrix,
    accesses: CounterMatrix,
}

/// The model.
#[derive(Debug, Clone)]
pub struct ManagedLlc {
    params: Params,
    rules: Arc<Rules<In, State>>,
    state: State,
    parts: Parts,
}

impl ManagedLlc {
    /// Lets the directory `act`, to find or come to a state.
    pub fn with_directory<R>(&mut self, act: impl FnOnce(&mut ManagedDirectory) -> R) -> R {
        self.parts.directory.on(&mut self.state.directory, act)
    }

    /// The same of each application's monitor; its number comes first.
    pub fn with_monitors(&mut self, mut act: impl FnMut(usize, &mut Umon)) {
        let monitors = self.parts.monitor.iter_mut().zip(&mut self.state.monitor);
        for (application, (monitor, registers)) in monitors.enumerate() {
            monitor.on(registers, |monitor| act(application, monitor));
        }
    }

    /// The same of the ratio.
    pub fn with_ratio<R>(&mut self, act: impl FnOnce(&mut Xsratio) -> R) -> R {
        self.parts.gpu_ratio.on(&mut self.state.gpu_ratio, act)
    }

    /// The same of core sampling.
    pub fn with_sampling<R>(&mut self, act: impl FnOnce(&mut CoreSampling) -> R) -> R {
        self.parts.sampler.on(&mut self.state.sampler, act)
    }

    /// The same of the masks.
    pub fn with_masks<R>(&mut self, act: impl FnOnce(&mut Tap) -> R) -> R {
        self.parts.masks.on(&mut self.state.masks, act)
    }

    /// The same of the quotas.
    pub fn with_shares<R>(&mut self, act: impl FnOnce(&mut Ucp) -> R) -> R {
        self.parts.shares.on(&mut self.state.shares, act)
    }

    /// The same of the counters of evictions.
    pub fn with_evictions<R>(&mut self, act: impl FnOnce(&mut CounterMatrix) -> R) -> R {
        self.parts.evictions.on(&mut self.state.evictions, act)
    }

    /// The same of the counters of hits and misses.
    pub fn with_accesses<R>(&mut self, act: impl FnOnce(&mut CounterMatrix) -> R) -> R {
        self.parts.accesses.on(&mut self.state.accesses, act)
    }

    /// The set that was written at the last edge, and the ways whose tags were.
    pub fn written(&self) -> Option<(usize, u64)> {
        self.parts.directory.written()
    }

    /// The stack of each application that was written at the last edge.
    pub fn stacked(&self) -> impl Iterator<Item = Option<usize>> + '_ {
        self.parts.monitor.iter().map(Umon::written)
    }

    /// Whether a unit in this state may be driven with `input`; see [`Model::assume`].
    pub(crate) fn assume_in(&self, state: &State, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, state)
    }

    /// The masks as they hold: who gets one way only, and the RRIP-Masks.
    fn masks(&self, input: &In) -> (u64, u64) {
        let all = limit(self.params.applications);
        match (input.mask_override, input.aware) {
            (true, _) if input.ucp_mask_given == all => (0, input.rrip_mask_given),
            (true, _) => (input.ucp_mask_given, input.rrip_mask_given),
            (false, true) => (self.state.masks.ucp_mask, self.state.masks.rrip_mask),
            (false, false) => (0, 0),
        }
    }

    /// The quotas as they hold.
    fn quota(&self, input: &In) -> ByApplication {
        match input.quota_override {
            true => input.quota_given,
            false => ByApplication::copied(&self.state.shares.quota),
        }
    }

    /// Which sampled core makes the access; the other parts of core sampling pass the cycle.
    fn sample(&mut self, input: &In) -> [bool; 2] {
        let Params { tiles, .. } = self.params;
        let tile = input.access_set as usize % tiles;
        let by_gpu = input.gpu >> input.access_app & 1;
        let asked = core_sampling::In {
            reset: input.reset,
            retired: input.retired,
            period: input.period,
            sample: input.sample,
            choose: input.choose,
            choose_pol1: input.choose_pol1,
            choose_pol2: input.choose_pol2,
            access_gpu: by_gpu << tile,
            access_core: ByTile::from_fn(tiles, |_| input.access_core),
        };
        let out = self.with_sampling(|sampling| sampling.step(&asked));
        [out.pol1, out.pol2].map(|tiles| tiles >> tile & 1 == 1)
    }

    /// The directory passes a cycle; what it did is told.
    fn access(
        &mut self,
        input: &In,
        [access_pol1, access_pol2]: [bool; 2],
    ) -> managed_directory::Out {
        let asked = managed_directory::In {
            reset: input.reset,
            access_valid: input.access_valid,
            access_invalidate: input.access_invalidate,
            access_set: input.access_set,
            access_tag: input.access_tag,
            access_app: input.access_app,
            access_pol1,
            access_pol2,
            policy: input.policy,
            quota: self.quota(input),
            rrip_mask: self.masks(input).1,
        };
        self.with_directory(|directory| directory.step(&asked))
    }

    /// The counters pass a cycle, with what an access did.
    fn count(&mut self, input: &In, done: &managed_directory::Out) {
        let one = |rows: usize, at: u8| {
            (0..rows)
                .map(|row| u32::from(row == usize::from(at)))
                .collect()
        };
        let of = |inc_valid, inc| counter_matrix::In {
            reset: input.reset,
            inc_valid,
            inc_kid: done.done_app,
            inc,
            snapshot: input.period,
            ..counter_matrix::In::default()
        };
        let at = (input.read_row.into(), input.read_app.into());
        let matrix = match input.read_matrix {
            false => &self.state.evictions,
            true => &self.state.accesses,
        };
        let answer = matrix.at(at, input.read_live);
        self.state.answers.pass(answer);
        if input.reset {
            self.state.answers.clear(&Answer::default());
        }
        let evictions = of(
            done.done_evict,
            one(self.params.applications, done.done_owner),
        );
        self.with_evictions(|matrix| matrix.step(&evictions));
        let accesses = of(done.done_valid, one(2, (!done.done_hit).into()));
        self.with_accesses(|matrix| matrix.step(&accesses));
    }

    /// The ratio, the masks and the quotas pass a cycle.
    fn decide(&mut self, input: &In, done: &managed_directory::Out, insensitive: bool) -> Decision {
        let Params { applications, .. } = self.params;
        let (ucp_mask, _) = self.masks(input);
        let asked = xsratio::In {
            reset: input.reset,
            access_valid: done.done_valid,
            access_app: done.done_app,
            period: input.period,
            gpu: input.gpu,
        };
        let ratio = self.with_ratio(|xsratio| xsratio.step(&asked));
        let asked = tap::In {
            reset: input.reset,
            access_valid: done.done_valid,
            access_hit: done.done_hit,
            access_app: done.done_app,
            period: input.period,
            accesses: ratio.accesses,
            detect: input.detect,
            stream_accesses: input.stream_accesses,
            stream_rate: input.stream_rate,
            gpu: input.gpu,
            insensitive: if insensitive { limit(applications) } else { 0 },
            xsratio: ratio.xsratio,
            xsratio_done: ratio.done,
        };
        let masks = self.with_masks(|tap| tap.step(&asked));
        let one = ByApplication::from_fn(applications, |_| 1);
        let hits = |monitor: &umon::State| monitor.answers.due_or_default();
        let asked = ucp::In {
            reset: input.reset,
            start: masks.start,
            ucp_mask,
            xsratio: if input.aware { masks.ratio } else { one },
            read_count: ByApplication::from_fn(applications, |app| hits(&self.state.monitor[app])),
        };
        let shares = self.with_shares(|ucp| ucp.step(&asked));
        Decision {
            ratio,
            masks,
            shares,
        }
    }

    /// The monitors pass a cycle.
    fn monitor(&mut self, input: &In, taken: bool, decision: &Decision) {
        let (snapshot, read_position) = (decision.masks.start, decision.shares.read_position);
        self.with_monitors(|application, monitor| {
            monitor.step(&umon::In {
                reset: input.reset,
                access_valid: taken && usize::from(input.access_app) == application,
                access_set: input.access_set,
                access_tag: input.access_tag,
                snapshot,
                read_position,
                read_live: false,
            });
        });
    }
}

/// What the ratio, the masks and the quotas are in a cycle.
struct Decision {
    ratio: xsratio::Out,
    masks: tap::Out,
    shares: ucp::Out,
}

impl Model for ManagedLlc {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn legal(params: &Params) -> Result<(), ParamError> {
        params.check_ranges()?;
        ParamError::power_of_two(
            "tiles",
            params.tiles as u64,
            "tile is a field of address bits",
        )?;
        ManagedDirectory::legal(&params.directory())?;
        Umon::legal(&params.monitor())
    }

    fn new(params: Params) -> Result<Self, ParamError> {
        Self::legal(&params)?;
        let accesses = counter_matrix::Params {
            kernels: params.applications,
            ..params.evictions()
        };
        let parts = Parts {
            directory: ManagedDirectory::new(params.directory())?,
            monitor: vec![Umon::new(params.monitor())?; params.applications],
            gpu_ratio: Xsratio::new(params.xsratio())?,
            sampler: CoreSampling::new(params.sampling())?,
            masks: Tap::new(params.tap())?,
            shares: Ucp::new(params.ucp())?,
            evictions: CounterMatrix::new(params.evictions())?,
            accesses: CounterMatrix::with_rows(2, accesses)?,
        };
        let state = State {
            directory: parts.directory.state().clone(),
            monitor: parts.monitor.iter().map(|it| it.state().clone()).collect(),
            gpu_ratio: parts.gpu_ratio.state().clone(),
            sampler: parts.sampler.state().clone(),
            masks: parts.masks.state().clone(),
            shares: parts.shares.state().clone(),
            evictions: parts.evictions.state().clone(),
            accesses: parts.accesses.state().clone(),
            answers: Delayed::new(READ_LATENCY, Answer::default()),
        };
        Ok(Self {
            rules: Arc::new(Self::rules(&params)),
            params,
            state,
            parts,
        })
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn reset(&mut self) {
        self.with_directory(Model::reset);
        self.with_monitors(|_, monitor| monitor.reset());
        self.with_ratio(Model::reset);
        self.with_sampling(Model::reset);
        self.with_masks(Model::reset);
        self.with_shares(Model::reset);
        self.with_evictions(Model::reset);
        self.with_accesses(Model::reset);
        self.state.answers.clear(&Answer::default());
    }

    fn step(&mut self, input: &In) -> Out {
        let (ucp_mask, rrip_mask) = self.masks(input);
        let quota = self.quota(input);
        let State {
            directory,
            sampler,
            evictions,
            accesses,
            answers,
            ..
        } = &self.state;
        let (answer, insensitive) = (answers.due_or_default(), sampler.insensitive);
        let marks = (evictions.overflow(), accesses.overflow());
        let sequence_number = evictions.sequence_number;
        let taken = input.access_valid && !input.access_invalidate && !directory.sweeping;
        let sampled = self.sample(input);
        let done = self.access(input, sampled);
        self.count(input, &done);
        let decision = self.decide(input, &done, insensitive);
        self.monitor(input, taken, &decision);
        let Decision {
            ratio,
            masks,
            shares,
        } = decision;
        Out {
            ready: done.ready,
            done_valid: done.done_valid,
            done_app: done.done_app,
            done_hit: done.done_hit,
            done_fill: done.done_fill,
            done_way: done.done_way,
            done_evict: done.done_evict,
            done_owner: done.done_owner,
            psel: done.psel,
            busy: ratio.busy || ratio.done || masks.start || shares.busy,
            decided: shares.done,
            quota,
            ucp_mask,
            rrip_mask,
            xsratio: ratio.xsratio,
            insensitive,
            streaming: masks.streaming,
            read_count: answer.count,
            read_overflow: answer.overflow,
            overflow_evictions: marks.0,
            overflow_accesses: marks.1,
            sequence_number,
        }
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(p: &Params) -> Rules<In, State> {
        Rules::new()
            .legal(
                "known_application",
                "The application is one that there is, whether there is an access or not.",
                input!(access_app).below(p.applications),
            )
            .legal(
                "known_cores",
                "Cores that are assigned are two different ones that there are.",
                input!(choose).implies(all([
                    input!(choose_pol1).below(p.cores),
                    input!(choose_pol2).below(p.cores),
                    input!(choose_pol1).is(input!(choose_pol2)).not(),
                ])),
            )
            .legal(
                "some_accesses",
                "Without an access nothing streams.",
                input!(period).implies(input!(stream_accesses).at_least(1usize)),
            )
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.assume_in(&self.state, input)
    }
}

impl Part for ManagedLlc {
    fn registers(&mut self) -> &mut State {
        &mut self.state
    }
}

#[cfg(test)]
mod tests;
