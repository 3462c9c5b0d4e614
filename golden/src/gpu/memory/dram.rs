//! A DRAM channel: banks with row buffers, command bus, data bus, FR-FCFS scheduling.
//!
//! Source: Rixner et al., "Memory Access Scheduling", ISCA 2000 (first-ready, first-come
//! first-served). In each cycle of the memory's clock a channel issues at most one command: the
//! oldest request's whose row is open and whose data finds the bus free (RD, WR); if there is
//! none, the oldest's whose bank can be precharged or activated. A row stays open until another
//! one of its bank is asked for and no request to the open one is left.
//!
//! ASSUMPTION: requests to an open row may starve others of their bank: as in GPGPU-Sim there is
//! no bound. ASSUMPTION: writes share the queue and are timed as reads; the bus turns round at
//! no cost. ASSUMPTION: a bank can be precharged when `t-ras` has passed and its last burst's
//! time on the bus, counted from the command, is over; there are no bank groups, refreshes, or
//! limits on activations of different banks.

use std::collections::VecDeque;

use super::stats::ChannelStats;
use crate::gpu::config::Dram;
use crate::gpu::Bits;

/// The GPU's clock and the memory's.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    gpu: u64,
    dram: u64,
}

impl Clock {
    pub(super) fn new(gpu_mhz: u64, dram_mhz: u64) -> Self {
        let (mut a, mut b) = (gpu_mhz, dram_mhz);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        Self {
            gpu: gpu_mhz / a,
            dram: dram_mhz / a,
        }
    }

    /// The memory's last cycle that belongs to the GPU's cycle; cycle 0 has none.
    pub(super) fn dram(&self, cycle: u64) -> u64 {
        cycle * self.dram / self.gpu
    }

    /// The GPU's cycle to which one of the memory's belongs.
    pub(super) fn gpu(&self, dram: u64) -> u64 {
        match dram {
            u64::MAX => u64::MAX,
            _ => (dram * self.gpu).div_ceil(self.dram),
        }
    }
}

/// Why memory is accessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// For the fill of an MSHR.
    Fetch { mshr: u16 },
    /// The same, for a store, which does not wait for it.
    StoreFetch { mshr: u16 },
    /// To store an evicted line's dirty sectors.
    WriteBack,
}

impl Purpose {
    /// Whether a request waits for it.
    pub(super) fn is_asked(self) -> bool {
        matches!(self, Self::Fetch { .. })
    }
}

/// A read or write of sectors of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Transfer {
    /// The line's number among the channel's lines.
    pub(super) line: u64,
    pub(super) sectors: u32,
    pub(super) bytes: u32,
    /// The bank of the L2.
    pub(super) bank: u16,
    pub(super) kernel: u8,
    pub(super) purpose: Purpose,
}

#[derive(Debug, Clone, Copy)]
struct Queued {
    transfer: Transfer,
    row: u64,
    age: u64,
    /// A row was activated for it.
    activated: bool,
}

/// A bank's next command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Command {
    /// RD or WR.
    Column,
    Precharge,
    Activate,
}

/// What a bank does next. All banks' plans are compared for each command, without branches.
#[derive(Debug, Clone, Copy)]
struct Plan {
    /// The cycle from which on the bank allows it; never, if it has no request.
    at: u64,
    /// All bits if it needs the data bus.
    bus: u64,
    /// What goes first: column commands, then age; the lowest bits are the bank.
    rank: u64,
    command: Command,
    /// The request's place in the bank's queue.
    place: u16,
}

impl Plan {
    const NONE: Self = Self {
        at: u64::MAX,
        bus: 0,
        rank: u64::MAX,
        command: Command::Activate,
        place: 0,
    };
}

#[derive(Debug)]
struct Bank {
    /// In order of age.
    queue: Vec<Queued>,
    open: Option<u64>,
    /// Cycles from which on each command is allowed.
    column: u64,
    precharge: u64,
    activate: u64,
}

impl Bank {
    /// The next command, for the oldest request that hits the open row or else the oldest one.
    fn plan(&self, number: usize) -> Plan {
        let hit = |queued: &Queued| Some(queued.row) == self.open;
        let found = self.queue.iter().position(hit);
        let place = found.unwrap_or(0);
        let Some(queued) = self.queue.get(place) else {
            return Plan::NONE;
        };
        let (command, at) = match (found, self.open) {
            (Some(_), _) => (Command::Column, self.column),
            (None, Some(_)) => (Command::Precharge, self.precharge),
            (None, None) => (Command::Activate, self.activate),
        };
        let row = u64::from(found.is_none());
        Plan {
            at,
            bus: row.wrapping_sub(1),
            rank: row << 63 | queued.age << 6 | number as u64,
            command,
            place: place as u16,
        }
    }
}

/// A request that was served, and the cycle of the memory's clock in which its data is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Served {
    pub(super) transfer: Transfer,
    pub(super) row_hit: bool,
    pub(super) end: u64,
}

/// A channel.
#[derive(Debug)]
pub(super) struct Channel {
    timing: Dram,
    lines_a_row: u64,
    banks: Vec<Bank>,
    /// By bank; apart from them since they are looked through for each command.
    plans: Vec<Plan>,
    /// The banks with a request, one bit each.
    asked: u64,
    held: usize,
    arrivals: u64,
    /// When the data bus is free, in bytes since cycle 0, so that nothing is rounded.
    bus_free: u64,
    /// The first cycle in which a column command's data finds the bus free.
    bus_ready: u64,
    /// No command can be issued before; `u64::MAX` if there is none.
    next: u64,
    stats: ChannelStats,
}

impl Channel {
    pub(super) fn new(timing: &Dram, line: u64) -> Self {
        let bank = || Bank {
            queue: Vec::new(),
            open: None,
            column: 0,
            precharge: 0,
            activate: 0,
        };
        Self {
            lines_a_row: timing.row / line,
            banks: (0..timing.banks).map(|_| bank()).collect(),
            plans: vec![Plan::NONE; timing.banks],
            asked: 0,
            held: 0,
            arrivals: 0,
            bus_free: 0,
            bus_ready: 0,
            next: u64::MAX,
            stats: ChannelStats::default(),
            timing: timing.clone(),
        }
    }

    /// Whether it holds fewer requests than it can.
    #[inline]
    pub(super) fn has_room(&self) -> bool {
        self.held < self.timing.queue
    }

    /// A cycle of the memory's clock before which no command can be issued.
    #[inline]
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    pub(super) fn stats(&self) -> &ChannelStats {
        &self.stats
    }

    /// Takes a request, when there is room; it can be served from cycle `from` on.
    ///
    /// ASSUMPTION: of a channel's line number, the lowest bits are the column, then come the
    /// bank and the row.
    pub(super) fn push(&mut self, transfer: Transfer, from: u64) {
        let row = transfer.line / self.lines_a_row;
        let place = row as usize & (self.banks.len() - 1);
        self.arrivals += 1;
        self.held += 1;
        let bank = &mut self.banks[place];
        bank.queue.push(Queued {
            transfer,
            row,
            age: self.arrivals,
            activated: false,
        });
        self.plans[place] = bank.plan(place);
        self.asked |= 1 << place;
        self.next = self.next.min(self.ready(place)).max(from);
    }

    /// When the bank's next command is possible.
    #[inline]
    fn ready(&self, place: usize) -> u64 {
        let plan = &self.plans[place];
        plan.at.max(self.bus_ready & plan.bus)
    }

    /// The commands up to a cycle of the memory's clock; `served` is told each RD and WR.
    #[inline]
    pub(super) fn run_to(&mut self, cycle: u64, mut served: impl FnMut(Served)) {
        while self.next <= cycle {
            if let Some(done) = self.issue(self.next) {
                served(done);
            }
        }
    }

    /// The one command of a cycle, if one is possible.
    fn issue(&mut self, cycle: u64) -> Option<Served> {
        let (mut first, mut possible, mut later) = (u64::MAX, 0, u64::MAX);
        for place in Bits(self.asked) {
            let plan = &self.plans[place as usize];
            let ready = plan.at.max(self.bus_ready & plan.bus);
            let now = ready <= cycle;
            possible += u32::from(now);
            first = first.min(if now { plan.rank } else { u64::MAX });
            later = later.min(if now { u64::MAX } else { ready });
        }
        let place = first as usize & (self.banks.len() - 1);
        let served = match possible {
            0 => None,
            _ => self.command(place, cycle),
        };
        // The command may have put others off; then nothing is possible at `next`.
        self.next = match possible {
            0 => later,
            1 => later.min(self.ready(place)).max(cycle + 1),
            _ => cycle + 1,
        };
        served
    }

    fn command(&mut self, place: usize, cycle: u64) -> Option<Served> {
        let plan = self.plans[place];
        let bank = &mut self.banks[place];
        let mut served = None;
        match plan.command {
            Command::Precharge => {
                bank.open = None;
                bank.activate = cycle + u64::from(self.timing.t_rp);
                self.stats.precharges += 1;
            }
            Command::Activate => {
                let queued = &mut bank.queue[0];
                queued.activated = true;
                bank.open = Some(queued.row);
                bank.column = cycle + u64::from(self.timing.t_rcd);
                bank.precharge = cycle + u64::from(self.timing.t_ras);
                self.stats.activations += 1;
            }
            Command::Column => {
                let queued = bank.queue.remove(usize::from(plan.place));
                let bus = self.timing.bus;
                let bytes = u64::from(queued.transfer.bytes);
                let data = cycle + u64::from(self.timing.t_cl);
                self.bus_free = self.bus_free.max(data * bus) + bytes;
                // A burst may start in the cycle in which the one before ends.
                self.bus_ready = (self.bus_free / bus).saturating_sub(self.timing.t_cl.into());
                bank.precharge = bank.precharge.max(cycle + bytes.div_ceil(bus));
                self.held -= 1;
                match queued.transfer.purpose {
                    Purpose::Fetch { .. } | Purpose::StoreFetch { .. } => self.stats.reads += 1,
                    Purpose::WriteBack => self.stats.writes += 1,
                }
                self.stats.bytes += bytes;
                served = Some(Served {
                    transfer: queued.transfer,
                    row_hit: !queued.activated,
                    end: self.bus_free.div_ceil(bus),
                });
            }
        }
        self.plans[place] = self.banks[place].plan(place);
        if self.banks[place].queue.is_empty() {
            self.asked &= !(1 << place);
        }
        served
    }

    /// The requests that wait.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &Transfer> {
        let queues = self.banks.iter().flat_map(|bank| &bank.queue);
        queues.map(|queued| &queued.transfer)
    }

    /// Requests that wait and for which a row was activated.
    pub(super) fn activated(&self) -> usize {
        let queues = self.banks.iter().flat_map(|bank| &bank.queue);
        queues.filter(|queued| queued.activated).count()
    }
}

/// Served requests on their way back to the L2, in order.
pub(super) type Returning = VecDeque<(u64, Transfer)>;
