//! Rationale: an estimate of something that computes something else is worth nothing. A mapping is
//! compared with the netlist's own gates, which know nothing of carry chains, enables and tables;
//! each kind of thing in it is broken and must be caught. Every unit in every test set is mapped
//! by the testbench's tests.

use super::control::FlopBit;
use super::mapping::Signal;
use super::*;
use crate::blast::Lit;
use crate::hdl::*;
use cotenant_units::llc::Gdcu;

// The units' own netlists are of this crate as others see it, not of this one with its tests.
fn gdcu() -> Netlist {
    let mut block = <Gdcu!(2, 2, 21, 1)>::default();
    block.connect_all();
    crate::elaborate(&block, "gdcu").unwrap()
}

fn mapped(netlist: &Netlist, architecture: Architecture) -> Mapped {
    let literal = netlist.literal().unwrap();
    Mapped::new(Network::new(&literal, architecture), architecture)
}

/// What breaks one mapping, by a number that says where.
type Break = fn(&mut Mapped, usize) -> bool;

const BREAKS: [(&str, Break); 6] = [
    ("a table", |mapped, at| {
        let place = at * 7 % mapped.luts.len();
        let table = mapped.luts[place].table;
        mapped.luts[place].table = mapping::Table::from_fn(|x| !table.get(x));
        true
    }),
    ("a table's input", |mapped, at| {
        let place = at * 7 % mapped.luts.len();
        let input = &mut mapped.luts[place].inputs[0];
        *input = Signal::Variable(0);
        true
    }),
    ("a flop's enable", |mapped, at| {
        with_flop(mapped, at, |flop| {
            let useful = flop.enable != Lit::TRUE;
            flop.enable = Lit::TRUE;
            useful
        })
    }),
    ("a flop's reset", |mapped, at| {
        with_flop(mapped, at, |flop| {
            flop.reset = Lit::FALSE;
            true
        })
    }),
    ("a flop's reset value", |mapped, at| {
        with_flop(mapped, at, |flop| {
            flop.value = !flop.value;
            true
        })
    }),
    ("a carry into a chain", |mapped, at| {
        let chains = &mut mapped.network.chains;
        let place = at % chains.len();
        let used = mapped.network.chain_use[place].carries > 0;
        let chain = &mut chains[place];
        chain.carry = !chain.carry;
        // In an iCE40 the lowest sum's table has it already.
        used
    }),
];

fn with_flop(mapped: &mut Mapped, at: usize, change: fn(&mut FlopBit) -> bool) -> bool {
    let place = at * 13 % mapped.network.flops.len();
    change(&mut mapped.network.flops[place].1)
}

#[test]
fn a_table_says_of_64_vectors_what_it_says_of_each() {
    let bits = |number: u64| (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for inputs in 0..=8 {
        let table = mapping::Table::from_fn(|x| bits(x as u64) >> 40 & 1 == 1);
        let words: Vec<u64> = (0..inputs).map(|input| bits(1000 + input)).collect();
        let found = table.look_up(&words);
        for vector in 0..64 {
            let at = words
                .iter()
                .rev()
                .fold(0, |at, word| at << 1 | word >> vector & 1);
            let expected = u64::from(table.get(at as usize));
            assert_eq!(found >> vector & 1, expected, "{inputs} inputs, {vector}");
        }
    }
}

#[test]
fn each_broken_mapping_is_caught() {
    let netlist = gdcu();
    let aig = Aig::new(&netlist);
    for architecture in Architecture::ALL {
        assert_eq!(verify::verify(&aig, &mapped(&netlist, architecture)), None);
        for (what, damage) in BREAKS {
            let (mut done, mut caught) = (0, 0);
            for at in 0..30 {
                let mut broken = mapped(&netlist, architecture);
                if damage(&mut broken, at) {
                    done += 1;
                    caught += usize::from(verify::verify(&aig, &broken).is_some());
                }
            }
            // Not all: some inputs of tables do not matter, since the signals depend on each
            // other, and a reset to what the data is anyway changes nothing.
            let name = architecture.name();
            assert!(caught * 4 >= done * 3, "{what}, {name}: {caught} of {done}");
            assert!(done > 5, "{what}: {done}");
        }
    }
}

/// Storage by hand: `gdcu` of 2 ways and 2 kernels with 21 bits: 4 counters and 4 shadows, a bit
/// for each that it passed its limit; in the read port a counter with that bit for each victim,
/// and which victim; sequence number; in the pipeline valid, kid and 2 lanes of 2 bits.
#[test]
fn flops_by_hand() {
    let area = Area::of(&gdcu()).unwrap();
    assert_eq!(
        area.flop_bits,
        8 * (21 + 1) + 2 * 22 + 1 + 8 + 1 + 1 + 2 * 2
    );
    assert_eq!((area.removed_flop_bits, area.ram_bits), (0, 0));
    assert_eq!(area.nand2, area.gates + 4 * area.flop_bits);
}

/// One output kept of a unit: all that feeds nothing else goes.
#[test]
fn unused_and_constant_flops_do_not_count() {
    let mut netlist = gdcu();
    let all = Area::of(&netlist).unwrap().flop_bits;
    let only = netlist
        .outputs
        .iter()
        .position(|o| o.name == "sequence_number");
    netlist.outputs = vec![netlist.outputs[only.unwrap()].clone()];
    let network = Network::new(&netlist, Architecture::Ice40);
    assert_eq!(network.flops.len(), 8);
    // Reset for ever, it stays zero.
    let one = netlist.graph.constant(1u8, 1);
    netlist.regs.iter_mut().for_each(|reg| reg.reset = one);
    let network = Network::new(&netlist, Architecture::Ice40);
    assert_eq!((network.flops.len(), network.replaced.len()), (0, 8));
    assert!(all > 200);
}
