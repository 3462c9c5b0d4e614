//! The paper's types of applications, by what makes them so.
//!
//! Source: TAP, section 2.2 and figures 2 and 3 (types), tables 5 and 6 (how many benchmarks there
//! are of each).
//!
//! | type | MPKI | CPI | because |
//! | --- | --- | --- | --- |
//! | A | low | ideal | few memory instructions |
//! | B | very high, whatever the cache | high | no reuse; more misses than memory's bandwidth or the warps can bear |
//! | C | falls with the cache | falls with it | reuse, few warps |
//! | D | falls with the cache | ideal | reuse, many warps |
//! | E | high, whatever the cache | ideal | no reuse, many warps |
//!
//! ASSUMPTION: all numbers. The benchmarks' own are not in the paper; the ranges are such that each
//! draw has the shape of its type on the platform of table 4, which tests measure, and nothing else
//! was asked of them.

use std::fmt;

use rand::RngCore;
use serde::{Deserialize, Serialize};

use super::application::{Application, Cpu, Gpu, Part};

const KB: u64 = 1 << 10;

/// A type of the GPU's applications.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Type {
    /// Computes.
    A,
    /// Thrashes.
    B,
    /// Cache-friendly.
    C,
    /// Has reuse, but hides latencies by multi-threading.
    D,
    /// Thrashes, but hides latencies by multi-threading.
    E,
}

/// A group of the CPUs' applications (table 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Group {
    /// Cache-friendly.
    Friendly,
    /// Streaming, or with a working set far beyond the cache.
    Streaming,
    /// Computes.
    Compute,
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// One of `least` to `most`.
fn within(random: &mut impl RngCore, least: u64, most: u64) -> u64 {
    least + random.next_u64() % (most - least + 1)
}

/// A share of the footprint's accesses in a hundred beside a stream's.
fn beside_stream(part: Part, streamed: u32) -> Vec<Part> {
    vec![part, Part::stream(streamed)]
}

impl Type {
    /// All types.
    pub const ALL: [Self; 5] = [Self::A, Self::B, Self::C, Self::D, Self::E];

    /// Benchmarks of this type (table 6).
    pub const fn benchmarks(self) -> usize {
        match self {
            Self::A | Self::D => 4,
            Self::B => 12,
            Self::C => 3,
            Self::E => 9,
        }
    }

    /// An application of this type.
    pub fn drawn(self, name: String, random: &mut impl RngCore) -> Application<Gpu> {
        let r = random;
        let (memory, parts, warps, loads) = match self {
            Self::A => {
                let parts = beside_stream(Part::drawn(90, within(r, 64, 512) * KB, 2), 10);
                (within(r, 2, 8), parts, within(r, 16, 48), 2)
            }
            Self::B => {
                let looped = Part::looped(70, within(r, 16 * KB, 64 * KB) * KB);
                let parts = beside_stream(looped, within(r, 10, 50) as u32);
                (within(r, 180, 280), parts, within(r, 2, 16), 1)
            }
            Self::C => {
                let power = within(r, 1, 2) as u32;
                let reused = Part::drawn(1, within(r, 2 * KB, 6 * KB) * KB, power);
                let parts = vec![reused.moving(50)];
                (within(r, 80, 160), parts, within(r, 2, 4), 1)
            }
            Self::D => {
                let power = within(r, 2, 3) as u32;
                let reused = Part::drawn(1, within(r, 2 * KB, 6 * KB) * KB, power);
                let parts = vec![reused.moving(50)];
                (within(r, 30, 60), parts, within(r, 32, 48), 2)
            }
            Self::E => {
                let looped = Part::looped(50, within(r, 16 * KB, 64 * KB) * KB);
                let parts = beside_stream(looped, within(r, 20, 80) as u32);
                (within(r, 30, 70), parts, within(r, 32, 48), 2)
            }
        };
        Application {
            name,
            memory,
            parts,
            on: Gpu {
                warps: warps as usize,
                loads,
                lines: 1,
            },
        }
    }
}

impl Group {
    /// All groups.
    pub const ALL: [Self; 3] = [Self::Friendly, Self::Streaming, Self::Compute];

    /// Benchmarks of this group (table 5); five more of streams are from another suite
    /// (section 4.2).
    pub const fn benchmarks(self) -> usize {
        match self {
            Self::Friendly => 10,
            Self::Streaming => 6 + 5,
            Self::Compute => 13,
        }
    }

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Friendly => "friendly",
            Self::Streaming => "streaming",
            Self::Compute => "compute",
        }
    }

    /// An application of this group.
    pub fn drawn(self, name: String, random: &mut impl RngCore) -> Application<Cpu> {
        let r = random;
        let (memory, parts) = match self {
            Self::Friendly => {
                let bytes = within(r, KB, 6 * KB) * KB;
                let reused = match within(r, 0, 3) {
                    0 => Part::looped(90, bytes),
                    power => Part::drawn(90, bytes, power as u32),
                };
                // One half of them follow lists.
                let reused = match within(r, 0, 1) {
                    0 => reused,
                    _ => reused.chained(),
                };
                (within(r, 10, 40), beside_stream(reused, 10))
            }
            Self::Streaming => {
                let reused = Part::drawn(5, within(r, 64, 256) * KB, 1);
                (within(r, 15, 40), beside_stream(reused, 95))
            }
            Self::Compute => {
                let reused = Part::drawn(98, within(r, 32, 192) * KB, 1);
                (within(r, 5, 20), beside_stream(reused, 2))
            }
        };
        Application {
            name,
            memory,
            parts,
            on: Cpu {
                slots: within(r, 2, 4),
            },
        }
    }
}
