//! Consistency checks of the memory system's counts.
//!
//! Each compares what was counted when something happened with what is found in the queues now,
//! or counts that were kept in different places.

use std::fmt::{self, Display};

use super::dram::{Purpose, Transfer};
use super::{MemorySystem, Request, Stats};

/// A sum that does not add up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {left_is} is {left}, expected {right_is}, which is {right}")]
pub struct Imbalance {
    /// Whose sum it is.
    pub place: Place,
    /// What was counted.
    pub left_is: &'static str,
    /// How much of it.
    pub left: u64,
    /// What it must equal.
    pub right_is: &'static str,
    /// How much that is.
    pub right: u64,
}

/// Whose sum it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// A kernel's.
    Kernel(usize),
    /// Of a partition's channel.
    Channel(usize),
    /// Of an SM's ports.
    Sm(usize),
    /// Of a partition's ports.
    Partition(usize),
    /// Of the whole memory system.
    Memory,
}

impl Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kernel(kernel) => write!(f, "kernel {kernel}"),
            Self::Channel(channel) => write!(f, "channel {channel}"),
            Self::Sm(sm) => write!(f, "SM {sm}"),
            Self::Partition(partition) => write!(f, "partition {partition}"),
            Self::Memory => f.write_str("memory"),
        }
    }
}

/// `Ok` when two sums are the same.
fn equal(
    place: Place,
    (left_is, left): (&'static str, u64),
    (right_is, right): (&'static str, u64),
) -> Result<(), Imbalance> {
    if left == right {
        return Ok(());
    }
    Err(Imbalance {
        place,
        left_is,
        left,
        right_is,
        right,
    })
}

/// What is in the queues, of one kernel.
#[derive(Debug, Default, Clone, Copy)]
struct Present {
    /// Requests that are not looked up yet.
    coming: u64,
    /// Requests that are looked up and not answered yet.
    going: u64,
    fetches: u64,
    /// Of them those of stores.
    store_fetches: u64,
    write_backs: u64,
}

impl MemorySystem {
    /// Whether all sums add up, with what is in flight now.
    ///
    /// # Errors
    /// The first [`Imbalance`] found.
    pub fn check(&self) -> Result<(), Imbalance> {
        let present = self.present();
        for (kernel, stats) in self.stats.iter().enumerate() {
            self.check_kernel(kernel, stats, &present[kernel])?;
        }
        self.check_cache()?;
        self.check_ports()?;
        self.check_channels()?;
        let going = present.iter().map(|kernel| kernel.coming + kernel.going);
        let returning = self.returning(|purpose| !purpose.is_asked());
        let unasked = |kernel: &Present| kernel.write_backs + kernel.store_fetches;
        let unasked: u64 = present.iter().map(unasked).sum();
        equal(
            Place::Memory,
            ("in flight", self.in_flight()),
            (
                "what is found in queues",
                going.sum::<u64>() + unasked + returning,
            ),
        )?;
        if self.in_flight() == 0 {
            self.check_empty()?;
        }
        Ok(())
    }

    /// What is in the queues, by kernel.
    fn present(&self) -> Vec<Present> {
        let mut present = vec![Present::default(); self.stats.len()];
        let of = |request: &Request| usize::from(request.kernel);
        let routed = self.requests.packets().map(|routed| &routed.request);
        for request in routed.chain(self.l2.queued()) {
            present[of(request)].coming += 1;
        }
        let answers = self.partitions.iter().flat_map(|p| &p.answers);
        let arrived = self.arrived.iter().flatten();
        let answers = answers.chain(arrived).map(|(_, request)| request);
        let answers = answers.chain(self.replies.packets());
        for request in answers.chain(self.l2.waiting()) {
            present[of(request)].going += 1;
        }
        let queued = self.partitions.iter().flat_map(|p| p.channel.waiting());
        for transfer in self.l2.misses().chain(queued) {
            let kernel = &mut present[usize::from(transfer.kernel)];
            match transfer.purpose {
                Purpose::Fetch { .. } => kernel.fetches += 1,
                Purpose::StoreFetch { .. } => {
                    kernel.fetches += 1;
                    kernel.store_fetches += 1;
                }
                Purpose::WriteBack => kernel.write_backs += 1,
            }
        }
        present
    }

    fn returning(&self, which: impl Fn(Purpose) -> bool) -> u64 {
        let returning = self.partitions.iter().flat_map(|p| &p.returning);
        let purposes = returning.map(|(_, Transfer { purpose, .. })| *purpose);
        purposes.filter(|purpose| which(*purpose)).count() as u64
    }

    fn check_kernel(
        &self,
        kernel: usize,
        stats: &Stats,
        present: &Present,
    ) -> Result<(), Imbalance> {
        let place = Place::Kernel(kernel);
        let requests = stats.reads + stats.writes;
        for (left, right) in [
            (
                ("accesses", stats.accesses),
                ("reads + writes - not looked up", requests - present.coming),
            ),
            (
                (
                    "hits + merged + misses",
                    stats.hits + stats.merged + stats.misses,
                ),
                ("accesses", stats.accesses),
            ),
            (
                ("replies", stats.replies),
                ("accesses - unanswered", stats.accesses - present.going),
            ),
            (
                ("DRAM reads", stats.dram_reads),
                ("fetches - waiting ones", stats.fetches - present.fetches),
            ),
            (
                ("DRAM writes", stats.dram_writes),
                (
                    "write-backs - waiting ones",
                    stats.write_backs - present.write_backs,
                ),
            ),
            (
                ("row hits + misses", stats.row_hits + stats.row_misses),
                ("DRAM reads + writes", stats.dram_reads + stats.dram_writes),
            ),
        ] {
            equal(place, left, right)?;
        }
        Ok(())
    }

    /// The golden cache has seen the same.
    fn check_cache(&self) -> Result<(), Imbalance> {
        let counts = self.counts();
        for (index, (stats, kernel)) in self.stats.iter().zip(&counts.kernels).enumerate() {
            let place = Place::Kernel(index);
            equal(
                place,
                ("hits + merged", stats.hits + stats.merged),
                ("tag hits of the cache", kernel.hits),
            )?;
            equal(
                place,
                ("misses", stats.misses),
                ("misses of the cache", kernel.misses),
            )?;
        }
        let sector_misses = self.stats.iter().map(|stats| stats.sector_misses).sum();
        equal(
            Place::Memory,
            ("sector misses", sector_misses),
            ("sector misses of the cache", counts.sector_misses),
        )
    }

    /// Flits that ports have passed belong to kernels' packets, and places to packets.
    fn check_ports(&self) -> Result<(), Imbalance> {
        let (sms, partitions) = (self.arrived.len(), self.partitions.len());
        let request_flits: u64 = self.stats.iter().map(|stats| stats.request_flits).sum();
        let reply_flits: u64 = self.stats.iter().map(|stats| stats.reply_flits).sum();
        let queued: u64 = self.requests.queued_flits();
        let passed = (0..sms).map(|sm| self.requests.flits_in(sm)).sum::<u64>();
        let left = (0..partitions)
            .map(|port| self.requests.flits_out(port))
            .sum();
        equal(
            Place::Memory,
            ("request flits through the partitions' ports", left),
            ("request flits through the SMs' ports", passed),
        )?;
        equal(
            Place::Memory,
            (
                "request flits through ports or before them",
                passed + queued,
            ),
            ("request flits", request_flits),
        )?;
        let passed = (0..partitions)
            .map(|port| self.replies.flits_in(port))
            .sum::<u64>();
        let left = (0..sms).map(|sm| self.replies.flits_out(sm)).sum();
        equal(
            Place::Memory,
            ("reply flits through the SMs' ports", left),
            ("reply flits through the partitions' ports", passed),
        )?;
        equal(
            Place::Memory,
            (
                "reply flits through ports or before them",
                passed + self.replies.queued_flits(),
            ),
            ("reply flits", reply_flits),
        )?;
        let mut at_partition = vec![0; partitions];
        for bank in 0..self.geometry().banks {
            at_partition[bank % partitions] += self.l2.queue_len(bank) as u64;
        }
        for (port, queued) in at_partition.into_iter().enumerate() {
            equal(
                Place::Partition(port),
                ("places taken at the port", self.requests.taken(port)),
                ("requests in its banks' queues", queued),
            )?;
        }
        for sm in 0..sms {
            equal(
                Place::Sm(sm),
                ("places taken at the port", self.replies.taken(sm)),
                ("replies on their way to it", self.arrived[sm].len() as u64),
            )?;
        }
        Ok(())
    }

    fn check_channels(&self) -> Result<(), Imbalance> {
        let (mut reads, mut writes, mut bytes) = (0, 0, 0);
        let mut activations = 0;
        for partition in &self.partitions {
            let stats = partition.channel.stats();
            reads += stats.reads;
            writes += stats.writes;
            bytes += stats.bytes;
            activations += stats.activations - partition.channel.activated() as u64;
        }
        let sum = |field: fn(&Stats) -> u64| self.stats.iter().map(field).sum::<u64>();
        for (left, right) in [
            (
                ("reads of all channels", reads),
                ("DRAM reads", sum(|s| s.dram_reads)),
            ),
            (
                ("writes of all channels", writes),
                ("DRAM writes", sum(|s| s.dram_writes)),
            ),
            (
                ("bytes of all data buses", bytes),
                (
                    "DRAM bytes",
                    sum(|s| s.dram_read_bytes + s.dram_write_bytes),
                ),
            ),
            (
                ("activations for requests that were served", activations),
                ("row misses", sum(|s| s.row_misses)),
            ),
        ] {
            equal(Place::Memory, left, right)?;
        }
        Ok(())
    }

    /// With nothing in flight nothing is left anywhere.
    fn check_empty(&self) -> Result<(), Imbalance> {
        for (what, left) in [
            ("MSHRs in use", self.l2.mshrs_used() as u64),
            ("lines with sectors pending", self.l2.lines_pending() as u64),
            ("fetches on their way", self.returning(|_| true)),
        ] {
            let none = ("none, as nothing is in flight", 0);
            equal(Place::Memory, (what, left), none)?;
        }
        Ok(())
    }
}
