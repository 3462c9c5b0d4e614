//! Streams of accesses, recorded once and replayed with some of the kernels left out.
//!
//! ```
//! use cotenant_golden::llc::cache::Geometry;
//! use cotenant_golden::workload::stream::Stream;
//! use cotenant_golden::workload::{Access, Op};
//!
//! let geometry = Geometry { sets: 1, ways: 2, line: 128, kernels: 3, banks: 1 };
//! let mut stream = Stream::new(geometry)?;
//! // A line of kernel 0, one of each of the others, and the first line again.
//! for (kernel, address) in [(0, 0x000), (1, 0x080), (2, 0x100), (0, 0x000)] {
//!     stream.push(&Access::at(kernel, Op::Read, address, 128)).unwrap();
//! }
//! let misses = |present| stream.replay(present).kernels[0].misses;
//! assert_eq!([misses(0b001), misses(0b011), misses(0b101), misses(0b111)], [1, 1, 1, 2]);
//! # Ok::<(), cotenant_golden::ParamError>(())
//! ```

use std::fmt::Write;

use super::{Access, Op};
use crate::gpu::{Gpu, Reached};
use crate::llc::cache::{AccessError, Cache, Counts, Fast, Geometry};
use crate::metrics::Coalitions;
use crate::model::ParamError;

/// Most co-runners whose coalitions fit a mask of [`Stream::misses_beside`].
pub const BESIDE: usize = 6;

/// An access in less space; streams are long.
#[derive(Debug, Clone, Copy)]
struct Packed {
    address: u64,
    sectors: u32,
    kernel: u8,
    op: Op,
}

/// The accesses of all kernels to a shared cache, in their order.
#[derive(Debug, Clone)]
pub struct Stream {
    geometry: Geometry,
    /// An empty cache of this geometry.
    empty: Fast,
    accesses: Vec<Packed>,
}

impl Stream {
    /// Without accesses, for a cache of these dimensions.
    ///
    /// # Errors
    /// [`ParamError`] when there is no such cache.
    pub fn new(geometry: Geometry) -> Result<Self, ParamError> {
        Ok(Self {
            geometry,
            empty: Fast::new(geometry)?,
            accesses: vec![],
        })
    }

    /// What reaches the L2 of a GPU until it has had so many accesses, or `watch`, which sees each
    /// of them, returns `false`; to the end of that cycle.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn record(
        gpu: &mut dyn Gpu,
        accesses: u64,
        watch: &mut dyn FnMut(&Reached<'_>) -> bool,
    ) -> Result<Self, ParamError> {
        /// The last cycle there is; one that comes there has no more accesses.
        const END: u64 = u64::MAX - 1;
        let mut stream = Self::new(*gpu.geometry())?;
        let mut more = accesses > 0;
        while more && gpu.cycle() < END {
            gpu.run_to(END, &mut |reached| {
                // The GPU's kernels are the geometry's.
                let _ = stream.push(reached.access);
                more = watch(&reached) && stream.len() < accesses && more;
                more
            });
        }
        Ok(stream)
    }

    /// One more.
    ///
    /// # Errors
    /// [`AccessError`] when the cache has no such kernel.
    pub fn push(&mut self, access: &Access) -> Result<(), AccessError> {
        let Access { kernel, .. } = *access;
        let kernels = self.geometry.kernels;
        if usize::from(kernel) >= kernels {
            return Err(AccessError::UnknownKernel { kernel, kernels });
        }
        self.accesses.push(Packed {
            address: access.address,
            sectors: access.sectors,
            kernel,
            op: access.op,
        });
        Ok(())
    }

    /// How many there are.
    pub fn len(&self) -> u64 {
        self.accesses.len() as u64
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.accesses.is_empty()
    }

    /// The cache's dimensions.
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// The accesses; they have no cycles.
    pub fn iter(&self) -> impl Iterator<Item = Access> + '_ {
        self.accesses.iter().map(|packed| Access {
            address: packed.address,
            sectors: packed.sectors,
            kernel: packed.kernel,
            op: packed.op,
            cycle: None,
        })
    }

    /// What an empty cache counts when only the kernels of this mask access it, in the same order.
    pub fn replay(&self, present: u64) -> Counts {
        let mut cache = self.empty.clone();
        let accesses = self
            .iter()
            .filter(|access| present >> access.kernel & 1 == 1);
        // All kernels are the cache's: `push` has checked.
        let _ = cache.replay(accesses.map(Ok::<_, AccessError>));
        cache.counts()
    }

    /// The misses of a kernel beside every coalition of the others.
    ///
    /// # Errors
    /// [`ParamError`] for a kernel that the cache has not, or too many co-runners.
    pub fn coalitions(&self, kernel: usize) -> Result<Coalitions, ParamError> {
        Coalitions::of(self.geometry.kernels, kernel, |present| {
            Ok(self.replay(present).kernels[kernel].misses)
        })
    }

    /// The truth about single accesses: `each` sees all of them in their order, those of `kernel`
    /// with the coalitions of the others beside which they miss. Bit `c` of that mask is the
    /// coalition `c` of [`Coalitions`]; all caches are replayed together.
    ///
    /// # Errors
    /// [`ParamError`] for a kernel that the cache has not, or more than [`BESIDE`] co-runners.
    pub fn misses_beside(
        &self,
        kernel: usize,
        each: &mut dyn FnMut(&Access, Option<u64>),
    ) -> Result<(), ParamError> {
        let kernels = self.geometry.kernels;
        ParamError::range("kernels", kernels as u64, 1, BESIDE as u64 + 1)?;
        ParamError::range("kernel", kernel as u64, 0, kernels as u64 - 1)?;
        // The co-runners' masks close the gap that the kernel leaves.
        let coalition = |access: &Access| match usize::from(access.kernel) {
            own if own == kernel => None,
            other => Some(other - usize::from(other > kernel)),
        };
        let mut caches = vec![self.empty.clone(); 1 << (kernels - 1)];
        for access in self.iter() {
            let of = coalition(&access);
            let mut missed = 0;
            for (present, cache) in caches.iter_mut().enumerate() {
                if of.is_some_and(|bit| present >> bit & 1 == 0) {
                    continue;
                }
                // All kernels are the cache's: `push` has checked.
                let hit = cache.access(&access).is_ok_and(|outcome| outcome.hit);
                missed |= u64::from(!hit) << present;
            }
            each(&access, of.is_none().then_some(missed));
        }
        Ok(())
    }

    /// As the CSV that trace readers take.
    pub fn csv(&self) -> String {
        let mut text = String::from("kernel,op,address\n");
        for packed in &self.accesses {
            let op = match packed.op {
                Op::Read => 'R',
                Op::Write => 'W',
            };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{},{op},{:#x}", packed.kernel, packed.address);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: what is recorded must be what the GPU's cache has seen, so a replay of all of it
    //! comes to the same counts; a kernel that is left out leaves no trace; a kernel's misses only
    //! grow with company as long as no line is shared, and may fall when one is.
    use super::*;
    use crate::workload::scenario::Scenario;
    use crate::workload::trace::{Format, Options, Reader};

    fn recorded(accesses: u64) -> (Stream, Counts) {
        let scenario = Scenario::named("small-cache").unwrap();
        let mut gpu = scenario.gpu().unwrap();
        let stream = Stream::record(&mut gpu, accesses, &mut |_| true).unwrap();
        (stream, gpu.counts())
    }

    #[test]
    fn a_replay_of_all_is_the_run() {
        let (stream, counts) = recorded(20_000);
        // To the end of the last cycle, in which each bank may take one.
        assert!((20_000..20_000 + stream.geometry().banks as u64).contains(&stream.len()));
        assert_eq!(stream.replay(u64::MAX), counts);
    }

    #[test]
    fn recording_stops_when_asked() {
        let mut gpu = Scenario::named("small-cache").unwrap().gpu().unwrap();
        let mut seen = 0;
        let mut watch = |_: &Reached<'_>| {
            seen += 1;
            seen < 1000
        };
        let stream = Stream::record(&mut gpu, 100_000, &mut watch).unwrap();
        assert!((1000..1000 + stream.geometry().banks as u64).contains(&stream.len()));
        let none = Stream::record(&mut gpu, 0, &mut |_| true).unwrap();
        assert!(none.is_empty() && none.csv().lines().count() == 1);
    }

    #[test]
    fn who_is_left_out_is_gone() {
        let (stream, counts) = recorded(20_000);
        for present in 0..8u64 {
            let part = stream.replay(present);
            for (kid, kernel) in part.kernels.iter().enumerate() {
                let there = present >> kid & 1 == 1;
                let all = if there {
                    counts.kernels[kid].accesses
                } else {
                    0
                };
                assert_eq!(kernel.accesses, all);
                assert!(there || part.gdc[kid].iter().all(|&demotions| demotions == 0));
            }
        }
    }

    #[test]
    fn company_costs_misses_unless_lines_are_shared() {
        let (stream, _) = recorded(20_000);
        for kernel in 0..3 {
            let coalitions = stream.coalitions(kernel).unwrap();
            assert!(coalitions.monotone(), "{coalitions:?}");
        }
        // Kernel 1 brings in the line that kernel 0 wants.
        let mut shared = Stream::new(Geometry {
            kernels: 2,
            ..*stream.geometry()
        })
        .unwrap();
        for kernel in [1, 0] {
            shared.push(&Access::at(kernel, Op::Read, 0, 128)).unwrap();
        }
        let coalitions = shared.coalitions(0).unwrap();
        assert_eq!(coalitions.extra(0b1), -1);
        assert!(!coalitions.monotone());
    }

    #[test]
    fn single_accesses_add_up_to_the_coalitions() {
        let (stream, _) = recorded(20_000);
        for kernel in 0..3 {
            let mut misses = vec![0; 4];
            let mut seen = 0;
            let mut each = |access: &Access, missed: Option<u64>| {
                seen += 1;
                assert_eq!(missed.is_some(), usize::from(access.kernel) == kernel);
                for (coalition, misses) in misses.iter_mut().enumerate() {
                    *misses += missed.unwrap_or(0) >> coalition & 1;
                }
            };
            stream.misses_beside(kernel, &mut each).unwrap();
            assert_eq!(seen, stream.len());
            assert_eq!(misses, stream.coalitions(kernel).unwrap().misses);
        }
        assert!(stream.misses_beside(3, &mut |_, _| ()).is_err());
        let many = Geometry {
            kernels: BESIDE + 2,
            ..*stream.geometry()
        };
        let many = Stream::new(many).unwrap();
        assert!(many.misses_beside(0, &mut |_, _| ()).is_err());
    }

    #[test]
    fn its_text_is_a_trace() {
        let (stream, _) = recorded(500);
        let options = Options {
            line: stream.geometry().line,
            kernels: 3,
        };
        let text = std::io::Cursor::new(stream.csv());
        let reader = Reader::new("s.csv", text, None, Some(Format::Csv), options).unwrap();
        let read: Vec<_> = reader.map(|a| a.unwrap()).collect();
        let part = |access: &Access| (access.kernel, access.op, access.address);
        let written: Vec<_> = stream.iter().map(|a| part(&a)).collect();
        assert_eq!(read.iter().map(part).collect::<Vec<_>>(), written);
    }

    #[test]
    fn unknown_kernels_are_refused() {
        let (mut stream, _) = recorded(10);
        let error = stream.push(&Access::at(3, Op::Read, 0, 128)).unwrap_err();
        assert!(error
            .to_string()
            .starts_with("kernel is 3, expected 0 to 2"));
        assert!(stream.coalitions(3).is_err());
    }
}
