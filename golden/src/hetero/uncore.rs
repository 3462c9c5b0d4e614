//! What cores share: NoC, L3 and memory.
//!
//! Source: TAP, figure 1 and table 4.
//!
//! ASSUMPTION: requests of all cores take turns on the NoC, first come first served; replies do not
//! wait. Each tile begins one access per cycle. The L3's directory changes when a request is taken,
//! so that accesses have the order of their requests; data arrive later.

use super::clock::{Clocks, Time};
use super::config::Config;
use super::dram::Dram;
use super::event::{Event, Events};
use super::seen::Seen;
use crate::mgmt::policy::{Core, SharedCache};

/// A line that a core asks for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Request {
    /// The application, a KID.
    pub(super) app: u8,
    /// The core, CPUs first.
    pub(super) core: u16,
    /// What it is to core sampling.
    pub(super) sampled: Core,
    /// The line's number.
    pub(super) line: u64,
}

/// NoC, L3 and memory.
#[derive(Debug)]
pub(super) struct Uncore {
    pub(super) cache: SharedCache,
    pub(super) dram: Dram,
    line: u64,
    /// When the NoC takes its next request, and each tile its next access.
    free: Time,
    tiles: Vec<Time>,
    interval: Time,
    cycle: Time,
    /// From a core to the L3, or back.
    way: Time,
    lookup: Time,
    /// Requests taken, and those that hit.
    pub(super) taken: u64,
    pub(super) hits: u64,
    /// Accesses that somebody watches, until they are fetched.
    pub(super) seen: Option<Vec<Seen>>,
    /// Periods that have ended.
    pub(super) periods: usize,
}

impl Uncore {
    pub(super) fn new(config: &Config, clocks: &Clocks, cache: SharedCache) -> Self {
        let way = config.noc.latency * clocks.noc;
        Self {
            cache,
            dram: Dram::new(&config.dram, config.l3.line, clocks.dram, way),
            line: config.l3.line,
            free: 0,
            tiles: vec![0; config.l3.tiles],
            interval: config.noc.interval * clocks.noc,
            cycle: clocks.noc,
            way,
            lookup: config.l3.latency * clocks.noc,
            taken: 0,
            hits: 0,
            seen: None,
            periods: 0,
        }
    }

    /// A core sends a request.
    pub(super) fn request(&mut self, now: Time, request: &Request, events: &mut Events) {
        let Request {
            app,
            core,
            sampled,
            line,
        } = *request;
        let sent = now.max(self.free);
        self.free = sent + self.interval;
        let tile = (line & (self.tiles.len() as u64 - 1)) as usize;
        let begun = self.tiles[tile].max(sent + self.way);
        self.tiles[tile] = begun + self.cycle;
        let number = self.taken;
        self.taken += 1;
        // All applications are known to the cache; otherwise the counts would not add up.
        let outcome = self.cache.access_by(sampled, app, line * self.line);
        if let (Some(seen), Ok(outcome)) = (&mut self.seen, outcome) {
            seen.push(Seen {
                cycle: begun / self.cycle,
                number,
                app,
                address: line * self.line,
                sampled,
                outcome,
                period: self.periods,
            });
        }
        if outcome.is_ok_and(|outcome| outcome.hit) {
            self.hits += 1;
            let back = begun + self.lookup + self.way;
            events.add(back, Event::Reply { core, line });
        } else {
            events.add(begun + self.lookup, Event::Fetch { core, line });
        }
    }
}
