//! Rationale: RAMs hold most of a monitor's state, and a wrong word may wait for long until
//! something reads it. So every RAM is broken in each way that a RAM can be (a write that is lost,
//! a bit that is stuck, a write to another word, a write that the golden model knows nothing of),
//! and each must be reported with the very word and both values. Then words are put into the RAMs
//! in the middle of a run, with requests on their way; and sides that do not fit are refused.

use cotenant::unit::llc::llc_monitor::stimulus::{Access, Place, Request, Transaction};
use cotenant::unit::llc::LlcMonitor;
use cotenant::verify::interface::Interface;
use cotenant::verify::lockstep::{Lockstep, Mismatch};
use cotenant::verify::stimulus::{stream, Drive, Mix, Source, Transactions};
use cotenant_golden::Model;
use cotenant_netlist::fault::Fault;
use cotenant_netlist::sim::Engine;
use cotenant_netlist::{Netlist, Ram, Reg};
use cotenant_units::table::{self, ParameterSet};

use crate::common::SEED;

fn small() -> (ParameterSet, Netlist) {
    let set = table::set(LlcMonitor::NAME, "small").unwrap();
    let netlist = LlcMonitor::netlist(&set).unwrap();
    (set, netlist)
}

fn lockstep(set: &ParameterSet, netlist: &Netlist) -> Lockstep<LlcMonitor> {
    Lockstep::with_netlist(set, netlist, Engine::default()).unwrap()
}

/// The default stimulus up to the mismatch that it must come to.
fn caught(set: &ParameterSet, netlist: &Netlist) -> Mismatch {
    let mut lockstep = lockstep(set, netlist);
    let stimulus = stream::<LlcMonitor>(lockstep.params(), Mix::default(), SEED);
    let report = lockstep.run(stimulus, 20_000).unwrap();
    report.mismatch.expect("the fault is not seen")
}

/// The mismatch is of a word of this RAM: `tags[1][5]`, `replacement[5].way[0]`.
fn in_word_of(found: &Mismatch, ram: &Ram) {
    let rest = found.field.strip_prefix(&ram.name);
    let rest = rest.and_then(|rest| rest.strip_prefix('['));
    let word = rest.and_then(|rest| rest.split(']').next());
    let word: Option<usize> = word.and_then(|word| word.parse().ok());
    assert!(word.is_some_and(|word| word < 16), "{found:?}");
    assert_ne!(found.dut, found.golden);
}

#[test]
fn a_lost_write_is_seen_in_the_word() {
    let (set, netlist) = small();
    for (ram, broken) in netlist.rams.iter().enumerate() {
        let faulty = netlist.with_fault(&Fault::LostRamWrite { ram }).unwrap();
        in_word_of(&caught(&set, &faulty), broken);
    }
}

#[test]
fn a_stuck_bit_is_seen_in_the_word() {
    let (set, netlist) = small();
    for (ram, broken) in netlist.rams.iter().enumerate() {
        for bit in 0..broken.width {
            for value in [false, true] {
                let fault = Fault::StuckRamBit { ram, bit, value };
                let found = caught(&set, &netlist.with_fault(&fault).unwrap());
                in_word_of(&found, broken);
                let stuck = match broken.width {
                    // Two ways: their order, owners and valid bits, of one bit each.
                    5 => found.dut,
                    _ => found.dut >> bit & 1,
                };
                assert_eq!(stuck, u64::from(value), "bit {bit}: {found:?}");
            }
        }
    }
}

#[test]
fn a_write_to_another_word_is_seen() {
    let (set, netlist) = small();
    for ram in 0..netlist.rams.len() {
        let mut wrong = netlist.clone();
        let address = wrong.rams[ram].write_address;
        let one = wrong.graph.constant(1u8, wrong.graph.width(address));
        wrong.rams[ram].write_address = wrong.graph.xor(address, one);
        in_word_of(&caught(&set, &wrong), &netlist.rams[ram]);
    }
}

/// A bubble must not write; here it does, and nobody ever reads the word.
#[test]
fn a_write_that_the_model_knows_nothing_of_is_seen_at_the_end() {
    let (set, netlist) = small();
    let ram = netlist
        .rams
        .iter()
        .position(|ram| ram.name.ends_with("tags.way[1]"));
    let ram = ram.unwrap();
    let mut wrong = netlist.clone();
    wrong.rams[ram].write_enable = wrong.graph.constant(1u8, 1);
    let params = LlcMonitor::params(&set).unwrap();
    let nothing = LlcMonitor::nothing(&params);
    let bubble = Transaction {
        requests: vec![Request {
            access: Access::Bubble { tag: 77 },
            set: Place::Set(3),
            ..Request::NOTHING
        }],
        ..nothing.clone()
    };
    // The sweep clears all words, the bubble comes behind it.
    let run = |netlist| {
        let cycles = std::iter::repeat_n(nothing.clone(), 20).chain([bubble.clone()]);
        let cycles = cycles.chain(std::iter::repeat_n(nothing.clone(), 30));
        lockstep(&set, netlist)
            .run(Transactions::new(cycles), u64::MAX)
            .unwrap()
    };
    let good = run(&netlist);
    assert!(good.passed() && good.cycles == 51, "{good}");
    let found = run(&wrong).mismatch.expect("not seen");
    assert_eq!(found.cycle, 51, "as the run ends");
    let field = format!("{}[3]", netlist.rams[ram].name);
    assert_eq!((found.field, found.dut, found.golden), (field, 77, 0));
}

/// The same write in a run that does not end soon.
#[test]
fn a_long_run_looks_at_all_words_from_time_to_time() {
    let (set, netlist) = small();
    let mut wrong = netlist.clone();
    wrong.rams[1].write_enable = wrong.graph.constant(1u8, 1);
    let mut lockstep = lockstep(&set, &wrong);
    let params = lockstep.params().clone();
    let mut input = LlcMonitor::idle(&params);
    input.access_tag[0] = 77;
    let mut cycle = 0;
    let found = loop {
        cycle += 1;
        assert!(cycle < 10_000, "not seen");
        if let Some(found) = lockstep.step(&input).unwrap() {
            break found;
        }
    };
    assert_eq!((found.cycle, found.dut, found.golden), (4096, 77, 0));
}

/// A model in the middle of a run, with requests on their way to sets that are being read and
/// written, is continued by a netlist that gets its state.
#[test]
fn a_run_goes_on_from_any_state() {
    let (set, netlist) = small();
    for netlist in [&netlist, &netlist.with_scrambled_collisions()] {
        let mut lockstep = lockstep(&set, netlist);
        let params = lockstep.params().clone();
        let mut stimulus = stream::<LlcMonitor>(&params, Mix::default(), SEED);
        let mut model = LlcMonitor::model(&params).unwrap();
        let mut input = LlcMonitor::idle(&params);
        let mut forwarding = 0;
        for _ in 0..3000 {
            stimulus.input(&params, &model, &mut input);
            model.step(&input);
            let [youngest, older @ ..] = &model.state().banks[0].in_flight[..] else {
                unreachable!("a request takes several cycles");
            };
            let met = older.iter().filter(|request| request.is_any());
            forwarding += met.filter(|request| request.set == youngest.set).count();
            lockstep.load(model.clone());
            assert_eq!(lockstep.compare(), None);
            let report = lockstep.run(stimulus.clone(), 4).unwrap();
            assert!(report.passed(), "{report}");
        }
        assert!(forwarding > 500, "{forwarding}");
    }
}

fn refusal(set: &ParameterSet, netlist: &Netlist) -> String {
    let refused = Lockstep::<LlcMonitor>::with_netlist(set, netlist, Engine::default());
    refused.expect_err("is refused").to_string()
}

#[test]
fn rams_that_do_not_fit_are_refused() {
    let (set, netlist) = small();

    let mut other = netlist.clone();
    other.rams[0].name = "bank[0].directory.labels".into();
    let refused = refusal(&set, &other);
    assert!(
        refused.starts_with("llc_monitor: RAM 'bank[0].directory."),
        "{refused}"
    );

    // A RAM more than the golden model has.
    let mut other = netlist.clone();
    let extra = other.rams[0].clone();
    other.rams.push(Ram {
        name: "victims".into(),
        ..extra
    });
    assert_eq!(
        refusal(&set, &other),
        "llc_monitor: RAM 'victims': the golden model has nothing to compare it with"
    );

    // Twice as deep.
    let mut other = netlist.clone();
    let ram = other.rams.iter_mut().find(|ram| ram.width == 36).unwrap();
    ram.address_width += 1;
    ram.read_address = other.graph.resize(ram.read_address, ram.address_width);
    ram.write_address = other.graph.resize(ram.write_address, ram.address_width);
    let refused = refusal(&set, &other);
    assert!(
        refused.contains("32 words of 36 bits in the netlist, 16 of 36 in the golden model"),
        "{refused}"
    );

    // What is below a RAM's name is the RAM's own; a flop elsewhere is not.
    let mut other = netlist.clone();
    let extra = other.regs[0].clone();
    other.regs.push(Reg {
        name: "age.collision".into(),
        ..extra
    });
    assert_eq!(
        refusal(&set, &other),
        "llc_monitor: register 'age.collision': the golden model has nothing to compare it with"
    );
}
