//! Algorithm 2: the functions of cache sets, from chases by which a line loses its place.
//!
//! A line is read, then others one after the other, then the line again: if that is slow, it was
//! evicted (appendix A). With LRU, whether n lines evict it depends on how many of them are in its
//! set, and adding lines only evicts more. So the element with which the eviction sets in is found
//! by bisection; it is in the line's set and is moved to the front, and so on, until the
//! lines at the front evict by themselves: as many as a set has ways. (The paper removes the
//! element from the chase and lets the chase grow; the argument is the same.) With all but one of
//! them, any address is tested by a chase that is only as long as a set.

use super::pairs::Pairs;
use super::report::Found;
use super::setup::Subject;
use super::votes::Votes;
use super::{AccessTimes, ProbeError, Progress, Settings, Step};
use crate::llc::cache::MAX_LINE;

/// Addresses whose hit and miss are timed.
const SAMPLES: usize = 64;
/// Times that an eviction set is looked for, as decisions on the way are quick ones.
const ATTEMPTS: u64 = 8;
/// The most ways.
const MAX_WAYS: usize = 256;
/// Places where sets are checked.
const PLACES: u64 = 16;
/// Lines drawn for that; not all are in the allocation.
const TRIES: usize = 1 << 14;

/// Algorithm 2: functions that choose the cache set, and the number of ways of a set.
///
/// # Errors
/// [`ProbeError`], as [`probe`](super::probe).
pub fn sets(
    memory: &mut dyn AccessTimes,
    settings: &Settings,
    progress: &mut dyn FnMut(&Progress),
) -> Result<(Found, usize), ProbeError> {
    let mut subject = Subject::new(memory, settings)?;
    let threshold = threshold(&mut subject, settings)?;
    subject.tell(progress, Step::Threshold, 1, 0);
    let mut votes = Votes::new(settings);
    let mut attempt = 0;
    let (primary, mut lines) = loop {
        attempt += 1;
        let primary = subject.draw();
        let found = eviction_set(&mut subject, settings, primary, threshold)?;
        subject.tell(progress, Step::EvictionSet, found.len() as u64, 0);
        if is_minimal(&mut subject, &mut votes, primary, &found, threshold)? {
            break (primary, found);
        }
        if attempt == ATTEMPTS {
            let lines = found.len();
            return Err(ProbeError::NoEviction { lines });
        }
    };
    let ways = lines.len();
    let evicted = |subject: &mut Subject<'_>, primary, other| {
        // In place of one of them.
        lines[ways - 1] = other;
        evicts(subject, primary, &lines, threshold)
    };
    let primaries = [primary];
    let pairs = Pairs::collect(
        &mut subject,
        settings,
        &mut votes,
        progress,
        &primaries,
        evicted,
    )?;
    for place in 1..=PLACES {
        check(&mut subject, &mut votes, &pairs, ways, threshold)?;
        subject.tell(progress, Step::Check, place, pairs.span.rank());
    }
    Ok((pairs.found(&subject, &votes, threshold), ways))
}

/// The time from which on a read is a miss: half-way between the medians of misses and hits.
fn threshold(subject: &mut Subject<'_>, settings: &Settings) -> Result<f64, ProbeError> {
    let (mut misses, mut hits) = (vec![], vec![]);
    for _ in 0..SAMPLES {
        let address = subject.draw();
        subject.clear();
        misses.push(subject.read(address));
        hits.push(subject.read(address));
    }
    misses.sort_unstable();
    hits.sort_unstable();
    let limit = (misses[SAMPLES / 2] + hits[SAMPLES / 2]) as f64 / 2.0;
    let slow = |times: &[u64]| times.iter().filter(|time| **time as f64 >= limit).count();
    let (missed, hit) = (slow(&misses), slow(&hits));
    let wrong = SAMPLES - missed + hit;
    let expected = 2.0 * SAMPLES as f64 * settings.flips;
    if misses[SAMPLES / 2] <= hits[SAMPLES / 2]
        || wrong as f64 > expected + 5.0 * expected.max(1.0).sqrt()
    {
        return Err(ProbeError::Modes {
            what: "first and second reads of random addresses",
            slow: (missed + hit) as u64,
            readings: 2 * SAMPLES as u64,
            expected: "the first ones, and not the second ones",
        });
    }
    Ok(limit)
}

/// One reading: whether lines evict an address.
fn evicts(subject: &mut Subject<'_>, address: u64, lines: &[u64], threshold: f64) -> bool {
    subject.read(address);
    subject.chase(lines);
    subject.read(address) as f64 >= threshold
}

/// Lines that evict an address and of which none can be left out, if all decisions were right.
fn eviction_set(
    subject: &mut Subject<'_>,
    settings: &Settings,
    address: u64,
    threshold: f64,
) -> Result<Vec<u64>, ProbeError> {
    let mut votes = Votes::light(settings);
    // Reading the line itself in between would keep it.
    let draw = |subject: &mut Subject<'_>| {
        let apart = |subject: &mut Subject<'_>| {
            let line = subject.draw();
            Some(line).filter(|line| line ^ address >= MAX_LINE)
        };
        let found = (0..16).find_map(|_| apart(subject));
        found.unwrap_or_else(|| subject.draw())
    };
    let mut rest: Vec<u64> = (0..64).map(|_| draw(subject)).collect();
    while !votes.decide(|| evicts(subject, address, &rest, threshold))? {
        if rest.len() >= settings.lines {
            return Err(ProbeError::NoEviction { lines: rest.len() });
        }
        // By halves, so that hardly more than needed is drawn.
        let more = rest.len() / 2;
        rest.extend((0..more).map(|_| draw(subject)));
    }
    let mut front = vec![];
    loop {
        // With `high` of the rest behind those at the front it is evicted, with `low - 1` not.
        let (mut low, mut high) = (0, rest.len());
        while low < high {
            let middle = (low + high) / 2;
            let lines = [&front[..], &rest[..middle]].concat();
            match votes.decide(|| evicts(subject, address, &lines, threshold))? {
                true => high = middle,
                false => low = middle + 1,
            }
        }
        if high == 0 || front.len() == MAX_WAYS {
            return Ok(front);
        }
        front.push(rest[high - 1]);
        rest.truncate(high - 1);
    }
}

/// Whether lines evict an address, and not without one of them.
fn is_minimal(
    subject: &mut Subject<'_>,
    votes: &mut Votes,
    address: u64,
    lines: &[u64],
    threshold: f64,
) -> Result<bool, ProbeError> {
    if lines.is_empty() || !votes.decide(|| evicts(subject, address, lines, threshold))? {
        return Ok(false);
    }
    for without in 0..lines.len() {
        let mut lines = lines.to_vec();
        lines.swap_remove(without);
        if votes.decide(|| evicts(subject, address, &lines, threshold))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether as many lines as there are ways, at distances of the space, evict an address anywhere,
/// and not without one of them.
fn check(
    subject: &mut Subject<'_>,
    votes: &mut Votes,
    pairs: &Pairs,
    ways: usize,
    threshold: f64,
) -> Result<(), ProbeError> {
    // Distances within a line are below all functions (appendix B).
    let below = pairs.functions(subject);
    let below = below.iter().map(|it| it.trailing_zeros()).min();
    let line = 1u64 << below.unwrap_or(0);
    let address = subject.draw();
    let mut lines: Vec<u64> = vec![];
    let mut tries = 0;
    while lines.len() < ways {
        let other = address ^ subject.sum(pairs.span.rows());
        let fresh = lines
            .iter()
            .chain([&address])
            .all(|it| (it ^ other) >= line);
        if fresh && subject.has(other) {
            lines.push(other);
        }
        tries += 1;
        if tries > TRIES {
            return Err(subject.too_small(format!("{} lines or more in a set", ways + 1)));
        }
    }
    let all = votes.decide(|| evicts(subject, address, &lines, threshold))?;
    let fewer = votes.decide(|| evicts(subject, address, &lines[1..], threshold))?;
    let what = match (all, fewer) {
        (true, false) => return Ok(()),
        (false, _) => format!("{ways} lines of one set do not evict {address:#x}"),
        (true, true) => format!("{} lines of one set evict {address:#x}", ways - 1),
    };
    Err(ProbeError::NotLinear { what })
}
