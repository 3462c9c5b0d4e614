//! Flops are written after they have been read, in every order of reading.
//!
//! Stores are placed as early as possible, and some become branches or
//! computed addresses; what can go wrong is a flop that is read after it was
//! written. Shift registers in both directions, rings, swaps, and a register
//! file that is written and read in one cycle, each beside a plain model.

use crate::sim::design::empty;
use crate::sim::engines::{engines, Stream};
use cotenant_netlist::graph::{NodeId, Op};
use cotenant_netlist::sim::Sim;
use cotenant_netlist::{Input, Netlist, Output, Reg};
use num_bigint::BigUint;

/// A design of `n` flops of 8 bits and the inputs a (8), b (8), c (1), d (1).
fn flops(n: usize, next: impl Fn(&mut Netlist, &[NodeId], [NodeId; 4]) -> Vec<NodeId>) -> Netlist {
    let mut netlist = empty();
    let widths = [("a", 8), ("b", 8), ("c", 1), ("d", 1)];
    netlist.inputs = widths
        .map(|(name, width)| Input {
            name: name.into(),
            width,
        })
        .into();
    let inputs = [0, 1, 2, 3].map(|k| netlist.graph.raw(Op::Input(k), widths[k as usize].1));
    let q: Vec<NodeId> = (0..n)
        .map(|k| netlist.graph.raw(Op::Reg(k as u32), 8))
        .collect();
    let next = next(&mut netlist, &q, inputs);
    let reset = netlist.graph.constant(0u8, 1);
    for (k, (&q, next)) in q.iter().zip(next).enumerate() {
        let init = BigUint::from(k);
        netlist.regs.push(Reg {
            name: format!("q[{k}]"),
            width: 8,
            init,
            q,
            d: next,
            reset,
            next,
        });
    }
    netlist
}

fn check(netlist: &Netlist, mut model: impl FnMut(&mut Vec<u64>, [u64; 4])) {
    let n = netlist.regs.len();
    for engine in engines() {
        let mut sim = Sim::with_engine(netlist, engine).unwrap();
        let mut state: Vec<u64> = (0..n as u64).collect();
        let mut stream = Stream(12345);
        for cycle in 0..200 {
            let values = [0xff, 0xff, 1, 1].map(|mask| stream.word() >> 20 & mask);
            for (name, value) in ["a", "b", "c", "d"].into_iter().zip(values) {
                sim.set_input(name, value).unwrap();
            }
            sim.step();
            model(&mut state, values);
            let found: Vec<u64> = (0..n)
                .map(|k| sim.peek(&format!("q[{k}]")).unwrap())
                .collect();
            assert_eq!(found, state, "{engine:?}, cycle {cycle}");
        }
    }
}

#[test]
fn shift_registers() {
    let up = flops(20, |_, q, [a, ..]| [&[a], &q[..19]].concat());
    check(&up, |s, [a, ..]| {
        s.insert(0, a);
        s.pop();
    });
    let down = flops(20, |_, q, [a, ..]| [&q[1..], &[a]].concat());
    check(&down, |s, [a, ..]| {
        s.remove(0);
        s.push(a);
    });
    let ring = flops(20, |_, q, _| [&q[1..], &q[..1]].concat());
    check(&ring, |s, _| s.rotate_left(1));
}

/// Either direction, by a flag: both arms of a branch read what the other writes.
#[test]
fn a_shift_register_of_two_directions() {
    let both = flops(20, |netlist, q, [a, b, c, d]| {
        let (up, down) = ([&[a], &q[..19]].concat(), [&q[1..], &[b]].concat());
        (0..20)
            .map(|k| {
                let moved = netlist.graph.mux(c, up[k], down[k]);
                netlist.graph.mux(d, moved, q[k])
            })
            .collect()
    });
    check(&both, |s, [a, b, c, d]| match (d, c) {
        (0, _) => {}
        (_, 1) => {
            s.insert(0, a);
            s.pop();
        }
        _ => {
            s.remove(0);
            s.push(b);
        }
    });
}

/// Every flop needs every other one.
#[test]
fn everything_depends_on_everything() {
    let sums = flops(12, |netlist, q, [a, _, c, _]| {
        let sum = q.iter().fold(a, |s, &q| netlist.graph.add(s, q));
        (0..12)
            .map(|k| {
                let mixed = netlist.graph.xor(sum, q[(k + 5) % 12]);
                netlist.graph.mux(c, mixed, q[11 - k])
            })
            .collect()
    });
    check(&sums, |s, [a, _, c, _]| {
        let sum = s.iter().sum::<u64>() + a;
        let old = s.clone();
        for k in 0..12 {
            s[k] = if c == 1 {
                (sum ^ old[(k + 5) % 12]) & 0xff
            } else {
                old[11 - k]
            };
        }
    });
}

/// Read, and written, by address; the word read is the old one.
#[test]
fn a_register_file() {
    let netlist = flops(17, |netlist, q, [a, b, c, _]| {
        let g = &mut netlist.graph;
        let (read, write) = (g.slice(a, 0, 4), g.slice(a, 4, 4));
        let mut word = g.constant(0u8, 8);
        let mut next = Vec::new();
        for (k, &q) in q[..16].iter().enumerate() {
            let k = g.constant(k as u64, 4);
            let (here, there) = (g.eq(read, k), g.eq(write, k));
            let sum = g.or(word, q);
            word = g.mux(here, sum, word);
            let enabled = g.and(c, there);
            next.push(g.mux(enabled, b, q));
        }
        next.push(word);
        netlist.outputs.push(Output {
            name: "word".into(),
            node: word,
        });
        next
    });
    check(&netlist, |s, [a, b, c, _]| {
        s[16] = s[(a & 15) as usize];
        if c == 1 {
            s[(a >> 4) as usize] = b;
        }
    });
}

/// A mistake in the model is noticed: the check itself works.
#[test]
#[should_panic(expected = "cycle 0")]
fn a_wrong_model_is_seen() {
    let ring = flops(4, |_, q, _| [&q[1..], &q[..1]].concat());
    check(&ring, |s, _| s.rotate_right(1));
}
