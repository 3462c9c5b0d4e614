//! A channel of memory: banks with row buffers, a command bus, a data bus, FR-FCFS.
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
    /// To store an evicted line's dirty sectors.
    WriteBack,
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

/// What a bank does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Command {
    /// RD or WR of the request at this place in its queue.
    Column(usize),
    Precharge,
    Activate,
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
    /// Its next command, the cycle from which on the bank allows it, and its request's age.
    next: Command,
    at: u64,
    age: u64,
}

impl Bank {
    /// Decides anew on the next command; the queue is not empty.
    fn decide(&mut self) {
        let hit = |queued: &Queued| Some(queued.row) == self.open;
        let found = self.queue.iter().position(hit);
        let (next, at) = match (found, self.open) {
            (Some(place), _) => (Command::Column(place), self.column),
            (None, Some(_)) => (Command::Precharge, self.precharge),
            (None, None) => (Command::Activate, self.activate),
        };
        (self.next, self.at) = (next, at);
        self.age = self.queue[found.unwrap_or(0)].age;
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
    /// The banks that have requests.
    busy: u64,
    held: usize,
    arrivals: u64,
    /// When the data bus is free, in bytes since cycle 0, so that nothing is rounded.
    bus_free: u64,
    /// The first cycle in which a column command's data finds the bus free.
    bus_ready: u64,
    /// The first cycle in which a command can be issued; `u64::MAX` if there is none.
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
            next: Command::Activate,
            at: 0,
            age: 0,
        };
        Self {
            lines_a_row: timing.row / line,
            banks: (0..timing.banks).map(|_| bank()).collect(),
            busy: 0,
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

    /// The first cycle of the memory's clock in which a command can be issued.
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
        self.busy |= 1 << place;
        let bank = &mut self.banks[place];
        bank.queue.push(Queued {
            transfer,
            row,
            age: self.arrivals,
            activated: false,
        });
        bank.decide();
        self.next = self.next.min(self.ready(place)).max(from);
    }

    /// When the bank's next command is possible.
    #[inline]
    fn ready(&self, place: usize) -> u64 {
        let bank = &self.banks[place];
        match bank.next {
            Command::Column(_) => bank.at.max(self.bus_ready),
            Command::Precharge | Command::Activate => bank.at,
        }
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

    /// The one command of a cycle.
    fn issue(&mut self, cycle: u64) -> Option<Served> {
        // Columns first, then by age.
        let mut best = (true, u64::MAX, usize::MAX);
        let mut busy = self.busy;
        while busy != 0 {
            let place = busy.trailing_zeros() as usize;
            busy &= busy - 1;
            if self.ready(place) <= cycle {
                let bank = &self.banks[place];
                let row = !matches!(bank.next, Command::Column(_));
                best = best.min((row, bank.age, place));
            }
        }
        let place = best.2;
        let served = (place != usize::MAX)
            .then(|| self.command(place, cycle))
            .flatten();
        self.next = u64::MAX;
        let mut busy = self.busy;
        while busy != 0 {
            let place = busy.trailing_zeros() as usize;
            busy &= busy - 1;
            self.next = self.next.min(self.ready(place));
        }
        self.next = self.next.max(cycle + 1);
        served
    }

    fn command(&mut self, place: usize, cycle: u64) -> Option<Served> {
        let bank = &mut self.banks[place];
        let mut served = None;
        match bank.next {
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
            Command::Column(queue_place) => {
                let queued = bank.queue.remove(queue_place);
                let bus = self.timing.bus;
                let bytes = u64::from(queued.transfer.bytes);
                let data = cycle + u64::from(self.timing.t_cl);
                self.bus_free = self.bus_free.max(data * bus) + bytes;
                // A burst may start in the cycle in which the one before ends.
                self.bus_ready = (self.bus_free / bus).saturating_sub(self.timing.t_cl.into());
                bank.precharge = bank.precharge.max(cycle + bytes.div_ceil(bus));
                self.held -= 1;
                if bank.queue.is_empty() {
                    self.busy &= !(1 << place);
                }
                match queued.transfer.purpose {
                    Purpose::Fetch { .. } => self.stats.reads += 1,
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
        let bank = &mut self.banks[place];
        if !bank.queue.is_empty() {
            bank.decide();
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
