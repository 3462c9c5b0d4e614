//! A small in-order load/store unit, which closes the loop around [`mem_issue`](super::mem_issue).
//!
//! Source: the paper, section 2.1: "if it is a hit, the required data is returned immediately; if
//! it is a miss, cache-miss-related resources are allocated, including a miss status handling
//! register (MSHR) and a miss queue entry [...]. If any of the required resources is not available,
//! a *reservation failure* occurs and the memory pipeline is stalled. The allocated MSHR is
//! reserved until the data is fetched"; section 4.5: "all accesses to LSU are in-order".
//!
//! Each cycle, in this order:
//!
//! 1. [`Lsu::offer`]: the responses that are due free their MSHRs; at most one instruction a
//!    kernel whose last response is back completes; then the instruction at the head of the queue
//!    tries its next request. A hit is accepted and needs no MSHR. A miss needs one: without, it
//!    is a reservation failure and tries again in the next cycle. With its last request accepted
//!    an instruction leaves the queue.
//! 2. [`Lsu::issue`], if an instruction is granted: it goes to the end of the queue and tries its
//!    first request in the next cycle.
//!
//! Whether a request hits and when its response comes is drawn by the caller, so a run depends
//! on nothing else.
//!
//! What it lacks: the cache itself (what hits is drawn, and so does not depend on what else is in
//! flight), MSHR merges, the miss queue and line slots as further reasons to fail, stores, and a
//! memory whose latency depends on its load.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use serde::{Deserialize, Serialize};

use super::{MAX_KERNELS, MAX_REQUESTS};
use crate::model::{ParamError, Violation};

/// Parameters of [`Lsu`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Params {
    /// Kernels, 1 to [`MAX_KERNELS`].
    pub kernels: usize,
    /// Instructions that wait, the one at the head among them; 1 to 1024.
    pub depth: usize,
    /// Misses that may be outstanding, 1 to 65536. The paper's table 1: 128.
    pub mshrs: usize,
    /// Cycles from a hit to its response, at least 1.
    pub hit_latency: u32,
    /// Cycles from a miss to its response.
    pub miss_latency: Latency,
}

/// A range of latencies in cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Latency {
    /// The shortest, at least 1.
    pub min: u32,
    /// The longest.
    pub max: u32,
}

/// What chance decides in a cycle, should the head try a request.
///
/// A request that is refused tries again with the draw of the next cycle: to keep a miss rate, keep
/// its draw until it is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Draw {
    /// It hits.
    pub hit: bool,
    /// If it misses, the cycles to its response; brought into the range of `miss_latency`.
    pub latency: u32,
}

/// What the unit tells in a cycle; the names are those of the ports of
/// [`mem_issue`](super::mem_issue::In).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Offer {
    /// An instruction may be issued in this cycle.
    pub lsu_ready: bool,
    /// The head's request is accepted.
    pub request_valid: bool,
    /// The request is the first of its instruction.
    pub request_first: bool,
    /// The head's request is refused.
    pub fail_valid: bool,
    /// Whose the request is; 0 without one.
    pub lsu_kid: u8,
    /// The kernels of which an instruction completes.
    pub complete: u64,
}

/// An instruction from issue to its last response.
#[derive(Debug, Clone, Copy)]
struct Instruction {
    kid: u8,
    /// Requests still to be accepted.
    unsent: u64,
    /// None was accepted yet.
    first: bool,
    /// Requests accepted whose response is not back.
    unanswered: u64,
}

/// A response on its way: when it is due, whose it is, and whether it frees an MSHR.
type Response = Reverse<(u64, usize, bool)>;

/// The unit.
#[derive(Debug, Clone)]
pub struct Lsu {
    params: Params,
    cycle: u64,
    // Places for instructions; those in `free` are vacant.
    instructions: Vec<Instruction>,
    free: Vec<usize>,
    // Places of the instructions with requests to be accepted, in order.
    queue: VecDeque<usize>,
    responses: BinaryHeap<Response>,
    mshrs_in_use: usize,
    // By kernel, instructions that have all responses but have not completed.
    answered: Vec<u64>,
}

impl Lsu {
    /// An empty unit.
    ///
    /// # Errors
    /// [`ParamError`] when a parameter is out of range.
    pub fn new(params: Params) -> Result<Self, ParamError> {
        ParamError::range("kernels", params.kernels as u64, 1, MAX_KERNELS as u64)?;
        ParamError::range("depth", params.depth as u64, 1, 1024)?;
        ParamError::range("mshrs", params.mshrs as u64, 1, 1 << 16)?;
        let Latency { min, max } = params.miss_latency;
        let longest = u32::MAX.into();
        ParamError::range("hit_latency", params.hit_latency.into(), 1, longest)?;
        ParamError::range("miss_latency.min", min.into(), 1, longest)?;
        ParamError::range("miss_latency.max", max.into(), min.into(), longest)?;
        Ok(Self {
            cycle: 0,
            instructions: Vec::new(),
            free: Vec::new(),
            queue: VecDeque::with_capacity(params.depth),
            responses: BinaryHeap::new(),
            mshrs_in_use: 0,
            answered: vec![0; params.kernels],
            params,
        })
    }

    /// The parameters it was made with.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Forgets all instructions.
    pub fn reset(&mut self) {
        self.cycle = 0;
        self.instructions.clear();
        self.free.clear();
        self.queue.clear();
        self.responses.clear();
        self.mshrs_in_use = 0;
        self.answered.fill(0);
    }

    /// MSHRs in use.
    pub fn mshrs_in_use(&self) -> usize {
        self.mshrs_in_use
    }

    /// Instructions with requests that are not accepted yet.
    pub fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// The kernel whose request the next [`offer`](Self::offer) tries, if there is one.
    pub fn head(&self) -> Option<u8> {
        let place = self.queue.front()?;
        Some(self.instructions[*place].kid)
    }

    /// For how many cycles from now on nothing happens unless an instruction is issued:
    /// [`u64::MAX`] if nothing ever does.
    pub fn quiet(&self) -> u64 {
        if !self.queue.is_empty() || self.answered.iter().any(|&n| n > 0) {
            return 0;
        }
        let next = self.responses.peek();
        next.map_or(u64::MAX, |Reverse((due, ..))| due - self.cycle - 1)
    }

    /// Passes so many cycles, at most those that are [`quiet`](Self::quiet), at once.
    pub fn skip(&mut self, cycles: u64) {
        self.cycle += cycles.min(self.quiet());
    }

    /// Whether all instructions have completed.
    pub fn is_idle(&self) -> bool {
        self.free.len() == self.instructions.len() && self.answered.iter().all(|&n| n == 0)
    }

    /// The first half of a cycle: what comes back, and what the head's request does.
    pub fn offer(&mut self, draw: &Draw) -> Offer {
        self.cycle += 1;
        self.respond();
        let mut offer = Offer::default();
        for (kernel, answered) in self.answered.iter_mut().enumerate() {
            if *answered > 0 {
                *answered -= 1;
                offer.complete |= 1 << kernel;
            }
        }
        self.try_head(draw, &mut offer);
        offer.lsu_ready = self.queue.len() < self.params.depth;
        offer
    }

    /// The second half of a cycle: a memory instruction of `kid` that makes so many requests.
    ///
    /// # Errors
    /// [`Violation`] when the offer was not ready, or there is no such kernel or instruction;
    /// nothing changes then.
    pub fn issue(&mut self, kid: u8, requests: u64) -> Result<(), Violation> {
        Violation::below("kid", kid.into(), self.params.kernels)?;
        Violation::at_least("requests", requests, 1)?;
        Violation::below("requests", requests, MAX_REQUESTS as usize + 1)?;
        let space = self.queue.len() < self.params.depth;
        Violation::only_if(space, "issue", true, "the queue is full")?;
        let instruction = Instruction {
            kid,
            unsent: requests,
            first: true,
            unanswered: 0,
        };
        let place = match self.free.pop() {
            Some(place) => {
                self.instructions[place] = instruction;
                place
            }
            None => {
                self.instructions.push(instruction);
                self.instructions.len() - 1
            }
        };
        self.queue.push_back(place);
        Ok(())
    }

    /// The responses that are due.
    fn respond(&mut self) {
        while let Some(&Reverse((due, place, frees_mshr))) = self.responses.peek() {
            if due > self.cycle {
                break;
            }
            self.responses.pop();
            self.mshrs_in_use -= usize::from(frees_mshr);
            let instruction = &mut self.instructions[place];
            instruction.unanswered -= 1;
            if instruction.unsent == 0 && instruction.unanswered == 0 {
                self.answered[usize::from(instruction.kid)] += 1;
                self.free.push(place);
            }
        }
    }

    /// The head's next request, if there is a head.
    fn try_head(&mut self, draw: &Draw, offer: &mut Offer) {
        let Some(&place) = self.queue.front() else {
            return;
        };
        let instruction = &mut self.instructions[place];
        offer.lsu_kid = instruction.kid;
        if !draw.hit && self.mshrs_in_use == self.params.mshrs {
            offer.fail_valid = true;
            return;
        }
        offer.request_valid = true;
        offer.request_first = std::mem::replace(&mut instruction.first, false);
        instruction.unsent -= 1;
        instruction.unanswered += 1;
        if instruction.unsent == 0 {
            self.queue.pop_front();
        }
        let Latency { min, max } = self.params.miss_latency;
        let latency = match draw.hit {
            true => self.params.hit_latency,
            false => draw.latency.clamp(min, max),
        };
        self.mshrs_in_use += usize::from(!draw.hit);
        let due = self.cycle + u64::from(latency);
        self.responses.push(Reverse((due, place, !draw.hit)));
    }
}

#[cfg(test)]
mod tests;
