//! Algorithm 1: the functions of banks, from pairs of addresses with a row conflict.
//!
//! Two addresses in one bank and different rows are slow together (section IV-B). A random pair is
//! read once; one that is slow is read again until that is certain, so that no false pair remains:
//! a single one would remove a function. The differences of the pairs span all differences within
//! a bank, also those within a row, which are not slow by themselves.

use super::pairs::Pairs;
use super::report::Found;
use super::setup::Subject;
use super::votes::Votes;
use super::{gf2, AccessTimes, ProbeError, Progress, Settings, Step};

/// Figure 3: "Threshold is set to 1.1 times the average access time".
const OVER_AVERAGE: f64 = 1.1;
/// Pairs of which the average is taken: so many at a time until some are slow, up to a limit.
const PAIRS: u64 = 1 << 10;
const SLOW: u64 = 8;
const MOST_PAIRS: u64 = 1 << 16;
/// Differences that are checked, and how many places each is checked at.
const DIFFERENCES: usize = 32;
const PLACES: usize = 4;
/// Differences drawn for that; not all have room in an allocation of any place and size.
const TRIES: usize = 1 << 12;

/// Algorithm 1: functions that choose the bank.
///
/// # Errors
/// [`ProbeError`], as [`probe`](super::probe).
pub fn banks(
    memory: &mut dyn AccessTimes,
    settings: &Settings,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Found, ProbeError> {
    let mut subject = Subject::new(memory, settings)?;
    let threshold = threshold(&mut subject)?;
    subject.tell(progress, Step::Threshold, 1, 0);
    let mut votes = Votes::new(settings);
    let primaries: Vec<u64> = (0..settings.primaries).map(|_| subject.draw()).collect();
    let slow = |subject: &mut Subject<'_>, primary, secondary| {
        subject.pair(primary, secondary) as f64 >= threshold
    };
    let pairs = Pairs::collect(
        &mut subject,
        settings,
        &mut votes,
        progress,
        &primaries,
        slow,
    )?;
    check(&mut subject, &mut votes, &pairs.span, threshold)?;
    let checked = DIFFERENCES as u64;
    subject.tell(progress, Step::Check, checked, pairs.span.rank());
    Ok(pairs.found(&subject, &votes, threshold))
}

/// The time from which on a pair is slow.
fn threshold(subject: &mut Subject<'_>) -> Result<f64, ProbeError> {
    let mut times = vec![];
    loop {
        for _ in 0..PAIRS {
            let (primary, secondary) = (subject.draw(), subject.draw());
            times.push(subject.pair(primary, secondary));
        }
        let readings = times.len() as u64;
        let average = times.iter().sum::<u64>() as f64 / readings as f64;
        let limit = OVER_AVERAGE * average;
        let slow = times.iter().filter(|time| **time as f64 >= limit).count() as u64;
        if slow > readings * 3 / 8 || slow == 0 && readings >= MOST_PAIRS {
            return Err(ProbeError::Modes {
                what: "pairs of random addresses, beyond 1.1 times the average",
                slow,
                readings,
                expected: "a few, at most 3 in 8: four banks or more",
            });
        }
        if slow >= SLOW || readings >= MOST_PAIRS {
            return Ok(limit);
        }
    }
}

/// Whether differences of the space conflict wherever they are, but for those within a row, which
/// are a space, too.
fn check(
    subject: &mut Subject<'_>,
    votes: &mut Votes,
    span: &gf2::Span,
    threshold: f64,
) -> Result<(), ProbeError> {
    let not = |what: String| Err(ProbeError::NotLinear { what });
    let (mut row, mut conflicts) = (gf2::Span::default(), vec![]);
    let (mut checked, mut tries) = (0, 0);
    while checked < DIFFERENCES {
        let difference = subject.sum(span.rows());
        let primaries: Vec<u64> = (0..2 * PLACES).map(|_| subject.draw()).collect();
        let there = primaries.iter().filter(|it| subject.has(*it ^ difference));
        let places: Vec<u64> = there.take(PLACES).copied().collect();
        tries += 1;
        if tries > TRIES {
            let expected = format!("room for pairs in {PLACES} places");
            return Err(subject.too_small(expected));
        }
        if difference == 0 || places.len() < PLACES {
            continue;
        }
        checked += 1;
        let mut seen = vec![];
        for primary in places {
            let slow = || subject.pair(primary, primary ^ difference) as f64 >= threshold;
            seen.push((primary, votes.decide(slow)?));
        }
        let find = |slow| seen.iter().find(|it| it.1 == slow);
        match (find(true), find(false)) {
            (Some((here, _)), Some((there, _))) => {
                return not(format!(
                    "addresses that differ by {difference:#x} have a row conflict at {here:#x} \
                     and none at {there:#x}"
                ));
            }
            (Some(_), None) => conflicts.push(difference),
            _ => {
                row.insert(difference);
            }
        }
    }
    if let Some(difference) = conflicts.iter().find(|it| row.contains(**it)) {
        return not(format!(
            "addresses that differ by {difference:#x} have a row conflict, and not those that \
             differ by parts of it"
        ));
    }
    Ok(())
}
