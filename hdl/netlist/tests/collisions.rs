//! Rationale: the form of a design that scrambles colliding reads stands for hardware, whose read
//! data are undefined then. It must scramble those reads and no others, in both engines, and leave
//! ports, flops and words as they are; and a design that uses the undefined word, though right in
//! the plain form, must be seen to be wrong in this one.

use crate::support::stimulus::Random;
use crate::support::{Memory, I, O};
use cotenant_netlist::hdl::*;
use cotenant_netlist::sim::{Engine, Sim};
use cotenant_netlist::{elaborate, Netlist};
use cotenant_units::table;

/// Wider than a machine word, and few words, so that reads and writes meet.
#[derive(Default, LogicBlock)]
struct Store {
    pub clock: I<Clock>,
    pub read_address: I<Bits<2>>,
    pub write_enable: I<Bit>,
    pub write_address: I<Bits<2>>,
    pub write_data: I<Bits<70>>,
    pub read_data: O<Bits<70>>,
    words: Memory<Bits<70>, 2>,
}

impl Logic for Store {
    #[hdl_gen]
    fn update(&mut self) {
        self.words.clock.next = self.clock.val();
        self.words.read_address.next = self.read_address.val();
        self.words.write_enable.next = self.write_enable.val();
        self.words.write_address.next = self.write_address.val();
        self.words.write_data.next = self.write_data.val();
        self.read_data.next = self.words.read_data.val();
    }
}

fn store() -> Netlist {
    let mut block = Store::default();
    block.connect_all();
    elaborate(&block, "store").unwrap()
}

#[test]
fn colliding_reads_and_no_others_come_out_inverted() {
    let plain = store();
    let scrambled = plain.with_scrambled_collisions();
    assert_eq!(scrambled.inputs, plain.inputs);
    assert_eq!(scrambled.regs.len(), 1);
    assert_eq!(scrambled.regs[0].name, "words.collision");
    for engine in [Engine::Interpreter, Engine::Jit] {
        let mut sim = Sim::with_engine(&scrambled, engine).unwrap();
        let mut random = Random::new(7);
        // The words and the read data that a user sees, as numbers of 70 bits.
        let (mut words, mut seen) = ([0u128; 4], 0u128);
        let (mut collisions, mut reads) = (0, 0);
        for cycle in 0..2000 {
            let (read, write) = (random.below(4) as usize, random.below(4) as usize);
            let enable = random.below(2) == 1;
            let data = (u128::from(random.word()) << 6 | 0x2a) & ((1 << 70) - 1);
            sim.set_input("read_address", read as u64).unwrap();
            sim.set_input("write_address", write as u64).unwrap();
            sim.set_input("write_enable", u64::from(enable)).unwrap();
            let slot = sim.layout().input("write_data").unwrap();
            sim.set_words(slot, &[data as u64, (data >> 64) as u64]);
            sim.step();
            let slot = sim.layout().output("read_data").unwrap();
            let [low, high] = sim.get_words(slot) else {
                panic!()
            };
            let got = u128::from(*high) << 64 | u128::from(*low);
            assert_eq!(got, seen, "{engine:?}: cycle {cycle}");
            let collides = enable && read == write;
            seen = match collides {
                true => !words[read] & ((1 << 70) - 1),
                false => words[read],
            };
            assert_eq!(
                sim.peek("words.collision").unwrap(),
                u64::from(collides),
                "{engine:?}: cycle {cycle}"
            );
            collisions += u32::from(collides);
            reads += u32::from(!collides);
            if enable {
                words[write] = data;
            }
        }
        for (address, word) in sim.layout().ram("words").unwrap().slots().enumerate() {
            assert_eq!(sim.get(word), words[address] as u64, "{engine:?}");
        }
        assert!(collisions > 100 && reads > 100, "{collisions} {reads}");
    }
}

#[test]
fn a_design_without_a_collision_or_a_ram_is_the_same() {
    let scrambled = store().with_scrambled_collisions();
    let (mut one, mut two) = (Sim::new(&store()).unwrap(), Sim::new(&scrambled).unwrap());
    let mut random = Random::new(8);
    for cycle in 0..500 {
        let read = random.below(4);
        let values = [
            ("read_address", read),
            ("write_address", read ^ 1),
            ("write_enable", random.below(2)),
            ("write_data", random.word()),
        ];
        for sim in [&mut one, &mut two] {
            for (name, value) in values {
                sim.set_input(name, value).unwrap();
            }
            sim.step();
        }
        let read = |sim: &Sim| sim.output("read_data").unwrap();
        assert_eq!(read(&one), read(&two), "cycle {cycle}");
    }
    let small = table::set("gdcu", "small").unwrap();
    let gdcu = table::netlist("gdcu", &small).unwrap().unwrap();
    assert_eq!(gdcu.with_scrambled_collisions().digest(), gdcu.digest());
}
