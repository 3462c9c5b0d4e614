//! Rationale: a monitor's tags and replacement bits are affordable only in block RAM. RAMs of 64
//! words and more become block RAM in Yosys for iCE40, ECP5 and Xilinx, exactly as many as their
//! widths need, and no flop is added to emulate what the block cannot do (reset, a defined value
//! for a word that is read while it is written). Shallower ones are left to the synthesiser. Seen
//! to find something: with the hint that such a value is never used taken away, flops are added.
#![allow(missing_docs)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use cotenant_netlist::graph::Op;
use cotenant_netlist::verilog::{self, Design};
use cotenant_netlist::{Netlist, Reg};
use cotenant_units::table;

/// How a family is synthesised, its block RAM, the bits of a word of one, and its flops.
struct Family {
    name: &'static str,
    synth: &'static str,
    blocks: &'static [&'static str],
    word: usize,
    flop: &'static str,
}

const FAMILIES: [Family; 3] = [
    // 4 kbit as 256 words of 16 bits.
    Family {
        name: "iCE40",
        synth: "synth_ice40",
        blocks: &["SB_RAM40_4K"],
        word: 16,
        flop: "SB_DFF",
    },
    // 18 kbit as 512 words of 36 bits, two ports.
    Family {
        name: "ECP5",
        synth: "synth_ecp5",
        blocks: &["DP16KD", "PDPW16KD"],
        word: 36,
        flop: "TRELLIS_FF",
    },
    Family {
        name: "Xilinx 7",
        synth: "synth_xilinx -flatten -noiopad",
        blocks: &["RAMB18E1"],
        word: 36,
        flop: "FD",
    },
];

fn elaborated(unit: &str, set: &str) -> Netlist {
    let set = table::set(unit, set).unwrap();
    table::netlist(unit, &set).unwrap().unwrap()
}

/// As `cotenant export` writes it.
fn exported(netlist: &Netlist) -> Design {
    let mut options = verilog::Options::default();
    options.readable = true;
    verilog::export(netlist, &options).unwrap()
}

/// Bits of flops that an output depends on, through other flops and RAMs, too; flops that always
/// hold the same count once.
fn live_flops(netlist: &Netlist) -> usize {
    let (mut regs, mut rams) = (BTreeSet::new(), BTreeSet::new());
    let mut open: Vec<_> = netlist.outputs.iter().map(|output| output.node).collect();
    while !open.is_empty() {
        for node in netlist.graph.order(std::mem::take(&mut open)) {
            match *netlist.graph.op(node) {
                Op::Reg(i) if regs.insert(i as usize) => open.push(netlist.regs[i as usize].next),
                Op::RamData(i) if rams.insert(i as usize) => {
                    let ram = &netlist.rams[i as usize];
                    open.extend([ram.read_address, ram.write_enable]);
                    open.extend([ram.write_address, ram.write_data]);
                }
                _ => {}
            }
        }
    }
    let same = |reg: &Reg| (reg.next, reg.init.clone());
    let distinct: BTreeMap<_, _> = regs
        .iter()
        .map(|&i| (same(&netlist.regs[i]), changing_bits(&netlist.regs[i])))
        .collect();
    distinct.values().sum()
}

/// Row v of the order of a set's ways has a bit for each way below v; the others are 0 for good.
fn changing_bits(reg: &Reg) -> usize {
    let row = reg
        .name
        .split_once("order[")
        .and_then(|(_, row)| row.strip_suffix(']'));
    row.map_or(reg.width, |row| row.parse().unwrap())
}

/// Cells by type.
fn synthesised(
    design: &Design,
    family: &Family,
    change: impl Fn(&str) -> String,
) -> BTreeMap<String, usize> {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for file in &design.modules {
        std::fs::write(path(&format!("{}.v", file.name)), change(&file.text)).unwrap();
    }
    let script = format!(
        "read_verilog *.v; {} -top {}; check -assert; tee -q -o stat.json stat -json",
        family.synth, design.top
    );
    let yosys = Command::new("yosys")
        .args(["-q", "-p", &script])
        .current_dir(folder.path())
        .output()
        .expect("yosys does not start: run scripts/setup");
    assert!(
        yosys.status.success(),
        "{}: {}",
        family.name,
        String::from_utf8_lossy(&yosys.stderr)
    );
    cells(&path("stat.json"))
}

fn cells(stat: &Path) -> BTreeMap<String, usize> {
    let stat: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(stat).unwrap()).unwrap();
    let types = stat["design"]["num_cells_by_type"].as_object().unwrap();
    types
        .iter()
        .map(|(name, count)| (name.clone(), count.as_u64().unwrap() as usize))
        .collect()
}

/// Block RAMs and flops.
fn counted(cells: &BTreeMap<String, usize>, family: &Family) -> (usize, usize) {
    let of = |wanted: &dyn Fn(&str) -> bool| {
        cells
            .iter()
            .filter(|(name, _)| wanted(name))
            .map(|(_, count)| count)
            .sum()
    };
    (
        of(&|name| family.blocks.contains(&name)),
        of(&|name| name.starts_with(family.flop)),
    )
}

#[test]
fn rams_of_64_words_are_block_ram_without_emulation() {
    let netlist = elaborated("llc_monitor", "figure-2");
    assert!(netlist.rams.iter().all(|ram| ram.address_width == 6));
    let design = exported(&netlist);
    for family in &FAMILIES {
        let cells = synthesised(&design, family, str::to_owned);
        let blocks: usize = netlist
            .rams
            .iter()
            .map(|ram| ram.width.div_ceil(family.word))
            .sum();
        let expected = (blocks, live_flops(&netlist));
        assert_eq!(
            counted(&cells, family),
            expected,
            "{}: {cells:?}",
            family.name
        );
    }
}

#[test]
fn a_defined_value_for_a_word_that_is_being_written_costs_flops() {
    let netlist = elaborated("llc_monitor", "figure-2");
    let design = exported(&netlist);
    let family = &FAMILIES[0];
    let cells = synthesised(&design, family, |text| text.replace("no_rw_check, ", ""));
    let (_, flops) = counted(&cells, family);
    assert!(flops > live_flops(&netlist), "{cells:?}");
}
