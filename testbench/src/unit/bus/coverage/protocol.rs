//! Coverage of the bus protocols.

use cotenant_golden::bus::apb4::{self, Apb4};
use cotenant_golden::bus::axi4_lite::{self, Axi4Lite};

use super::FLAG;
use crate::unit::bus::stimulus::Master;
use crate::verify::coverage::{Axis, Cross};

/// A bus whose transfers are sorted.
pub trait Watched: Master {
    /// Sorts them.
    type Watcher: Watch<Self>;
}

/// Sorts the cycles of a bus.
pub trait Watch<B: Master>: Clone + std::fmt::Debug + Default {
    /// Looks at a cycle: the inputs, and the bridge before its edge.
    fn sample(&mut self, state: &B::State, input: &B::In);

    /// Forgets the cycles before.
    fn restart(&mut self);

    /// What has been seen so far.
    fn crosses(&self) -> Vec<&Cross>;
}

/// Kinds of a transfer.
const KIND: [&str; 2] = ["read", "write"];

impl Watched for Apb4 {
    type Watcher = ApbWatcher;
}

/// Sorts what APB accesses begin after.
#[derive(Debug, Clone)]
pub struct ApbWatcher {
    accesses: Cross,
    /// What was in the cycle before.
    before: usize,
}

impl Default for ApbWatcher {
    fn default() -> Self {
        let after = ["a pause", "a read", "a write"];
        let axes = [Axis::new("access", KIND), Axis::new("after", after)];
        Self {
            accesses: Cross::new("bus accesses", axes),
            before: 0,
        }
    }
}

impl Watch<Apb4> for ApbWatcher {
    fn sample(&mut self, _: &apb4::State, input: &apb4::In) {
        let kind = usize::from(input.pwrite);
        if input.psel && !input.penable {
            self.accesses.hit(&[kind, self.before]);
        }
        self.before = if input.psel { 1 + kind } else { 0 };
    }

    fn restart(&mut self) {
        self.before = 0;
    }

    fn crosses(&self) -> Vec<&Cross> {
        vec![&self.accesses]
    }
}

impl Watched for Axi4Lite {
    type Watcher = AxiWatcher;
}

/// Sorts the order of channels, turns and responses.
#[derive(Debug, Clone)]
pub struct AxiWatcher {
    writes: Cross,
    turns: Cross,
    responses: Cross,
    /// A response of a write, or read, was there in the cycle before and stayed.
    held: [bool; 2],
}

impl Default for AxiWatcher {
    fn default() -> Self {
        let order = ["address first", "data first", "both at once"];
        let during = ["nothing", "a read", "a write's response"];
        let writes = [Axis::new("write", order), Axis::new("during", during)];
        let turns = [Axis::new("begins", KIND), Axis::new("other waits", FLAG)];
        let taken = ["at once", "later"];
        let responses = [
            Axis::new("response of", KIND),
            Axis::new("accepted", taken),
            Axis::new("next waits", FLAG),
        ];
        Self {
            writes: Cross::new("bus writes", writes),
            turns: Cross::new("bus arbitration", turns),
            responses: Cross::new("bus responses", responses).without(
                "the next transfer is accepted once there is a response",
                |at| at[1] == 0 && at[2] == 1,
            ),
            held: [false; 2],
        }
    }
}

impl Watch<Axi4Lite> for AxiWatcher {
    fn sample(&mut self, state: &axi4_lite::State, input: &axi4_lite::In) {
        let address = input.awvalid && !state.write_address_taken;
        let data = input.wvalid && !state.write_data_taken;
        let order = match (address, data) {
            (true, true) => Some(2),
            (true, false) => state.write_data_taken.then_some(1),
            (false, true) => state.write_address_taken.then_some(0),
            (false, false) => None,
        };
        let transfer = state.transfer();
        if let Some(order) = order {
            let during = match transfer {
                Some(false) => 1,
                _ if state.write_done => 2,
                _ => 0,
            };
            self.writes.hit(&[order, during]);
        }
        let waits = [
            state.read_address_taken,
            state.write_address_taken && state.write_data_taken,
        ];
        if let Some(write) = transfer.filter(|_| !state.busy) {
            let other = match write {
                true => waits[0] && !state.read_done,
                false => waits[1] && !state.write_done,
            };
            self.turns.hit(&[usize::from(write), usize::from(other)]);
        }
        let responses = [
            (state.read_done, input.rready),
            (state.write_done, input.bready),
        ];
        for (kind, (there, taken)) in responses.into_iter().enumerate() {
            if there && taken {
                let held = usize::from(self.held[kind]);
                self.responses.hit(&[kind, held, usize::from(waits[kind])]);
            }
            self.held[kind] = there && !taken;
        }
    }

    fn restart(&mut self) {
        self.held = [false; 2];
    }

    fn crosses(&self) -> Vec<&Cross> {
        vec![&self.writes, &self.turns, &self.responses]
    }
}
