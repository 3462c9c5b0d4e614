//! A register file on the bench, with a manager at its register port.

use crate::bench::{Bench, Seen};
use cotenant_units::unit::Unit;

/// Cycles after which a transfer is said never to be answered.
const NEVER: usize = 200;

/// Other inputs of a cycle, after the outputs of the one before.
type Beside = Box<dyn FnMut(&Seen) -> Vec<(&'static str, u128)>>;

pub struct File {
    bench: Bench,
    beside: Beside,
    inputs: Vec<(&'static str, u128)>,
}

/// What became of a transfer.
#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    /// Cycles from the first with `select` to `done`.
    pub latency: usize,
    pub error: bool,
    pub data: u32,
}

impl File {
    /// The unit, and what drives its other inputs.
    pub fn new<U: Unit + Default + 'static>(
        beside: impl FnMut(&Seen) -> Vec<(&'static str, u128)> + 'static,
    ) -> Self {
        File {
            bench: Bench::new::<U>(),
            beside: Box::new(beside),
            inputs: vec![],
        }
    }

    /// One cycle.
    pub fn cycle(&mut self, inputs: &[(&'static str, u128)]) -> Seen {
        let all = [&self.inputs, inputs].concat();
        let seen = self.bench.cycle(&all);
        self.inputs = (self.beside)(&seen);
        seen
    }

    pub fn idle(&mut self, cycles: usize) {
        (0..cycles).for_each(|_| drop(self.cycle(&[])));
    }

    /// A transfer; also what the outputs were in its last cycle.
    pub fn transfer(&mut self, inputs: &[(&'static str, u128)]) -> (Answer, Seen) {
        let inputs = [inputs, &[("select", 1)]].concat();
        for latency in 0..NEVER {
            let seen = self.cycle(&inputs);
            let (error, data) = (seen.get("error"), seen.get("read_data"));
            if seen.get("done") == 0 {
                assert_eq!((error, data), (0, 0), "before done");
                continue;
            }
            let answer = Answer {
                latency,
                error: error == 1,
                data: data as u32,
            };
            return (answer, seen);
        }
        panic!("{inputs:?}: no answer");
    }

    /// What is read at an address, in four cycles and without an error.
    pub fn read(&mut self, address: u32) -> u32 {
        let (answer, _) = self.transfer(&[("address", address.into())]);
        assert_eq!((answer.latency, answer.error), (4, false), "{address:#x}");
        answer.data
    }

    /// Writes, and whether that was an error.
    pub fn write(&mut self, address: u32, data: u32) -> bool {
        let (answer, _) = self.transfer(&write(address, data));
        assert_eq!((answer.latency, answer.data), (4, 0), "{address:#x}");
        answer.error
    }
}

/// Inputs that write a word.
pub fn write(address: u32, data: u32) -> [(&'static str, u128); 4] {
    [
        ("write", 1),
        ("address", address.into()),
        ("write_data", data.into()),
        ("strobe", 0b1111),
    ]
}
