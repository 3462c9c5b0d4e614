//! A block of one's own in the form of a unit: the example, and what rustc refuses.
//!
//! Rationale: `#[unit]` makes a block and a description from one text, and both could be wrong
//! alike. So the example's description is compared with its block's AST, its netlist with
//! `update()`, and what it counts with a model that is written here. rustc's own errors are
//! compared by compiling pieces of Rust beside this test.

#[allow(missing_docs, unused_imports)]
#[path = "../examples/event_counter.rs"]
mod event_counter;

use cotenant_netlist::describe::ParameterError;
use cotenant_netlist::hdl::*;
use cotenant_netlist::sim::Sim;
use cotenant_netlist::unit;
use cotenant_netlist::unit::Unit;
use cotenant_netlist::{elaborate, elaborate_description, same_description, verilog};
use event_counter::{AnyEventCounter, EventCounter};
use num_bigint::BigUint;
use std::path::PathBuf;
use std::process::Command;

/// A block of the example for compile-time parameters, and those parameters.
fn blocks() -> Vec<(Box<dyn Unit>, Vec<usize>)> {
    fn made<B: Unit + Default + 'static>(given: &[usize]) -> (Box<dyn Unit>, Vec<usize>) {
        let mut block = Box::<B>::default();
        block.connect_all();
        (block, given.to_vec())
    }
    vec![
        made::<EventCounter!(1, 1)>(&[1, 1]),
        made::<EventCounter!(2, 4, 9)>(&[2, 4, 9]),
        made::<EventCounter!(5, 3)>(&[5, 3]),
        made::<EventCounter!(64, 2, 2)>(&[64, 2, 2]),
    ]
}

fn settle(block: &mut dyn Unit) {
    while {
        block.update_all();
        block.has_changed()
    } {}
}

#[test]
fn block_and_description_are_one() {
    for (block, given) in blocks() {
        let described = AnyEventCounter::describe("dut", &given).unwrap();
        assert_eq!(same_description(&block, &described), Ok(()), "{given:?}");
        let netlist = elaborate_description(&described, "dut").unwrap();
        assert_eq!(netlist.digest(), elaborate(&block, "dut").unwrap().digest());
    }
}

// Ports of arrays, of several elements and of none, by name, beside those of the netlist.
#[unit(source = "this test", file = "unit_form.rs")]
mod port_arrays {
    /// Numbers plus one.
    pub struct PortArrays<#[range(0..=8)] const PORTS: usize> {
        /// Always there.
        pub flip: In<Bit>,
        /// One port per number.
        pub number: [In<Bits<4>>; PORTS],
        /// Whether `flip` is 0.
        pub flipped: Out<Bit>,
        /// The numbers plus one.
        pub sum: [Out<Bits<4>>; PORTS],
    }

    fn update(&mut self) {
        self.flipped.next = !self.flip;
        for n in 0..PORTS {
            self.sum[n].next = self.number[n].val() + 1;
        }
    }
}

#[test]
fn arrays_of_ports_are_ports() {
    fn ports_of<B: Unit + Default>(given: usize) {
        let mut block = B::default();
        block.connect_all();
        let netlist = elaborate(&block, "dut").unwrap();
        let mut sim = Sim::new(&netlist).unwrap();
        for (value, (name, port)) in (7u64..).zip(block.inputs()) {
            assert!(port.set(&(value & ((1 << port.width()) - 1)).into()));
            sim.set_input(&name, value & ((1 << port.width()) - 1))
                .unwrap();
        }
        settle(&mut block);
        sim.eval();
        let outputs = block.outputs();
        assert_eq!(outputs.len(), 1 + given);
        for (n, (name, port)) in outputs.iter().enumerate() {
            let slot = sim.layout().output(name).expect("a port of the netlist");
            assert_eq!(port.get(), sim.get_words(slot)[0].into(), "{name}");
            let sum = n.checked_sub(1).map(|n| (7 + 1 + n as u64 + 1) & 15);
            assert_eq!(port.get(), sum.unwrap_or(0).into(), "{name}");
        }
    }
    ports_of::<PortArrays!(0)>(0);
    ports_of::<PortArrays!(3)>(3);
}

// What the comparison sees: another constant, another width, another statement.
// An array of parameters, used in a value, as a whole, and handed over to a part.
#[unit(
    source = "this test",
    file = "unit_form.rs",
    require(any(MASK), "MASK is 0 nowhere but beyond LISTS")
)]
mod parities {
    /// Parities of bits of a word.
    pub struct Parities<
        #[range(1..=3)] const LISTS: usize,
        /// The bits of a list.
        #[range(0..=limit(AT < LISTS))] const MASK: [usize; 3] = { 0 },
    > {
        /// The word.
        pub word: In<Bits<4>>,
        /// A bit per list.
        pub parity: Out<Bits<LISTS>>,
        #[value(|i| MASK[i])]
        mask: [Constant<Bits<4>>; LISTS],
    }

    fn update(&mut self) {
        for i in 0..LISTS {
            self.parity[i].next = (self.word & self.mask[i]).xor();
        }
    }
}

#[unit(source = "this test", file = "unit_form.rs")]
mod turned {
    /// The same of a word whose bits are all inverted.
    pub struct Turned<
        #[range(1..=3)] const LISTS: usize,
        #[range(0..=limit(AT < LISTS))] const TABLE: [usize; 3] = { 0 },
    > {
        /// The word.
        pub word: In<Bits<4>>,
        /// A bit per list.
        pub parity: Out<Bits<LISTS>>,
        parities: Parities<LISTS, MASK = TABLE>,
    }

    fn update(&mut self) {
        self.parities.word.next = !self.word;
        self.parity.next = self.parities.parity;
    }
}

const fn limit(there: bool) -> usize {
    15 * there as usize
}

const fn any(masks: [usize; 3]) -> bool {
    masks[0] > 0
}

#[test]
fn arrays_of_parameters_are_parameters() {
    let names = |definition: &cotenant_netlist::describe::Definition| -> Vec<&str> {
        definition.parameters.iter().map(|p| p.name).collect()
    };
    let definition = &<Parities!(@any)>::DEFINITION;
    assert_eq!(names(definition), ["LISTS", "MASK_0", "MASK_1", "MASK_2"]);
    assert_eq!(names(&<Turned!(@any)>::DEFINITION)[1], "TABLE_0");
    assert_eq!(definition.parameters[2].doc, "The bits of a list.");

    // The range of an element may depend on its number; a requirement sees all of them.
    let refused = |given: &[usize]| definition.check(given).unwrap_err().to_string();
    assert_eq!(refused(&[2, 1, 1, 1]), "parities: MASK_2 is 0 to 0, not 1");
    assert_eq!(refused(&[1, 16]), "parities: MASK_0 is 0 to 15, not 16");
    assert!(
        refused(&[1, 0]).contains("MASK is 0 nowhere"),
        "{}",
        refused(&[1, 0])
    );

    let mut block = Box::<Turned!(2, 6, 11)>::default();
    block.connect_all();
    let described = <Turned!(@any)>::describe("dut", &[2, 6, 11, 0]).unwrap();
    assert_eq!(same_description(&*block, &described), Ok(()));
    let netlist = elaborate_description(&described, "dut").unwrap();
    let mut sim = Sim::new(&netlist).unwrap();
    for word in 0..16u64 {
        block.word.next = word.to_bits();
        settle(&mut *block);
        sim.set_input("word", word).unwrap();
        sim.eval();
        let odd = |mask: u64| u64::from((!word & mask).count_ones() % 2);
        let expected = odd(6) | odd(11) << 1;
        assert_eq!(block.parity.val(), expected.to_bits::<2>(), "{word}");
        assert_eq!(sim.output("parity").unwrap(), expected, "{word}");
    }
}

#[test]
fn a_description_of_something_else_is_caught() {
    let (block, _) = blocks().swap_remove(1);
    for given in [[2, 4, 8], [2, 5, 9], [3, 4, 9]] {
        let other = AnyEventCounter::describe("dut", &given).unwrap();
        assert!(same_description(&block, &other).is_err(), "{given:?}");
    }
    let mut rewritten = AnyEventCounter::describe("dut", &[2, 4, 9]).unwrap();
    let cotenant_netlist::hdl::Verilog::Combinatorial(code) = &mut rewritten.hdl else {
        panic!("no update()");
    };
    code.swap(0, 1);
    let caught = same_description(&block, &rewritten).unwrap_err();
    assert!(caught.contains("/dut: hdl"), "{caught}");
}

// Signals, clear and reset at random, against update() and a model.
#[test]
fn the_example_counts() {
    for (mut block, given) in blocks() {
        let netlist = elaborate(&block, "dut").unwrap();
        let mut sim = Sim::new(&netlist).unwrap();
        let values = AnyEventCounter::DEFINITION.check(&given).unwrap();
        let (signals, width, limit) = (values[0], values[1], values[2] as u64);
        let (mut counts, mut before) = (vec![0; signals], 0);
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        for cycle in 0..400 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let level = random & (u64::MAX >> (64 - signals));
            let (clear, reset) = (cycle % 37 == 36, cycle % 101 == 100);
            for (name, port) in block.inputs() {
                let value = match &name[..] {
                    "level" => level,
                    "clear" => u64::from(clear),
                    _ => u64::from(reset),
                };
                assert!(port.set(&value.into()));
                sim.set_input(&name, value).unwrap();
            }
            settle(&mut *block);
            sim.eval();
            let packed = counts.iter().rev();
            let packed = packed.fold(BigUint::ZERO, |all, count: &u64| (all << width) + *count);
            let slots: Vec<_> = sim.layout().outputs().map(|(_, slot)| slot).collect();
            for ((name, port), slot) in block.outputs().into_iter().zip(slots) {
                let words = sim.get_words(slot).iter().rev();
                let simulated = words.fold(BigUint::ZERO, |all, word| (all << 64u8) + *word);
                assert_eq!(port.get(), simulated, "{given:?} cycle {cycle}: {name}");
                if name == "counts" {
                    assert_eq!(simulated, packed, "{given:?} cycle {cycle}");
                }
            }
            for (signal, count) in counts.iter_mut().enumerate() {
                let rises = (level & !before) >> signal & 1 == 1;
                *count = match (clear || reset, rises && *count < limit) {
                    (true, _) => 0,
                    (_, counting) => *count + u64::from(counting),
                };
            }
            before = if reset { 0 } else { level };
            let clock = |block: &mut dyn Unit, high: bool| {
                let clock: &mut Signal<_, _> = block.clock().expect("a clock");
                clock.next = high.into();
            };
            clock(&mut *block, true);
            settle(&mut *block);
            clock(&mut *block, false);
            settle(&mut *block);
            sim.step();
        }
    }
}

#[test]
fn the_example_runs_to_its_end() {
    event_counter::main().unwrap();
}

// The page shows the unit as it is.
#[test]
fn the_page_has_the_example() {
    let example = include_str!("../examples/event_counter.rs");
    let (_, rest) = example.split_once("\nmod event_counter {").unwrap();
    let (unit, _) = rest.split_once("\n}\n").unwrap();
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/unit-form.md");
    let page = std::fs::read_to_string(page).expect("the page");
    assert!(page.contains(unit));
}

#[test]
fn any_legal_parameters_have_verilog() {
    let description = AnyEventCounter::describe("event_counter", &[7, 5, 19]).unwrap();
    let netlist = elaborate_description(&description, "event_counter").unwrap();
    let design = verilog::export(&netlist, &verilog::Options::default()).unwrap();
    assert_eq!(design.top, "event_counter_signals7_width5_limit19");
    assert!(design
        .modules
        .iter()
        .any(|m| m.name == "rising_edge_signals7"));
    assert!(design.modules.iter().all(|m| m.text.contains("endmodule")));
}

#[test]
fn illegal_parameters_are_named_with_their_range() {
    let definition = AnyEventCounter::DEFINITION;
    let says = |result: Result<Vec<usize>, ParameterError>| result.unwrap_err().to_string();
    assert_eq!(definition.check(&[2, 4]), Ok(vec![2, 4, 15]));
    assert_eq!(
        definition.named(&[("WIDTH", 4), ("SIGNALS", 2)]),
        Ok(vec![2, 4, 15])
    );
    assert_eq!(
        says(definition.check(&[0, 4])),
        "event_counter: SIGNALS is 1 to 64, not 0"
    );
    assert_eq!(
        says(definition.check(&[2, 4, 16])),
        "event_counter: LIMIT is 1 to 15, not 16"
    );
    let takes = "SIGNALS, WIDTH, [LIMIT]";
    assert_eq!(
        says(definition.check(&[2])),
        format!("event_counter takes {takes}, not 1 values")
    );
    assert_eq!(
        says(definition.check(&[1, 1, 1, 1])),
        format!("event_counter takes {takes}, not 4 values")
    );
    assert_eq!(
        says(definition.named(&[("WIDTH", 4)])),
        format!("event_counter: SIGNALS is not given; it takes {takes}")
    );
    assert_eq!(
        says(definition.named(&[("WIDHT", 4)])),
        format!("event_counter has no parameter WIDHT; it takes {takes}")
    );
    let refused = AnyEventCounter::describe("dut", &[65, 4]).unwrap_err();
    assert!(matches!(
        refused,
        ParameterError::OutOfRange { value: 65, .. }
    ));
    let docs: Vec<&str> = definition.parameters.iter().map(|p| p.doc).collect();
    assert_eq!(
        docs,
        [
            "Number of signals.",
            "Bits of a counter.",
            "Where a counter stops."
        ]
    );
}

/// What rustc says of this source, against the library that this test is linked with.
fn rustc(name: &str, source: &str) -> Result<(), String> {
    let deps = std::env::current_exe()
        .expect("this test")
        .parent()
        .expect("deps")
        .to_owned();
    let mut libraries: Vec<PathBuf> = std::fs::read_dir(&deps)
        .expect("the folder of this test")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path
                .file_name()
                .and_then(|n| n.to_str())
                .unwrap_or_default();
            name.starts_with("libcotenant_netlist-") && name.ends_with(".rlib")
        })
        .collect();
    libraries.sort_by_key(|path| std::fs::metadata(path).and_then(|m| m.modified()).ok());
    let library = libraries.pop().expect("the library's rlib");
    let folder = tempfile::tempdir().expect("a folder");
    // `#[unit]` quotes the file of the unit's name.
    let file = folder.path().join(format!("{name}.rs"));
    std::fs::write(&file, source).expect("the source is written");
    let output = Command::new(std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into()))
        .args([
            "--edition",
            "2021",
            "--crate-type",
            "lib",
            "--error-format",
            "short",
        ])
        .arg("-L")
        .arg(format!("dependency={}", deps.display()))
        .arg("--extern")
        .arg(format!("cotenant_netlist={}", library.display()))
        .args(["-o".as_ref(), folder.path().join("out").as_os_str()])
        .arg(&file)
        .output()
        .expect("rustc runs");
    let says = String::from_utf8_lossy(&output.stderr).into_owned();
    match output.status.success() {
        true => Ok(()),
        false => Err(says.replace(&format!("{}/", folder.path().display()), "")),
    }
}

/// A unit and who uses it.
fn source(port: &str, let_type: &str, part: &str, made: &str) -> String {
    format!(
        "use cotenant_netlist::hdl::*;
use cotenant_netlist::unit;
#[unit(file = \"own.rs\")]
mod inverter {{
    pub struct Inverter<#[range(1..=8)] const WIDTH: usize> {{
        pub data: In<Bits<WIDTH>>,
        pub inverted: Out<Bits<WIDTH>>,
    }}
    fn update(&mut self) {{
        self.inverted.next = !self.data;
    }}
}}
#[unit(file = \"own.rs\")]
mod user {{
    pub struct User {{
        pub data: In<Bits<4>>,
        pub out: Out<Bits<4>>,
        part: Inverter{part},
    }}
    fn update(&mut self) {{
        let level{let_type} = self.data;
        self.part.next = Inverter {{
            {port}: level,
        }};
        self.out.next = self.part.inverted;
    }}
}}
pub fn made() -> Inverter!({made}) {{
    Default::default()
}}
"
    )
}

#[test]
fn rustc_points_at_the_users_line() {
    let fine = source("data", ": Bits<4>", "<4>", "8");
    assert_eq!(rustc("own", &fine), Ok(()));
    let wrong = |port, let_type, part, made| rustc("own", &source(port, let_type, part, made));
    for (refused, line, what) in [
        (
            wrong("datum", ": Bits<4>", "<4>", "8"),
            23,
            "no field `datum`",
        ),
        (
            wrong("data", ": Bits<3>", "<4>", "8"),
            21,
            "mismatched types",
        ),
        (
            wrong("data", "", "<4>", "8"),
            21,
            "a wire has a name and a type",
        ),
        (
            wrong("data", ": Bits<4>", "", "8"),
            18,
            "Inverter needs WIDTH",
        ),
    ] {
        let says = refused.expect_err(what);
        assert!(
            says.contains(&format!("own.rs:{line}:")) && says.contains(what),
            "{says}"
        );
    }
}

// A block that is made with parameters out of range does not compile.
#[test]
fn rustc_refuses_illegal_parameters() {
    let main = "pub fn main() { let _ = <Inverter!(9)>::default(); }";
    let says = rustc("own", &(source("data", ": Bits<4>", "<4>", "8") + main));
    assert!(
        says.as_ref()
            .is_err_and(|s| s.contains("inverter: WIDTH is 1 to 8")),
        "{says:?}"
    );
}
