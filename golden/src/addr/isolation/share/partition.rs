//! Who runs where: SMs, threads and pages of each part of a GPU.
//!
//! Source: Fractional GPUs, sections III-B, IV-F and V-A.

use serde::{Deserialize, Serialize};

use super::application::{footprint, Kernel};
use crate::addr::colour::{Allocator, ColourError};
use crate::addr::mapping::Mapping;

/// How a GPU is divided (section V-A).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Technique {
    /// Not at all: the application has it for itself.
    Whole,
    /// A share of all threads on all SMs (NVIDIA's MPS with its limit of threads).
    Mps,
    /// SMs of its own.
    Cp,
    /// SMs and memory colours of its own.
    Cmp,
}

impl Technique {
    /// Its name in the paper.
    pub fn name(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Mps => "MPS",
            Self::Cp => "CP",
            Self::Cmp => "CMP",
        }
    }

    /// Whether blocks are persistent ones that take their work from a queue.
    pub fn persistent(self) -> bool {
        matches!(self, Self::Cp | Self::Cmp)
    }
}

/// A GPU, beyond its memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Gpu {
    /// The memory's name.
    pub memory: String,
    /// SMs (table II).
    pub sms: u64,
    /// Threads of an SM.
    pub threads: u64,
    /// Nanoseconds between a kernel's end and the start of the next.
    pub launch_ns: u64,
}

impl Gpu {
    /// The two of the paper's table II, by the name of their memory. Others have the numbers of
    /// `gtx1080` until they are changed.
    ///
    /// ASSUMPTION: 1.5 us from a kernel to the next of a stream; the paper only says that kernels
    /// of SN and CFD are small beside a fixed overhead.
    pub fn named(memory: &str) -> Self {
        Self {
            memory: memory.into(),
            sms: if memory == "v100" { 80 } else { 20 },
            threads: 2048, // NVIDIA, CUDA programming guide, compute capabilities 6.1 and 7.0
            launch_ns: 1500,
        }
    }
}

/// A part of a GPU and what it takes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// How the GPU is divided.
    pub technique: Technique,
    /// Into how many parts.
    pub parts: u64,
    /// Which one, from 0.
    pub number: u64,
}

impl Part {
    /// The SM of each block of a kernel that is resident at a time: as many as fit its share of
    /// threads, one SM after the other.
    ///
    /// A persistent block that finds itself on an SM of another part exits (section III-B); those
    /// are left out. ASSUMPTION: threads alone limit how many blocks fit.
    /// ASSUMPTION: with MPS, blocks are spread evenly, those of a part from where the part before
    /// ends.
    pub fn slots(&self, gpu: &Gpu, kernel: &Kernel) -> Vec<usize> {
        let (sms, parts) = (gpu.sms, self.parts);
        let per_sm = gpu.threads / kernel.threads;
        let (first, count, blocks) = match self.technique {
            Technique::Whole => (0, sms, sms * per_sm),
            Technique::Mps => {
                let blocks = sms * gpu.threads / parts / kernel.threads;
                (self.number * blocks % sms, sms, blocks)
            }
            Technique::Cp | Technique::Cmp => {
                let first = self.number * sms / parts;
                let count = (self.number + 1) * sms / parts - first;
                (first, count, count * per_sm)
            }
        };
        let blocks = blocks.min(kernel.blocks).max(1);
        let sm = |block| (first + block % count.max(1)) % sms;
        (0..blocks).map(|block| sm(block) as usize).collect()
    }

    /// The colours of the part, of so many: an equal share.
    pub fn colours(&self, colours: u64) -> Vec<u64> {
        let share = (colours / self.parts).max(1);
        let first = self.number * share;
        (first..first + share).collect()
    }
}

/// From an application's memory to physical addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pages {
    page: u64,
    first: Vec<u64>,
}

impl Pages {
    /// The physical address of a byte of the application's memory.
    pub fn address(&self, offset: u64) -> u64 {
        let page = self.first[(offset / self.page) as usize % self.first.len()];
        page + offset % self.page
    }
}

/// Pages for the applications of all parts, in their order.
///
/// With memory partitioning they are of 4 KB and of the part's colours in turn, else of 2 MB, of
/// which there is one colour (section IV-F). ASSUMPTION: the driver takes the lowest that is free.
///
/// # Errors
/// [`ColourError`] if there are not enough colours or pages.
pub fn pages(mapping: &Mapping, tenants: &[(Part, &[Kernel])]) -> Result<Vec<Pages>, ColourError> {
    // Enough for four applications of 16 MB with one colour of eight each.
    let range = 0..1u64 << mapping.table().width.min(30);
    let coloured = tenants.iter().any(|it| it.0.technique == Technique::Cmp);
    let page = if coloured { 4 << 10 } else { 2 << 20 };
    let mut allocator = Allocator::new(mapping, page, range)?;
    let mut all = vec![];
    for (part, kernels) in tenants {
        let colours = match coloured {
            true => part.colours(allocator.colours()),
            false => (0..allocator.colours()).collect(),
        };
        let count = footprint(kernels).div_ceil(page).max(1);
        let first = allocator.allocate_in_turn(&colours, count)?;
        all.push(Pages { page, first });
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    //! Rationale: parts of all techniques, alone and together: no SM, thread or module is in two
    //! parts where the technique says so.
    use std::collections::BTreeSet;

    use super::super::application::App;
    use super::*;

    fn part(technique: Technique, parts: u64, number: u64) -> Part {
        Part {
            technique,
            parts,
            number,
        }
    }

    #[test]
    fn sms_are_disjoint_and_mps_is_everywhere() {
        let gpu = Gpu::named("v100");
        let [va] = &App::Va.kernels()[..] else {
            panic!()
        };
        for parts in [2, 4] {
            let mut seen = BTreeSet::new();
            for number in 0..parts {
                let slots = part(Technique::Cp, parts, number).slots(&gpu, va);
                assert_eq!(slots.len() as u64, 80 / parts * 8);
                let sms: BTreeSet<usize> = slots.into_iter().collect();
                assert_eq!(sms.len() as u64, 80 / parts);
                assert!(seen.is_disjoint(&sms));
                seen.extend(sms);
                let mps = part(Technique::Mps, parts, number).slots(&gpu, va);
                assert_eq!(mps.len() as u64, 80 * 8 / parts);
                assert_eq!(mps.into_iter().collect::<BTreeSet<_>>().len(), 80);
            }
        }
        // A quarter of all threads is 40 blocks of 1024: half the SMs have one.
        let [mm] = &App::Mm.kernels()[..] else {
            panic!()
        };
        let slots = part(Technique::Mps, 4, 3).slots(&gpu, mm);
        assert_eq!((slots.len(), slots[0]), (40, 40));
        let few = Kernel {
            blocks: 3,
            ..mm.clone()
        };
        assert_eq!(part(Technique::Whole, 1, 0).slots(&gpu, &few), [0, 1, 2]);
    }

    #[test]
    fn colours_keep_modules_apart() {
        let va = App::Va.kernels();
        for (name, parts) in [("gtx1080", 2), ("v100", 2), ("v100", 4)] {
            let mapping = Mapping::named(name).unwrap();
            let modules = |technique| -> Vec<BTreeSet<u64>> {
                let tenants: Vec<_> = (0..parts)
                    .map(|number| (part(technique, parts, number), &va[..]))
                    .collect();
                let pages = pages(&mapping, &tenants).unwrap();
                let of = |it: &Pages| {
                    let offsets = (0..footprint(&va)).step_by(128);
                    offsets
                        .map(|at| mapping.map(it.address(at)).module)
                        .collect()
                };
                pages.iter().map(of).collect()
            };
            let apart = modules(Technique::Cmp);
            let all: usize = apart.iter().map(BTreeSet::len).sum();
            let union: BTreeSet<u64> = apart.iter().flatten().copied().collect();
            assert_eq!(
                (all, union.len() as u64),
                (union.len(), mapping.table().modules)
            );
            assert!(modules(Technique::Cp)
                .iter()
                .all(|it| it.len() as u64 == mapping.table().modules));
        }
    }

    #[test]
    fn too_few_colours_are_an_error() {
        let mapping = Mapping::named("gtx1080").unwrap();
        let va = App::Va.kernels();
        let tenants: Vec<_> = (0..4)
            .map(|number| (part(Technique::Cmp, 4, number), &va[..]))
            .collect();
        let error = pages(&mapping, &tenants).unwrap_err().to_string();
        assert_eq!(error, "colour is 2, expected one below 2");
    }
}
