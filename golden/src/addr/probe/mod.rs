//! Reverse engineering: which XOR functions choose bank and set, from access times alone.
//!
//! Source: Fractional GPUs, algorithms 1 and 2 and sections IV-B to IV-D. Works on anything that is
//! an [`AccessTimes`].
//!
//! | module | holds |
//! | --- | --- |
//! | `bank` | [`banks`], algorithm 1: pairs of addresses with a row conflict |
//! | `set` | [`sets`], algorithm 2: chases by which a line loses its place |
//! | `pairs` | pairs of addresses in one place, and what they say |
//! | `votes` | repetition until a decision is certain enough |
//! | `setup` | [`Settings`], and what all of this shares |
//! | `report` | [`Report`]: functions, comparison, mapping |
//!
//! Both algorithms collect pairs of addresses in one bank or in one set. The paper then tries all
//! functions on all pairs. Here the differences of the pairs span a space over GF(2), and the
//! functions are its kernel ([`gf2::kernel`]). What differs from the paper is how addresses are
//! chosen: at random, not one after the other, so that high address bits take part as much as low
//! ones and a few dozen pairs are enough.
//!
//! # What can be known
//! Functions are known up to a change of basis, and only on address bits that the allocation lets
//! a pair differ in and that are not below the step between addresses: [`Found::observable`].
//! Two functions that differ in other bits only are one there. A comparison takes place on these
//! bits. The module is what the spans of bank and set have in common (section IV-D).
//!
//! # How certain it is
//! A single reading is on the wrong side of the threshold with a probability of at most
//! [`Settings::flips`], independently of others. A decision repeats readings until one answer
//! leads by a number of votes, which makes it wrong with a probability of at most
//! (flips / (1 - flips))^lead. Pairs are drawn until a number of them in a row, n, have added no
//! dimension; if one were missing, each would have added it with a probability of at least 1/2,
//! so that this is wrong with a probability of at most 2^(1-n). [`Found::error`] is the sum over
//! all decisions that the result rests on and of that. (The search for lines that evict one makes
//! quicker decisions; what it finds is checked by such ones.) ASSUMPTION: for the second term, that
//! an allocation is a power of two in size and aligned; others are close to it if they are large.
//!
//! A memory that is not as assumed is an error, not an answer: times without two modes, more
//! wrong readings than stated, pairs that leave no function, pairs of one difference that conflict
//! at one place and not at another, lines of one set that do not evict each other.
//!
//! ```
//! use cotenant_golden::addr::mapping::Mapping;
//! use cotenant_golden::addr::memory::{Config, Memory};
//! use cotenant_golden::addr::probe::{banks, Settings};
//!
//! let mut memory = Memory::of(&Config::named("gtx1080")?)?;
//! let found = banks(&mut memory, &Settings::default(), &mut |_| {})?;
//! assert_eq!(found.functions.len(), 7);
//! assert!(found.error < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bank;
mod pairs;
mod report;
mod set;
mod setup;
mod votes;

use super::gf2;
use super::memory::AccessTimes;
pub use bank::banks;
pub use report::{Comparison, Found, Report};
pub use set::sets;
pub use setup::{Cost, ProbeError, Progress, Settings, Step};

/// Both algorithms, one after the other.
///
/// # Errors
/// [`ProbeError`] if settings or allocation cannot be, or if the memory is not one of which banks
/// and sets are XOR functions of its addresses.
pub fn probe(
    memory: &mut dyn AccessTimes,
    settings: &Settings,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Report, ProbeError> {
    let bank = banks(memory, settings, progress)?;
    let (set, ways) = sets(memory, settings, progress)?;
    let step = settings.step;
    Ok(Report {
        bank,
        set,
        ways,
        step,
    })
}

#[cfg(test)]
mod tests;
