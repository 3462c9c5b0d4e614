//! Rationale: what is called equivalent nobody looks at again. No fault that lockstep sees may be
//! proven, and what abc proves of the whole netlist must be what is proven of the cone.
use cotenant_netlist::fault::{candidates, Described};
use cotenant_units::table;

use super::*;
use crate::unit::llc::{Gdcu, LlcMonitor, LruStack};
use crate::unit::mgmt::{Ucp, Xsratio};
use crate::unit::sm::{Milg, Qbmi, QuotaUnit};
use crate::verify::fault::mutation::{Class, Record};
use crate::verify::fault::{Campaign, Facts, Outcome};
use crate::verify::stimulus::Drive;

fn shows_in(outcome: &Outcome, name: &str) -> bool {
    matches!(outcome, Outcome::Caught { field, .. } if field == name)
}

/// With what proofs of a parameter set need.
fn with_cones<U: Drive + Facts, R>(
    set: &str,
    act: impl FnOnce(&mut Cones<'_>, &mut Prover<'_>, &Netlist) -> R,
) -> R {
    let set = table::set(U::NAME, set).unwrap();
    let (params, netlist) = (U::params(&set).unwrap(), U::netlist(&set).unwrap());
    let mut prover = Prover::new::<U>(&params, &netlist);
    let formulas = prover.formulas().unwrap();
    act(&mut Cones::new(&formulas), &mut prover, &netlist)
}

/// Of every `step`th place.
fn agree<U: Drive + Facts>(set: &str, step: usize) {
    with_cones::<U, _>(set, |cones, prover, netlist| {
        let set = table::set(U::NAME, set).unwrap();
        let params = U::params(&set).unwrap();
        // Registers that lockstep compares although nothing is ever read of them.
        let fields = U::state(&params).into_iter();
        let unread = fields.filter(|field| {
            let mut regs = netlist.regs.iter();
            let reg = regs.position(|reg| reg.name == field.probe.flop());
            reg.is_some_and(|reg| !cones.observed[reg].contains(&true))
        });
        let unread: Vec<String> = unread.map(|field| field.name).collect();
        let mut campaign = Campaign::new::<U>(&set, 0x9e37, 4000).unwrap();
        let mut proven = 0;
        for fault in candidates(netlist).iter().step_by(step) {
            let proof = cones.prove(fault, prover);
            let words = Described(netlist, fault).to_string();
            if let Some(caught) = campaign.catch(fault, 0..1).unwrap() {
                let unread = unread.iter().any(|name| shows_in(&caught, name));
                assert!(proof.is_err() || unread, "{words}: {proof:?}, {caught:?}");
                continue;
            }
            match (proof, prover.prove(fault)) {
                (Ok(one), Ok(other)) => {
                    proven += 1;
                    // Gates that are one gate may prove more than is asked for.
                    assert!(one <= other, "{words}: {one:?}, {other:?}");
                }
                (Err(Failed::Unknown), _) | (Err(Failed::Shown(_)), Err(_)) => {}
                (one, other) => panic!("{words}: {one:?}, {other:?}"),
            }
        }
        assert!(proven > 0, "{} {}", U::NAME, set.name);
    })
}

#[test]
fn cones_prove_what_abc_proves() {
    agree::<LruStack>("small", 1);
    agree::<Milg>("small", 3);
    agree::<Gdcu>("small", 7);
    agree::<QuotaUnit>("small", 11);
    agree::<Qbmi>("small", 37);
    agree::<LlcMonitor>("small", 41);
}

/// Of every `step`th place: lockstep does not see what is proven; how many are proven.
fn proven<U: Drive + Facts>(
    set: &str,
    step: usize,
    prove: impl Fn(&mut Cones<'_>, &mut Prover<'_>, &Fault) -> bool,
) -> usize {
    with_cones::<U, _>(set, |cones, prover, netlist| {
        let set = table::set(U::NAME, set).unwrap();
        let mut campaign = Campaign::new::<U>(&set, 0x9e37, 4000).unwrap();
        let faults = candidates(netlist);
        let mut faults: Vec<&Fault> = faults.iter().step_by(step).collect();
        faults.retain(|fault| prove(cones, prover, fault));
        for fault in &faults {
            let words = Described(netlist, fault).to_string();
            assert_eq!(campaign.catch(fault, 0..1).unwrap(), None, "{words}");
        }
        faults.len()
    })
}

/// As much is proven node by node as at once. A stuck flop may start in another state, which is asked
/// elsewhere.
fn swept(cones: &mut Cones<'_>, prover: &mut Prover<'_>, fault: &Fault) -> bool {
    assert!(prover.holds());
    let pairs = cones.pairs(fault, &[]).unwrap();
    let swept = cones.swept(&pairs, &[], prover.patience);
    let at_once = cones.claimed(&pairs, prover, prover.patience).unwrap();
    let same = swept.is_ok() == at_once.is_ok();
    assert!(same, "{fault:?}: {swept:?}, {at_once:?}");
    swept.is_ok() && !matches!(fault, Fault::StuckBit { .. })
}

#[test]
fn node_by_node_as_much_is_proven_as_at_once() {
    let proven = [
        proven::<LruStack>("small", 1, swept),
        proven::<Milg>("small", 2, swept),
        proven::<QuotaUnit>("small", 3, swept),
        proven::<Ucp>("4x2,CNT_W=3,XS_W=2", 9, swept),
    ];
    assert!(proven.iter().all(|&proven| proven > 0), "{proven:?}");
}

/// What changes nothing where it is changes nothing at all.
fn unexcited(cones: &mut Cones<'_>, prover: &mut Prover<'_>, fault: &Fault) -> bool {
    let unexcited = cones.unexcited(fault, prover).is_some();
    assert!(
        !unexcited || cones.prove(fault, prover).is_ok(),
        "{fault:?}"
    );
    unexcited
}

#[test]
fn what_changes_nothing_where_it_is_is_proven() {
    let proven = [
        proven::<LruStack>("small", 1, unexcited),
        proven::<Milg>("small", 2, unexcited),
        proven::<QuotaUnit>("small", 3, unexcited),
        proven::<Xsratio>("small", 1, unexcited),
    ];
    assert!(proven.iter().sum::<usize>() > 0, "{proven:?}");
}

/// Of every `step`th place: nodes that a fault does not reach are equal where the flops are that they
/// are said to depend on, if those before them are; how many of them are not, where one of the flops
/// is not.
fn unreached<U: Drive + Facts>(set: &str, step: usize) -> usize {
    with_cones::<U, _>(set, |cones, _, netlist| {
        let free: Vec<usize> = cones
            .formulas
            .together
            .iter()
            .map(|free| free.flop)
            .collect();
        let mut needed = 0;
        for fault in candidates(netlist).iter().step_by(step) {
            cones.pairs(fault, &free).unwrap();
            let beside = &cones.beside;
            for (index, node) in beside.changed().iter().enumerate() {
                let Some(flops) = &node.flops else {
                    continue;
                };
                let differs = |equal: &mut dyn Iterator<Item = usize>| {
                    let mut question = Question::new(beside, Duration::from_secs(10));
                    let bits = node.good.iter().zip(&node.bad);
                    let bits: Vec<[Bit; 2]> = bits.map(|(&good, &bad)| [good, bad]).collect();
                    question.some_differ(&bits);
                    let mut masks: Vec<(usize, &[Bit])> = Vec::new();
                    for flop in equal {
                        masks.push((flop, &[Bit::TRUE]));
                        let own = beside.bits(netlist.regs[flop].q);
                        let other = beside.shadow(flop).unwrap();
                        for (&own, &other) in own.iter().zip(other) {
                            question.equal_if(own, other, Bit::TRUE);
                        }
                    }
                    question.equal_where_flops_are(&beside.changed()[..index], &masks);
                    question.decide(None).map(|never| !never)
                };
                assert_eq!(differs(&mut flops.iter().copied()), Some(false));
                let but_one = differs(&mut flops.iter().copied().skip(1));
                needed += usize::from(but_one == Some(true));
            }
        }
        needed
    })
}

#[test]
fn what_a_fault_does_not_reach_is_equal_where_its_flops_are() {
    let needed = [
        unreached::<Ucp>("4x2,CNT_W=3,XS_W=2", 97),
        unreached::<Xsratio>("small", 23),
    ];
    assert!(needed.iter().all(|&needed| needed > 100), "{needed:?}");
}

#[test]
fn what_a_record_calls_caught_is_never_proven() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = folder.join("tests/recorded/mutation");
    let record = Record::read(&folder, "lru_stack").unwrap();
    let measured = &record.sets[0];
    with_cones::<LruStack, _>(&measured.set, |cones, prover, netlist| {
        let places = candidates(netlist).into_iter().zip(measured.classes());
        for (fault, class) in places {
            let proven = cones.prove(&fault, prover).is_ok();
            assert!(!(proven && class == Class::Caught), "{fault:?}");
        }
    });
}
