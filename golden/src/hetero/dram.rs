//! Memory: channels with banks, open rows, FR-FCFS and a data bus each.
//!
//! Source: TAP, table 4; first-ready, first-come-first-served as in Rixner et al., ISCA 2000. Each
//! bank takes the oldest of its requests whose row is open, or else the oldest one; banks whose
//! rows are open have the data bus in the order in which they were ready.
//!
//! ASSUMPTION: neither refreshes nor limits on commands of different banks; a row stays open until
//! another one is needed. The queues hold whatever cores have on the way.
//! ASSUMPTION: neighbouring lines are in different channels, then in a row's columns; the bank is
//! xored with the row's lowest bits, so that rows in step do not fall into the same bank.

use std::collections::VecDeque;

use super::clock::Time;
use super::config;
use super::event::{Event, Events};

#[derive(Debug, Clone, Copy)]
struct Queued {
    core: u16,
    line: u64,
    row: u64,
}

#[derive(Debug, Clone, Default)]
struct Bank {
    /// Waiting, the oldest first.
    queue: VecDeque<Queued>,
    /// The one whose row is being opened, or is open.
    served: Option<Queued>,
    open: Option<u64>,
    activated: Time,
    /// From when on the next command can be given.
    free: Time,
}

/// Memory.
#[derive(Debug, Clone)]
pub(super) struct Dram {
    channels: Vec<Channel>,
    channel_bits: u32,
    /// Lines of a row.
    columns: u64,
    banks: u64,
    times: Times,
    /// Requests that have arrived, and whose data have been on the bus.
    pub(super) arrived: u64,
    pub(super) served: u64,
}

#[derive(Debug, Clone)]
struct Channel {
    banks: Vec<Bank>,
    bus: Time,
}

/// In ticks.
#[derive(Debug, Clone, Copy)]
struct Times {
    rp: Time,
    rcd: Time,
    ras: Time,
    cl: Time,
    burst: Time,
    /// From the data on the bus to the core.
    back: Time,
}

impl Dram {
    /// With so many ticks of a cycle, and from the L3 back to a core.
    pub(super) fn new(config: &config::Dram, line: u64, cycle: Time, back: Time) -> Self {
        let channel = Channel {
            banks: vec![Bank::default(); config.banks],
            bus: 0,
        };
        Self {
            channels: vec![channel; config.channels],
            channel_bits: config.channels.trailing_zeros(),
            columns: config.row / line,
            banks: config.banks as u64,
            times: Times {
                rp: config.t_rp * cycle,
                rcd: config.t_rcd * cycle,
                ras: config.t_ras * cycle,
                cl: config.t_cl * cycle,
                burst: line.div_ceil(config.bus) * cycle,
                back: config.latency * cycle + back,
            },
            arrived: 0,
            served: 0,
        }
    }

    /// A request arrives.
    pub(super) fn fetch(&mut self, now: Time, core: u16, line: u64, events: &mut Events) {
        self.arrived += 1;
        let channel = (line & (self.channels.len() as u64 - 1)) as usize;
        let row = (line >> self.channel_bits) / self.columns;
        let (row, bank) = (row / self.banks, row % self.banks);
        let bank = ((bank ^ row) & (self.banks - 1)) as usize;
        let queued = Queued { core, line, row };
        self.channels[channel].banks[bank].queue.push_back(queued);
        self.open(now, channel, bank, events);
    }

    /// A bank opens the row of its next request, if it has none.
    fn open(&mut self, now: Time, channel: usize, number: usize, events: &mut Events) {
        let times = self.times;
        let bank = &mut self.channels[channel].banks[number];
        if bank.served.is_some() || bank.queue.is_empty() {
            return;
        }
        let first_ready = bank.queue.iter().position(|it| Some(it.row) == bank.open);
        let Some(next) = bank.queue.remove(first_ready.unwrap_or(0)) else {
            return;
        };
        let mut ready = now.max(bank.free);
        if first_ready.is_none() {
            if bank.open.is_some() {
                ready = ready.max(bank.activated + times.ras) + times.rp;
            }
            bank.activated = ready;
            ready += times.rcd;
        }
        bank.open = Some(next.row);
        bank.served = Some(next);
        let (channel, bank) = (channel as u16, number as u16);
        events.add(ready, Event::Column { channel, bank });
    }

    /// A bank has its row open: its data pass when the bus is free.
    pub(super) fn column(&mut self, now: Time, channel: u16, bank: u16, events: &mut Events) {
        let Times {
            cl, burst, back, ..
        } = self.times;
        let (channel, number) = (usize::from(channel), usize::from(bank));
        let Channel { banks, bus } = &mut self.channels[channel];
        let bank = &mut banks[number];
        let Some(Queued { core, line, .. }) = bank.served.take() else {
            return;
        };
        let data = (now + cl).max(*bus);
        *bus = data + burst;
        bank.free = data - cl + burst;
        self.served += 1;
        events.add(data + burst + back, Event::Reply { core, line });
        self.open(now, channel, number, events);
    }

    /// Requests that wait in all channels.
    pub(super) fn waiting(&self) -> u64 {
        let banks = self.channels.iter().flat_map(|channel| &channel.banks);
        let waiting = banks.map(|bank| bank.queue.len() + usize::from(bank.served.is_some()));
        waiting.sum::<usize>() as u64
    }
}
