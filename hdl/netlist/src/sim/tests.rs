//! Shapes that the simulators must recognise, since speed depends on it; that
//! the results are right is tested on random designs, which are short, and of a long one here.
//! Each shape has a neighbour that must not be recognised.

use super::code::step_plan;
use super::layout::Layout;
use super::plan::{Plan, Step};
use super::words::WordOp;
use crate::graph::{Graph, NodeId, Op};
use crate::{Input, Netlist, Output, Reg};
use num_bigint::BigUint;

/// Inputs and flops by width; the first input may serve as a reset.
fn design(inputs: &[usize], flops: &[usize]) -> (Netlist, Vec<NodeId>, Vec<NodeId>) {
    let mut netlist = Netlist {
        module: Default::default(),
        graph: Graph::default(),
        inputs: Vec::new(),
        outputs: Vec::new(),
        regs: Vec::new(),
        rams: Vec::new(),
        signals: Vec::new(),
        warnings: Vec::new(),
        clock: None,
    };
    let graph = &mut netlist.graph;
    let mut ports = Vec::new();
    for (k, &width) in inputs.iter().enumerate() {
        netlist.inputs.push(Input {
            name: format!("in{k}"),
            width,
        });
        ports.push(graph.raw(Op::Input(k as u32), width));
    }
    let mut registers = Vec::new();
    let reset = graph.constant(0u8, 1);
    for (k, &width) in flops.iter().enumerate() {
        let q = graph.raw(Op::Reg(k as u32), width);
        let (name, init) = (format!("q{k}"), BigUint::ZERO);
        netlist.regs.push(Reg {
            name,
            width,
            init,
            q,
            d: q,
            reset,
            next: q,
        });
        registers.push(q);
    }
    (netlist, ports, registers)
}

fn output(netlist: &mut Netlist, node: NodeId) {
    let name = format!("out{}", netlist.outputs.len());
    netlist.outputs.push(Output { name, node });
}

fn planned(netlist: &Netlist) -> Plan {
    step_plan(netlist, &Layout::new(netlist).unwrap()).unwrap()
}

/// Number of steps, branches included, for which `f` holds.
fn count(steps: &[Step], f: &dyn Fn(&Step) -> bool) -> usize {
    steps
        .iter()
        .map(|step| {
            let inside = match step {
                Step::If {
                    then, otherwise, ..
                } => count(then, f) + count(otherwise, f),
                _ => 0,
            };
            inside + usize::from(f(step))
        })
        .sum()
}

fn computed(plan: &Plan, f: impl Fn(WordOp) -> bool) -> usize {
    count(
        &plan.steps,
        &|s| matches!(s, Step::Compute(w) if f(plan.words.op(*w))),
    )
}

fn stored(plan: &Plan) -> usize {
    count(&plan.steps, &|s| matches!(s, Step::Store(..)))
}

/// `sum` of the bits of 16, as a tree or as a chain.
fn bit_sum(netlist: &mut Netlist, bits: &[NodeId], chain: bool) -> NodeId {
    let g = &mut netlist.graph;
    let mut sums: Vec<NodeId> = bits.iter().map(|&b| g.resize(b, 5)).collect();
    while sums.len() > 1 {
        let (x, y) = (sums.remove(0), sums.remove(0));
        let sum = g.add(x, y);
        if chain {
            sums.insert(0, sum)
        } else {
            sums.push(sum)
        }
    }
    sums[0]
}

#[test]
fn sums_of_bits_are_population_counts() {
    for chain in [false, true] {
        let (mut netlist, ports, _) = design(&[16], &[]);
        let bits: Vec<NodeId> = (0..16)
            .map(|k| netlist.graph.slice(ports[0], k, 1))
            .collect();
        let sum = bit_sum(&mut netlist, &bits, chain);
        output(&mut netlist, sum);
        let plan = planned(&netlist);
        assert_eq!(computed(&plan, |_| true), 1);
        assert_eq!(computed(&plan, |op| matches!(op, WordOp::Popcount(_))), 1);
    }
    // Two bits from each of several vectors are not worth a vector.
    let (mut netlist, ports, _) = design(&[1, 1, 1, 1, 1, 1], &[]);
    let sum = bit_sum(&mut netlist, &ports, true);
    output(&mut netlist, sum);
    assert_eq!(
        computed(&planned(&netlist), |op| matches!(op, WordOp::Popcount(_))),
        0
    );
}

/// The lanes of a demultiplexer: 16 positions, each owned by one of 4.
#[test]
fn lanes_are_vectors() {
    let (mut netlist, ports, _) = design(&[16, 32, 5], &[]);
    let g = &mut netlist.graph;
    for owner in 0..4u8 {
        let lanes = (0..16)
            .map(|i| {
                let (valid, owned_by) = (g.slice(ports[0], i, 1), g.slice(ports[1], 2 * i, 2));
                let (owner, i) = (g.constant(owner, 2), g.constant(i as u8, 5));
                let (same, above) = (g.eq(owned_by, owner), g.less(i, ports[2]));
                let passed = g.and(valid, above);
                g.and(passed, same)
            })
            .collect();
        let lane = g.cat(lanes);
        netlist.outputs.push(Output {
            name: format!("lane{owner}"),
            node: lane,
        });
    }
    let plan = planned(&netlist);
    assert_eq!(
        computed(&plan, |op| matches!(op, WordOp::Eq(..) | WordOp::Less(..))),
        0
    );
    assert!(
        computed(&plan, |_| true) < 60,
        "{}",
        computed(&plan, |_| true)
    );
}

/// `word` of 16 flops: and-or, or a chain of multiplexers; by one selector or by two.
fn read_port(sizes: (usize, usize), and_or: bool, skipped: Option<usize>) -> Plan {
    let bits = |n: usize| n.trailing_zeros() as usize;
    let (mut netlist, ports, q) = design(&[bits(sizes.0), bits(sizes.1).max(1)], &[8; 16]);
    let g = &mut netlist.graph;
    let choose = |g: &mut Graph, selector: NodeId, words: &[NodeId]| {
        let mut read = g.constant(0u8, 8);
        for (k, &word) in words.iter().enumerate() {
            let k_node = g.constant(k as u8, g.width(selector));
            let here = g.eq(selector, k_node);
            let word = if and_or { g.or(read, word) } else { word };
            if skipped != Some(k) {
                read = g.mux(here, word, read);
            }
        }
        read
    };
    let rows: Vec<NodeId> = q
        .chunks(sizes.0)
        .map(|row| choose(g, ports[0], row))
        .collect();
    let read = if rows.len() > 1 {
        choose(g, ports[1], &rows)
    } else {
        rows[0]
    };
    output(&mut netlist, read);
    planned(&netlist)
}

#[test]
fn read_ports_are_tables() {
    let tables = |plan: &Plan| computed(plan, |op| matches!(op, WordOp::Table(..)));
    for and_or in [false, true] {
        for sizes in [(16, 1), (4, 4)] {
            let plan = read_port(sizes, and_or, None);
            assert_eq!(tables(&plan), 1, "{sizes:?} {and_or}");
            assert_eq!(
                computed(&plan, |op| matches!(
                    op,
                    WordOp::Select(..) | WordOp::Eq(..)
                )),
                0
            );
        }
        // A hole: that choice reads zero.
        let plan = read_port((16, 1), and_or, Some(5));
        assert!(tables(&plan) == 0 || computed(&plan, |op| matches!(op, WordOp::Select(..))) > 0);
    }
}

/// A register file of 16 with a write port: `enable` and `address`.
fn write_port(same_data: bool) -> Plan {
    let (mut netlist, ports, q) = design(&[1, 4, 8, 8], &[8; 16]);
    for (k, &q) in q.iter().enumerate() {
        let g = &mut netlist.graph;
        let address = g.constant(k as u8, 4);
        let same = g.eq(ports[1], address);
        let here = g.and(ports[0], same);
        let data = if same_data || k > 0 {
            ports[2]
        } else {
            ports[3]
        };
        netlist.regs[k].next = g.mux(here, data, q);
    }
    planned(&netlist)
}

#[test]
fn write_ports_store_at_an_address() {
    let at = |plan: &Plan| count(&plan.steps, &|s| matches!(s, Step::StoreAt(..)));
    let plan = write_port(true);
    assert_eq!((at(&plan), stored(&plan)), (1, 0));
    let plan = write_port(false);
    assert_eq!((at(&plan), stored(&plan)), (0, 16));
}

/// `flops` that one input clears and that hold unless another one is set.
fn cleared(flops: usize) -> Plan {
    let (mut netlist, ports, q) = design(&[1, 1, 8], &vec![8; flops]);
    for (k, &q) in q.iter().enumerate() {
        let g = &mut netlist.graph;
        let (zero, distance) = (g.constant(0u8, 8), g.constant(k as u8, 8));
        let next = g.add(ports[2], distance);
        let held = g.mux(ports[1], next, q);
        netlist.regs[k].next = g.mux(ports[0], zero, held);
    }
    planned(&netlist)
}

#[test]
fn common_flags_are_branches() {
    let branches = |plan: &Plan| count(&plan.steps, &|s| matches!(s, Step::If { .. }));
    let plan = cleared(12);
    assert_eq!(branches(&plan), 2);
    // Cleared, or set; to hold is to do nothing.
    assert_eq!(stored(&plan), 24);
    let [Step::If {
        then, otherwise, ..
    }] = &plan.steps[..]
    else {
        panic!("{:?}", plan.steps)
    };
    assert_eq!(then.len(), 12);
    assert!(matches!(&otherwise[..], [Step::If { otherwise, .. }] if otherwise.is_empty()));
    assert_eq!(branches(&cleared(2)), 0);
}

/// Registers of 32 bits, each the end of a chain of so many sums. What stands in the middle of
/// each chain is used again at the end of the next one.
#[cfg(feature = "jit")]
fn chains(registers: usize, sums: usize) -> Netlist {
    let (mut netlist, _, q) = design(&[1], &vec![32; registers]);
    let mut middles = Vec::new();
    for k in 0..registers {
        let g = &mut netlist.graph;
        let mut sum = g.constant(k as u8, 32);
        for n in 0..sums {
            let mixed = g.xor(sum, q[(k + n) % registers]);
            let distance = g.constant((n + k * sums) as u32, 32);
            sum = g.add(mixed, distance);
            if n == sums / 2 {
                middles.push(sum);
            }
        }
        netlist.regs[k].next = sum;
    }
    for k in 0..registers {
        let end = netlist.regs[k].next;
        netlist.regs[k].next = netlist.graph.xor(end, middles[(k + 1) % registers]);
    }
    netlist
}

#[cfg(feature = "jit")]
#[test]
fn long_programs_are_allocated_in_a_single_pass_and_compute_the_same() {
    use super::{jit, Engine, Sim};
    for (sums, expected) in [(4, "backtracking"), (100, "single_pass")] {
        let netlist = chains(32, sums);
        let operations = planned(&netlist).words.len();
        assert_eq!(jit::allocator(operations), expected, "{operations}");
        let [mut native, mut interpreted] = [Engine::Jit, Engine::Interpreter]
            .map(|engine| Sim::with_engine(&netlist, engine).unwrap());
        for cycle in 0..100 {
            native.step();
            interpreted.step();
            assert_eq!(native.state_words(), interpreted.state_words(), "{cycle}");
        }
        assert!(native.state_words().iter().all(|&word| word != 0));
    }
}
