//! The operation of UPDATE in a cycle.

use cotenant_golden::llc::llc_monitor::{Bank, Request, Set};

/// The request in UPDATE.
pub(crate) fn due(bank: &Bank) -> &Request {
    &bank.in_flight[bank.in_flight.len() - 1]
}

/// A request in UPDATE.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Served {
    pub kind: Kind,
    pub set: u32,
    /// The tag of the line that comes.
    pub filled: Option<u64>,
    /// The tag of the valid line that goes.
    pub gone: Option<u64>,
    /// The position of an access, the number of ways for a miss.
    pub position: usize,
    /// The owner of the line hit or replaced.
    pub owner: Option<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Kind {
    #[default]
    Nothing,
    Hit,
    Miss,
    Invalidation,
    Clear,
}

impl Served {
    /// Names of the classes of [`after`](Served::after).
    pub const NAMES: [&'static str; 9] = [
        "nothing",
        "hit, same set",
        "hit, other set",
        "miss, same set",
        "miss, other set",
        "invalidation, same set",
        "invalidation, other set",
        "clear, same set",
        "clear, other set",
    ];
    /// Classes of a clear.
    pub const CLEARS: [usize; 2] = [7, 8];
    /// The class of a miss in the same set.
    pub const MISS_SAME: usize = 3;

    /// Whether a class is of a hit.
    pub fn is_hit(class: usize) -> bool {
        class == 1 || class == 2
    }

    /// The class of this request, seen from a later one to `set`.
    pub fn after(&self, set: u32) -> usize {
        let kind = match self.kind {
            Kind::Nothing => return 0,
            Kind::Hit => 1,
            Kind::Miss => 3,
            Kind::Invalidation => 5,
            Kind::Clear => 7,
        };
        kind + usize::from(self.set != set)
    }

    /// What UPDATE is about to do in a bank.
    pub fn of(bank: &Bank) -> Self {
        let request = due(bank);
        let (set, Set { stack, tag }) = (request.set, &bank.sets[request.set as usize]);
        let valid = |position: usize| stack.valid >> position & 1 == 1;
        let tag_at = |position: usize| tag[usize::from(stack.way[position])];
        let served = Self {
            set,
            ..Self::default()
        };
        if request.clear {
            return Self {
                kind: Kind::Clear,
                ..served
            };
        }
        if request.invalidate {
            let position = stack.way.iter().position(|&way| way == request.way);
            let line = position.filter(|&position| valid(position));
            return Self {
                kind: Kind::Invalidation,
                gone: line.map(tag_at),
                ..served
            };
        }
        if !request.access {
            return served;
        }
        let ways = tag.len();
        let hit = (0..ways).find(|&at| valid(at) && tag_at(at) == request.tag);
        let touched = hit.unwrap_or(ways - 1);
        let line = valid(touched).then_some(touched);
        let miss = hit.is_none();
        Self {
            kind: if miss { Kind::Miss } else { Kind::Hit },
            position: hit.unwrap_or(ways),
            owner: line.map(|at| stack.owner[at]),
            filled: miss.then_some(request.tag),
            gone: line.filter(|_| miss).map(tag_at),
            ..served
        }
    }

    /// What this request, done so many cycles before, `most` at most, has done to a tag of a set: a
    /// class of the tags' cross.
    pub fn did_to(&self, set: u32, tag: u64, before: usize, most: usize) -> Option<usize> {
        if self.set != set {
            return None;
        }
        let event = match self.kind {
            _ if self.filled == Some(tag) => 0,
            _ if self.gone != Some(tag) => return None,
            Kind::Invalidation => 2,
            _ => 1,
        };
        Some(most * event + before)
    }
}
