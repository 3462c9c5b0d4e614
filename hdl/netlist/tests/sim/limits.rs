//! Sizes at the edge: no flop, no output, very deep and very wide designs,
//! more memory than there is, and graphs that elaboration never makes.

use crate::sim::design::empty;
use crate::sim::engines::{engines, number};
use cotenant_netlist::graph::{NodeId, Op};
use cotenant_netlist::sim::{Sim, SimError};
use cotenant_netlist::{Input, Netlist, Output, Ram, Reg};
use num_bigint::BigUint;

/// One input of this width, and one output.
fn function(width: usize, f: impl Fn(&mut Netlist, NodeId) -> NodeId) -> Netlist {
    let mut netlist = empty();
    netlist.inputs = vec![Input {
        name: "x".into(),
        width,
    }];
    let x = netlist.graph.raw(Op::Input(0), width);
    let node = f(&mut netlist, x);
    netlist.outputs = vec![Output {
        name: "y".into(),
        node,
    }];
    netlist
}

fn evaluated(netlist: &Netlist, x: &BigUint) -> Vec<BigUint> {
    let digits: Vec<u64> = x.iter_u64_digits().collect();
    engines()
        .into_iter()
        .map(|engine| {
            let mut sim = Sim::with_engine(netlist, engine).unwrap();
            let (x, y) = (
                sim.layout().input("x").unwrap(),
                sim.layout().output("y").unwrap(),
            );
            sim.set_words(x, &digits);
            sim.eval();
            number(sim.get_words(y))
        })
        .collect()
}

#[test]
fn nothing_at_all() {
    for engine in engines() {
        let mut sim = Sim::with_engine(&empty(), engine).unwrap();
        sim.step();
        sim.eval();
        assert_eq!(sim.observer().observe(&sim), [0u64; 0]);
        assert_eq!(sim.save().0, [0u64; 0]);
    }
}

/// Deeper than any stack: additions and multiplexers in a chain.
#[test]
fn a_chain_of_thousands() {
    const LINKS: u64 = 20_000;
    let netlist = function(32, |netlist, x| {
        let g = &mut netlist.graph;
        let low = g.slice(x, 0, 1);
        (0..LINKS).fold(x, |sum, k| {
            let k = g.constant(k, 32);
            let more = g.raw(Op::Xor(sum, k), 32);
            let added = g.raw(Op::Add(more, x), 32);
            g.raw(Op::Mux(low, added, more), 32)
        })
    });
    for x in [3u32, 4] {
        let mut y = x;
        for k in 0..LINKS as u32 {
            y = if x & 1 == 1 {
                (y ^ k).wrapping_add(x)
            } else {
                y ^ k
            };
        }
        assert!(evaluated(&netlist, &BigUint::from(x))
            .iter()
            .all(|found| *found == BigUint::from(y)));
    }
}

/// Concatenations and slices inside each other, without any logic.
#[test]
fn a_chain_of_wires() {
    let netlist = function(64, |netlist, x| {
        let g = &mut netlist.graph;
        (0..5_000).fold(x, |word, _| {
            let (low, high) = (g.raw(Op::Slice(word, 0), 63), g.raw(Op::Slice(word, 63), 1));
            g.raw(Op::Cat(vec![high, low]), 64)
        })
    });
    let x = 0x1234_5678_9abc_def1u64;
    let y = BigUint::from(x.rotate_left(5_000 % 64));
    assert!(evaluated(&netlist, &BigUint::from(x))
        .iter()
        .all(|found| *found == y));
}

#[test]
fn very_wide() {
    const WIDTH: usize = 4_000;
    let netlist = function(WIDTH, |netlist, x| {
        let g = &mut netlist.graph;
        let by = g.slice(x, 0, 12);
        let shifted = g.raw(Op::Shr(x, by), WIDTH);
        g.add(shifted, x)
    });
    let x = (BigUint::from(0xdead_beefu32) << (WIDTH - 40)) + BigUint::from(1234u32);
    let y = (&x >> 1234) + &x;
    assert!(evaluated(&netlist, &x).iter().all(|found| *found == y));
}

#[test]
fn more_memory_than_there_is() {
    let mut netlist = function(60, |_, x| x);
    let x = netlist.outputs[0].node;
    let bit = netlist.graph.slice(x, 0, 1);
    for address_width in [30, 60] {
        let address = netlist.graph.slice(x, 0, address_width);
        netlist.rams = vec![Ram {
            name: "ram".into(),
            address_width,
            width: 60,
            data: x,
            read_address: address,
            write_enable: bit,
            write_address: address,
            write_data: x,
        }];
        for engine in engines() {
            let refusal = Sim::with_engine(&netlist, engine).unwrap_err();
            assert!(matches!(refusal, SimError::TooLarge { .. }), "{refusal}");
        }
    }
}

#[test]
fn malformed_graphs_are_refused() {
    let refused = |netlist: &Netlist, expected: &str| {
        for engine in engines() {
            match Sim::with_engine(netlist, engine) {
                Err(SimError::Malformed { reason, .. }) => assert_eq!(reason, expected),
                other => panic!("{other:?}"),
            }
        }
    };
    let width = "its width does not fit its operands'";
    refused(
        &function(8, |n, _| n.graph.raw(Op::Leaf(0), 8)),
        "a net that is not resolved",
    );
    refused(&function(8, |n, x| n.graph.raw(Op::Add(x, x), 9)), width);
    refused(&function(8, |n, x| n.graph.raw(Op::Slice(x, 7), 2)), width);
    refused(
        &function(8, |n, x| n.graph.raw(Op::Cat(vec![x, x]), 17)),
        width,
    );
    refused(&function(8, |n, x| n.graph.raw(Op::Mux(x, x, x), 8)), width);
    refused(
        &function(8, |n, _| n.graph.raw(Op::Const(BigUint::from(256u32)), 8)),
        width,
    );
    refused(
        &function(8, |n, _| n.graph.raw(Op::Slice(NodeId(0), 0), 0)),
        "it has no bits",
    );
    refused(
        &function(8, |n, _| n.graph.raw(Op::Input(1), 8)),
        "no such input",
    );
    refused(
        &function(8, |n, _| n.graph.raw(Op::Reg(0), 8)),
        "no such flop",
    );
    refused(
        &function(8, |n, _| n.graph.raw(Op::RamData(0), 8)),
        "no such RAM",
    );
    refused(
        &function(8, |n, _| n.graph.raw(Op::Input(0), 9)),
        "its width is not that of its storage",
    );
}

/// A flop of the whole state's size, swapped with itself reversed.
#[test]
fn a_wide_flop() {
    const WIDTH: usize = 300;
    let mut netlist = function(1, |_, x| x);
    let q = netlist.graph.raw(Op::Reg(0), WIDTH);
    let bits: Vec<NodeId> = (0..WIDTH)
        .rev()
        .map(|k| netlist.graph.slice(q, k, 1))
        .collect();
    let next = netlist.graph.cat(bits);
    let reset = netlist.graph.constant(0u8, 1);
    let init: BigUint = (BigUint::from(7u8) << 290) + BigUint::from(1u8);
    let name = "q".to_owned();
    netlist.regs = vec![Reg {
        name,
        width: WIDTH,
        init: init.clone(),
        q,
        d: next,
        reset,
        next,
    }];
    for engine in engines() {
        let mut sim = Sim::with_engine(&netlist, engine).unwrap();
        let slot = sim.layout().state("q").unwrap();
        assert_eq!(number(sim.get_words(slot)), init);
        sim.step();
        let reversed: BigUint = (BigUint::from(1u8) << 299) + (BigUint::from(7u8) << 7);
        assert_eq!(number(sim.get_words(slot)), reversed);
        sim.step();
        assert_eq!(number(sim.get_words(slot)), init);
    }
}
