//! Functional coverage: which bins of a unit's behaviour the stimulus has hit.
//!
//! A unit's collector looks at the inputs and at the golden model, never at the design under test,
//! so it measures any stimulus, of the streams here or of a user's own:
//!
//! ```
//! use cotenant::verify::coverage::{Cover, measure};
//! use cotenant::verify::stimulus::{Mix, Profile, stream};
//! use cotenant::unit::llc::Demotion;
//! use cotenant_golden::llc::demotion::Params;
//!
//! let params = Params { ways: 4 };
//! let all = measure::<Demotion>(&params, stream(&params, Mix::default(), 1), 10_000)?;
//! assert!(all.closed(), "{all}");
//! let hits = measure::<Demotion>(&params, stream(&params, Profile::Hits, 1), 10_000)?;
//! assert!(hits.crosses[0].holes.iter().any(|hole| hole.contains("position miss")));
//! # Ok::<(), cotenant::Error>(())
//! ```

pub(crate) mod classes;
mod cross;

use std::fmt;

use cotenant_golden::Model;
use serde::Serialize;

use crate::error::Result;
use crate::verify::interface::{InOf, ParamsOf};
use crate::verify::stimulus::{episodes, Drive, Episode, Source};

pub use cross::{Axis, Cross, CrossReport, Excluded, Index, Indices};

/// A unit whose stimulus can be measured.
pub trait Cover: Drive {
    /// Sorts cycles into bins.
    type Collector: Collect<Self> + Clone + std::fmt::Debug;

    /// A collector that has seen nothing.
    fn collector(params: &ParamsOf<Self>) -> Self::Collector;
}

/// What has been seen of some properties of cycles.
pub trait Crosses {
    /// One entry per cross, in the order of reports.
    fn crosses(&self) -> Vec<&Cross>;
}

/// A collector's struct: its crosses by name, those of its parts behind them, and what else it knows.
macro_rules! collector {
    (
        $(#[$about:meta])*
        pub struct $name:ident {
            crosses { $($cross:ident),* $(; $($part:ident: $of:ty),*)? }
            $($field:tt)*
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone)]
        pub struct $name {
            $($cross: $crate::verify::coverage::Cross,)*
            $($($part: $of,)*)?
            $($field)*
        }

        impl $crate::verify::coverage::Crosses for $name {
            fn crosses(&self) -> Vec<&$crate::verify::coverage::Cross> {
                let crosses = [$(&self.$cross),*].into_iter();
                crosses$($(.chain(self.$part.crosses()))*)?.collect()
            }
        }
    };
}
pub(crate) use collector;

/// Sorts a unit's cycles into bins.
pub trait Collect<U: Cover>: Crosses {
    /// Looks at a cycle: its inputs, and the golden model before its edge.
    fn sample(&mut self, model: &U::Model, input: &InOf<U>);

    /// Forgets the cycles before, not what was seen: the unit is put into another state.
    fn restart(&mut self, _params: &ParamsOf<U>) {}
}

/// Coverage of a unit's stimulus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CoverageReport {
    /// One entry per cross.
    pub crosses: Vec<CrossReport>,
}

impl CoverageReport {
    /// What a collector has seen.
    pub fn of(collector: &dyn Crosses) -> Self {
        let crosses = collector.crosses();
        Self {
            crosses: crosses.into_iter().map(Cross::report).collect(),
        }
    }

    /// Legal bins hit.
    pub fn hit(&self) -> usize {
        self.crosses.iter().map(|cross| cross.hit).sum()
    }

    /// Legal bins.
    pub fn total(&self) -> usize {
        self.crosses.iter().map(|cross| cross.total).sum()
    }

    /// The legal bins that were not hit, each behind the name of its cross.
    pub fn missing(&self) -> Vec<String> {
        let of = |cross: &CrossReport| -> Vec<String> {
            let holes = cross.holes.iter();
            holes
                .map(|hole| format!("{}: {hole}", cross.name))
                .collect()
        };
        self.crosses.iter().flat_map(of).collect()
    }

    /// Every legal bin was hit, and none that is excluded.
    pub fn closed(&self) -> bool {
        let right = |cross: &CrossReport| cross.hit_though_excluded.is_empty();
        self.hit() == self.total() && self.crosses.iter().all(right)
    }
}

impl fmt::Display for CoverageReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "coverage: {} of {} bins", self.hit(), self.total())?;
        for cross in &self.crosses {
            write!(f, "\n{cross}")?;
        }
        Ok(())
    }
}

/// Coverage of some cycles of stimulus in [`episodes`], on the golden model alone.
///
/// # Errors
/// [`Error::Golden`](crate::Error::Golden).
pub fn measure<U: Cover>(
    params: &ParamsOf<U>,
    mut stimulus: impl Source<U>,
    cycles: u64,
) -> Result<CoverageReport> {
    let mut collector = U::collector(params);
    let mut input = U::idle(params);
    let seed = stimulus.seed().unwrap_or_default();
    for Episode { mut model, cycles } in episodes::<U>(params, seed, cycles)? {
        collector.restart(params);
        let mut measured = Measured::new(&mut stimulus, &mut collector);
        for _ in 0..cycles {
            if !measured.input(params, &model, &mut input) {
                break;
            }
            model.step(&input);
        }
    }
    Ok(CoverageReport::of(&collector))
}

/// Stimulus that is measured on its way to whatever it drives.
#[derive(Debug)]
pub struct Measured<'a, S, C> {
    stimulus: S,
    collector: &'a mut C,
}

impl<'a, S, C> Measured<'a, S, C> {
    /// Measures `stimulus` into a unit's collector.
    pub fn new(stimulus: S, collector: &'a mut C) -> Self {
        Self {
            stimulus,
            collector,
        }
    }
}

impl<U: Cover, S: Source<U>> Source<U> for Measured<'_, S, U::Collector> {
    #[inline]
    fn input(&mut self, params: &ParamsOf<U>, model: &U::Model, input: &mut InOf<U>) -> bool {
        let more = self.stimulus.input(params, model, input);
        if more {
            self.collector.sample(model, input);
        }
        more
    }

    fn profile(&self) -> Option<String> {
        self.stimulus.profile()
    }

    fn seed(&self) -> Option<u64> {
        self.stimulus.seed()
    }
}
