//! RAMs as flops, for a prover that knows no RAM.

use cotenant_netlist::graph::{Graph, NodeId, Op};
use cotenant_netlist::{Input, Netlist, Ram, Reg};

/// A netlist with a flop for each word of its RAMs and one for what was read. What they hold at
/// power-up is not known: an input of its own for each, which is read in the first cycle alone. RAM
/// `i` and RAM `i + sound` start with the same.
pub(super) fn in_flops(netlist: &Netlist, sound: usize) -> Netlist {
    let mut inputs = netlist.inputs.clone();
    let places: Vec<Place> = (netlist.rams.iter().take(sound))
        .map(|ram| {
            let input = inputs.len();
            let words = (0..depth(ram)).map(|word| format!("{}[{word}] at power-up", ram.name));
            let names = [format!("{} at power-up", ram.name)]
                .into_iter()
                .chain(words);
            inputs.extend(names.map(|name| Input {
                name,
                width: ram.width,
            }));
            Place { flop: 0, input }
        })
        .collect();
    // The flop that is 1 in the first cycle, then those of each RAM.
    let first = netlist.regs.len();
    let mut flop = first + 1;
    let rams = netlist.rams.iter().enumerate();
    let places: Vec<Place> = rams
        .map(|(index, ram)| {
            let place = Place {
                flop,
                ..places[index % sound]
            };
            flop += 1 + depth(ram);
            place
        })
        .collect();
    let mut out = netlist.rewritten(|graph, old, new| match *graph.op(old) {
        Op::RamData(ram) => {
            let width = graph.width(old);
            places[ram as usize].value(graph, first, 0, width)
        }
        _ => new,
    });
    out.inputs = inputs;
    let never = out.graph.constant(0u8, 1);
    let q = out.graph.raw(Op::Reg(first as u32), 1);
    let flop = |name: String, q: NodeId, width: usize, init: u8, next: NodeId| Reg {
        name,
        width,
        init: init.into(),
        q,
        d: next,
        reset: never,
        next,
    };
    let mut flops = vec![flop("first cycle".into(), q, 1, 1, never)];
    for (ram, place) in std::mem::take(&mut out.rams).iter().zip(&places) {
        let graph = &mut out.graph;
        let at = |word: usize| place.flop + 1 + word;
        let words: Vec<NodeId> = (0..depth(ram))
            .map(|word| place.value(graph, first, 1 + word, ram.width))
            .collect();
        let read = select(graph, &words, ram.read_address);
        let q = graph.raw(Op::Reg(place.flop as u32), ram.width);
        flops.push(flop(ram.name.clone(), q, ram.width, 0, read));
        for (word, value) in words.into_iter().enumerate() {
            let address = graph.constant(word, ram.address_width);
            let here = graph.eq(ram.write_address, address);
            let written = graph.and(here, ram.write_enable);
            let next = graph.mux(written, ram.write_data, value);
            let q = graph.raw(Op::Reg(at(word) as u32), ram.width);
            let name = format!("{}[{word}]", ram.name);
            flops.push(flop(name, q, ram.width, 0, next));
        }
    }
    out.regs.extend(flops);
    out
}

/// Bits of all words.
pub(super) fn bits(rams: &[Ram]) -> usize {
    rams.iter().map(|ram| ram.width * depth(ram)).sum()
}

fn depth(ram: &Ram) -> usize {
    1 << ram.address_width
}

/// Where the flops of a RAM begin, and the inputs that say what they hold at power-up: what was
/// read, then the words.
#[derive(Debug, Clone, Copy)]
struct Place {
    flop: usize,
    input: usize,
}

impl Place {
    /// What a flop of the RAM holds.
    fn value(&self, graph: &mut Graph, first: usize, number: usize, width: usize) -> NodeId {
        let first = graph.raw(Op::Reg(first as u32), 1);
        let start = graph.raw(Op::Input((self.input + number) as u32), width);
        let held = graph.raw(Op::Reg((self.flop + number) as u32), width);
        graph.mux(first, start, held)
    }
}

/// The word at an address, of two to the address's width.
fn select(graph: &mut Graph, words: &[NodeId], address: NodeId) -> NodeId {
    let mut left = words.to_vec();
    for bit in 0..graph.width(address) {
        let bit = graph.slice(address, bit, 1);
        let pairs = left.chunks(2);
        left = pairs.map(|pair| graph.mux(bit, pair[1], pair[0])).collect();
    }
    left[0]
}

#[cfg(test)]
mod tests {
    //! Rationale: an expanded RAM that reads another word, or that forgets, would let the prover
    //! prove what is not so. A unit with its RAM in flops does what the unit does, in a simulation;
    //! and what it holds at power-up is what the inputs say.
    use super::*;
    use crate::unit::llc::LlcMonitor;
    use crate::verify::interface::Interface;
    use cotenant_netlist::sim::{Engine, Sim};
    use cotenant_units::table;

    #[test]
    fn flops_do_what_the_ram_does() {
        let netlist = LlcMonitor::netlist(&table::set("llc_monitor", "small").unwrap()).unwrap();
        assert!(!netlist.rams.is_empty());
        let flops = in_flops(&netlist, netlist.rams.len());
        assert!(flops.rams.is_empty());
        let words: usize = netlist.rams.iter().map(|ram| 1 + depth(ram)).sum();
        assert_eq!(flops.regs.len(), netlist.regs.len() + 1 + words);
        let [mut ram, mut flat] =
            [&netlist, &flops].map(|design| Sim::with_engine(design, Engine::Interpreter).unwrap());
        let mut random = 1u64;
        let mut hits = 0;
        for cycle in 0..3000 {
            for input in &netlist.inputs {
                random = random
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                let word = (random >> 32) & ((1 << input.width.min(32)) - 1);
                let word = match input.name.as_str() {
                    "reset" => u64::from(cycle == 0),
                    // Few tags, so that lines are found again, and all of them kept for a while.
                    "access_tag" => word & 3,
                    "flush" => u64::from(cycle == 1500),
                    _ => word,
                };
                for sim in [&mut ram, &mut flat] {
                    let slot = sim.layout().input(&input.name).unwrap();
                    sim.set_words(slot, &[word]);
                }
            }
            ram.eval();
            flat.eval();
            for output in &netlist.outputs {
                let [a, b] = [&ram, &flat].map(|sim| {
                    let slot = sim.layout().output(&output.name).unwrap();
                    sim.get_words(slot).to_vec()
                });
                assert_eq!(a, b, "{} in cycle {cycle}", output.name);
            }
            hits += ram.output("done_hit").unwrap();
            ram.step();
            flat.step();
        }
        assert!(hits > 100, "{hits}");
    }

    #[test]
    fn at_power_up_it_holds_what_the_inputs_say() {
        let netlist = LlcMonitor::netlist(&table::set("llc_monitor", "small").unwrap()).unwrap();
        let flops = in_flops(&netlist, netlist.rams.len());
        let name = format!("{}[3]", netlist.rams[0].name);
        let mut sim = Sim::with_engine(&flops, Engine::Interpreter).unwrap();
        let slot = sim.layout().input(&format!("{name} at power-up")).unwrap();
        sim.set_words(slot, &[1]);
        sim.step();
        sim.set_words(slot, &[0]);
        let held = sim
            .layout()
            .registers()
            .find(|(held, _)| *held == name)
            .unwrap()
            .1;
        assert_eq!(sim.get_words(held)[0], 1);
        sim.step();
        assert_eq!(sim.get_words(held)[0], 1);
    }
}
