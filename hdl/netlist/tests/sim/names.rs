//! Everything is found by its hierarchical name, in any width, and a wrong
//! name or value is refused with what would have been right.
//!
//! The design by hand: a flop of 100 bits, one of 8 inside `core`, a RAM of
//! 4 words of 70 bits, and an input of the same name as an output's flop.

use crate::sim::design::empty;
use crate::sim::engines::engines;
use bitvec::prelude::{BitVec, Lsb0};
use cotenant_netlist::graph::Op;
use cotenant_netlist::sim::{Sim, SimError};
use cotenant_netlist::{Input, Netlist, Output, Ram, Reg, Signal};
use num_bigint::BigUint;

fn design() -> Netlist {
    let mut netlist = empty();
    let g = &mut netlist.graph;
    let address = g.raw(Op::Input(0), 2);
    let write = g.raw(Op::Input(1), 1);
    let data = g.raw(Op::Input(2), 70);
    let wide = g.raw(Op::Reg(0), 100);
    let narrow = g.raw(Op::Reg(1), 8);
    let word = g.raw(Op::RamData(0), 70);
    let reset = g.constant(0u8, 1);
    let high = g.slice(wide, 92, 8);
    let sum = g.add(high, narrow);
    let inputs = [("address", 2), ("write", 1), ("data", 70)];
    netlist.inputs = inputs
        .map(|(name, width)| Input {
            name: name.into(),
            width,
        })
        .into();
    netlist.outputs = vec![
        Output {
            name: "sum".into(),
            node: sum,
        },
        Output {
            name: "word".into(),
            node: word,
        },
    ];
    netlist.regs = [
        ("wide", 100, wide, 5u8),
        ("core.narrow[3][2]", 8, narrow, 7),
    ]
    .map(|(name, width, q, init)| Reg {
        name: name.into(),
        width,
        init: BigUint::from(init),
        q,
        d: q,
        reset,
        next: q,
    })
    .into();
    netlist.rams = vec![Ram {
        name: "core.tags[1]".into(),
        address_width: 2,
        width: 70,
        data: word,
        read_address: address,
        write_enable: write,
        write_address: address,
        write_data: data,
    }];
    netlist.signals = vec![Signal {
        name: "core.high".into(),
        node: high,
        variants: None,
    }];
    netlist
}

#[test]
fn power_on_values() {
    for engine in engines() {
        let mut sim = Sim::with_engine(&design(), engine).unwrap();
        assert_eq!(
            (sim.peek("wide"), sim.peek("core.narrow[3][2]")),
            (Ok(5), Ok(7))
        );
        assert_eq!(sim.peek("core.tags[1][3]"), Ok(0));
        sim.set_input("data", 1).unwrap();
        sim.poke("core.tags[1][3]", 9).unwrap();
        sim.poke("wide", 0).unwrap();
        sim.power_on();
        assert_eq!(
            (sim.peek("wide"), sim.peek("core.tags[1][3]")),
            (Ok(5), Ok(0))
        );
        assert_eq!(sim.engine(), engine);
    }
}

#[test]
fn values_of_any_width() {
    for engine in engines() {
        let mut sim = Sim::with_engine(&design(), engine).unwrap();
        let wide = sim.layout().state("wide").unwrap();
        let mut bits: BitVec<u64, Lsb0> = BitVec::repeat(false, 100);
        bits.set(99, true);
        bits.set(92, true);
        sim.set_bits(wide, &bits).unwrap();
        assert_eq!(sim.get_bits(wide), bits);
        sim.eval();
        assert_eq!(sim.output("sum"), Ok(0x81 + 7));
        let mut observer = sim.observer();
        let high = observer.layout().signal("core.high").unwrap();
        observer.observe(&sim);
        assert_eq!(observer.get(high), [0x81]);
        // A short value is extended, a long one cut.
        sim.set(wide, u64::MAX);
        assert_eq!(sim.get_words(wide), [u64::MAX, 0]);
        sim.set_words(wide, &[1, u64::MAX, 3]);
        assert_eq!(sim.get_words(wide), [1, (1 << 36) - 1]);
        let short: BitVec<u64, Lsb0> = BitVec::repeat(true, 99);
        let refusal = sim.set_bits(wide, &short).unwrap_err();
        assert!(
            matches!(
                refusal,
                SimError::Width {
                    expected: 100,
                    found: 99,
                    ..
                }
            ),
            "{refusal}"
        );
    }
}

/// A slice that does not begin at a word's first bit.
#[test]
fn bits_from_the_middle_of_a_vector() {
    let mut sim = Sim::new(&design()).unwrap();
    let slot = sim.layout().state("core.narrow[3][2]").unwrap();
    let bits: BitVec<u64, Lsb0> = BitVec::from_slice(&[0xabcd_e5f0, 0x1]);
    sim.set_bits(slot, &bits[12..20]).unwrap();
    assert_eq!(sim.get(slot), 0xde);
}

#[test]
fn a_ram_reads_the_old_word_and_then_writes() {
    for engine in engines() {
        let mut sim = Sim::with_engine(&design(), engine).unwrap();
        let data = sim.layout().input("data").unwrap();
        sim.poke("core.tags[1][2]", 0x55).unwrap();
        sim.set_input("address", 2).unwrap();
        sim.set_input("write", 1).unwrap();
        sim.set_words(data, &[1, 0x3f]);
        sim.step();
        assert_eq!(sim.peek("core.tags[1].read_data"), Ok(0x55));
        let word = sim.layout().state("core.tags[1][2]").unwrap();
        assert_eq!(sim.get_words(word), [1, 0x3f]);
        sim.set_input("write", 0).unwrap();
        sim.set_words(data, &[2, 2]);
        sim.step();
        sim.eval();
        let out = sim.layout().output("word").unwrap();
        assert_eq!(sim.get_words(out), [1, 0x3f]);
        assert_eq!(sim.get_words(word), [1, 0x3f]);
    }
}

#[test]
fn wrong_names_and_values() {
    let mut sim = Sim::new(&design()).unwrap();
    let message = |e: SimError| e.to_string();
    let unknown = sim.set_input("adress", 0).map_err(message);
    assert_eq!(
        unknown,
        Err("no input is called 'adress'; did you mean 'address'?".into())
    );
    let unknown = sim.peek("core.narrow[3][3]").map_err(message);
    assert_eq!(
        unknown,
        Err("no state is called 'core.narrow[3][3]'; did you mean 'core.narrow[3][2]'?".into())
    );
    assert!(matches!(
        sim.output("wide"),
        Err(SimError::UnknownName { kind: "output", .. })
    ));
    let unknown = sim.layout().signal("core.hihg");
    assert!(
        matches!(unknown, Err(SimError::UnknownName { nearest: Some(n), .. }) if n == "core.high")
    );
    let index = sim.poke("core.tags[1][4]", 0);
    let name = "core.tags[1]".to_owned();
    assert_eq!(
        index,
        Err(SimError::Index {
            name,
            depth: 4,
            index: 4
        })
    );
    let width = sim.set_input("address", 4);
    assert_eq!(
        width,
        Err(SimError::Width {
            name: "address".into(),
            expected: 2,
            found: 3
        })
    );
    assert_eq!(sim.set_input("address", 3), Ok(()));
}

#[test]
fn the_layout_lists_everything() {
    let sim = Sim::new(&design()).unwrap();
    let layout = sim.layout();
    let names = |it: &mut dyn Iterator<Item = (&str, cotenant_netlist::sim::Slot)>| {
        it.map(|(n, s)| format!("{n}:{}", s.width()))
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(names(&mut layout.inputs()), "address:2 write:1 data:70");
    assert_eq!(names(&mut layout.outputs()), "sum:8 word:70");
    assert_eq!(
        names(&mut layout.registers()),
        "wide:100 core.narrow[3][2]:8 core.tags[1].read_data:70"
    );
    assert_eq!(names(&mut layout.signals()), "core.high:8");
    assert_eq!(layout.rams().collect::<Vec<_>>(), [("core.tags[1]", 4)]);
    assert_eq!(sim.state_words().len(), layout.state_range().len());
    assert_eq!(sim.state_words().len(), 2 + 1 + 2 + 4 * 2);
}
