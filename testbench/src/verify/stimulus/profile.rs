//! Stimulus profiles: the kind of activity during an interval of cycles.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// How often something happens, in parts of 65536.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Odds(u32);

impl Odds {
    /// In no cycle.
    pub const NEVER: Self = Self(0);
    /// In every cycle.
    pub const ALWAYS: Self = Self(1 << 16);

    /// Once in `n` cycles on average; never for 0.
    pub const fn one_in(n: u32) -> Self {
        match n {
            0 => Self::NEVER,
            _ => Self((1 << 16) / n),
        }
    }

    /// In all but one of `n` cycles on average; always for 0.
    pub const fn all_but_one_in(n: u32) -> Self {
        Self((1 << 16) - Self::one_in(n).0)
    }

    /// Whether it happens, given 16 random bits.
    #[inline]
    pub const fn taken(self, random: u16) -> bool {
        (random as u32) < self.0
    }

    /// As a probability.
    pub fn probability(self) -> f64 {
        f64::from(self.0) / 65536.0
    }
}

/// Which kernel acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Kernels {
    /// Any, every time.
    Uniform,
    /// Mostly one.
    Skewed,
    /// Two by turns.
    PingPong,
    /// One for a while, then another.
    Bursts,
}

/// Which of a set's positions hold a valid line, where that is an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Fill {
    /// Those of a real stack, invalid ways at the bottom; sometimes any.
    Mixed,
    /// Few.
    Sparse,
    /// All.
    Full,
}

/// What a [`Profile`] sets. A unit looks at what it has a port for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Knobs {
    /// There is an access (an increment, a bit to pass on).
    pub access: Odds,
    /// An access is a hit; of increments: small.
    pub hit: Odds,
    /// A hit is near the MRU position.
    pub near: Odds,
    /// Who accesses.
    pub kernels: Kernels,
    /// Valid positions.
    pub fill: Fill,
    /// A way is invalidated.
    pub invalidate: Odds,
    /// All ways are invalidated.
    pub flush: Odds,
    /// A period ends.
    pub snapshot: Odds,
    /// Reset.
    pub reset: Odds,
}

/// A kind of stimulus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Profile {
    /// Anything, anytime.
    Uniform,
    /// One kernel does most, near the MRU position.
    Skewed,
    /// Two kernels by turns, without a pause.
    PingPong,
    /// One kernel for a while, then another.
    Bursts,
    /// Hardly a valid way.
    InvalidWays,
    /// Hits only.
    Hits,
    /// Misses only.
    Misses,
    /// As many events as there can be, for as long as there can be: towards full counters.
    Saturation,
    /// Few accesses; don't-care inputs carry random values.
    Idle,
    /// Reset, snapshot, flush and invalidation, again and again.
    Storms,
}

impl Profile {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Uniform,
        Self::Skewed,
        Self::PingPong,
        Self::Bursts,
        Self::InvalidWays,
        Self::Hits,
        Self::Misses,
        Self::Saturation,
        Self::Idle,
        Self::Storms,
    ];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Skewed => "skewed",
            Self::PingPong => "ping-pong",
            Self::Bursts => "bursts",
            Self::InvalidWays => "invalid-ways",
            Self::Hits => "hits",
            Self::Misses => "misses",
            Self::Saturation => "saturation",
            Self::Idle => "idle",
            Self::Storms => "storms",
        }
    }

    /// What it is for, in a line.
    pub const fn purpose(self) -> &'static str {
        match self {
            Self::Uniform => "uniformly random transactions",
            Self::Skewed => "most accesses by one kernel, near the MRU position",
            Self::PingPong => "two kernels alternating without idle cycles",
            Self::Bursts => "bursts of one kernel, then of another",
            Self::InvalidWays => "mostly invalid ways",
            Self::Hits => "hits only",
            Self::Misses => "misses only",
            Self::Saturation => "maximum event rate, to saturate counters",
            Self::Idle => "few accesses; don't-care inputs carry random values",
            Self::Storms => "frequent reset, snapshot, flush and invalidation",
        }
    }

    /// The profile of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name() == name)
    }

    /// Its settings.
    pub const fn knobs(self) -> Knobs {
        let uniform = Knobs {
            access: Odds::all_but_one_in(4),
            hit: Odds::one_in(2),
            near: Odds::NEVER,
            kernels: Kernels::Uniform,
            fill: Fill::Mixed,
            invalidate: Odds::one_in(16),
            flush: Odds::one_in(128),
            snapshot: Odds::one_in(64),
            reset: Odds::one_in(2048),
        };
        // A long time without an interruption.
        let steady = Knobs {
            invalidate: Odds::NEVER,
            flush: Odds::NEVER,
            snapshot: Odds::one_in(256),
            reset: Odds::NEVER,
            ..uniform
        };
        match self {
            Self::Uniform => uniform,
            Self::Skewed => Knobs {
                kernels: Kernels::Skewed,
                near: Odds::one_in(2),
                ..uniform
            },
            Self::PingPong => Knobs {
                access: Odds::ALWAYS,
                kernels: Kernels::PingPong,
                flush: Odds::one_in(128),
                snapshot: Odds::one_in(4),
                ..steady
            },
            Self::Bursts => Knobs {
                kernels: Kernels::Bursts,
                flush: Odds::one_in(128),
                snapshot: Odds::one_in(3),
                ..steady
            },
            Self::InvalidWays => Knobs {
                fill: Fill::Sparse,
                invalidate: Odds::one_in(3),
                flush: Odds::one_in(64),
                ..uniform
            },
            Self::Hits => Knobs {
                hit: Odds::ALWAYS,
                ..steady
            },
            Self::Misses => Knobs {
                hit: Odds::NEVER,
                ..steady
            },
            Self::Saturation => Knobs {
                access: Odds::ALWAYS,
                hit: Odds::NEVER,
                kernels: Kernels::Skewed,
                fill: Fill::Full,
                snapshot: Odds::NEVER,
                ..steady
            },
            Self::Idle => Knobs {
                access: Odds::one_in(16),
                ..uniform
            },
            Self::Storms => Knobs {
                invalidate: Odds::one_in(4),
                flush: Odds::one_in(8),
                snapshot: Odds::one_in(2),
                reset: Odds::one_in(16),
                ..uniform
            },
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Profiles that alternate, each for some hundred cycles.
///
/// ```
/// use cotenant::verify::stimulus::{Mix, Profile};
///
/// let everything = Mix::default();
/// let calm = Mix::default().without(Profile::Storms);
/// let hits = Mix::from(Profile::Hits);
/// assert_eq!((everything.name(), hits.name()), ("mix".into(), "hits".into()));
/// assert!(!calm.profiles().contains(&Profile::Storms));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mix {
    profiles: Vec<Profile>,
}

impl Mix {
    /// These profiles, equally often.
    pub fn new(profiles: impl IntoIterator<Item = Profile>) -> Self {
        Self {
            profiles: profiles.into_iter().collect(),
        }
    }

    /// The profiles of these names, if there are any, of a unit that has `known` ones.
    ///
    /// # Errors
    /// [`Error::Profile`].
    pub fn named<'a>(
        unit: &'static str,
        known: &[Profile],
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Option<Self>> {
        let found = |name: &str| {
            let found = Profile::named(name).filter(|profile| known.contains(profile));
            found.ok_or_else(|| Error::Profile {
                unit,
                profile: name.into(),
                known: known.iter().map(|profile| profile.name()).collect(),
            })
        };
        let profiles = names.into_iter().map(found).collect::<Result<Vec<_>>>()?;
        Ok((!profiles.is_empty()).then(|| Self::new(profiles)))
    }

    /// The same without a profile.
    #[must_use]
    pub fn without(mut self, profile: Profile) -> Self {
        self.profiles.retain(|&p| p != profile);
        self
    }

    /// The profiles that alternate.
    pub fn profiles(&self) -> &[Profile] {
        &self.profiles
    }

    /// A profile's name, `mix` for all, else the names with plus signs between them.
    pub fn name(&self) -> String {
        if self.profiles == Profile::ALL {
            return "mix".into();
        }
        let names: Vec<&str> = self.profiles.iter().map(|profile| profile.name()).collect();
        names.join("+")
    }
}

impl Default for Mix {
    /// All profiles.
    fn default() -> Self {
        Self::new(Profile::ALL)
    }
}

impl From<Profile> for Mix {
    fn from(profile: Profile) -> Self {
        Self::new([profile])
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: names are typed by people and must be found again; odds are used at their ends.
    use super::*;

    #[test]
    fn every_profile_is_found_by_its_name() {
        for profile in Profile::ALL {
            assert_eq!(Profile::named(profile.name()), Some(profile));
            let json = serde_json::to_string(&profile).unwrap();
            assert_eq!(json, format!("\"{profile}\""));
        }
        assert_eq!(Profile::named("mix"), None);
    }

    #[test]
    fn odds_at_their_ends() {
        assert!(!Odds::one_in(0).taken(0));
        assert!(Odds::one_in(1).taken(u16::MAX));
        assert!(Odds::all_but_one_in(0).taken(u16::MAX));
        assert!(!Odds::all_but_one_in(1).taken(0));
        assert!(Odds::one_in(2).taken(0x7fff) && !Odds::one_in(2).taken(0x8000));
    }
}
