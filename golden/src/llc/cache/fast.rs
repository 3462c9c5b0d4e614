//! The cache model for long traces, in packed words where the geometry allows it.

use super::general::General;
use super::packed::{Packed, LANES, WAYS};
use super::{AccessError, Cache, Counts, Geometry, Outcome, Stack};
use crate::model::ParamError;
use crate::workload::Access;

/// The cache for long traces: as [`Reference`](super::Reference), by words instead of lists.
///
/// Up to 16 ways and 16 kernels, a set's order and owners are a few words, and an access is a
/// fixed handful of shifts; beyond that, a flat array is searched and moved.
#[derive(Debug, Clone)]
pub struct Fast {
    engine: Engine,
}

#[derive(Debug, Clone)]
enum Engine {
    Kernels4(Box<Packed<1>>),
    Kernels8(Box<Packed<2>>),
    Kernels16(Box<Packed<4>>),
    General(Box<General>),
}

/// Where an access would go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probe {
    /// The set, counted over all banks.
    pub set: usize,
    /// The way that would be hit or filled.
    pub way: usize,
    /// The tag would be found.
    pub hit: bool,
}

/// The same expression for whichever engine there is.
macro_rules! each {
    ($engine:expr, $cache:ident => $body:expr) => {
        match $engine {
            Engine::Kernels4($cache) => $body,
            Engine::Kernels8($cache) => $body,
            Engine::Kernels16($cache) => $body,
            Engine::General($cache) => $body,
        }
    };
}

impl Fast {
    /// An empty cache.
    ///
    /// # Errors
    /// [`ParamError`] when the geometry is illegal.
    pub fn new(geometry: Geometry) -> Result<Self, ParamError> {
        geometry.check()?;
        let engine = if geometry.ways > WAYS {
            Engine::General(Box::new(General::new(geometry)))
        } else {
            match geometry.kernels.div_ceil(LANES) {
                1 => Engine::Kernels4(Box::new(Packed::new(geometry))),
                2 => Engine::Kernels8(Box::new(Packed::new(geometry))),
                3 | 4 => Engine::Kernels16(Box::new(Packed::new(geometry))),
                _ => Engine::General(Box::new(General::new(geometry))),
            }
        };
        Ok(Self { engine })
    }

    /// Where an access to an address would go, without accessing: the way that holds its line or,
    /// if none does, the one that would be replaced.
    #[inline]
    pub fn probe(&self, address: u64) -> Probe {
        each!(&self.engine, cache => cache.probe(address))
    }

    /// All accesses of a source, up to its first error.
    ///
    /// ```
    /// use cotenant_golden::llc::cache::{Cache, Fast, Geometry};
    /// use cotenant_golden::workload::{Access, Op};
    ///
    /// let geometry = Geometry { sets: 256, ways: 16, line: 128, kernels: 4, banks: 4 };
    /// let mut cache = Fast::new(geometry)?;
    /// let addresses = (0..1000).map(|n| Access::at(0, Op::Read, n * 128, 128));
    /// cache.replay(addresses.map(Ok::<_, std::io::Error>)).unwrap();
    /// assert_eq!(cache.counts().accesses, 1000);
    /// # Ok::<(), cotenant_golden::ParamError>(())
    /// ```
    ///
    /// # Errors
    /// What the source fails with, or [`ReplayError::Access`]; what came before is counted.
    #[inline]
    pub fn replay<E>(
        &mut self,
        accesses: impl IntoIterator<Item = Result<Access, E>>,
    ) -> Result<(), ReplayError<E>> {
        // One loop an engine: the choice is made once, not at every access.
        each!(&mut self.engine, cache => {
            let kernels = cache.geometry().kernels;
            for access in accesses {
                let access = access.map_err(ReplayError::Source)?;
                check(&access, kernels).map_err(ReplayError::Access)?;
                cache.access(&access);
            }
        });
        Ok(())
    }
}

/// Why a replay stopped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError<E> {
    /// The source of accesses failed.
    #[error(transparent)]
    Source(E),
    /// The cache cannot take an access.
    #[error("{0}")]
    Access(AccessError),
}

#[inline(always)]
fn check(access: &Access, kernels: usize) -> Result<(), AccessError> {
    if usize::from(access.kernel) < kernels {
        Ok(())
    } else {
        Err(AccessError::UnknownKernel {
            kernel: access.kernel,
            kernels,
        })
    }
}

impl Cache for Fast {
    fn geometry(&self) -> &Geometry {
        each!(&self.engine, cache => cache.geometry())
    }

    #[inline]
    fn access(&mut self, access: &Access) -> Result<Outcome, AccessError> {
        each!(&mut self.engine, cache => {
            check(access, cache.geometry().kernels)?;
            Ok(cache.access(access))
        })
    }

    fn stack(&self, set: usize) -> Stack {
        each!(&self.engine, cache => cache.stack(set))
    }

    fn counts(&self) -> Counts {
        each!(&self.engine, cache => cache.counts())
    }

    fn reset(&mut self) {
        each!(&mut self.engine, cache => cache.reset())
    }
}
