//! Directed stimulus: the shortest way found from reset to every bin of the functional coverage.
//!
//! A design of someone else's starts from its reset and cannot be put into a state. Some thousand
//! cycles of random stimulus then never meet what takes long to come to: a counter at its limit, a
//! snapshot of it, the increment beyond. A [`Plan`] is a list of [`Segment`]s, stretches of one profile
//! each, that goes there. It is found on the golden model: from the state that the segments so far lead
//! to, profiles are tried for longer and longer, and the one that hits most bins per cycle that were
//! not hit before is the next segment. The same unit, parameters, seed and budget give the same plan.
//!
//! ```
//! use cotenant::unit::llc::CounterMatrix;
//! use cotenant::verify::directed::Plan;
//! use cotenant_golden::llc::counter_matrix::Params;
//!
//! let params = Params { kernels: 2, inc_w: 2, cnt_w: 16 };
//! let plan = Plan::new::<CounterMatrix>(&params, 1, 400_000, &mut |_| true)?.expect("not stopped");
//! // 65,535 events, at most three in a cycle.
//! assert!(plan.coverage.closed() && plan.cycles() > 21_845, "{}", plan.coverage);
//! # Ok::<(), cotenant::Error>(())
//! ```

use std::cell::{Cell, RefCell};

use cotenant_golden::Model;
use serde::Serialize;

use crate::error::Result;
use crate::verify::coverage::{Collect, Cover, CoverageReport, Crosses};
use crate::verify::interface::{InOf, ParamsOf};
use crate::verify::stimulus::{Pause, Profile, Segment, Source, Stream};

/// Cycles that a plan takes at most unless said.
pub const BUDGET: u64 = 400_000;

/// Lengths that are tried, from short to long.
const LENGTHS: [u64; 6] = [1 << 8, 1 << 10, 1 << 12, LONG, 1 << 16, LONGEST];

/// Seeds that are tried for the shorter ones, should the first hit nothing new at any length.
const SEEDS: u64 = 8;

/// From here on only segments that nothing interrupts are tried: what needs longer is a counter.
const LONG: u64 = 1 << 14;

/// The longest segments, of which few are tried: they take most of the time if nothing is to be reached.
const LONGEST: u64 = 1 << 18;

/// Profiles that take counters up, in segments of so many cycles: the quickest ones alone in long ones.
fn rising(cycles: u64) -> &'static [Profile] {
    const RISING: [Profile; 4] = [
        Profile::Saturation,
        Profile::Misses,
        Profile::Hits,
        Profile::Skewed,
    ];
    match cycles {
        ..=LONG => &RISING,
        LONGEST.. => &RISING[..1],
        _ => &RISING[..2],
    }
}

/// Cycles between two looks at what has been hit.
const LOOK: u64 = 16;

/// The crosses that say where increments take counters.
const LIMITS: &str = "limits";

/// Cycles before a counter is at its limit at which a segment is left, and how long and how often it is tried
/// to go on slowly from there.
const BACK: u64 = 32;
const SLOW: u64 = 1 << 11;
const SLOW_TRIES: u64 = 8;

/// Cycles behind a long segment in which what it came to is read, before anything changes it.
const READ: u64 = 96;

/// Cycles behind that in which a period ends now and then, so that what it has come to is read, too: on a
/// bus a read takes several cycles, and there are dozens of registers.
const END: u64 = 1 << 12;

/// What begins a new period in front of a long segment, so that counters and marks start from 0.
const FRESH: Segment = Segment {
    profile: Profile::Storms,
    pause: Pause::Snapshot,
    seed: 0,
    cycles: 32,
};

/// The end of a plan: periods end, and their counters are read.
const CLOSE: Segment = Segment {
    profile: Profile::Uniform,
    pause: Pause::Snapshot,
    seed: 0,
    cycles: 512,
};

/// The way through a unit's bins from reset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// The segments, one after the other.
    pub segments: Vec<Segment>,
    /// What they hit, and what was not reached.
    pub coverage: CoverageReport,
}

impl Plan {
    /// A plan of at most `budget` cycles; 0 is none. `watch` is told from time to time how many cycles
    /// were simulated to find it, which are many more, and says whether to go on; no plan if not.
    ///
    /// # Errors
    /// [`Error::Golden`](crate::Error::Golden).
    pub fn new<U: Cover>(
        params: &ParamsOf<U>,
        seed: u64,
        budget: u64,
        watch: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Option<Self>> {
        let clock = Clock::new(watch);
        let place = Place(Box::new(Driven::<U> {
            params,
            clock: &clock,
            model: U::model(params)?,
            world: U::world(params),
            collector: U::collector(params),
        }));
        let plan = Self::from(place, &clock, seed, budget);
        Ok((!clock.stopped.get()).then_some(plan))
    }

    fn from(mut place: Place<'_>, clock: &Clock<'_>, seed: u64, budget: u64) -> Self {
        let mut segments = vec![];
        let mut left = budget;
        while !place.closed() && !clock.stopped.get() {
            let Some((mut segments_found, there)) = place.next(seed, segments.len() as u64, left)
            else {
                break;
            };
            left -= segments_found
                .iter()
                .map(|segment| segment.cycles)
                .sum::<u64>();
            segments.append(&mut segments_found);
            place = there;
        }
        if segments
            .iter()
            .any(|segment| segment.pause == Pause::Nothing)
            && left >= CLOSE.cycles
        {
            let close = Segment { seed, ..CLOSE };
            place.go(&close);
            segments.push(close);
        }
        Self {
            segments,
            coverage: CoverageReport::of(place.0.seen()),
        }
    }

    /// Its length.
    pub fn cycles(&self) -> u64 {
        self.segments.iter().map(|segment| segment.cycles).sum()
    }
}

/// Cycles between two calls of the watcher.
const WATCH: u64 = 4096;

/// The cycles simulated so far, and who is told of them.
struct Clock<'a> {
    cycles: Cell<u64>,
    stopped: Cell<bool>,
    watch: RefCell<&'a mut dyn FnMut(u64) -> bool>,
}

impl<'a> Clock<'a> {
    fn new(watch: &'a mut dyn FnMut(u64) -> bool) -> Self {
        Self {
            cycles: Cell::new(0),
            stopped: Cell::new(false),
            watch: RefCell::new(watch),
        }
    }

    /// Whether there is another cycle.
    fn tick(&self) -> bool {
        let cycles = self.cycles.get();
        if cycles % WATCH == 0 && !self.watch.borrow_mut()(cycles) {
            self.stopped.set(true);
        }
        self.cycles.set(cycles + 1);
        !self.stopped.get()
    }
}

/// A golden model on its way, whatever the unit: the search for a plan is compiled once, not per unit.
trait Walk {
    fn profiles(&self) -> &'static [Profile];

    /// What its stimulus has hit.
    fn seen(&self) -> &dyn Crosses;

    /// Goes a segment, or as far as `look` says, which is shown every cycle what has been hit.
    fn go(&mut self, segment: &Segment, look: &mut dyn FnMut(&dyn Crosses, u64) -> bool);

    /// Another one at the same place.
    fn fork<'a>(&self) -> Box<dyn Walk + 'a>
    where
        Self: 'a;
}

/// The model of a unit, with what feeds it.
struct Driven<'a, U: Cover> {
    params: &'a ParamsOf<U>,
    clock: &'a Clock<'a>,
    model: U::Model,
    world: U::World,
    collector: U::Collector,
}

impl<U: Cover> Walk for Driven<'_, U> {
    fn profiles(&self) -> &'static [Profile] {
        U::PROFILES
    }

    fn seen(&self) -> &dyn Crosses {
        &self.collector
    }

    fn go(&mut self, segment: &Segment, look: &mut dyn FnMut(&dyn Crosses, u64) -> bool) {
        let mut stream = Stream::<U>::segment(self.params, segment, self.world.clone());
        let mut input: InOf<U> = U::idle(self.params);
        for cycle in (1..=segment.cycles).take_while(|_| self.clock.tick()) {
            stream.input(self.params, &self.model, &mut input);
            self.collector.sample(&self.model, &input);
            self.model.step(&input);
            if !look(&self.collector, cycle) {
                break;
            }
        }
        self.world = stream.into_world();
    }

    fn fork<'a>(&self) -> Box<dyn Walk + 'a>
    where
        Self: 'a,
    {
        Box::new(Self {
            params: self.params,
            clock: self.clock,
            model: self.model.clone(),
            world: self.world.clone(),
            collector: self.collector.clone(),
        })
    }
}

/// Where a plan has come to.
struct Place<'a>(Box<dyn Walk + 'a>);

impl Clone for Place<'_> {
    fn clone(&self) -> Self {
        Self(self.0.fork())
    }
}

/// Bins hit.
fn hit(seen: &dyn Crosses) -> usize {
    let crosses = seen.crosses().into_iter();
    crosses.map(|cross| cross.hit_bins()).sum()
}

/// Bins hit of what counters do at their limit.
fn limits(seen: &dyn Crosses) -> usize {
    let crosses = seen.crosses().into_iter();
    let limits = crosses.filter(|cross| cross.name() == LIMITS);
    limits.map(|cross| cross.hit_bins()).sum()
}

/// A segment that hits something new.
struct Found<'a> {
    segments: Vec<Segment>,
    gain: usize,
    there: Place<'a>,
    limit: Option<Limit>,
}

/// A segment among those found that takes a counter to its limit.
#[derive(Clone, Copy)]
struct Limit {
    segment: Segment,
    /// The cycle in which that is seen.
    at: u64,
    /// Segments behind it.
    behind: usize,
}

impl<'a> Place<'a> {
    fn closed(&self) -> bool {
        CoverageReport::of(self.0.seen()).closed()
    }

    fn go(&mut self, segment: &Segment) {
        self.0.go(segment, &mut |_, _| true);
    }

    /// The next segments, with what reads behind them, and where they lead.
    fn next(&self, seed: u64, number: u64, left: u64) -> Option<(Vec<Segment>, Self)> {
        let room = FRESH.cycles + READ;
        for attempt in 0..SEEDS {
            let lengths = LENGTHS.into_iter();
            let lengths = lengths.filter(|&cycles| attempt == 0 || cycles < LONG);
            for cycles in lengths.filter(|&cycles| cycles + room <= left) {
                let tried = self.tried(seed ^ number << 32 ^ attempt << 48, cycles);
                if let Some(best) = self.best(tried) {
                    let Found {
                        segments, there, ..
                    } = self.refined(best, left);
                    return Some((segments, there));
                }
            }
        }
        None
    }

    /// Those that hit most bins per cycle, if any hits one.
    fn best(&self, tried: Vec<Vec<Segment>>) -> Option<Found<'a>> {
        let found = tried
            .into_iter()
            .filter_map(|segments| self.found(segments));
        found.max_by(|one, other| {
            // Bins per cycle, without a division.
            let of = |found: &Found<'_>, by: &Found<'_>| {
                let cycles: u64 = by.segments.iter().map(|segment| segment.cycles).sum();
                found.gain as u64 * cycles
            };
            of(one, other).cmp(&of(other, one))
        })
    }

    /// Segments that part with the found one shortly before it takes a counter to its limit, and go on slowly
    /// until one is there; then nothing happens but that it is read. A counter that rises by several events
    /// in each cycle may pass its limit without ever being at it, and is hardly read there. What the found
    /// one hits beyond that is for the segments that follow.
    fn refined(&self, found: Found<'a>, left: u64) -> Found<'a> {
        let Some(Limit {
            mut segment,
            at,
            behind,
        }) = found.limit
        else {
            return found;
        };
        let cycles: u64 = found.segments.iter().map(|segment| segment.cycles).sum();
        if cycles + SLOW + READ + END > left {
            return found;
        }
        let mut start = self.clone();
        let mut segments = found.segments.clone();
        segments.truncate(found.segments.len() - 1 - behind);
        for segment in &segments {
            start.go(segment);
        }
        segment.cycles = at.saturating_sub(BACK);
        start.go(&segment);
        segments.push(segment);
        let before = limits(start.0.seen());
        let profiles = self.0.profiles();
        let slow = profiles.contains(&Profile::Idle);
        for number in 0..SLOW_TRIES {
            let mut segment = Segment {
                profile: match slow {
                    true => Profile::Idle,
                    false => profiles[number as usize % profiles.len()],
                },
                pause: Pause::Nothing,
                seed: segment.seed ^ (number + 1) << 16,
                cycles: SLOW,
            };
            let Some(cycles) = start.clone().first_limit(&segment, before) else {
                continue;
            };
            segment.cycles = cycles;
            let hold = Segment {
                pause: Pause::Hold,
                seed: !segment.seed,
                cycles: READ,
                ..segment
            };
            let end = Segment {
                pause: Pause::End,
                cycles: END,
                ..hold
            };
            let mut there = start;
            for segment in [segment, hold, end] {
                there.go(&segment);
                segments.push(segment);
            }
            return Found {
                gain: hit(there.0.seen()) - hit(self.0.seen()),
                segments,
                there,
                limit: None,
            };
        }
        found
    }

    /// The first cycle of a segment in which a counter comes to its limit as none did before.
    fn first_limit(&mut self, segment: &Segment, before: usize) -> Option<u64> {
        let mut first = None;
        self.0.go(segment, &mut |seen, cycle| {
            first = (limits(seen) > before).then_some(cycle);
            first.is_none()
        });
        first
    }

    /// What is tried for so many cycles: a segment, or one behind the begin of a period.
    fn tried(&self, seed: u64, cycles: u64) -> Vec<Vec<Segment>> {
        let long = cycles >= LONG;
        let mut tried = vec![];
        for (at, &profile) in (0..).zip(self.0.profiles()) {
            let seed = seed.wrapping_add(at);
            let segment = |pause| Segment {
                profile,
                pause,
                seed,
                cycles,
            };
            let rises = match long {
                true => rising(cycles).contains(&profile),
                false => !matches!(profile, Profile::Idle | Profile::Storms),
            };
            if rises && cycles < LONGEST {
                tried.push(vec![segment(Pause::Nothing)]);
            }
            if rises && long {
                let fresh = Segment {
                    seed: !seed,
                    ..FRESH
                };
                tried.push(vec![fresh, segment(Pause::Nothing)]);
            }
            if !long {
                tried.push(vec![segment(Pause::Any)]);
            }
        }
        tried
    }

    /// The segments, the last as far as it hits something new, if it does.
    fn found(&self, mut segments: Vec<Segment>) -> Option<Found<'a>> {
        let before = hit(self.0.seen());
        let segment = segments.pop()?;
        let mut start = self.clone();
        for segment in &segments {
            start.go(segment);
        }
        let (mut last, mut most) = (0, hit(start.0.seen()));
        let (mut limit, at_limits) = (None, limits(start.0.seen()));
        start.clone().0.go(&segment, &mut |seen, cycle| {
            if cycle % LOOK == 0 && hit(seen) > most {
                (last, most) = (cycle, hit(seen));
                if limit.is_none() && limits(seen) > at_limits {
                    limit = Some(cycle);
                }
            }
            true
        });
        if last == 0 {
            return None;
        }
        // Once more, to where it came to.
        let mut there = start;
        let segment = Segment {
            cycles: last,
            ..segment
        };
        there.go(&segment);
        segments.push(segment);
        let long = segment.cycles >= LONG;
        if long {
            let read = Segment {
                profile: Profile::Idle,
                pause: Pause::Nothing,
                seed: !segment.seed,
                cycles: READ,
            };
            there.go(&read);
            segments.push(read);
        }
        Some(Found {
            gain: most - before,
            segments,
            there,
            limit: limit.map(|at| Limit {
                segment,
                at,
                behind: usize::from(long),
            }),
        })
    }
}
