//! Functional coverage of `mem_issue_apb` and `mem_issue_axi`: transfers; limits written, compared
//! with the instructions in flight; snapshots, and changes between a snapshot and its reading.

use cotenant_golden::bus::mem_issue::{In, MemIssueBus as Model};
use cotenant_golden::sm::mem_issue::{Limiter, Params};
use cotenant_golden::Model as _;

use crate::unit::bus::coverage::protocol::{Watch, Watched};
use crate::unit::bus::coverage::registers::Registers;
use crate::unit::bus::coverage::FLAG;
use crate::unit::bus::MemIssueBus;
use crate::verify::coverage::{Axis, Cross};
use crate::verify::coverage::{Collect, Cover};

/// Sorts transfers, limits and snapshots.
#[derive(Debug, Clone)]
pub struct Collector<B: Watched> {
    bus: B::Watcher,
    registers: Registers,
    limits: Cross,
    snapshots: Cross,
    reads: Cross,
}

/// What a limit is set to.
const LIMIT: [&str; 4] = [
    "none",
    "above the number in flight",
    "equal to the number in flight",
    "below the number in flight",
];
/// What a kernel is as a snapshot is taken.
const KERNEL: [&str; 3] = ["not active", "active", "active and at its limit"];
/// Registers that a snapshot captures, and what has happened to what they show.
const READ: [&str; 3] = ["ACTIVE", "IN_FLIGHT", "LIMIT"];

impl<B: Watched> Cover for MemIssueBus<B> {
    type Collector = Collector<B>;

    fn collector(params: &Params) -> Collector<B> {
        let model = Model::<B>::new(params.clone()).expect("a unit's parameters are legal");
        let kernel = || Axis::numbers("kernel", params.kernels);
        let milg = params.limiter == Limiter::Milg;
        Collector {
            bus: B::Watcher::default(),
            registers: Registers::new(model.registers().map()),
            limits: Cross::new("limits", [kernel(), Axis::new("set to", LIMIT)])
                .without("the unit computes its limits", move |_| milg),
            snapshots: Cross::new("snapshots", [kernel(), Axis::new("is", KERNEL)]),
            reads: Cross::new(
                "reads",
                [
                    Axis::new("register", READ),
                    Axis::new("changed since the snapshot", FLAG),
                ],
            ),
        }
    }
}

impl<B: Watched> Collect<MemIssueBus<B>> for Collector<B> {
    fn sample(&mut self, model: &Model<B>, input: &In<B::In>) {
        let state = model.state();
        self.bus.sample(&state.bus, &input.bus);
        let map = model.registers().map();
        let (registers, reset) = (&state.registers, input.reset);
        self.registers.sample(map, &registers.access, reset);
        if reset {
            Collect::<MemIssueBus<B>>::restart(self, model.params());
            return;
        }
        let access = &registers.access;
        let issue = &state.issue;
        let kernels = 0..model.params().kernels;
        let set = model.registers().set(registers);
        if set.valid {
            let in_flight = issue.in_flight(set.kid.into());
            let to = match () {
                () if set.unlimited => 0,
                () if set.limit > in_flight => 1,
                () if set.limit == in_flight => 2,
                () => 3,
            };
            self.limits.hit(&[set.kid.into(), to]);
        }
        let place = map.at(access.address.into());
        let Some(place) = place.filter(|_| !access.error) else {
            return;
        };
        match (access.phase, access.write, place.register.name) {
            (4, true, "CONTROL") if access.write_data & 1 == 1 => {
                for kernel in kernels {
                    let is = match issue.active >> kernel & 1 {
                        0 => 0,
                        _ if issue.allows(kernel) => 1,
                        _ => 2,
                    };
                    self.snapshots.hit(&[kernel, is]);
                }
            }
            (3, false, name) => {
                let kernel = place.row;
                let changed = match name {
                    "ACTIVE" => registers.active != issue.active,
                    "IN_FLIGHT" => registers.in_flight[kernel] != issue.in_flight(kernel),
                    "LIMIT" => registers.limit[kernel] != issue.limit(kernel),
                    _ => return,
                };
                let number = READ.iter().position(|read| *read == name);
                if let Some(number) = number {
                    self.reads.hit(&[number, usize::from(changed)]);
                }
            }
            _ => {}
        }
    }

    fn restart(&mut self, _: &Params) {
        self.bus.restart();
    }

    fn crosses(&self) -> Vec<&Cross> {
        let mut crosses = self.bus.crosses();
        crosses.extend(self.registers.crosses());
        crosses.extend([&self.limits, &self.snapshots, &self.reads]);
        crosses
    }
}
