//! An out-of-order core, by the times at which its loads are dispatched, done and retired.
//!
//! Source: TAP, table 4: "4-wide, out-or-order". Instructions are dispatched in order, one per slot
//! of the application, as long as the reorder buffer has room: one that is `reorder` instructions
//! ahead waits until that one has retired. They retire in order, one per slot of the core. A load
//! looks its line up when it is dispatched, or, if it is chained to another load, when that one is
//! done; other loads pass it meanwhile. So misses overlap as far as the window reaches, the MSHRs
//! suffice and the application's lists allow.
//!
//! Times of what happens in the core's own caches are known at once, so it runs ahead of the
//! platform's time; only misses of its L2 are events.
//!
//! ASSUMPTION: lines are allocated in L1 and L2 at the miss; a load of a line on its way waits for
//! it without an MSHR. ASSUMPTION: lines that are evicted from the L2 are clean.

use std::collections::VecDeque;

use super::application::{Application, Cpu};
use super::clock::{Clocks, Time};
use super::config::Config;
use super::event::{Event, Events};
use super::private::Private;
use super::stream::Stream;
use super::uncore::{Request, Uncore};
use crate::mgmt::policy::Core;

/// Cycles by which a core runs ahead, at most; results do not depend on it.
const AHEAD: u64 = 1000;

#[derive(Debug, Clone, Copy)]
enum State {
    /// Looks its line up when another load is done.
    After(u64),
    /// Its line is on the way for another load.
    With(u64),
    Missing,
    Done(Time),
}

#[derive(Debug, Clone, Copy)]
struct Load {
    /// Its place in the program.
    place: u64,
    dispatched: Time,
    line: u64,
    state: State,
}

/// The next load to be dispatched.
#[derive(Debug, Clone, Copy)]
struct Next {
    place: u64,
    part: usize,
    line: u64,
}

/// A core with its application.
#[derive(Debug, Clone)]
pub(super) struct CpuCore {
    number: u16,
    app: u8,
    stream: Stream,
    chained: Vec<bool>,
    l1d: Private,
    l2: Private,
    clocks: Clocks,
    /// Ticks of an instruction.
    slot: Time,
    reorder: u64,
    hit: Time,
    l2_hit: Time,
    mshrs: usize,

    /// Loads in the window, by number from `first` on.
    loads: VecDeque<Load>,
    first: u64,
    /// The last load of each part.
    last: Vec<Option<u64>>,
    next: Option<Next>,
    /// The last instruction that was dispatched, and when.
    place: u64,
    front: Time,
    /// A retired load's place, and when it was.
    retired: (u64, Time),
    /// It waits for the oldest load.
    blocked: bool,
    /// Lines on the way, with the load for which they are.
    missing: Vec<(u64, u64)>,
    /// Those that wait for an MSHR.
    waiting: VecDeque<u64>,
    in_flight: usize,
    pub(super) sent: u64,
    pub(super) replied: u64,
}

impl CpuCore {
    pub(super) fn new(
        config: &Config,
        clocks: Clocks,
        number: usize,
        application: &Application<Cpu>,
        seed: u64,
    ) -> Self {
        let cpu = &config.cpu;
        let line = config.l3.line;
        let parts = &application.parts;
        let hit = cpu.l1d.latency * clocks.cpu;
        Self {
            number: number as u16,
            app: number as u8,
            stream: Stream::new(seed, number, 1, line, application.memory, parts),
            chained: parts.iter().map(|part| part.chained).collect(),
            l1d: Private::new(&cpu.l1d, line),
            l2: Private::new(&cpu.l2, line),
            clocks,
            slot: application.on.slots * clocks.slot,
            reorder: cpu.reorder,
            hit,
            l2_hit: hit + cpu.l2.latency * clocks.cpu,
            mshrs: cpu.mshrs,
            loads: VecDeque::new(),
            first: 0,
            last: vec![None; parts.len()],
            next: None,
            place: 0,
            front: 0,
            retired: (0, 0),
            blocked: false,
            missing: Vec::new(),
            waiting: VecDeque::new(),
            in_flight: 0,
            sent: 0,
            replied: 0,
        }
    }

    /// Instructions dispatched.
    pub(super) fn instructions(&self) -> u64 {
        self.place
    }

    /// Lines in MSHRs.
    pub(super) fn in_flight(&self) -> u64 {
        self.in_flight as u64
    }

    /// Dispatches as far as it can.
    pub(super) fn advance(&mut self, now: Time, events: &mut Events) {
        loop {
            if self.front > now + AHEAD * self.clocks.cpu {
                let core = self.number;
                return events.add(self.front, Event::Cpu { core });
            }
            let next = self.next.take().unwrap_or_else(|| self.draw());
            let window = next.place.checked_sub(self.reorder);
            if window.is_some_and(|oldest| !self.retire(oldest)) {
                self.next = Some(next);
                self.blocked = true;
                return;
            }
            let unhindered = self.front + (next.place - self.place) * self.slot;
            let (place, time) = self.retired;
            let room = window.and_then(|oldest| oldest.checked_sub(place));
            let room = room.map_or(0, |since| time + since * self.clocks.slot);
            (self.place, self.front) = (next.place, unhindered.max(room));
            self.dispatch(now, next, events);
        }
    }

    fn draw(&mut self) -> Next {
        let place = self.place + self.stream.gap();
        let (part, line) = self.stream.access();
        Next { place, part, line }
    }

    /// Retires loads up to a place, unless one of them is not done.
    fn retire(&mut self, oldest: u64) -> bool {
        while let Some(load) = self.loads.front() {
            if load.place > oldest {
                break;
            }
            let State::Done(done) = load.state else {
                return false;
            };
            let (place, time) = self.retired;
            let in_order = time + (load.place - place) * self.clocks.slot;
            self.retired = (load.place, in_order.max(done));
            self.loads.pop_front();
            self.first += 1;
        }
        true
    }

    fn dispatch(&mut self, now: Time, next: Next, events: &mut Events) {
        let number = self.first + self.loads.len() as u64;
        let state = match self.last[next.part].filter(|_| self.chained[next.part]) {
            Some(other) => State::After(other),
            None => State::Done(0),
        };
        self.last[next.part] = Some(number);
        self.loads.push_back(Load {
            place: next.place,
            dispatched: self.front,
            line: next.line,
            state,
        });
        let from = match state {
            State::After(other) => self.done(other),
            _ => Some(0),
        };
        if let Some(from) = from {
            self.look_up(now, number, from, events);
        }
    }

    /// When a load is done, if that is known; those that have retired have been long ago.
    fn done(&self, number: u64) -> Option<Time> {
        let Some(index) = number.checked_sub(self.first) else {
            return Some(0);
        };
        match self.loads[index as usize].state {
            State::Done(time) => Some(time),
            _ => None,
        }
    }

    /// A load looks its line up, not before a time.
    fn look_up(&mut self, now: Time, number: u64, from: Time, events: &mut Events) {
        let load = &mut self.loads[(number - self.first) as usize];
        let (line, from) = (load.line, from.max(load.dispatched));
        let on_the_way = self.missing.iter().find(|(missing, _)| *missing == line);
        load.state = if let Some((_, other)) = on_the_way {
            State::With(*other)
        } else if self.l1d.access(line) {
            State::Done(from + self.hit)
        } else if self.l2.access(line) {
            State::Done(from + self.l2_hit)
        } else {
            self.missing.push((line, number));
            let core = self.number;
            events.add((from + self.l2_hit).max(now), Event::Missed { core, line });
            State::Missing
        };
    }

    /// A line has missed the core's caches.
    pub(super) fn missed(&mut self, now: Time, line: u64, shared: &mut Uncore, to: &mut Events) {
        if self.in_flight == self.mshrs {
            return self.waiting.push_back(line);
        }
        self.in_flight += 1;
        self.sent += 1;
        let request = Request {
            app: self.app,
            core: self.number,
            sampled: Core::Follower,
            line,
        };
        shared.request(now, &request, to);
    }

    /// A line arrives.
    pub(super) fn reply(&mut self, now: Time, line: u64, shared: &mut Uncore, to: &mut Events) {
        self.in_flight -= 1;
        self.replied += 1;
        if let Some(waiting) = self.waiting.pop_front() {
            self.missed(now, waiting, shared, to);
        }
        let entry = self
            .missing
            .iter()
            .position(|(missing, _)| *missing == line);
        let Some(entry) = entry else { return };
        let (_, number) = self.missing.swap_remove(entry);
        let index = (number - self.first) as usize;
        self.loads[index].state = State::Done(now);
        // Those that have its line may come earlier in the program; all that are chained to any of
        // these come later.
        for index in 0..self.loads.len() {
            let load = self.loads[index];
            match load.state {
                State::After(other) => {
                    if let Some(done) = self.done(other) {
                        self.look_up(now, self.first + index as u64, done, to);
                    }
                }
                State::With(other) => {
                    if let Some(done) = self.done(other) {
                        let hit = load.dispatched + self.hit;
                        self.loads[index].state = State::Done(hit.max(done));
                    }
                }
                State::Missing | State::Done(_) => {}
            }
        }
        if std::mem::take(&mut self.blocked) {
            self.advance(now, to);
        }
    }
}
