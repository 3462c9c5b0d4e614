//! Pairs of addresses that are in one place, and the space of their differences.

use super::report::Found;
use super::setup::Subject;
use super::votes::Votes;
use super::{gf2, ProbeError, Progress, Settings, Step};

/// Pairs that are certain.
pub(super) struct Pairs {
    /// Their differences.
    pub(super) span: gf2::Span,
    count: u64,
    /// How many of the last ones added no dimension.
    stable: u32,
}

impl Pairs {
    /// Collects pairs of a primary and a random address, until the rank has been stable for long
    /// enough. A pair is read once; if that says yes, again until it is certain. A pair that was
    /// missed costs one test more and nothing else.
    pub(super) fn collect(
        subject: &mut Subject<'_>,
        settings: &Settings,
        votes: &mut Votes,
        progress: &mut dyn FnMut(&Progress),
        primaries: &[u64],
        mut reading: impl FnMut(&mut Subject<'_>, u64, u64) -> bool,
    ) -> Result<Self, ProbeError> {
        let (mut tests, mut turns) = (0, primaries.iter().cycle());
        let mut pairs = Self {
            span: gf2::Span::default(),
            count: 0,
            stable: 0,
        };
        while pairs.stable < settings.stable() {
            let Some(primary) = turns.next().filter(|_| tests < settings.tests) else {
                return Err(ProbeError::NoPairs {
                    pairs: pairs.count,
                    tests,
                    rank: pairs.span.rank(),
                });
            };
            tests += 1;
            let other = subject.draw();
            if (primary ^ other) & !subject.observable != 0 || !reading(subject, *primary, other) {
                continue;
            }
            if votes.decide(|| reading(subject, *primary, other))? {
                pairs.add(primary ^ other);
                let (count, rank) = (pairs.count, pairs.span.rank());
                subject.tell(progress, Step::Pairs, count, rank);
                if rank == subject.observable.count_ones() as usize {
                    return Err(ProbeError::NotLinear {
                        what: format!("{count} pairs in one place differ in every way there is"),
                    });
                }
            }
        }
        Ok(pairs)
    }

    fn add(&mut self, difference: u64) {
        self.count += 1;
        self.stable = match self.span.insert(difference) {
            true => 0,
            false => self.stable + 1,
        };
    }

    /// The functions that no pair differs in.
    pub(super) fn functions(&self, subject: &Subject<'_>) -> Vec<u64> {
        gf2::reduced(&gf2::kernel(self.span.rows(), subject.observable))
    }

    /// The result, after all decisions.
    pub(super) fn found(&self, subject: &Subject<'_>, votes: &Votes, threshold: f64) -> Found {
        Found {
            functions: self.functions(subject),
            observable: subject.observable,
            threshold,
            pairs: self.count,
            error: votes.error() + 2f64.powi(1 - self.stable as i32),
            contradictions: votes.contradictions(),
            cost: subject.cost,
        }
    }
}
