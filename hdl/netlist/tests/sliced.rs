//! What a fault changes in 64 cycles at once is what the simulator says of the faulty design in each
//! of them.
//!
//! Rationale: fault simulation computes each fault a second way, so every kind of fault in every kind
//! of operation is compared with the netlist that has the fault, bit by bit, from states that are the
//! same and from states that differ.
use cotenant_netlist::blast::{Leaf, RamPort, Root};
use cotenant_netlist::fault::{at_outputs, candidates, sample, Described, Fault, Sliced};
use cotenant_netlist::sim::{Engine, Sim};
use cotenant_netlist::{Netlist, Output};
use cotenant_units::table;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// All leaves of a design: inputs, flops, read data, with a word of lanes per bit.
type Lanes = Vec<(Leaf, Vec<u64>)>;

fn lanes(netlist: &Netlist, random: &mut Random) -> Lanes {
    let inputs = netlist.inputs.iter().map(|input| input.width).enumerate();
    let inputs = inputs.map(|(i, width)| (Leaf::Input(i, 0), width));
    let regs = netlist.regs.iter().map(|reg| reg.width).enumerate();
    let regs = regs.map(|(i, width)| (Leaf::Reg(i, 0), width));
    let rams = netlist.rams.iter().map(|ram| ram.width).enumerate();
    let rams = rams.map(|(i, width)| (Leaf::RamData(i, 0), width));
    let all = inputs.chain(regs).chain(rams);
    let mut lanes: Lanes = all.map(|(leaf, width)| (leaf, vec![0; width])).collect();
    for (_, words) in &mut lanes {
        // Some values with few ones, some with few zeros.
        let (dense, sparse) = (random.next() % 4, random.next());
        for word in words {
            let (a, b) = (random.next(), random.next());
            *word = match dense {
                0 => a & b & sparse,
                1 => a | b | sparse,
                _ => a,
            };
        }
    }
    lanes
}

/// The roots of a design with a fault for one lane of the leaves.
fn simulated(netlist: &Netlist, lanes: &Lanes, lane: usize, sim: &mut Sim) -> Vec<Vec<bool>> {
    for (leaf, words) in lanes {
        let slot = match *leaf {
            Leaf::Input(i, _) => sim.layout().input(&netlist.inputs[i].name),
            Leaf::Reg(i, _) => sim.layout().state(&netlist.regs[i].name),
            Leaf::RamData(i, _) => {
                let name = format!("{}.read_data", netlist.rams[i].name);
                sim.layout().state(&name)
            }
        };
        let mut value = vec![0; words.len().div_ceil(64)];
        for (bit, word) in words.iter().enumerate() {
            value[bit / 64] |= (word >> lane & 1) << (bit % 64);
        }
        sim.set_words(slot.unwrap(), &value);
    }
    sim.eval();
    let roots = 0..netlist.roots().len();
    let outputs = roots.map(|root| sim.layout().output(&root.to_string()).unwrap());
    outputs
        .map(|slot| sim.get_bits(slot).iter().by_vals().collect())
        .collect()
}

/// Where a root stands in `Netlist::roots`.
fn position(netlist: &Netlist, root: Root) -> (usize, usize) {
    let (outputs, regs) = (netlist.outputs.len(), netlist.regs.len());
    match root {
        Root::Output(i, bit) => (i, bit),
        Root::Next(i, bit) => (outputs + i, bit),
        Root::Ram(i, port, bit) => {
            let port = match port {
                RamPort::ReadAddress => 0,
                RamPort::WriteEnable => 1,
                RamPort::WriteAddress => 2,
                RamPort::WriteData => 3,
            };
            (outputs + regs + 4 * i + port, bit)
        }
    }
}

/// A simulator that shows all roots.
fn rooted(netlist: &Netlist) -> Sim {
    let mut shown = netlist.clone();
    let roots = netlist.roots().into_iter().enumerate();
    let roots = roots.map(|(i, node)| Output {
        name: i.to_string(),
        node,
    });
    shown.outputs = roots.collect();
    Sim::with_engine(&shown, Engine::Interpreter).unwrap()
}

fn compare(unit: &str, set: &str, most: usize) {
    let set = table::set(unit, set).unwrap();
    let netlist = table::netlist(unit, &set).unwrap().unwrap();
    let mut faults = match candidates(&netlist) {
        all if all.len() <= most => all,
        _ => sample(&netlist, most, 1),
    };
    faults.extend(at_outputs(&netlist).into_iter().step_by(7));
    let mut random = Random(7);
    let good = lanes(&netlist, &mut random);
    let mut sliced = Sliced::new(&netlist);
    for (leaf, words) in &good {
        if let Some(place) = sliced.leaf(*leaf) {
            place.copy_from_slice(words);
        }
    }
    sliced.evaluate();
    let mut sound = rooted(&netlist);
    let sound: Vec<_> = (0..64)
        .map(|lane| simulated(&netlist, &good, lane, &mut sound))
        .collect();
    let (mut roots, mut differing) = (Vec::new(), 0);
    for (number, fault) in faults.iter().enumerate() {
        // Every third fault meets a state that differs already, in some lanes.
        let (mut leaves, mut mask, mut bad) = (Vec::new(), u64::MAX, good.clone());
        if number % 3 == 0 {
            mask = random.next();
            let picked = random.next() as usize % bad.len();
            let (leaf, words) = &mut bad[picked];
            let bit = random.next() as usize % words.len();
            words[bit] ^= mask;
            leaves.push(match *leaf {
                Leaf::Input(i, _) => Leaf::Input(i, bit),
                Leaf::Reg(i, _) => Leaf::Reg(i, bit),
                Leaf::RamData(i, _) => Leaf::RamData(i, bit),
            });
        }
        sliced.propagate(fault, &leaves, mask, &mut roots).unwrap();
        let mut faulty = rooted(&netlist.with_fault(fault).unwrap());
        for lane in (number % 5..64).step_by(13) {
            let mut expected = sound[lane].clone();
            for &(root, lanes) in &roots {
                assert_ne!(lanes & mask, 0);
                let (at, bit) = position(&netlist, root);
                expected[at][bit] ^= lanes >> lane & 1 == 1;
            }
            if mask >> lane & 1 == 0 {
                assert_eq!(expected, sound[lane]);
                continue;
            }
            let found = simulated(&netlist, &bad, lane, &mut faulty);
            let words = Described(&netlist, fault);
            assert_eq!(found, expected, "{unit} {}: {words}, lane {lane}", set.name);
            differing += usize::from(found != sound[lane]);
        }
    }
    assert!(differing > faults.len() / 4, "{unit}: {differing}");
}

#[test]
fn faults_change_what_the_simulator_says() {
    for (unit, set) in [
        ("popcnt", "small"),
        ("lru_stack", "small"),
        ("gdcu", "small"),
        ("milg", "small"),
        ("quota_unit", "small"),
        ("qbmi", "small"),
        ("blame", "small"),
        ("pivot", "small"),
        ("umon", "small"),
        ("llc_monitor", "small"),
        ("mem_issue_axi", "small"),
    ] {
        compare(unit, set, 500);
    }
}

#[test]
fn a_place_of_another_netlist_is_refused() {
    let set = table::set("popcnt", "small").unwrap();
    let netlist = table::netlist("popcnt", &set).unwrap().unwrap();
    let fault = Fault::LostWrite { reg: 9 };
    let refused = Sliced::new(&netlist).propagate(&fault, &[], 1, &mut Vec::new());
    assert!(refused.unwrap_err().to_string().contains("LostWrite"));
}
