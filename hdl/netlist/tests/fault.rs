//! Faults do what they say, where they say it.
//!
//! Rationale: a fault that changes nothing, or something else than it says,
//! makes every count of caught faults worthless. One small block has every
//! operation that a fault can sit in, a flop and a RAM; its inputs are few
//! enough to try them all. The real units show that faults of every kind make
//! another design, and that the sample is what its seed says.

use crate::support::{Flop, Memory, I, O};
use cotenant_netlist::fault::{
    at_outputs, candidates, find, sample, Described, Fault, NoSuchPlace, UnknownFault, KINDS,
};
use cotenant_netlist::graph::{NodeId, Op};
use cotenant_netlist::hdl::*;
use cotenant_netlist::sim::{Engine, Sim};
use cotenant_netlist::{elaborate, Netlist};
use cotenant_units::table;
use std::collections::HashSet;

#[derive(LogicBlock)]
struct Every {
    pub clock: I<Clock>,
    pub reset: I<Bit>,
    pub a: I<Bits<4>>,
    pub b: I<Bits<4>>,
    pub c: I<Bit>,
    pub sum: O<Bits<4>>,
    pub difference: O<Bits<4>>,
    pub both: O<Bits<4>>,
    pub either: O<Bits<4>>,
    pub odd: O<Bits<4>>,
    pub inverse: O<Bits<4>>,
    pub chosen: O<Bits<4>>,
    pub left: O<Bits<4>>,
    pub right: O<Bits<4>>,
    pub less: O<Bit>,
    pub equal: O<Bit>,
    pub five: O<Bit>,
    pub small: O<Bit>,
    pub large: O<Bit>,
    pub held: O<Bits<4>>,
    pub read: O<Bits<4>>,
    flop: Flop<Bits<4>>,
    memory: Memory<Bits<4>, 4>,
}

impl Default for Every {
    fn default() -> Self {
        Every {
            clock: Default::default(),
            reset: Default::default(),
            a: Default::default(),
            b: Default::default(),
            c: Default::default(),
            sum: Default::default(),
            difference: Default::default(),
            both: Default::default(),
            either: Default::default(),
            odd: Default::default(),
            inverse: Default::default(),
            chosen: Default::default(),
            left: Default::default(),
            right: Default::default(),
            less: Default::default(),
            equal: Default::default(),
            five: Default::default(),
            small: Default::default(),
            large: Default::default(),
            held: Default::default(),
            read: Default::default(),
            flop: Flop::new(3.into()),
            memory: Default::default(),
        }
    }
}

impl Logic for Every {
    #[hdl_gen]
    fn update(&mut self) {
        self.sum.next = self.a.val() + self.b.val();
        self.difference.next = self.a.val() - self.b.val();
        self.both.next = self.a.val() & self.b.val();
        self.either.next = self.a.val() | self.b.val();
        self.odd.next = self.a.val() ^ self.b.val();
        self.inverse.next = !self.a.val();
        self.chosen.next = self.b.val();
        if self.c.val() {
            self.chosen.next = self.a.val();
        }
        self.left.next = self.a.val() << self.b.val();
        self.right.next = self.a.val() >> self.b.val();
        self.less.next = self.a.val() < self.b.val();
        self.equal.next = self.a.val() == self.b.val();
        self.five.next = self.a.val() == 5;
        self.small.next = self.a.val() < 5;
        self.large.next = self.a.val() > 5;
        self.flop.clock.next = self.clock.val();
        self.flop.reset.next = self.reset.val();
        self.flop.d.next = self.a.val();
        self.held.next = self.flop.q.val();
        self.memory.clock.next = self.clock.val();
        self.memory.read_address.next = self.b.val();
        self.memory.write_enable.next = self.c.val();
        self.memory.write_address.next = self.b.val();
        self.memory.write_data.next = self.a.val();
        self.read.next = self.memory.read_data.val();
    }
}

fn every() -> Netlist {
    let mut block = Every::default();
    block.connect_all();
    elaborate(&block, "every").unwrap()
}

fn node(netlist: &Netlist, output: &str) -> NodeId {
    netlist
        .outputs
        .iter()
        .find(|o| o.name == output)
        .unwrap()
        .node
}

fn faulty(netlist: &Netlist, fault: Fault) -> Sim {
    assert!(candidates(netlist).contains(&fault), "{fault:?}");
    let faulty = netlist.with_fault(&fault).unwrap();
    Sim::with_engine(&faulty, Engine::Interpreter).unwrap()
}

/// With this fault, `output` is what `expected` says of a, b and c, and every
/// other combinational output is as without it.
fn check(fault: fn(NodeId) -> Fault, output: &str, expected: fn(u64, u64, u64) -> u64) {
    let netlist = every();
    let fault = fault(node(&netlist, output));
    let mut good = Sim::with_engine(&netlist, Engine::Interpreter).unwrap();
    let mut sim = faulty(&netlist, fault);
    for (a, b, c) in (0..512).map(|i: u64| (i & 15, i >> 4 & 15, i >> 8)) {
        for sim in [&mut good, &mut sim] {
            for (name, value) in [("a", a), ("b", b), ("c", c)] {
                sim.set_input(name, value).unwrap();
            }
            sim.eval();
        }
        for o in &netlist.outputs {
            let (good, bad) = (good.output(&o.name).unwrap(), sim.output(&o.name).unwrap());
            let at = || format!("{}: {} at {a} {b} {c}", Described(&netlist, &fault), o.name);
            if o.name == output {
                assert_eq!(bad, expected(a, b, c), "{}", at());
            } else {
                assert_eq!(bad, good, "{}", at());
            }
        }
    }
}

#[test]
fn swapped_operands() {
    let swapped = |node| Fault::SwappedOperands { node };
    check(swapped, "chosen", |a, b, c| if c == 1 { b } else { a });
    check(swapped, "difference", |a, b, _| b.wrapping_sub(a) & 15);
    check(swapped, "less", |a, b, _| u64::from(b < a));
    check(swapped, "left", |a, b, _| b << a & 15);
    check(swapped, "right", |a, b, _| b >> a);
}

#[test]
fn off_by_one() {
    let off = |node| Fault::OffByOne { node };
    check(off, "sum", |a, b, _| (a + b + 1) & 15);
    check(off, "difference", |a, b, _| {
        a.wrapping_sub(b).wrapping_add(1) & 15
    });
    check(off, "five", |a, _, _| u64::from(a == 6));
    check(off, "small", |a, _, _| u64::from(a < 6));
    check(off, "large", |a, _, _| u64::from(a > 6));
}

#[test]
fn wrong_operation() {
    let wrong = |node| Fault::WrongOperation { node };
    check(wrong, "both", |a, b, _| a | b);
    check(wrong, "either", |a, b, _| a & b);
    check(wrong, "odd", |a, b, _| a | b);
    check(wrong, "inverse", |a, _, _| a);
    check(wrong, "difference", |a, b, _| (a + b) & 15);
    check(wrong, "less", |a, b, _| u64::from(a >= b));
    check(wrong, "equal", |a, b, _| u64::from(a != b));
    check(wrong, "five", |a, _, _| u64::from(a != 5));
}

#[test]
fn wrong_operation_of_a_sum() {
    // Operands of a sum have no order, so either difference will do.
    let netlist = every();
    let mut sim = faulty(
        &netlist,
        Fault::WrongOperation {
            node: node(&netlist, "sum"),
        },
    );
    sim.set_input("a", 9).unwrap();
    sim.set_input("b", 2).unwrap();
    sim.eval();
    assert!([7, 9].contains(&sim.output("sum").unwrap()));
}

#[test]
fn a_stuck_net() {
    let low = |node| Fault::StuckNet {
        node,
        bit: 1,
        value: false,
    };
    let high = |node| Fault::StuckNet {
        node,
        bit: 3,
        value: true,
    };
    check(low, "sum", |a, b, _| (a + b) & 13);
    check(high, "sum", |a, b, _| (a + b) & 15 | 8);
    check(low, "both", |a, b, _| a & b & 13);
    check(high, "chosen", |a, b, c| if c == 1 { a } else { b } | 8);
    check(
        |node| Fault::StuckNet {
            node,
            bit: 0,
            value: true,
        },
        "less",
        |_, _, _| 1,
    );
}

#[test]
fn a_stuck_input_is_read_everywhere() {
    let netlist = every();
    let a = netlist.inputs.iter().position(|i| i.name == "a").unwrap();
    for (bit, value) in (0..4).flat_map(|bit| [(bit, false), (bit, true)]) {
        let mut sim = faulty(
            &netlist,
            Fault::StuckInput {
                input: a,
                bit,
                value,
            },
        );
        for a in 0..16 {
            sim.set_input("a", a).unwrap();
            sim.set_input("b", 0).unwrap();
            sim.step();
            let read = a & !(1 << bit) | u64::from(value) << bit;
            assert_eq!(sim.output("sum").unwrap(), read);
            assert_eq!(sim.output("inverse").unwrap(), 15 - read);
            assert_eq!(sim.output("five").unwrap(), u64::from(read == 5));
            assert_eq!(sim.peek("flop").unwrap(), read);
        }
    }
}

#[test]
fn a_stuck_output_shows_at_its_port_alone() {
    let netlist = every();
    let all = at_outputs(&netlist);
    // Eleven outputs of four bits, five of one.
    assert_eq!(all.len(), 2 * (11 * 4 + 5));
    for fault in all {
        let Fault::StuckOutput { output, bit, value } = fault else {
            panic!("{fault:?}")
        };
        let words = Described(&netlist, &fault).to_string();
        let name = &netlist.outputs[output].name;
        let at = u8::from(value);
        assert_eq!(words, format!("stuck output: bit {bit} of {name} at {at}"));
        assert_eq!(find(&netlist, &words), Ok(fault));
        let faulty = netlist.with_fault(&fault).unwrap();
        let engine = Engine::Interpreter;
        let mut good = Sim::with_engine(&netlist, engine).unwrap();
        let mut sim = Sim::with_engine(&faulty, engine).unwrap();
        for inputs in [0, 0x1f5, 0x0a3, 0x15a] {
            for sim in [&mut good, &mut sim] {
                for (name, value) in [("a", inputs & 15), ("b", inputs >> 4 & 15)] {
                    sim.set_input(name, value).unwrap();
                }
                sim.set_input("c", inputs >> 8).unwrap();
                sim.step();
                sim.eval();
            }
            assert_eq!(sim.peek("flop").unwrap(), good.peek("flop").unwrap());
            for o in &netlist.outputs {
                let shown = good.output(&o.name).unwrap();
                let forced = shown & !(1 << bit) | u64::from(value) << bit;
                let expected = if o.name == *name { forced } else { shown };
                assert_eq!(
                    sim.output(&o.name).unwrap(),
                    expected,
                    "{words}: {}",
                    o.name
                );
            }
        }
    }
}

/// Values that the flop takes: at power-up, then after each pair of reset and
/// a.
fn held(sim: &mut Sim, cycles: &[(u64, u64)]) -> Vec<u64> {
    let mut values = vec![sim.peek("flop").unwrap()];
    for &(reset, a) in cycles {
        sim.set_input("reset", reset).unwrap();
        sim.set_input("a", a).unwrap();
        sim.step();
        values.push(sim.peek("flop").unwrap());
    }
    values
}

#[test]
fn faults_of_a_flop() {
    let netlist = every();
    let reg = netlist.regs.iter().position(|r| r.name == "flop").unwrap();
    let cycles = [(0, 12), (0, 5), (1, 12), (0, 10), (1, 0), (0, 0)];
    let run = |fault| held(&mut faulty(&netlist, fault), &cycles);
    let mut good = Sim::with_engine(&netlist, Engine::Interpreter).unwrap();
    let good = held(&mut good, &cycles);
    assert_eq!(good, [3, 12, 5, 3, 10, 3, 0]);
    assert_eq!(run(Fault::LostWrite { reg }), [3; 7]);
    assert_eq!(run(Fault::MissingReset { reg }), [3, 12, 5, 12, 10, 0, 0]);
    for bit in 0..4 {
        let at = |value| run(Fault::StuckBit { reg, bit, value });
        assert_eq!(
            at(false),
            good.iter().map(|v| v & !(1 << bit)).collect::<Vec<_>>()
        );
        assert_eq!(
            at(true),
            good.iter().map(|v| v | 1 << bit).collect::<Vec<_>>()
        );
    }
}

#[test]
fn a_lost_write_keeps_what_reset_did_not_bring() {
    let netlist = every();
    let reg = netlist.regs.iter().position(|r| r.name == "flop").unwrap();
    let mut sim = faulty(&netlist, Fault::LostWrite { reg });
    sim.poke("flop", 9).unwrap();
    assert_eq!(held(&mut sim, &[(0, 12), (0, 1), (1, 1)]), [9, 9, 9, 3]);
}

#[test]
fn faults_of_a_ram() {
    let netlist = every();
    let run = |fault| {
        let mut sim = faulty(&netlist, fault);
        for (a, b, c) in [(13, 7, 1), (6, 7, 0), (6, 7, 0)] {
            for (name, value) in [("a", a), ("b", b), ("c", c)] {
                sim.set_input(name, value).unwrap();
            }
            sim.step();
        }
        sim.output("read").unwrap()
    };
    assert_eq!(run(Fault::LostRamWrite { ram: 0 }), 0);
    assert_eq!(
        run(Fault::StuckRamBit {
            ram: 0,
            bit: 2,
            value: false
        }),
        9
    );
    assert_eq!(
        run(Fault::StuckRamBit {
            ram: 0,
            bit: 1,
            value: true
        }),
        15
    );
}

#[test]
fn candidates_are_complete() {
    let netlist = every();
    let found = candidates(&netlist);
    let distinct: HashSet<&Fault> = found.iter().collect();
    assert_eq!(distinct.len(), found.len(), "each place once");
    let count = |kind: &str| found.iter().filter(|f| f.kind() == kind).count();
    // Bits of the flop and of the RAM's words; bits of reset, a, b and c.
    assert_eq!(count("stuck bit"), 2 * (4 + 4));
    assert_eq!(count("stuck input"), 2 * (1 + 4 + 4 + 1));
    // Nine outputs of four bits (the flop's and the RAM's are no nets), five of one, and what
    // the flop takes.
    assert_eq!(count("stuck net"), 2 * (9 * 4 + 5 + 4));
    assert_eq!(count("lost write"), 2);
    assert_eq!(count("missing reset"), 1);
    // The flop's reset and the clock are no operations; all other outputs are.
    let outputs = |kind: &str| -> Vec<&str> {
        let has = |node: NodeId| {
            let operation = |f: &&Fault| match f {
                Fault::SwappedOperands { node: n }
                | Fault::OffByOne { node: n }
                | Fault::WrongOperation { node: n } => *n == node,
                _ => false,
            };
            found.iter().filter(operation).any(|f| f.kind() == kind)
        };
        let outputs = netlist.outputs.iter().filter(|o| has(o.node));
        outputs.map(|o| o.name.as_str()).collect()
    };
    let swapped = [
        "difference",
        "chosen",
        "left",
        "right",
        "less",
        "small",
        "large",
    ];
    assert_eq!(outputs("swapped operands"), swapped);
    assert_eq!(
        outputs("off by one"),
        ["sum", "difference", "five", "small", "large"]
    );
    let wrong = [
        "sum",
        "difference",
        "both",
        "either",
        "odd",
        "inverse",
        "less",
        "equal",
        "five",
        "small",
        "large",
    ];
    assert_eq!(outputs("wrong operation"), wrong);
}

#[test]
fn no_reset_to_miss_and_no_larger_constant() {
    let mut netlist = every();
    let zero = netlist.graph.constant(0u8, 1);
    for r in &mut netlist.regs {
        (r.reset, r.next) = (zero, r.d);
    }
    let (most, a) = (netlist.graph.constant(15u8, 4), node(&netlist, "sum"));
    let below = netlist.graph.raw(Op::Less(a, most), 1);
    netlist.outputs[0].node = below;
    let found = candidates(&netlist);
    assert!(!found.iter().any(|f| f.kind() == "missing reset"));
    assert!(!found.contains(&Fault::OffByOne { node: below }));
    assert!(found.contains(&Fault::SwappedOperands { node: below }));
}

#[test]
fn places_of_another_design_are_refused() {
    let netlist = every();
    let outside = NodeId(netlist.graph.len() as u32);
    let output = |name| node(&netlist, name);
    for fault in [
        Fault::StuckBit {
            reg: 9,
            bit: 0,
            value: true,
        },
        Fault::StuckBit {
            reg: 0,
            bit: 4,
            value: true,
        },
        Fault::StuckRamBit {
            ram: 0,
            bit: 4,
            value: true,
        },
        Fault::StuckInput {
            input: 99,
            bit: 0,
            value: true,
        },
        Fault::StuckOutput {
            output: 99,
            bit: 0,
            value: true,
        },
        Fault::StuckOutput {
            output: 0,
            bit: 4,
            value: true,
        },
        Fault::StuckNet {
            node: outside,
            bit: 0,
            value: true,
        },
        Fault::StuckNet {
            node: output("sum"),
            bit: 4,
            value: true,
        },
        Fault::StuckNet {
            node: output("held"),
            bit: 0,
            value: true,
        },
        Fault::LostWrite { reg: 1 },
        Fault::LostRamWrite { ram: 1 },
        Fault::MissingReset { reg: 1 },
        Fault::SwappedOperands { node: outside },
        Fault::SwappedOperands {
            node: output("sum"),
        },
        Fault::OffByOne {
            node: output("equal"),
        },
        Fault::WrongOperation {
            node: output("held"),
        },
    ] {
        assert_eq!(netlist.with_fault(&fault).unwrap_err(), NoSuchPlace(fault));
        assert!(!Described(&netlist, &fault).to_string().is_empty());
    }
}

#[test]
fn descriptions_name_the_place() {
    let netlist = every();
    let described = |fault: Fault| Described(&netlist, &fault).to_string();
    let a = netlist.inputs.iter().position(|i| i.name == "a").unwrap();
    assert_eq!(
        described(Fault::StuckBit {
            reg: 0,
            bit: 2,
            value: true
        }),
        "stuck bit: bit 2 of flop at 1"
    );
    assert_eq!(
        described(Fault::StuckInput {
            input: a,
            bit: 3,
            value: false
        }),
        "stuck input: bit 3 of a at 0"
    );
    assert_eq!(
        described(Fault::LostRamWrite { ram: 0 }),
        "lost write: memory"
    );
    assert_eq!(
        described(Fault::OffByOne {
            node: node(&netlist, "sum")
        }),
        "off by one: Add of sum"
    );
    // A node without a name of its own.
    let gdcu = units("gdcu", "figure-2");
    let all = candidates(&gdcu);
    let unnamed: Vec<String> = all
        .iter()
        .map(|f| Described(&gdcu, f).to_string())
        .filter(|text| text.contains(", node"))
        .collect();
    assert!(!unnamed.is_empty());
    assert!(
        unnamed.iter().all(|text| text.contains(" in ")),
        "{unnamed:?}"
    );
    let distinct: HashSet<String> = all
        .iter()
        .map(|f| Described(&gdcu, f).to_string())
        .collect();
    assert_eq!(
        distinct.len(),
        all.len(),
        "a description tells its fault from others"
    );
}

fn units(unit: &str, set: &str) -> Netlist {
    table::netlist(unit, &table::set(unit, set).unwrap())
        .unwrap()
        .unwrap()
}

#[test]
fn faults_of_every_unit_make_another_design() {
    for unit in table::units() {
        let netlist = units(unit, "small");
        let digest = netlist.digest();
        // Of the small units that is every candidate.
        for fault in sample(&netlist, 400, 1) {
            let faulty = netlist.with_fault(&fault).unwrap();
            let at = Described(&netlist, &fault);
            assert_ne!(faulty.digest(), digest, "{unit}: {at}");
            let names = |n: &Netlist| -> Vec<String> {
                let regs = n.regs.iter().map(|r| r.name.clone());
                regs.chain(n.signals.iter().map(|s| s.name.clone()))
                    .collect()
            };
            assert_eq!(names(&faulty), names(&netlist), "{unit}: {at}");
        }
    }
}

// Reports and commands name a fault by its words: they lead back to it, and other words to none.
#[test]
fn words_lead_back_to_their_fault() {
    for unit in ["gdcu", "llc_monitor"] {
        let netlist = units(unit, "small");
        for fault in sample(&netlist, 200, 1) {
            let words = Described(&netlist, &fault).to_string();
            assert_eq!(find(&netlist, &words), Ok(fault), "{words}");
        }
    }
    let netlist = units("gdcu", "small");
    for words in [
        "",
        "lost write",
        "lost write: nothing",
        "found write: valid[0]",
        "stuck bit: bit 1 of valid[0] at 1",
        "stuck bit: bit x of valid[0] at 1",
        "wrong operation: And of nothing",
        "wrong operation: And in valid[0], node 4000000000",
    ] {
        let none = find(&netlist, words);
        assert_eq!(none, Err(UnknownFault(words.into())));
    }
}

// A unit that has the same ports in all variants does not read all of them in each.
#[test]
fn an_input_that_nobody_reads_is_no_place() {
    let netlist = units("mem_issue", "small");
    let input = |name: &str| netlist.inputs.iter().position(|i| i.name == name).unwrap();
    let inputs: HashSet<usize> = candidates(&netlist)
        .iter()
        .filter_map(|fault| match fault {
            Fault::StuckInput { input, .. } => Some(*input),
            _ => None,
        })
        .collect();
    // Its limits are dynamic: nothing is written.
    assert!(!inputs.contains(&input("set_limit")));
    assert!(inputs.contains(&input("want")));
}

#[test]
fn samples_are_what_their_seed_says() {
    let netlist = units("gdcu", "figure-2");
    let all: HashSet<Fault> = candidates(&netlist).into_iter().collect();
    let some = sample(&netlist, 40, 7);
    assert_eq!(some, sample(&netlist, 40, 7));
    assert_ne!(some, sample(&netlist, 40, 8));
    assert_eq!(
        some[..20],
        sample(&netlist, 20, 7),
        "a shorter sample is the beginning of it"
    );
    let distinct: HashSet<Fault> = some.iter().copied().collect();
    assert_eq!((some.len(), distinct.len()), (40, 40));
    assert!(distinct.is_subset(&all));
    for kind in KINDS {
        assert!(
            some.iter().filter(|f| f.kind() == kind).count() >= 5,
            "{kind}"
        );
    }
    let asked = all.len() + 10;
    assert_eq!(
        sample(&netlist, asked, 1)
            .into_iter()
            .collect::<HashSet<_>>(),
        all
    );
    assert!(sample(&netlist, 0, 1).is_empty());
}
