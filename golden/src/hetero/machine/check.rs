//! Checks that no request is lost: at each level those that came in have been answered or are on
//! their way.

use super::Machine;
use crate::hetero::event::Event;

/// Counts that do not add up, which is an error of the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {what} are {count}, expected the {expected} {other}")]
pub struct Imbalance {
    /// Where.
    pub place: String,
    /// The one.
    pub what: &'static str,
    /// What it counts.
    pub count: u64,
    /// The other.
    pub other: &'static str,
    /// What that counts.
    pub expected: u64,
}

impl Machine {
    /// Whether all counts add up now.
    ///
    /// # Errors
    /// The first [`Imbalance`], from the cores to memory.
    pub fn check(&self) -> Result<(), Imbalance> {
        let cpus = self.cpus.iter().enumerate();
        let cpus = cpus.map(|(core, it)| (core, it.sent, it.replied, it.in_flight()));
        let gpus = (self.first_gpu.into()..).zip(&self.gpus);
        let gpus = gpus.map(|(core, it)| (core, it.sent, it.replied, it.in_flight()));
        let (mut all_sent, mut all_replied) = (0, 0);
        for (core, sent, replied, in_flight) in cpus.chain(gpus) {
            let place = || format!("core {core}");
            let answered = ["answered and in flight", "sent"];
            equal(place, answered, replied + in_flight, sent)?;
            all_sent += sent;
            all_replied += replied;
        }

        let on_the_way = |is: fn(&Event) -> bool| self.events.count(is);
        let replies = on_the_way(|event| matches!(event, Event::Reply { .. }));
        let fetches = on_the_way(|event| matches!(event, Event::Fetch { .. }));
        let (shared, dram) = (&self.shared, &self.shared.dram);
        let l3 = || "L3".to_owned();
        let memory = || "memory".to_owned();
        equal(l3, ["taken", "sent by cores"], shared.taken, all_sent)?;
        let counts = shared.cache.counts();
        let looked_up = counts.iter().map(|it| it.accesses).sum();
        equal(l3, ["looked up", "taken"], looked_up, shared.taken)?;
        let missed = counts.iter().map(|it| it.misses).sum();
        let fetched = dram.arrived + fetches;
        equal(memory, ["fetched", "missed"], fetched, missed)?;
        let held = dram.served + dram.waiting();
        equal(
            memory,
            ["served and waiting", "arrived"],
            held,
            dram.arrived,
        )?;
        let answered = all_replied + replies;
        let answers = ["at cores and on the way back", "hits and served"];
        equal(l3, answers, answered, shared.hits + dram.served)
    }
}

fn equal(
    place: impl Fn() -> String,
    [what, other]: [&'static str; 2],
    count: u64,
    expected: u64,
) -> Result<(), Imbalance> {
    match count == expected {
        true => Ok(()),
        false => Err(Imbalance {
            place: place(),
            what,
            count,
            other,
            expected,
        }),
    }
}
