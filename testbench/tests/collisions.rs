//! Rationale: a RAM gives undefined data when it reads the word that it writes, and the simulators
//! give the old word, so a monitor that used it could look right. It runs once more with that word
//! inverted: it must agree with the golden model all the same, after collisions in every RAM.
//! Then what keeps the word from being used is broken, one flag at a time behind its flop, which
//! is compared anyway; that must be caught.

use cotenant::unit::bus::LlcMonitorApb;
use cotenant::unit::llc::LlcMonitor;
use cotenant::verify::coverage::Cover;
use cotenant::verify::interface::Interface;
use cotenant::verify::lockstep::{check_in, Check, Flow, Lockstep, Report};
use cotenant::verify::stimulus::{stream, Mix, Source};
use cotenant_golden::Model;
use cotenant_netlist::graph::Op;
use cotenant_netlist::sim::{Engine, Sim};
use cotenant_netlist::Netlist;
use cotenant_units::table::{self, ParameterSet};

use crate::common::{test_sets, SEED};

fn set(name: &str) -> ParameterSet {
    table::set(LlcMonitor::NAME, name).unwrap()
}

/// A check of a netlist with scrambled collisions; the report.
fn checked<U: Cover>(set: &ParameterSet, netlist: &Netlist, cycles: u64) -> Report {
    let scrambled = netlist.with_scrambled_collisions();
    let lockstep = Lockstep::<U>::with_netlist(set, &scrambled, Engine::default());
    let options = Check::new(cycles, SEED);
    check_in(&mut lockstep.unwrap(), &options, &mut |_| Flow::Continue).unwrap()
}

#[test]
fn the_undefined_word_is_never_used() {
    for name in test_sets(LlcMonitor::NAME) {
        let set = set(name);
        let netlist = LlcMonitor::netlist(&set).unwrap();
        let report = checked::<LlcMonitor>(&set, &netlist, 200_000);
        assert!(report.passed(), "{report}");
    }
}

/// The limits of budgets: the scan reads the one that the sweep after reset writes first.
#[test]
fn nor_is_that_of_a_limit() {
    let set = table::set(LlcMonitorApb::NAME, "small").unwrap();
    let netlist = LlcMonitorApb::netlist(&set).unwrap();
    let report = checked::<LlcMonitorApb>(&set, &netlist, 100_000);
    assert!(report.passed(), "{report}");
}

/// How often each RAM reads a word as it writes it, in the default stimulus.
fn collisions(set: &ParameterSet, cycles: u64) -> Vec<(String, u64)> {
    let netlist = LlcMonitor::netlist(set).unwrap();
    let mut sim = Sim::new(&netlist.with_scrambled_collisions()).unwrap();
    let params = LlcMonitor::params(set).unwrap();
    let mut model = LlcMonitor::model(&params).unwrap();
    let mut stimulus = stream::<LlcMonitor>(&params, Mix::default(), SEED);
    let mut input = cotenant_golden::llc::llc_monitor::In::idle(&params);
    let ports: Vec<_> = LlcMonitor::inputs(&params)
        .iter()
        .map(|port| (sim.layout().input(port.name).unwrap(), port.words()))
        .collect();
    let mut words = vec![0; ports.iter().map(|(_, words)| words).sum()];
    let flags: Vec<_> = sim
        .layout()
        .flops()
        .filter(|(name, _)| name.ends_with(".collision"))
        .map(|(name, slot)| (name.to_owned(), slot))
        .collect();
    assert_eq!(flags.len(), netlist.rams.len());
    let mut counts = vec![0; flags.len()];
    for _ in 0..cycles {
        assert!(stimulus.input(&params, &model, &mut input));
        LlcMonitor::pack_in(
            &params,
            &input,
            &mut cotenant::verify::interface::Packer::new(&mut words),
        );
        let mut at = 0;
        for (slot, count) in &ports {
            sim.set_words(*slot, &words[at..at + count]);
            at += count;
        }
        sim.step();
        model.step(&input);
        for ((_, slot), count) in flags.iter().zip(&mut counts) {
            *count += sim.get(*slot);
        }
    }
    flags
        .into_iter()
        .map(|(name, _)| name)
        .zip(counts)
        .collect()
}

#[test]
fn there_are_collisions_in_every_ram() {
    for name in test_sets(LlcMonitor::NAME) {
        let counts = collisions(&set(name), 20_000);
        let (ram, fewest) = counts.iter().min_by_key(|(_, count)| *count).unwrap();
        println!(
            "{name}: {} RAMs, fewest collisions {fewest} in {ram}",
            counts.len()
        );
        assert!(*fewest > 20, "{name}: {ram}: {fewest} collisions");
    }
}

/// The netlist in which whoever reads a flop reads this instead.
fn misread(netlist: &Netlist, flop: &str, value: u8) -> Netlist {
    let index = netlist.regs.iter().position(|reg| reg.name == flop);
    let index = index.unwrap_or_else(|| panic!("no flop {flop}")) as u32;
    netlist.rewritten(|graph, old, new| match *graph.op(old) {
        Op::Reg(reg) if reg == index => graph.constant(value, graph.width(old)),
        _ => new,
    })
}

#[test]
fn a_forward_flag_that_is_not_obeyed_is_caught() {
    for name in ["small", "table-1"] {
        let set = set(name);
        let netlist = LlcMonitor::netlist(&set).unwrap();
        for flag in [
            "forward",
            "again",
            "same_tag",
            "tags.stale",
            "tags.early",
            "tags.early_tag",
            "tags.late",
            "tags.late_tag",
        ] {
            for value in [0, 1] {
                let flop = format!("bank[0].directory.{flag}");
                let report = checked::<LlcMonitor>(&set, &misread(&netlist, &flop, value), 20_000);
                println!("{flag} read as {value}: {report}");
                assert!(!report.passed(), "{flag} read as {value}: {report}");
            }
        }
    }
}
