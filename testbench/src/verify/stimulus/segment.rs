//! A stretch of a stream that follows one profile, with nothing left to its end.

use serde::{Deserialize, Serialize};

use super::profile::{Knobs, Odds, Profile};

/// Some cycles of one profile, drawn from a seed of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// The profile.
    pub profile: Profile,
    /// What may interrupt it.
    pub pause: Pause,
    /// The seed of its transactions.
    pub seed: u64,
    /// Its length.
    pub cycles: u64,
}

/// What interrupts a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pause {
    /// Whatever the profile says.
    Any,
    /// Snapshots as the profile says, but no reset: what a period has come to can be read.
    Snapshot,
    /// Nothing: no reset, no snapshot, no flush and no invalidation. One kernel does most all the
    /// time, so that its counters rise as fast as they can.
    Nothing,
    /// The same, and no access either: what there is is read.
    Hold,
    /// The same, but seldom a snapshot: what there is ends its period and is read, over a bus, too.
    End,
}

impl Segment {
    /// What the profile sets, without what may not interrupt it.
    pub fn knobs(&self) -> Knobs {
        let knobs = self.profile.knobs();
        match self.pause {
            Pause::Any => knobs,
            Pause::Snapshot => Knobs {
                reset: Odds::NEVER,
                ..knobs
            },
            Pause::Nothing | Pause::Hold | Pause::End => Knobs {
                access: match self.pause {
                    Pause::Nothing => knobs.access,
                    _ => Odds::NEVER,
                },
                reset: Odds::NEVER,
                snapshot: match self.pause {
                    Pause::End => Odds::one_in(1024),
                    _ => Odds::NEVER,
                },
                flush: Odds::NEVER,
                invalidate: Odds::NEVER,
                ..knobs
            },
        }
    }
}
