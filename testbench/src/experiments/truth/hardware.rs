//! The hardware beside the golden model: what the netlist of `attribution` counts of a workload.
//!
//! One unit stands beside all banks of the L2, as in docs/attribution.md: it takes one access per
//! cycle, and of those that reach several banks in one cycle each but the first comes a cycle
//! later. It looks at [`LANES`] places of a stack per cycle, and [`QUEUE`] accesses may wait; what
//! finds the queue full is dropped, and the shares are those of what is left. Of a tag it keeps as
//! many bits as the [`Sampling`] says. Netlist and golden model run in lockstep, all outputs, registers and memories compared; at
//! the end of the workload the counters are read as software would.
//!
//! Cycles in which the unit has nothing to do, and no access to a sampled set comes, are left out:
//! nothing changes in them. That accesses to other sets change nothing is compared while it works.

use std::cell::RefCell;
use std::collections::HashMap;

use cotenant_golden::llc::attribution::In;
use cotenant_golden::llc::cache::Geometry;
use cotenant_golden::workload::stream::Stream;
use cotenant_golden::Model;
use cotenant_netlist::sim::Engine;
use cotenant_netlist::Netlist;
use cotenant_units::table::{self, ParameterSet};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::sampling::Sampling;
use crate::unit::llc::Attribution;
use crate::verify::interface::Interface;
use crate::verify::lockstep::Lockstep;

/// Places of a stack that are looked at per cycle, and places of the queue. Fixed before the first
/// run: with them nothing is dropped of the scenario of GDC's figure 3 (docs/attribution.md).
pub const LANES: usize = 4;
/// See [`LANES`].
pub const QUEUE: usize = 8;
/// Cycles after an answer until its parts are in the counters, and more.
const SETTLED: u64 = 8;

/// What came of the hardware that samples so many sets.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Beside {
    /// Accesses to sampled sets that it has taken, of all kernels.
    pub taken: u64,
    /// Those that found the queue full.
    pub dropped: u64,
    /// Accesses to lines that another kernel used last.
    pub shared: u64,
    /// Cycles compared.
    pub cycles: u64,
    /// The first difference between netlist and golden model; null if there is none.
    pub mismatch: Option<String>,
}

/// The parameter set that samples a cache.
fn set(geometry: &Geometry, sampling: Sampling) -> crate::Result<ParameterSet> {
    let Geometry {
        ways,
        kernels,
        sets,
        ..
    } = geometry;
    let Sampling {
        sets: samples,
        tag_bits,
    } = sampling;
    // Counters that hold the whole workload; tags of any address.
    let text = format!(
        "{ways}x{kernels}x{sets}x{samples}l{LANES}q{QUEUE},TAG_W=64,PARTIAL_W={tag_bits},CNT_W=32"
    );
    Ok(table::set(Attribution::NAME, &text)?)
}

/// The beginning of a digest of all netlists beside a cache: what was counted by others is not
/// theirs.
///
/// # Errors
/// What keeps one from being built.
pub fn digest(geometry: &Geometry) -> crate::Result<String> {
    let mut all = Sha256::new();
    for sampling in Sampling::beside(geometry) {
        all.update(Attribution::netlist(&set(geometry, sampling)?)?.digest());
    }
    let bytes = all.finalize();
    Ok(super::record::hexadecimal(&bytes[..6]))
}

thread_local! {
    /// Hardware that has run already, by its name and engine: to elaborate and compile it takes as
    /// long as thousands of accesses. It is reset before each workload.
    static BUILT: RefCell<HashMap<String, Lockstep<Attribution>>> = RefCell::default();
}

/// The row of `kernel`, in parts of a miss by aggressor, that the hardware counts of a stream whose accesses come in these `cycles`; and how it did.
///
/// # Errors
/// What keeps it from being built.
pub fn beside(
    stream: &Stream,
    cycles: &[u64],
    kernel: usize,
    sampling: Sampling,
    engine: Engine,
) -> crate::Result<(Vec<u64>, Beside)> {
    let set = set(stream.geometry(), sampling)?;
    let name = format!("{} {engine:?}", set.name);
    let built = BUILT.with_borrow_mut(|built| built.remove(&name));
    let lockstep = match built {
        Some(lockstep) => lockstep,
        None => Lockstep::with_engine(&set, engine)?,
    };
    let (row, beside, lockstep) = run(lockstep, stream, cycles, kernel)?;
    // What differs once is not used again.
    if beside.mismatch.is_none() {
        BUILT.with_borrow_mut(|built| built.insert(name, lockstep));
    }
    Ok((row, beside))
}

/// The same with a netlist of one's own, for instance one with a fault.
///
/// # Errors
/// As [`beside`].
pub fn beside_netlist(
    stream: &Stream,
    cycles: &[u64],
    kernel: usize,
    sampling: Sampling,
    change: impl FnOnce(Netlist) -> Netlist,
) -> crate::Result<(Vec<u64>, Beside)> {
    let set = set(stream.geometry(), sampling)?;
    let netlist = change(Attribution::netlist(&set)?);
    let lockstep = Lockstep::with_netlist(&set, &netlist, Engine::default())?;
    let (row, beside, _) = run(lockstep, stream, cycles, kernel)?;
    Ok((row, beside))
}

/// Netlist and golden model, and what has been compared of them.
struct Run {
    lockstep: Lockstep<Attribution>,
    beside: Beside,
    /// Cycles since it had something to do.
    idle: u64,
}

impl Run {
    /// A cycle; what the read port answers. Nothing after the first difference.
    fn step(&mut self, input: &In) -> crate::Result<u64> {
        if self.beside.mismatch.is_some() {
            return Ok(0);
        }
        let (out, mismatch) = self.lockstep.step_with_outputs(input)?;
        self.beside.cycles += 1;
        let golden = self.lockstep.model();
        let free = golden.free() && golden.state().queue.is_empty();
        self.idle = if free { self.idle + 1 } else { 0 };
        self.beside.mismatch = mismatch.map(|found| {
            format!(
                "cycle {}: {}: dut {}, golden {}",
                self.beside.cycles, found.field, found.dut, found.golden
            )
        });
        Ok(out.read_count)
    }

    /// Nothing is under way, nor on its way to the counters.
    fn settled(&self) -> bool {
        self.idle > SETTLED || self.beside.mismatch.is_some()
    }

    /// Cycles until nothing is under way, `most` of them.
    fn settle(&mut self, most: u64) -> crate::Result<()> {
        for _ in 0..most {
            if self.settled() {
                break;
            }
            self.step(&In::default())?;
        }
        Ok(())
    }

    /// A counter of the last period.
    fn read(&mut self, from: u8, victim: usize, aggressor: usize) -> crate::Result<u64> {
        self.step(&In {
            read_from: from,
            read_victim: victim as u8,
            read_aggressor: aggressor as u8,
            ..In::default()
        })?;
        self.step(&In::default())
    }
}

fn run(
    lockstep: Lockstep<Attribution>,
    stream: &Stream,
    cycles: &[u64],
    kernel: usize,
) -> crate::Result<(Vec<u64>, Beside, Lockstep<Attribution>)> {
    let geometry = stream.geometry();
    let mut run = Run {
        lockstep,
        beside: Beside::default(),
        idle: 0,
    };
    run.step(&In {
        reset: true,
        ..In::default()
    })?;
    // Until the stacks are cleared.
    run.settle(u64::MAX)?;
    let mut now = 0;
    for (access, cycle) in stream.iter().zip(cycles) {
        run.settle(cycle.saturating_sub(now))?;
        now = now.max(*cycle) + 1;
        let set = geometry.set_of(access.address) as u32;
        if run.settled() && run.lockstep.model().stack_of(set).is_none() {
            continue;
        }
        run.step(&In {
            access_valid: true,
            access_set: set,
            access_tag: geometry.tag_of(access.address),
            access_kid: access.kernel,
            ..In::default()
        })?;
    }
    run.settle(u64::MAX)?;
    run.step(&In {
        snapshot: true,
        ..In::default()
    })?;
    let row = (0..geometry.kernels).map(|aggressor| run.read(0, kernel, aggressor));
    let row: Vec<u64> = row.collect::<crate::Result<_>>()?;
    run.beside.taken = run.read(1, 0, 0)?;
    run.beside.dropped = run.read(2, 0, 0)?;
    run.beside.shared = run.read(3, 0, 0)?;
    if run.beside.mismatch.is_none() {
        let differs = run.lockstep.compare();
        run.beside.mismatch = differs.map(|found| format!("at the end: {}", found.field));
    }
    Ok((row, run.beside, run.lockstep))
}

#[cfg(test)]
mod tests {
    //! Rationale: with time enough the hardware must count what the exact pass does of the sampled
    //! sets; hardware that is used again must count the same; without time it must count what it
    //! drops; a fault must be seen.
    use super::*;
    use cotenant_golden::llc::exact::Exact;
    use cotenant_golden::workload::random::workloads;
    use cotenant_netlist::fault::{candidates, Described};

    /// A workload's stream.
    fn stream() -> Stream {
        let mut gpu = workloads(7)[2].scenario().unwrap().gpu().unwrap();
        Stream::record(&mut gpu, 6_000, &mut |_| true).unwrap()
    }

    /// Cycles so far apart.
    fn every(stream: &Stream, cycles: u64) -> Vec<u64> {
        (0..stream.len()).map(|access| cycles * access).collect()
    }

    #[test]
    fn with_time_enough_it_counts_what_the_exact_pass_does() {
        let stream = stream();
        let geometry = *stream.geometry();
        let mut exact = Exact::new(geometry.kernels, geometry.sets, geometry.ways).unwrap();
        let (mut all, chosen) = (0, golden_sets(16));
        for access in stream.iter() {
            let set = geometry.set_of(access.address);
            exact.access(access.kernel.into(), set, geometry.tag_of(access.address));
            all += u64::from(chosen.contains(&set));
        }
        let expected = exact.attribution().sampled[&16][0].clone();
        for _again in 0..2 {
            let cycles = every(&stream, 40);
            let (row, found) =
                beside(&stream, &cycles, 0, Sampling::of(16), Engine::default()).unwrap();
            assert_eq!(found.mismatch, None);
            let row: Vec<u128> = row.into_iter().map(u128::from).collect();
            assert_eq!(row, expected);
            assert!(row.iter().sum::<u128>() > 0);
            assert_eq!((found.taken, found.dropped, found.shared), (all, 0, 0));
        }
        // At once: more come than can be looked up.
        let cycles = every(&stream, 0);
        let (_, found) = beside(&stream, &cycles, 0, Sampling::of(64), Engine::default()).unwrap();
        assert!(found.dropped > 0 && found.mismatch.is_none(), "{found:?}");
    }

    fn golden_sets(samples: usize) -> Vec<usize> {
        cotenant_golden::llc::exact::sampled_sets(stream().geometry().sets, samples)
    }

    #[test]
    fn a_fault_is_seen() {
        let stream = stream();
        let cycles = every(&stream, 1);
        let faulty = |netlist: Netlist| {
            let fault = candidates(&netlist).into_iter().find(|fault| {
                let name = Described(&netlist, fault).to_string();
                name.starts_with("off by one: Add") && name.contains("blame")
            });
            netlist.with_fault(&fault.unwrap()).unwrap()
        };
        let (_, found) = beside_netlist(&stream, &cycles, 0, Sampling::of(16), faulty).unwrap();
        assert!(found.mismatch.is_some(), "{found:?}");
    }
}
