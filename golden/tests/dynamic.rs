//! Rationale: the model behind words must be the model. Every unit is driven with random legal
//! inputs in a small set, in one whose packed ports straddle words, and in one with other circuits;
//! outputs and registers are compared with the typed model's.

use cotenant_golden::dynamic::{self, Error};
use cotenant_golden::ports::{Packer, Parameters, Port, Ports, Unpacker};
use cotenant_golden::{addr, bus, llc, mgmt, sm, Model};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

const CYCLES: usize = 300;

/// Random words that fit the ports, with small values and no reset most of the time.
fn drawn(ports: &[Port], random: &mut Pcg64Mcg) -> Vec<u64> {
    let mut words = Vec::new();
    for port in ports {
        let limit = u64::MAX >> (64 - port.element_width);
        let small = random.random_ratio(3, 4);
        let element = |random: &mut Pcg64Mcg| match small && limit > 1 {
            true => random.random_range(0..3).min(limit),
            false => random.random::<u64>() & limit,
        };
        let mut values: Vec<u64> = (0..port.elements).map(|_| element(random)).collect();
        if port.name == "reset" {
            values = vec![u64::from(random.random_ratio(1, 100))];
        }
        let start = words.len();
        words.resize(start + port.words(), 0);
        Packer::new(&mut words[start..]).elements(port.element_width, values);
    }
    words
}

/// The legal cycles of so many.
fn same<M: Model>(unit: &str, text: &str, seed: u64) -> usize
where
    M::In: Ports<M::Params>,
    M::Out: Ports<M::Params>,
{
    let mut dynamic = dynamic::unit(unit).unwrap().model(text).unwrap();
    let settings = dynamic.settings().clone();
    let value = |name| {
        let found = settings.values().iter().find(|(known, _)| *known == name);
        Ok(found.unwrap().1)
    };
    let params = M::Params::named(value, |error| error).unwrap();
    let mut typed = M::new(params.clone()).unwrap();
    let ports = M::In::ports(&params);
    assert_eq!(dynamic.inputs(), ports);
    assert_eq!(dynamic.outputs(), M::Out::ports(&params));
    let formulas = dynamic.formulas();
    let names = |ports: &[Port]| ports.iter().map(|port| port.name).collect::<Vec<_>>();
    let formula_names: Vec<&str> = formulas.0.iter().map(|formula| formula.name).collect();
    assert_eq!(formula_names, names(&ports));
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut saved = dynamic.clone();
    let (mut legal, mut outputs, mut expected) = (0, dynamic.output_row(), dynamic.output_row());
    for cycle in 0..CYCLES {
        let words = drawn(&ports, &mut random);
        let input = M::In::unpack(&params, &mut Unpacker::new(&words)).unwrap();
        let mut again = dynamic.input_row();
        input.pack(&params, &mut Packer::new(&mut again));
        assert_eq!(again, words, "{unit} {text}: inputs do not come back");
        let told = typed.assume(&input).map_err(Error::from);
        assert_eq!(dynamic.legal(&words), told);
        if told.is_err() {
            continue;
        }
        legal += 1;
        let out = typed.step(&input);
        out.pack(&params, &mut Packer::new(&mut expected));
        if cycle % 50 == 7 {
            // A saved state goes the same way again.
            saved.restore(&dynamic).unwrap();
            saved.step(&words, &mut outputs).unwrap();
            assert_eq!(outputs, expected, "{unit} {text}: cycle {cycle}, restored");
        }
        dynamic.step(&words, &mut outputs).unwrap();
        assert_eq!(
            outputs, expected,
            "{unit} {text}: cycle {cycle} (seed {seed})"
        );
        if cycle % 50 == 7 {
            assert_eq!(
                dynamic.state(),
                serde_json::to_value(typed.state()).unwrap()
            );
            assert_eq!(saved.state(), dynamic.state());
        }
    }
    legal
}

macro_rules! units {
    ($($name:ident: $model:ty, $($text:literal)*;)*) => {
        const SETS: &[(&str, &[&str])] = &[$((stringify!($name), &[$($text),*])),*];

        fn same_as_typed(unit: &str, text: &str, seed: u64) -> usize {
            match unit {
                $(stringify!($name) => same::<$model>(unit, text, seed),)*
                _ => panic!("no unit {unit}"),
            }
        }
    };
}

units! {
    popcnt: llc::popcnt::Popcnt, "2" "64";
    kid_demux: llc::kid_demux::KidDemux, "4" "64";
    demotion: llc::demotion::Demotion, "2" "64";
    counter_matrix: llc::counter_matrix::CounterMatrix, "KERNELS=2,INC_W=2,CNT_W=3" "KERNELS=5,INC_W=32,CNT_W=64";
    gdcu: llc::gdcu::Gdcu, "2x2x21" "33x5x64,STAGES=3" "4x4x4s0";
    lru_stack: llc::lru_stack::LruStack, "2x2" "24x6" "13x33";
    plob: llc::plob::Plob, "2x3" "5x64s2" "3x8s0";
    sce: llc::sce::Sce, "2x2x4" "33x3x7,STAGES=3";
    blame: llc::blame::Blame, "2x2" "4x4";
    pivot: llc::pivot::Pivot, "2x2" "8x5";
    shadow_stack: llc::shadow_stack::ShadowStack, "2x2x2" "3x3x4l2" "4x4x2,TAG_W=64";
    attribution: llc::attribution::Attribution, "2x2x4x4" "3x3x16x4l2q3" "4x6x16x4l3p";
    llc_monitor: llc::llc_monitor::LlcMonitor, "2x2x16x1" "3x3x2x4,CNT_W=8,TAG_W=33" "2x2x16x1,SCE=1,SAMPLED=4";
    llc_counters: llc::llc_counters::LlcCounters, "2x2x1" "6x3x2s0,CNT_W=8,REQUESTERS=5" "33x2x4";
    umon: mgmt::umon::Umon, "2x128x64" "4x16x4";
    ucp: mgmt::ucp::Ucp, "4x2" "5x3,CNT_W=4,XS_W=3";
    managed_directory: mgmt::managed_directory::ManagedDirectory, "2x4x2x1" "4x16x3x2r3p4,TAG_W=5,SEED=7";
    managed_llc: mgmt::managed_llc::ManagedLlc, "4x8x2x1x4x2b1w3c4t2" "4x16x3x2x4x3b2w4c6t2,ROTATE=1";
    quota_victim: mgmt::quota_victim::QuotaVictim, "2x2" "33x3";
    rrip: mgmt::rrip::Rrip, "2r1" "64r3" "4";
    drrip: mgmt::drrip::Drrip, "4x2x1p2" "64x3x8p4,SEED=0x7";
    core_sampling: mgmt::core_sampling::CoreSampling, "2x1" "5x3i3n1c7r";
    xsratio: mgmt::xsratio::Xsratio, "2" "3w4c6t2";
    tap: mgmt::tap::Tap, "2" "3w4c6";
    xor_hash: addr::xor_hash::XorHash, "ADDRESS_W=4,INDEX_W=2,MASK_0=6,MASK_1=11" "ADDRESS_W=64,INDEX_W=1,MASK_0=0x8000000000000001";
    address_map: addr::address_map::AddressMap, "ADDRESS_W=8,OFFSET_W=2,SECTOR_W=1,SET_W=1,BANK_W=2,MODULE_W=1,COLOUR_W=1,TAG=0xe0,SET_0=0x44,BANK_1=0x88"
        "ADDRESS_W=64,OFFSET_W=7,SECTOR_W=5,SET_W=16,BANK_W=1,MODULE_W=3,COLOUR_W=2,TAG=0xf000000000000000,SET_15=0x8000000000000080";
    milg: sm::milg::Milg, "7x12x10" "2x4x2d";
    smil: sm::smil::Smil, "7x5" "2x2";
    quota_unit: sm::quota_unit::QuotaUnit, "2x4" "3x32";
    rbmi: sm::rbmi::Rbmi, "2" "16";
    qbmi: sm::qbmi::Qbmi, "2x10" "3x3cl2";
    mem_issue: sm::mem_issue::MemIssue, "KERNELS=2" "KERNELS=3,LIMITER=0,PRIORITY=0,LIMIT_W=3";
    llc_monitor_apb: bus::LlcMonitorApb, "2x2x16x1";
    llc_monitor_axi: bus::LlcMonitorAxi, "3x3x2x2,CNT_W=8";
    llc_counters_apb: bus::LlcCountersApb, "2x2x1";
    llc_counters_axi: bus::LlcCountersAxi, "3x3x2s2";
    mem_issue_apb: bus::MemIssueApb, "KERNELS=2";
    mem_issue_axi: bus::MemIssueAxi, "KERNELS=3";
    managed_llc_apb: bus::ManagedLlcApb, "4x8x2x1x4x2b1w3c4t2";
    managed_llc_axi: bus::ManagedLlcAxi, "4x16x3x2x4x3b2w4c6t2,ROTATE=1";
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn every_unit_is_its_typed_model(seed in any::<u64>()) {
        for (unit, texts) in SETS {
            for text in *texts {
                let legal = same_as_typed(unit, text, seed);
                prop_assert!(legal > CYCLES / 100, "{unit} {text}: {legal} legal cycles");
            }
        }
    }
}

#[test]
fn every_unit_of_the_hardware_is_there_and_here() {
    let dynamic: Vec<&str> = dynamic::units().iter().map(|unit| unit.name()).collect();
    let here: Vec<&str> = SETS.iter().map(|(unit, _)| *unit).collect();
    assert_eq!(dynamic, here);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../hdl/units/src/registry.rs");
    let registry = std::fs::read_to_string(path).unwrap();
    let line = |line: &str| {
        let (name, rest) = line.trim().split_once(": ")?;
        rest.contains("::").then(|| name.to_string())
    };
    let units = registry
        .lines()
        .skip_while(|line| !line.contains("$each! {"));
    let hardware: Vec<String> = units.filter_map(line).collect();
    assert_eq!(dynamic, hardware);
}

#[test]
fn every_unit_can_be_made_for_its_platform() {
    for unit in dynamic::units() {
        unit.model(unit.platform()).unwrap();
    }
}
