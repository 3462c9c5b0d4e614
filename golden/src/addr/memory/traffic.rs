//! A memory under the traffic of a whole GPU: sets, MSHRs, banks and buses, for the events of
//! whoever has the clock.
//!
//! It is the memory of [`Memory`](super::Memory) with requests of whole lines.
//! ASSUMPTION: a warp of 32 threads reads 4 bytes each, so a request is for a line; it takes one
//! MSHR ("one MSHR is allocated for each request that causes a cache miss", Fractional GPUs,
//! section IV-E), and its sectors follow each other on the bus.
//! ASSUMPTION: a write takes what a read takes; write-backs take nothing.

use std::collections::VecDeque;

use super::cache::Cache;
use super::config;
use super::dram::{Bank, Next, Timing};
use super::{Config, Map, MemoryError};
use crate::addr::mapping::Mapping;

/// What the memory wants to be told of, at a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::addr) enum MemoryEvent {
    /// A request is at its set.
    Lookup(usize),
    /// A bank may take a request.
    Bank(usize),
    /// A bank's column command.
    Column(usize),
    /// The line of a request comes to its set.
    Fill(usize),
}

/// What a call has led to.
#[derive(Debug, Default)]
pub(in crate::addr) struct Consequences {
    /// Events to come, with their cycles.
    pub events: Vec<(u64, MemoryEvent)>,
    /// Requests that are answered, with the cycles in which they are.
    pub answered: Vec<(u64, usize)>,
}

/// Where a line is.
#[derive(Debug, Clone, Copy, Default)]
struct Home {
    module: usize,
    bank: usize,
    set: usize,
    row: u64,
    line: u64,
}

/// A line on its way, and the requests that wait for it.
#[derive(Debug)]
struct Mshr {
    line: u64,
    waiting: Vec<usize>,
}

#[derive(Debug, Default)]
struct Module {
    mshrs: Vec<Mshr>,
    /// Requests that wait for an MSHR, in order.
    blocked: VecDeque<usize>,
    bus: u64,
}

/// What has happened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::addr) struct Lookups {
    pub hits: u64,
    /// Lines fetched.
    pub fetches: u64,
}

/// The memory.
#[derive(Debug)]
pub(in crate::addr) struct Traffic {
    map: Map,
    there: u64,
    back: u64,
    latency: u64,
    mshrs: usize,
    timing: Timing,
    cache: Cache,
    banks: Vec<Bank>,
    /// By bank, its module.
    module_of: Vec<usize>,
    modules: Vec<Module>,
    /// By request.
    homes: Vec<Home>,
    lookups: Lookups,
}

impl Traffic {
    /// An empty memory.
    ///
    /// # Errors
    /// As [`Memory::new`](super::Memory::new).
    pub fn new(config: &Config, mapping: &Mapping) -> Result<Self, MemoryError> {
        config.check().map_err(|source| MemoryError::Param {
            name: config.name.clone(),
            source,
        })?;
        config::fits(mapping, &(0..1))?;
        let (table, there) = (mapping.table(), config.hit_latency / 2);
        let banks = table.banks as usize;
        Ok(Self {
            map: Map::new(mapping),
            there,
            back: config.hit_latency - there,
            latency: config.latency,
            mshrs: config.mshrs,
            timing: config.timing(table.line),
            cache: Cache::new(table.sets as usize, config.ways),
            banks: (0..banks).map(|_| Bank::new()).collect(),
            module_of: vec![0; banks],
            modules: (0..table.modules).map(|_| Module::default()).collect(),
            homes: vec![],
            lookups: Lookups::default(),
        })
    }

    /// Cycles of a hit.
    pub fn hit_latency(&self) -> u64 {
        self.there + self.back
    }

    /// What the sets have seen.
    pub fn lookups(&self) -> Lookups {
        self.lookups
    }

    /// A request for the line of an address leaves its SM. Requests are numbered by the caller,
    /// who may use a number again when it is answered.
    pub fn request(&mut self, now: u64, request: usize, address: u64, then: &mut Consequences) {
        let place = self.map.place(address);
        if self.homes.len() <= request {
            self.homes.resize(request + 1, Home::default());
        }
        self.module_of[place.bank] = place.module;
        self.homes[request] = Home {
            module: place.module,
            bank: place.bank,
            set: place.set,
            row: place.row,
            line: place.line,
        };
        let event = MemoryEvent::Lookup(request);
        then.events.push((now + self.there, event));
    }

    /// An event that was asked for.
    pub fn event(&mut self, now: u64, event: MemoryEvent, then: &mut Consequences) {
        match event {
            MemoryEvent::Lookup(request) => self.look_up(now, request, then),
            MemoryEvent::Bank(bank) => self.ask(now, bank, then),
            MemoryEvent::Column(bank) => {
                let bus = &mut self.modules[self.module_of[bank]].bus;
                if let Some((request, data)) = self.banks[bank].column(now, bus, &self.timing) {
                    let event = MemoryEvent::Fill(request);
                    then.events.push((data + self.latency, event));
                }
                self.ask(now, bank, then);
            }
            MemoryEvent::Fill(request) => self.fill(now, request, then),
        }
    }

    fn look_up(&mut self, now: u64, request: usize, then: &mut Consequences) {
        let home = self.homes[request];
        // A line is there or not: one sector stands for all.
        if self.cache.read(home.set, home.line, 0) {
            self.lookups.hits += 1;
            then.answered.push((now + self.back, request));
            return;
        }
        let module = &mut self.modules[home.module];
        if let Some(mshr) = module.mshrs.iter_mut().find(|it| it.line == home.line) {
            mshr.waiting.push(request);
        } else if module.mshrs.len() < self.mshrs {
            module.mshrs.push(Mshr {
                line: home.line,
                waiting: vec![request],
            });
            self.lookups.fetches += 1;
            self.banks[home.bank].push(request, home.row, 0);
            self.ask(now, home.bank, then);
        } else {
            module.blocked.push_back(request);
        }
    }

    fn ask(&mut self, now: u64, bank: usize, then: &mut Consequences) {
        match self.banks[bank].next(now, &self.timing) {
            Some(Next::Ask(free)) => then.events.push((free, MemoryEvent::Bank(bank))),
            Some(Next::Column(at)) => then.events.push((at, MemoryEvent::Column(bank))),
            None => {}
        }
    }

    fn fill(&mut self, now: u64, request: usize, then: &mut Consequences) {
        let home = self.homes[request];
        self.cache.fill(home.set, home.line, 0);
        let module = &mut self.modules[home.module];
        if let Some(done) = module.mshrs.iter().position(|it| it.line == home.line) {
            let back = now + self.back;
            let waiting = module.mshrs.swap_remove(done).waiting;
            then.answered
                .extend(waiting.into_iter().map(|it| (back, it)));
        }
        while self.modules[home.module].mshrs.len() < self.mshrs {
            let Some(next) = self.modules[home.module].blocked.pop_front() else {
                break;
            };
            self.look_up(now, next, then);
        }
    }
}
