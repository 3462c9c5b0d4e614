//! Accesses that compete: MSHRs, banks and bus of a module, event by event.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::{Memory, Next, Place};

/// A sector on its way from memory, and the threads that wait for it.
#[derive(Debug)]
struct Mshr {
    place: Place,
    waiting: Vec<usize>,
}

/// What the sets and banks of a module share.
#[derive(Debug, Default)]
pub(super) struct Module {
    mshrs: Vec<Mshr>,
    /// Threads that wait for an MSHR, in order.
    blocked: VecDeque<usize>,
    /// When the bus is free.
    pub(super) bus: u64,
}

/// Who reads.
#[derive(Debug)]
pub(super) struct Thread {
    /// In turn, over and over.
    pub(super) addresses: Vec<u64>,
    /// Cycles after the others' beginning.
    pub(super) start: u64,
    /// How many reads.
    pub(super) reads: u64,
}

/// What happens in a cycle. Of one cycle the earlier planned goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A thread's read is at its set.
    Lookup(usize),
    /// A bank may take a request.
    Bank(usize, usize),
    /// A bank's column command.
    Column(usize, usize),
    /// The data of a thread's miss comes to its set.
    Fill(usize),
    /// A thread has its data.
    Done(usize),
}

/// Events to come.
#[derive(Debug, Default)]
struct Events {
    heap: BinaryHeap<Reverse<(u64, u64, Event)>>,
    planned: u64,
}

impl Events {
    fn plan(&mut self, at: u64, event: Event) {
        self.planned += 1;
        self.heap.push(Reverse((at, self.planned, event)));
    }
}

impl Memory {
    /// Runs until a thread is done, or all are: the cycle of that. Nothing is under way then.
    pub(super) fn run(&mut self, threads: &[Thread], until: Option<usize>) -> u64 {
        let mut events = Events::default();
        let mut places: Vec<Place> = vec![];
        let mut left: Vec<u64> = vec![];
        for (number, thread) in threads.iter().enumerate() {
            places.push(self.map.place(thread.addresses[0]));
            left.push(thread.reads);
            let at = self.now + thread.start + self.there;
            events.plan(at, Event::Lookup(number));
        }
        let mut ended = None;
        while let Some(Reverse((now, _, event))) = events.heap.pop() {
            self.now = now;
            match event {
                Event::Lookup(thread) => self.look_up(thread, &places, &mut events),
                Event::Bank(module, bank) => self.ask(module, bank, &mut events),
                Event::Column(module, bank) => {
                    let bus = &mut self.modules[module].bus;
                    let served = self.banks[bank].column(now, bus, &self.timing);
                    if let Some((thread, data)) = served {
                        events.plan(data + self.latency, Event::Fill(thread));
                    }
                    self.ask(module, bank, &mut events);
                }
                Event::Fill(thread) => self.fill(thread, &places, &mut events),
                Event::Done(thread) => {
                    left[thread] -= 1;
                    if left[thread] == 0 && until == Some(thread) {
                        ended = Some(now);
                    }
                    if left[thread] > 0 && ended.is_none() {
                        let addresses = &threads[thread].addresses;
                        let read = (threads[thread].reads - left[thread]) as usize;
                        places[thread] = self.map.place(addresses[read % addresses.len()]);
                        events.plan(now + self.there, Event::Lookup(thread));
                    }
                }
            }
        }
        ended.unwrap_or(self.now)
    }

    fn look_up(&mut self, thread: usize, places: &[Place], events: &mut Events) {
        let place = places[thread];
        if self.cache.read(place.set, place.line, place.sector) {
            events.plan(self.now + self.back, Event::Done(thread));
            return;
        }
        let module = &mut self.modules[place.module];
        if let Some(mshr) = module.mshrs.iter_mut().find(|mshr| mshr.place == place) {
            mshr.waiting.push(thread);
        } else if module.mshrs.len() < self.mshrs {
            let waiting = vec![thread];
            module.mshrs.push(Mshr { place, waiting });
            self.banks[place.bank].push(thread, place.row, self.clearings);
            self.ask(place.module, place.bank, events);
        } else {
            module.blocked.push_back(thread);
        }
    }

    /// Lets a bank go on, if it can.
    fn ask(&mut self, module: usize, bank: usize, events: &mut Events) {
        match self.banks[bank].next(self.now, &self.timing) {
            Some(Next::Ask(free)) => events.plan(free, Event::Bank(module, bank)),
            Some(Next::Column(at)) => events.plan(at, Event::Column(module, bank)),
            None => {}
        }
    }

    /// The data of a miss, for which a thread's MSHR waits.
    fn fill(&mut self, thread: usize, places: &[Place], events: &mut Events) {
        let place = places[thread];
        self.cache.fill(place.set, place.line, place.sector);
        let module = &mut self.modules[place.module];
        if let Some(done) = module.mshrs.iter().position(|mshr| mshr.place == place) {
            for waiting in module.mshrs.swap_remove(done).waiting {
                events.plan(self.now + self.back, Event::Done(waiting));
            }
        }
        // The MSHR is free, and those that find their data now do not need it.
        while self.modules[place.module].mshrs.len() < self.mshrs {
            let Some(next) = self.modules[place.module].blocked.pop_front() else {
                break;
            };
            self.look_up(next, places, events);
        }
    }
}
