//! Rationale: a proof is worth what it takes for granted. Assumptions must be the golden model's,
//! neither stricter (then a proof would say too much) nor looser (then none would succeed);
//! invariants must be proven, and a false one must be seen to fail. A fault that can be seen must
//! not be provable, one that shows only for illegal inputs or in unreachable states must be, and
//! only with that claim.
use cotenant_golden::Model;
use cotenant_netlist::fault::find;
use cotenant_netlist::graph::Op;
use cotenant_netlist::sim::{Engine, Sim};
use cotenant_units::table;

use super::*;
use crate::unit::bus::{LlcMonitorApb, LlcMonitorAxi, ManagedLlcApb, MemIssueApb, MemIssueAxi};
use crate::unit::llc::{
    CounterMatrix, Demotion, Gdcu, KidDemux, LlcMonitor, LruStack, Plob, Popcnt, ShadowStack,
};
use crate::unit::mgmt::{
    CoreSampling, Drrip, ManagedDirectory, ManagedLlc, QuotaVictim, Tap, Ucp, Umon, Xsratio,
};
use crate::unit::sm::{MemIssue, Milg, Qbmi, QuotaUnit, Rbmi, Smil};
use crate::verify::interface::{unpack_in, Interface, Packer};
use crate::verify::stimulus::{stream, Drive, Mix, Random, Source};

const SEED: u64 = 0x9e37;

/// Whether an output is 1 with these values of the input ports, packed as of a model.
pub(super) fn is_high(output: &str, sim: &mut Sim, ports: &[Port], words: &[u64]) -> bool {
    let mut at = 0;
    for port in ports {
        let slot = sim.layout().input(port.name).unwrap();
        sim.set_words(slot, &words[at..at + port.words()]);
        at += port.words();
    }
    sim.eval();
    sim.output(output).unwrap() == 1
}

/// Values of the input ports, a third of them at random.
pub(super) fn spoilt(ports: &[Port], words: &[u64], random: &mut Random) -> Vec<u64> {
    let left = ports
        .iter()
        .flat_map(|port| (0..port.words()).map(|word| port.width() - 64 * word));
    let mut spoilt = words.to_vec();
    for (word, left) in spoilt.iter_mut().zip(left) {
        if random.below(3) == 0 {
            *word = random.bits() & (u64::MAX >> (64 - left.min(64)));
        }
    }
    spoilt
}

/// Legal inputs with some ports spoilt: formulas and golden model find the same ones illegal.
fn assumptions_agree<U: Drive + Facts>(set: &str) {
    let set = table::set(U::NAME, set).unwrap();
    let params = U::params(&set).unwrap();
    let mut netlist = U::netlist(&set).unwrap();
    let ports = U::inputs(&params);
    let mut terms = over(&mut netlist, &ports, Moment::Now);
    let formulas = U::assumptions(&params, &mut terms);
    let node = terms.all(formulas);
    assert_eq!(terms.missing(), [""; 0]);
    let name = "legal".to_owned();
    netlist.outputs = vec![Output {
        name,
        node: node.into(),
    }];
    let mut sim = Sim::with_engine(&netlist, Engine::Interpreter).unwrap();
    let mut model = U::model(&params).unwrap();
    let mut stimulus = stream::<U>(&params, Mix::default(), SEED);
    let mut random = Random::new(SEED);
    let mut input = U::idle(&params);
    let mut words = vec![0; ports.iter().map(Port::words).sum()];
    let mut illegal = 0;
    for cycle in 0..3000 {
        assert!(stimulus.input(&params, &model, &mut input));
        let drive = |sim: &mut Sim, words: &[u64]| is_high("legal", sim, &ports, words);
        U::pack_in(&params, &input, &mut Packer::new(&mut words));
        let spoilt = spoilt(&ports, &words, &mut random);
        let raw = unpack_in::<U>(&ports, &spoilt).unwrap();
        let golden = model.assume(&raw);
        illegal += u32::from(golden.is_err());
        let at = || {
            format!(
                "{} {}: cycle {cycle}: {raw:?}: {golden:?}",
                U::NAME,
                set.name
            )
        };
        assert_eq!(drive(&mut sim, &spoilt), golden.is_ok(), "{}", at());
        assert!(drive(&mut sim, &words), "{}", at());
        sim.step();
        model.step(&input);
    }
    let assumes = !U::assumptions(&params, &mut over(&mut netlist, &ports, Moment::Now)).is_empty();
    let can_be_illegal = assumes && !matches!(netlist.graph.op(node.into()), Op::Const(_));
    assert_eq!(illegal > 0, can_be_illegal, "{} {}", U::NAME, set.name);
}

#[test]
fn assumptions_are_the_golden_models() {
    for set in ["small", "3", "12"] {
        assumptions_agree::<Popcnt>(set);
        assumptions_agree::<Demotion>(set);
    }
    for set in ["small", "3", "6"] {
        assumptions_agree::<KidDemux>(set);
    }
    for set in ["small", "3x3", "12x5", "table-1"] {
        assumptions_agree::<LruStack>(set);
    }
    for set in ["small", "3x3x16", "12x5x21", "table-1"] {
        assumptions_agree::<CounterMatrix>(set);
        assumptions_agree::<Gdcu>(set);
    }
    assumptions_agree::<Gdcu>("4x4x21s2");
    for set in ["small", "3x16", "5x21", "4x21s2"] {
        assumptions_agree::<Plob>(set);
    }
    assumptions_agree::<LlcMonitor>("small");
    assumptions_agree::<LlcMonitor>("large");
    for set in ["small", "table-1", "3x6x3d", "3x6x3h", "3x6x3p"] {
        assumptions_agree::<Milg>(set);
    }
    for set in ["small", "table-1", "3x2"] {
        assumptions_agree::<Smil>(set);
    }
    for set in ["small", "three", "8x32"] {
        assumptions_agree::<QuotaUnit>(set);
    }
    for set in ["small", "three", "5"] {
        assumptions_agree::<Rbmi>(set);
    }
    for set in ["small", "three", "3x3c"] {
        assumptions_agree::<Qbmi>(set);
    }
    for set in ["small", "three", "3-smil-rbmi"] {
        assumptions_agree::<MemIssue>(set);
    }
    assumptions_agree::<LlcMonitorApb>("small");
    assumptions_agree::<LlcMonitorAxi>("small");
    assumptions_agree::<MemIssueApb>("three");
    assumptions_agree::<MemIssueAxi>("2-smil-rbmi");
}

pub(super) fn prover<U: Facts, T>(set: &str, then: impl FnOnce(&mut Prover<'_>) -> T) -> T {
    let set = table::set(U::NAME, set).unwrap();
    let params = U::params(&set).unwrap();
    let netlist = U::netlist(&set).unwrap();
    then(&mut Prover::new::<U>(&params, &netlist))
}

#[test]
fn invariants_hold() {
    for set in ["small", "3x3", "figure-2"] {
        prover::<LruStack, _>(set, |p| p.prove_invariants()).unwrap();
    }
    for set in [
        "small", "3x3x16", "4x4x21s0", "4x4x21s2", "4x4x21s3", "table-1", "large",
    ] {
        prover::<Gdcu, _>(set, |p| p.prove_invariants()).unwrap();
    }
    for set in ["small", "3x16", "4x21s0", "4x21s2", "large"] {
        prover::<Plob, _>(set, |p| p.prove_invariants()).unwrap();
    }
    for set in ["small", "figure-2", "2x2x16x1r1"] {
        prover::<LlcMonitor, _>(set, |p| p.prove_invariants()).unwrap();
    }
    for set in ["small", "table-1", "large", "3x6x3d", "3x6x3h", "3x6x3p"] {
        prover::<Milg, _>(set, |p| p.prove_invariants()).unwrap();
    }
    for set in ["small", "table-1", "3x2"] {
        prover::<Smil, _>(set, |p| p.prove_invariants()).unwrap();
    }
    for set in ["small", "table-1", "3x8"] {
        prover::<QuotaUnit, _>(set, |p| p.prove_invariants()).unwrap();
    }
    for set in ["three", "5"] {
        prover::<Rbmi, _>(set, |p| p.prove_invariants()).unwrap();
    }
    for set in ["small", "table-1", "3x3c"] {
        prover::<Qbmi, _>(set, |p| p.prove_invariants()).unwrap();
    }
    for set in ["small", "2-smil-rbmi"] {
        prover::<MemIssue, _>(set, |p| p.prove_invariants()).unwrap();
    }
    prover::<LlcMonitorApb, _>("small", |p| p.prove_invariants()).unwrap();
    prover::<LlcMonitorAxi, _>("small", |p| p.prove_invariants()).unwrap();
    prover::<MemIssueApb, _>("three", |p| p.prove_invariants()).unwrap();
    prover::<MemIssueAxi, _>("2-smil-rbmi", |p| p.prove_invariants()).unwrap();
}

/// Each unit in its smallest set: assumptions and invariants as above, and the golden model keeps to
/// the latter.
fn small<U: Facts + Drive>() {
    assumptions_agree::<U>("small");
    prover::<U, _>("small", |p| p.prove_invariants()).unwrap();
    let params = U::params(&table::set(U::NAME, "small").unwrap()).unwrap();
    let (rules, mut golden) = (U::Model::rules(&params), U::model(&params).unwrap());
    let mut input = U::idle(&params);
    let mut stimulus = stream::<U>(&params, Mix::default(), 7);
    for cycle in 0..5000 {
        stimulus.input(&params, &golden, &mut input);
        golden.step(&input);
        let broken = rules.broken_invariant(&input, golden.state());
        let broken = broken.map(|rule| rule.name);
        assert_eq!(broken, None, "{}, cycle {cycle}", U::NAME);
    }
}

/// With three applications a number of an application may be none that there is, and ways are not
/// divided evenly: what holds of two by their widths alone must then be said.
#[test]
fn invariants_hold_with_three_applications() {
    fn three<U: Facts>() {
        let held = prover::<U, _>("three", |p| p.prove_invariants());
        assert_eq!(held, Ok(()), "{}", U::NAME);
    }
    three::<QuotaVictim>();
    three::<Drrip>();
    three::<CoreSampling>();
    three::<Tap>();
    three::<Xsratio>();
    three::<Ucp>();
    three::<ManagedDirectory>();
    three::<ManagedLlc>();
    three::<ManagedLlcApb>();
}

macro_rules! small_sets {
    ($($name:ident: $area:ident::$unit:ident $blocks:tt)*) => {$(
        #[test]
        fn $name() {
            small::<crate::unit::$area::$unit>();
        }
    )*};
}
cotenant_units::units!(small_sets);

#[test]
fn a_false_invariant_proves_nothing() {
    fn never(terms: &mut Terms<'_>) -> Vec<Term> {
        let valid = terms.flop("valid[0]");
        vec![terms.not(valid)]
    }
    fn always(terms: &mut Terms<'_>) -> Vec<Term> {
        vec![terms.flop("valid[0]")]
    }
    prover::<LruStack, _>("small", |prover| {
        let reg = prover
            .netlist
            .regs
            .iter()
            .position(|reg| reg.name == "valid[0]")
            .unwrap();
        let stuck = Fault::StuckBit {
            reg,
            bit: 0,
            value: false,
        };
        let no = prover.prove(&stuck).unwrap_err();
        assert!(
            no.contains("next valid[0]") && no.contains("access_valid 0x1"),
            "{no}"
        );
        // Were it true that the first line is never valid, the fault would change nothing.
        (prover.invariants, prover.proven) = (Box::new(never), None);
        let no = prover.prove(&stuck).unwrap_err();
        assert!(no.contains("an invariant fails after an edge"), "{no}");
        (prover.invariants, prover.proven) = (Box::new(always), None);
        let no = prover.prove(&stuck).unwrap_err();
        assert!(no.contains("an invariant fails at power-up"), "{no}");
    });
}

#[test]
fn what_rams_hold_is_proven_before_it_is_used() {
    type Said = fn(Words, &mut Terms<'_>) -> Option<Vec<Term>>;
    fn no_facts(_: &mut Terms<'_>) -> Vec<Term> {
        vec![]
    }
    // What is said in place of the truth; each claim fails one of the four steps of the proof.
    let held: Said = |question, terms| match question {
        Words::Hold(word) => Some(vec![terms.bit(word, 0)]),
        _ => None,
    };
    let written_at_power_up: Said = |question, terms| match question {
        Words::Hold(_) => Some(vec![]),
        Words::Written(_) => Some(vec![terms.constant(true)]),
        _ => None,
    };
    let read_but_never_written: Said = |question, terms| match question {
        Words::Hold(_) => Some(vec![]),
        Words::Written(_) => Some(vec![terms.constant(false)]),
        _ => None,
    };
    let written_all_at_once: Said = |question, terms| match question {
        Words::Hold(_) => Some(vec![]),
        Words::Written(_) => {
            let sweeping = terms.flop("sweeping");
            Some(vec![terms.not(sweeping)])
        }
        _ => None,
    };
    prover::<ManagedDirectory, _>("small", |prover| {
        // Of lines that are not valid the last is taken, and where there is one it is in the last place.
        let faults = cotenant_netlist::fault::candidates(prover.netlist);
        let named = |fault: &&Fault| {
            let words = cotenant_netlist::fault::Described(prover.netlist, fault).to_string();
            words.contains(" of Not in quota_victim.candidates")
        };
        let faults: Vec<Fault> = faults.iter().filter(named).copied().collect();
        let proven = |prover: &mut Prover<'_>| {
            let proven = faults.iter().filter(|fault| prover.prove(fault).is_ok());
            proven.count()
        };
        let with_words = proven(prover);
        let fault = &faults[0];
        (prover.invariants, prover.proven) = (Box::new(no_facts), None);
        let set = table::set(ManagedDirectory::NAME, "small").unwrap();
        let params = ManagedDirectory::params(&set).unwrap();
        for (said, fails) in [
            (held, "after an edge"),
            (written_at_power_up, "at power-up"),
            (read_but_never_written, "after an edge"),
            (written_all_at_once, "after an edge"),
        ] {
            let params = params.clone();
            prover.words = Box::new(move |ram, question, terms| {
                let truth = ManagedDirectory::words(&params, ram, question, terms)?;
                Some(said(question, terms).unwrap_or(truth))
            });
            prover.proven = None;
            let no = prover.prove(fault).unwrap_err();
            assert!(no.contains(&format!("an invariant fails {fails}")), "{no}");
        }
        prover.words = Box::new(|_, _, _| None);
        prover.proven = None;
        assert!(proven(prover) < with_words);
    });
}

#[test]
fn what_rams_hold_together_is_proven_before_it_is_used() {
    type Said = fn(&str, Words, &mut Terms<'_>) -> Option<Vec<Term>>;
    // What is said in place of the truth; each claim fails one of the steps of the proof.
    let tags_that_differ_everywhere: Said = |_, question, terms| match question {
        Words::Row => {
            let tags = ["tag[0]", "tag[1]"].map(|tag| terms.ram(tag));
            let equal = terms.same(tags[0], tags[1]);
            Some(vec![terms.not(equal)])
        }
        _ => None,
    };
    let what_is_written_is_not_there: Said = |ram, question, _| match question {
        Words::Held(read) if ram == "tag[1]" => Some(vec![read]),
        _ => None,
    };
    let the_address_of_the_sweep: Said = |_, question, terms| match question {
        Words::Address => Some(vec![terms.flop("sweep_set")]),
        _ => None,
    };
    let of_an_address_that_nobody_knows: Said = |_, question, _| match question {
        Words::Address => Some(vec![]),
        _ => None,
    };
    let what_nobody_knows_of_the_first: Said = |ram, question, _| match question {
        Words::Held(_) if ram == "replacement" => Some(vec![]),
        _ => None,
    };
    prover::<ManagedDirectory, _>("small", |prover| {
        // A way is valid if it is in the last place, or in another one.
        let fault = cotenant_netlist::fault::candidates(prover.netlist).into_iter();
        let mut fault = fault.filter(|fault| {
            let words = cotenant_netlist::fault::Described(prover.netlist, fault).to_string();
            words.contains(" of Or in rrip.valid") && words.ends_with(" at 1")
        });
        let fault = fault.next().unwrap();
        let one = prover.prove(&fault);
        assert!(one.is_ok(), "{one:?}");
        let set = table::set(ManagedDirectory::NAME, "small").unwrap();
        let params = ManagedDirectory::params(&set).unwrap();
        for (said, why) in [
            (
                tags_that_differ_everywhere,
                "an invariant fails after an edge",
            ),
            (
                what_is_written_is_not_there,
                "an invariant fails after an edge",
            ),
            (the_address_of_the_sweep, "an invariant fails after an edge"),
            (of_an_address_that_nobody_knows, "nobody says"),
            (what_nobody_knows_of_the_first, "nobody says"),
        ] {
            let params = params.clone();
            prover.words = Box::new(move |ram, question, terms| {
                let truth = ManagedDirectory::words(&params, ram, question, terms)?;
                Some(said(ram, question, terms).unwrap_or(truth))
            });
            prover.proven = None;
            let no = prover.prove(&fault).unwrap_err();
            assert!(no.contains(why), "{no}");
        }
    });
}

#[test]
fn bits_that_are_never_read_may_differ() {
    prover::<LlcMonitorApb, _>("small", |p| {
        // The row in its register has eight bits, of which two kernels need one.
        let mut proof = |words: &str| {
            let fault = find(p.netlist, words).unwrap();
            p.prove(&fault).map_err(|_| "shown")
        };
        let row = |bit: u32| format!("stuck bit: bit {bit} of registers.port.row_register at 0");
        assert_eq!(proof(&row(5)), Ok(Proof::Everywhere));
        assert_eq!(proof(&row(0)), Err("shown"));
        // Nor may a fault make one that is never read show.
        let good = observed::observed([p.netlist, p.netlist]);
        let row = p
            .netlist
            .regs
            .iter()
            .position(|reg| reg.name == "registers.port.row_register");
        let row = row.unwrap();
        assert!(!good[row].bit(5) && good[row].bit(0));
        let mut other = p.netlist.clone();
        other.outputs[0].node = other.regs[row].q;
        assert_eq!(
            observed::observed([p.netlist, &other])[row],
            BigUint::from(0xff_u8)
        );
    });
}

#[test]
fn a_working_flop_may_differ_only_when_it_does_not_matter() {
    let stuck = |netlist: &Netlist, name: &str| {
        let reg = netlist.regs.iter().position(|reg| reg.name == name);
        let (reg, bit, value) = (reg.unwrap(), 0, true);
        Fault::StuckBit { reg, bit, value }
    };
    let prove = |set, fault: &dyn Fn(&Netlist) -> Fault| {
        prover::<QuotaUnit, _>(set, |prover| {
            let fault = fault(prover.netlist);
            prover.prove(&fault)
        })
    };
    // The product while it is made.
    let no = prove("small", &|netlist| stuck(netlist, "product")).unwrap_err();
    assert!(
        no.contains("quota_register") || no.contains("product"),
        "{no}"
    );
    // Reset leaves it as it is, and a start makes it anew.
    let kept = |netlist: &Netlist| {
        let reg = netlist.regs.iter().position(|reg| reg.name == "product");
        Fault::MissingReset { reg: reg.unwrap() }
    };
    assert_eq!(prove("small", &kept), Ok(Proof::ReachableStates));
}

/// Divided into cases, a question has the answer that it has as a whole.
#[test]
fn cases_prove_what_the_whole_question_does() {
    let mut answers = Vec::new();
    prover::<Ucp, _>("4x2,CNT_W=2,XS_W=2", |prover| {
        for words in [
            "missing reset: sum",
            "missing reset: application",
            "missing reset: best_blocks",
            "missing reset: found",
            "lost write: sum",
            "stuck bit: bit 0 of best_application at 0",
        ] {
            let fault = find(prover.netlist, words).unwrap();
            let [whole, divided] = [UNDIVIDED, Duration::ZERO].map(|undivided| {
                prover.undivided = undivided;
                prover.prove(&fault).ok()
            });
            assert_eq!(whole, divided, "{words}");
            answers.push(divided);
        }
    });
    let proven = Some(Proof::ReachableStates);
    assert_eq!(answers[..3], [proven; 3]);
    assert_eq!(answers[4..], [None; 2]);
    // A flop that is wrongly said not to matter is seen in the case that it does not.
    prover::<QuotaUnit, _>("small", |prover| {
        let fault = find(prover.netlist, "missing reset: product").unwrap();
        prover.undivided = Duration::ZERO;
        assert_eq!(prover.prove(&fault), Ok(Proof::ReachableStates));
        prover.matters = Box::new(|_, terms| Some(terms.constant(false)));
        prover.prove(&fault).unwrap_err();
    });
}

#[test]
fn from_reset_on_only_outputs_count() {
    let fault = |netlist: &Netlist, name: &str, stuck: bool| {
        let reg = netlist.regs.iter().position(|reg| reg.name == name);
        let (reg, bit, value) = (reg.unwrap(), 0, true);
        match stuck {
            true => Fault::StuckBit { reg, bit, value },
            false => Fault::MissingReset { reg },
        }
    };
    prover::<QuotaUnit, _>("small", |prover| {
        let shown = fault(prover.netlist, "product", true);
        let no = prover.prove_from_reset(&shown).unwrap_err();
        let NoProof::Shown { output, inputs } = no else {
            panic!("{no:?}");
        };
        assert!(output.starts_with("quota"), "{output}");
        assert!(
            inputs.len() > 1 && inputs.iter().any(|at| at.contains("0x")),
            "{inputs:?}"
        );
        let dead = fault(prover.netlist, "product", false);
        assert_eq!(prover.prove_from_reset(&dead), Ok(Proof::FromReset));
    });
    // What a RAM holds is part of the question. The highest bit of the count of a kernel's own lines
    // is never set: its lines are no more than the ways, and the one that is used again is not above
    // itself.
    prover::<ShadowStack, _>("small", |prover| {
        let stuck = |name: &str, bit, value| {
            let mut regs = prover.netlist.regs.iter();
            let reg = regs.position(|reg| reg.name == name).unwrap();
            Fault::StuckBit { reg, bit, value }
        };
        let shown = prover.prove_from_reset(&stuck("own_above", 0, true));
        assert!(matches!(shown, Err(NoProof::Shown { .. })), "{shown:?}");
        let dead = prover.prove_from_reset(&stuck("own_above", 1, false));
        assert_eq!(dead, Ok(Proof::FromReset));
    });
    // A large one is too much for the prover.
    prover::<Umon, _>("small", |prover| {
        let fault = Fault::MissingReset { reg: 0 };
        let no = prover.prove_from_reset(&fault).unwrap_err();
        let why = "the design has 4096 bits of RAM, more than 2048";
        assert_eq!(no, NoProof::Unknown(why.into()));
    });
}

#[test]
fn names_that_are_not_there_are_named() {
    let set = table::set("popcnt", "small").unwrap();
    let params = Popcnt::params(&set).unwrap();
    let ports = Popcnt::inputs(&params);
    let mut netlist = Popcnt::netlist(&set).unwrap();
    let mut terms = over(&mut netlist, &ports, Moment::Now);
    terms.flop("count");
    let data = terms.port("data");
    terms.element("data", 7);
    terms.bit(data, 2);
    assert_eq!(terms.missing(), ["count", "data[7]", "bit 2"]);
}

#[test]
fn terms_fold_at_their_ends() {
    let set = table::set("popcnt", "small").unwrap();
    let params = Popcnt::params(&set).unwrap();
    let ports = Popcnt::inputs(&params);
    let mut netlist = Popcnt::netlist(&set).unwrap();
    let mut terms = over(&mut netlist, &ports, Moment::Now);
    let (yes, no) = (terms.constant(true), terms.constant(false));
    let data = terms.port("data");
    assert_eq!(terms.below(data, 4), yes);
    assert_eq!(terms.below(data, 0), no);
    assert_eq!(terms.is(data, 4), no);
    assert_eq!(terms.all([]), yes);
    assert_eq!(terms.any([]), no);
    assert_eq!(terms.implies(no, data), yes);
    // Values of any widths; sums do not wrap, and a counter beyond its limit is the limit.
    let [three, five, seven] = [3, 5, 7].map(|number| terms.number(number));
    let numbers = [three, five, seven];
    let sum = terms.sum(numbers);
    for (a, b, equal, less) in [
        (sum, 15, yes, no),
        (sum, 16, no, yes),
        (sum, 7, no, no),
        (five, 5, yes, no),
        (three, 200, no, yes),
    ] {
        let b = terms.number(b);
        assert_eq!((terms.same(a, b), terms.lower(a, b)), (equal, less));
    }
    let values = [yes, no].map(|passed| terms.limited(five, passed));
    assert_eq!([terms.is(values[0], 7), terms.is(values[1], 5)], [yes, yes]);
}
