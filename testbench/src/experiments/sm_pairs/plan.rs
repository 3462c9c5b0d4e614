//! What is run: workloads, machines, schemes.

use cotenant_golden::gpu::config::Policy;
use cotenant_golden::schemes::run::{Group, Variant};
use cotenant_golden::schemes::{Issue, Partition, Scheme};
use cotenant_golden::sm::milg::Release;
use cotenant_golden::workload::program::table2::BENCHMARKS;
use rand::seq::SliceRandom;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use crate::experiments::Error;

/// Kernels that run together, by their names in table 2.
pub type Workload = Vec<&'static str>;

/// What an experiment runs.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The experiment's name.
    pub experiment: &'static str,
    /// All workloads, in the order in which they are taken.
    pub workloads: Vec<Workload>,
    /// Schemes by machine, the first the one that others are compared with.
    pub schemes: Vec<(Variant, Vec<Scheme>)>,
    /// Schemes of single workloads, in their order, on the first machine.
    pub more: Vec<Vec<Scheme>>,
}

impl Plan {
    /// All schemes of a workload, by machine.
    pub fn of(&self, workload: &[&str]) -> Vec<(Variant, Vec<Scheme>)> {
        let mut all = self.schemes.clone();
        let place = self.workloads.iter().position(|other| other == workload);
        let more = place.and_then(|place| self.more.get(place));
        if let Some((_, schemes)) = all.first_mut() {
            schemes.extend(more.into_iter().flatten());
        }
        all
    }
}

/// The pairs of sections 3.1 to 3.4, which the paper looks at one by one.
pub const NAMED: [[&str; 2]; 6] = [
    ["pf", "bp"],
    ["bp", "hs"],
    ["bp", "sv"],
    ["bp", "ks"],
    ["sv", "ks"],
    ["sv", "ax"],
];

/// The pairs of figure 9.
pub const LIMITED: [[&str; 2]; 3] = [["pf", "bp"], ["bp", "ks"], ["sv", "ks"]];

/// The highest static limit (section 3.3.1).
pub const MOST: u8 = 24;

/// Warped-Slicer as the paper evaluates it.
pub const fn ws(issue: Issue) -> Scheme {
    Scheme::new(Partition::Online, issue)
}

/// SMK.
pub const fn smk(issue: Issue) -> Scheme {
    Scheme::new(Partition::Drf, issue)
}

/// Spatial multitasking.
pub const SPATIAL: Scheme = Scheme::new(Partition::Spatial, Issue::Free);

/// Another scheduler, and larger L1Ds.
pub const LRR: Variant = Variant {
    policy: Policy::Lrr,
    ..Variant::PAPER
};
/// See [`LRR`].
pub const KB_48: Variant = Variant {
    l1d: 48,
    ..Variant::PAPER
};
/// See [`LRR`].
pub const KB_96: Variant = Variant {
    l1d: 96,
    ..Variant::PAPER
};

/// All sets of so many different kernels, those of `first` in front as they are, the others as the seed
/// shuffles them.
fn sets(of: usize, first: &[[&'static str; 2]], seed: u64) -> Vec<Workload> {
    let masks = (0u32..1 << BENCHMARKS.len()).filter(|mask| mask.count_ones() as usize == of);
    let names = |mask: u32| {
        let among = BENCHMARKS.iter().enumerate();
        let those = among.filter(move |(at, _)| mask >> at & 1 == 1);
        those.map(|(_, benchmark)| benchmark.name).collect()
    };
    let mut all: Vec<Workload> = masks.map(names).collect();
    all.shuffle(&mut Pcg64Mcg::seed_from_u64(seed));
    let same = |a: &[&str], b: &[&str]| a.iter().all(|name| b.contains(name));
    all.retain(|set| !first.iter().any(|named| same(set, named)));
    let first = first.iter().map(|named| named.to_vec());
    first.chain(all).collect()
}

/// All pairs, under all schemes and on all machines.
pub fn pairs(seed: u64) -> Plan {
    let policies = [Issue::Free, Issue::Qbmi, Issue::Dmil];
    let mut base = vec![
        SPATIAL,
        Scheme::new(Partition::LeftOver, Issue::Free),
        Scheme::new(Partition::Offline, Issue::Free),
    ];
    base.extend(policies.map(ws));
    let more = [Issue::Rbmi, Issue::QbmiDmil, Issue::Ucp, Issue::MissEntries];
    base.extend(more.map(ws));
    base.extend(policies.map(smk));
    base.push(smk(Issue::Quotas));
    let mut schemes = vec![(Variant::PAPER, base)];
    schemes.extend([LRR, KB_48, KB_96].map(|variant| (variant, policies.map(ws).to_vec())));
    Plan {
        experiment: "sm-pairs",
        workloads: sets(2, &NAMED, seed),
        schemes,
        more: vec![],
    }
}

/// All sets of three.
pub fn triples(seed: u64) -> Plan {
    let policies = [Issue::Free, Issue::Qbmi, Issue::Dmil];
    let mut base = vec![SPATIAL];
    base.extend(policies.map(ws));
    base.extend([Issue::Quotas, Issue::Qbmi, Issue::Dmil].map(smk));
    Plan {
        experiment: "sm-triples",
        workloads: sets(3, &[], seed),
        schemes: vec![(Variant::PAPER, base)],
        more: vec![],
    }
}

/// The pairs of figure 9 with all pairs of limits, none included.
pub fn limits() -> Plan {
    let limits = 0..=MOST;
    let all = limits
        .clone()
        .flat_map(|a| limits.clone().map(move |b| ws(Issue::Smil([a, b, 0]))));
    Plan {
        experiment: "sm-limits",
        workloads: LIMITED.map(|pair| pair.to_vec()).to_vec(),
        schemes: vec![(Variant::PAPER, all.collect())],
        more: vec![],
    }
}

/// So many thread blocks of each kernel of a pair on an SM, without an issue policy.
pub const fn fixed([a, b]: [u8; 2]) -> Scheme {
    Scheme::new(Partition::Fixed([a, b, 0]), Issue::Free)
}

/// All numbers of thread blocks of a pair that fit an SM together, at least one of each.
///
/// # Errors
/// [`Error::Scheme`].
pub fn divisions(pair: &[&str]) -> Result<Vec<[u8; 2]>, Error> {
    let kernels = Group::new(Variant::PAPER, pair, 0)?;
    let [a, b] = kernels.most()[..] else {
        return Ok(vec![]);
    };
    let all = (1..=a as u8).flat_map(|a| (1..=b as u8).map(move |b| [a, b]));
    let fits = |blocks: &[u8; 2]| kernels.blocks(fixed(*blocks).partition, &[]).is_some();
    Ok(all.filter(fits).collect())
}

/// The pairs that the paper looks at one by one, with all their [`divisions`] of an SM, and with those that
/// Warped-Slicer's curves say are best.
///
/// # Errors
/// As [`divisions`].
pub fn blocks() -> Result<Plan, Error> {
    let more = NAMED.iter().map(|pair| {
        let all = divisions(pair)?;
        Ok(all.into_iter().map(fixed).collect())
    });
    let curves = [Partition::Offline, Partition::Online];
    Ok(Plan {
        experiment: "sm-blocks",
        workloads: NAMED.map(|pair| pair.to_vec()).to_vec(),
        schemes: vec![(
            Variant::PAPER,
            curves.map(|of| Scheme::new(of, Issue::Free)).to_vec(),
        )],
        more: more.collect::<Result<_, Error>>()?,
    })
}

/// The pairs of figure 11(b) under DMIL with each effect of an interval with less than one failure per
/// request, which the paper leaves open.
pub fn releases() -> Plan {
    let mut schemes = vec![ws(Issue::Free), ws(Issue::Qbmi)];
    schemes.extend(Release::ALL.map(|release| ws(Issue::DmilRelease(release))));
    Plan {
        experiment: "sm-releases",
        workloads: LIMITED[1..].iter().map(|pair| pair.to_vec()).collect(),
        schemes: vec![(Variant::PAPER, schemes)],
        more: vec![],
    }
}

/// All pairs under QBMI, with credit that grows up to what its register holds and with credit that is capped, which
/// the paper leaves open.
pub fn credits(seed: u64) -> Plan {
    Plan {
        experiment: "sm-credits",
        workloads: pairs(seed).workloads,
        schemes: vec![(
            Variant::PAPER,
            [Issue::Free, Issue::Qbmi, Issue::QbmiCap].map(ws).to_vec(),
        )],
        more: vec![],
    }
}

/// `C+M`: the types of kernels, C first.
pub fn class(workload: &[impl AsRef<str>]) -> String {
    let kind = |name: &str| {
        let found = BENCHMARKS.iter().find(|benchmark| benchmark.name == name);
        found.is_some_and(|benchmark| benchmark.memory_intensive)
    };
    let mut kinds: Vec<bool> = workload.iter().map(|name| kind(name.as_ref())).collect();
    kinds.sort_unstable();
    let letters = kinds.iter().map(|&m| if m { "M" } else { "C" });
    letters.collect::<Vec<_>>().join("+")
}

#[cfg(test)]
mod tests {
    //! Rationale: all pairs and triples, each once, whatever the seed; the first ones of a larger run
    //! are those of a smaller.
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn all_sets_are_there_once() {
        for (plan, count) in [
            (pairs(1), 78),
            (triples(1), 286),
            (limits(), 3),
            (releases(), 2),
            (credits(1), 78),
        ] {
            let sorted = plan.workloads.iter().map(|workload| {
                let mut names = workload.clone();
                names.sort_unstable();
                names.dedup();
                names
            });
            let sets: BTreeSet<Workload> = sorted.collect();
            assert_eq!((plan.workloads.len(), sets.len()), (count, count));
            let of = sets.iter().map(Vec::len).max();
            assert!(sets.iter().all(|set| Some(set.len()) == of));
        }
        assert_eq!(pairs(1).workloads[..6], NAMED.map(|it| it.to_vec()));
        assert_ne!(pairs(1).workloads, pairs(2).workloads);
        assert_eq!(limits().schemes[0].1.len(), 625);
    }

    /// bp's blocks have 256 threads, sv's 192: 3072 threads hold 12 and 16 of them alone, 16 blocks in all.
    #[test]
    fn all_divisions_of_an_sm_fit() {
        let all = divisions(&["bp", "sv"]).unwrap();
        let fits = |[a, b]: [u8; 2]| 256 * u32::from(a) + 192 * u32::from(b) <= 3072 && a + b <= 16;
        let wanted = (1..=16).flat_map(|a| (1..=16).map(move |b| [a, b]));
        let wanted: Vec<[u8; 2]> = wanted.filter(|it| fits(*it)).collect();
        assert_eq!(all, wanted);
        let plan = blocks().unwrap();
        assert_eq!(plan.of(&["bp", "sv"])[0].1.len(), 2 + all.len());
        assert_eq!(plan.of(&["bp"])[0].1.len(), 2);
    }

    #[test]
    fn classes_are_sorted() {
        assert_eq!(class(&["bp", "hs"]), "C+C");
        assert_eq!([class(&["sv", "bp"]), class(&["bp", "sv"])], ["C+M", "C+M"]);
        assert_eq!(class(&["sv", "bp", "ks"]), "C+M+M");
        let of = |kind: &str| {
            pairs(1)
                .workloads
                .iter()
                .filter(|it| class(it) == kind)
                .count()
        };
        assert_eq!(["C+C", "C+M", "M+M"].map(of), [21, 42, 15]);
    }
}
