//! The steps of a cycle of the memory system: crossbar, replies, L2 lookups, DRAM.

use std::collections::VecDeque;

use super::dram::Purpose;
use super::{MemorySystem, Partition, Request, Watcher};
use crate::workload::Op;

/// The first of a queue if its cycle has come.
#[inline]
fn due<T>(queue: &mut VecDeque<(u64, T)>, cycle: u64) -> Option<T> {
    match queue.front() {
        Some(&(due, _)) if due <= cycle => queue.pop_front().map(|(_, first)| first),
        _ => None,
    }
}

impl MemorySystem {
    /// Flits of a request (whose data goes along if it is a store) or a reply (if a load).
    #[inline]
    pub(super) fn flits(&self, request: &Request, with_data: Op) -> u32 {
        let sectors = match request.op == with_data {
            true => u64::from(request.sectors.count_ones()),
            false => 0,
        };
        (self.header + sectors * self.sector_bytes).div_ceil(self.flit) as u32
    }

    /// The crossbar grants replies and requests.
    pub(super) fn cross(&mut self, cycle: u64) {
        let Self { arrived, l2, .. } = self;
        self.replies.arbitrate(cycle, |sm, due, request| {
            arrived[sm].push_back((due, request))
        });
        self.requests
            .arbitrate(cycle, |_, due, routed| l2.arrive(due, routed));
    }

    /// A partition's fills and hits become replies.
    pub(super) fn answer(&mut self, index: usize, cycle: u64) {
        let partition = &mut self.partitions[index];
        while let Some(transfer) = due(&mut partition.returning, cycle) {
            let answers = &mut partition.answers;
            match transfer.purpose {
                Purpose::Fetch { mshr } | Purpose::StoreFetch { mshr } => {
                    self.l2.fill(&transfer, mshr, |request, ready| {
                        // Nearly always at the front: most fills come after the hit latency.
                        let due = ready.max(cycle);
                        let place = answers.partition_point(|(other, _)| *other <= due);
                        answers.insert(place, (due, request));
                    });
                }
                Purpose::WriteBack => {}
            }
            self.unasked += u64::from(!transfer.purpose.is_asked());
        }
        while let Some(request) = due(&mut self.partitions[index].answers, cycle) {
            let flits = self.flits(&request, Op::Read);
            self.stats[usize::from(request.kernel)].reply_flits += u64::from(flits);
            self.replies
                .push(index, usize::from(request.sm), flits, request);
        }
    }

    /// A partition's channel takes a request and issues its commands up to `dram`, the last
    /// cycle of its clock that belongs to `cycle`.
    pub(super) fn access_memory(&mut self, index: usize, cycle: u64, dram: u64) {
        let count = self.partitions.len();
        let banks = self.l2.geometry().banks / count;
        let Partition {
            channel,
            returning,
            answers,
            turn,
            answers_at,
            quiet_until,
        } = &mut self.partitions[index];
        let mut missing = false;
        if channel.has_room() {
            let in_turn = (0..banks).map(|step| (*turn + step) & (banks - 1));
            let found = in_turn
                .map(|bank| (bank, bank * count + index))
                .find(|(_, bank)| self.l2.has_miss(*bank));
            if let Some((bank, number)) = found {
                if let Some(miss) = self.l2.next_miss(number) {
                    // From the first cycle of its clock after the GPU's last one.
                    channel.push(miss, self.clock.dram(cycle.saturating_sub(1)) + 1);
                }
                *turn = (bank + 1) & (banks - 1);
                missing = true;
            }
        }
        let (clock, latency, stats) = (self.clock, self.dram_latency, &mut self.stats);
        channel.run_to(dram, |served| {
            // There is room for a request that waits.
            missing = true;
            let transfer = served.transfer;
            let kernel = &mut stats[usize::from(transfer.kernel)];
            let bytes = u64::from(transfer.bytes);
            match transfer.purpose {
                Purpose::Fetch { .. } | Purpose::StoreFetch { .. } => {
                    kernel.dram_reads += 1;
                    kernel.dram_read_bytes += bytes;
                }
                Purpose::WriteBack => {
                    kernel.dram_writes += 1;
                    kernel.dram_write_bytes += bytes;
                }
            }
            match served.row_hit {
                true => kernel.row_hits += 1,
                false => kernel.row_misses += 1,
            }
            returning.push_back((clock.gpu(served.end) + latency, transfer));
        });
        let returned = returning.front().map_or(u64::MAX, |(due, _)| *due);
        let answered = answers.front().map_or(u64::MAX, |(due, _)| *due);
        *answers_at = returned.min(answered);
        *quiet_until = match missing {
            true => cycle + 1,
            false => *answers_at,
        };
    }

    /// Each bank looks up a request.
    pub(super) fn look_up(&mut self, cycle: u64, mut reached: Option<&mut Watcher<'_>>) -> bool {
        let mut more = true;
        for bank in 0..self.l2.geometry().banks {
            if self.l2.due(bank) > cycle {
                continue;
            }
            let partition = bank & (self.partitions.len() - 1);
            let pipelines = self.partitions[partition].answers.len();
            let full = pipelines + self.replies.waiting(partition) >= self.reply_places;
            let reached = reached.as_deref_mut();
            let looked_up = self.l2.look_up(bank, cycle, full, &mut self.stats, reached);
            let Some(looked_up) = looked_up else {
                continue;
            };
            more &= looked_up.more;
            // It may have put something into the miss queue or be a reply soon.
            let partition_state = &mut self.partitions[partition];
            partition_state.quiet_until = partition_state.quiet_until.min(cycle + 1);
            self.requests.release(partition);
            if looked_up.answered {
                let due = cycle + self.l2.hit_latency();
                let partition = &mut self.partitions[partition];
                partition.answers.push_back((due, looked_up.request));
                partition.answers_at = partition.answers_at.min(due);
            }
        }
        more
    }
}
