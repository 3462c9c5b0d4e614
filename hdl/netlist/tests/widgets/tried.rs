//! Each widget, and what comes of it.

use super::*;
use crate::support::agree::{agree, Run};
use crate::support::exported;
use cotenant_netlist::equivalence::{prove, Verdict};
use cotenant_netlist::sim::Sim;
use cotenant_netlist::vectors::{Header, Writer};
use cotenant_netlist::{elaborate, fault, verilog};
use rust_hdl_widgets::accum::Accum;
use rust_hdl_widgets::fifo::async_fifo::AsynchronousFIFO;
use rust_hdl_widgets::fifo::fifo_logic::{FIFOReadLogic, FIFOWriteLogic};
use rust_hdl_widgets::registered_edge_tristate::RegisteredEdgeTristate;
use rust_hdl_widgets::sdram::cmd::SDRAMCommandEncoder;
use std::process::Command;

/// Cycles of random inputs.
const CYCLES: usize = 400;

/// Its block and its part's have combinational paths in both directions, and defaults that are
/// assigned first. Icarus wakes one after the other for each default, for ever, although no bit
/// depends on itself; the README says so.
const UNSETTLED: &str = "i2c_controller";

/// A widget, and what came of it.
struct Row {
    widget: &'static str,
    /// What the user of a refused one is told.
    refused: Option<String>,
}

/// Elaborates and does what `update()` does.
fn agrees(widget: &'static str, name: &str, block: impl Ports, runs: &mut Vec<Run>) -> Row {
    runs.push(agree(name, block, CYCLES));
    Row {
        widget,
        refused: None,
    }
}

/// Is refused.
fn refused(widget: &'static str, mut block: impl Block) -> Row {
    block.connect_all();
    let refused = match elaborate(&block, "top") {
        Err(error) => error.to_string(),
        Ok(_) => panic!("{widget} elaborates: compare it with update()"),
    };
    Row {
        widget,
        refused: Some(refused),
    }
}

/// All widgets in the order of their files.
fn tried() -> (Vec<Row>, Vec<Run>) {
    let mut runs = vec![];
    let r = &mut runs;
    let timings = MemoryTimings::mt48lc8m16a2(100e6);
    let micros = Duration::from_micros;
    let rows = vec![
        refused("`Accum`", Accum::<4, 8, 3>::new(5)),
        agrees("`AutoReset`", "auto_reset", AutoReset::default(), r),
        agrees(
            "`DelayLine`",
            "delay_line",
            DelayLine::<Bits<8>, 8, 4>::default(),
            r,
        ),
        agrees("`DFF`", "dff", Dff::default(), r),
        agrees(
            "`DFFWithInit`",
            "dff_with_init",
            DFFWithInit::new(0x5a_u8.to_bits::<8>()),
            r,
        ),
        agrees(
            "`EdgeDetector`",
            "edge_detector",
            EdgeDetector::new(true),
            r,
        ),
        agrees("`EdgeDFF`", "edge_dff", EdgeDff::default(), r),
        refused(
            "`AsynchronousFIFO`",
            AsynchronousFIFO::<Bits<8>, 3, 4, 1>::default(),
        ),
        refused(
            "`CrossNarrowFIFO`",
            CrossNarrowFIFO::<16, 3, 4, 4, 5, 6>::new(WordOrder::LeastSignificantFirst),
        ),
        refused(
            "`CrossWidenFIFO`",
            CrossWidenFIFO::<4, 5, 6, 16, 3, 4>::new(WordOrder::LeastSignificantFirst),
        ),
        agrees(
            "`FIFOExpanderN`",
            "expander",
            FIFOExpanderN::<4, 16>::new(WordOrder::MostSignificantFirst),
            r,
        ),
        agrees(
            "`FIFOReducer`",
            "reducer",
            FIFOReducer::<8, 4, false>::default(),
            r,
        ),
        agrees(
            "`FIFOReducerN`",
            "reducer_n",
            FIFOReducerN::<16, 4>::new(WordOrder::LeastSignificantFirst),
            r,
        ),
        refused(
            "`FIFOReadLogic`",
            FIFOReadLogic::<Bits<8>, 3, 4, 1>::default(),
        ),
        refused(
            "`FIFOWriteLogic`",
            FIFOWriteLogic::<Bits<8>, 3, 4, 1>::default(),
        ),
        agrees(
            "`RegisterFIFO`",
            "register_fifo",
            RegisterFIFO::<Bits<8>>::default(),
            r,
        ),
        agrees(
            "`SynchronousFIFO`",
            "sync_fifo",
            SynchronousFIFO::<Bits<8>, 3, 4, 1>::default(),
            r,
        ),
        agrees(
            "`I2CController`",
            "i2c_controller",
            Controller::default(),
            r,
        ),
        agrees("`I2CDriver`", "i2c_driver", Driver::default(), r),
        agrees("`I2CTarget`", "i2c_target", I2CTarget::default(), r),
        agrees("`LFSRSimple`", "lfsr", LFSRSimple::default(), r),
        refused(
            "`MultiplyAccumulateSymmetricFiniteImpulseResponseFilter`",
            MultiplyAccumulateSymmetricFiniteImpulseResponseFilter::<3>::new(&[1, 2, 3, 2, 1]),
        ),
        refused("`OpenDrainBuffer`", OpenDrainBuffer::default()),
        agrees(
            "`Pulser`",
            "pulser",
            Pulser::new(1_000_000, 100_000.0, micros(3)),
            r,
        ),
        agrees(
            "`PulseWidthModulator`",
            "pwm",
            PulseWidthModulator::<4>::default(),
            r,
        ),
        agrees("`RAM`, empty, with one clock", "ram", Memory::default(), r),
        refused("`RAM` with words in it", FilledRam::new()),
        refused("`RAM` between two clocks", TwoClocks::default()),
        refused("`ROM`", Rom::new()),
        refused("`SyncROM`", SyncRom::new()),
        refused(
            "`RegisteredEdgeTristate`",
            RegisteredEdgeTristate::<4>::default(),
        ),
        refused(
            "`SDRAMBaseController`",
            SDRAMBaseController::<5, 5, 64, 16>::new(3, timings, OutputBuffer::Wired),
        ),
        refused(
            "`SDRAMBurstController`",
            SDRAMBurstController::<5, 5, 4, 16>::new(3, timings, OutputBuffer::Wired),
        ),
        agrees(
            "`SDRAMCommandDecoder`",
            "decoder",
            SDRAMCommandDecoder::default(),
            r,
        ),
        refused("`SDRAMCommandEncoder`", SDRAMCommandEncoder::default()),
        refused("`SDRAMOnChipBuffer`", SDRAMOnChipBuffer::<16>::default()),
        agrees("`Shot`", "shot", Shot::<8>::new(1_000_000, micros(5)), r),
        agrees("`SPIMaster`", "spi_master", Master::default(), r),
        agrees(
            "`SPIMasterDynamicMode`",
            "spi_dynamic",
            DynamicMaster::default(),
            r,
        ),
        agrees("`SPISlave`", "spi_slave", Slave::default(), r),
        agrees("`MuxMasters`", "mux_masters", Masters::default(), r),
        agrees("`MuxSlaves`", "mux_slaves", Slaves::default(), r),
        agrees(
            "`Strobe`",
            "strobe",
            Strobe::<8>::new(1_000_000, 100_000.0),
            r,
        ),
        agrees(
            "`BitSynchronizer`",
            "bit_synchronizer",
            BitSynchronizer::default(),
            r,
        ),
        agrees(
            "`SyncReceiver`",
            "sync_receiver",
            SyncReceiver::<Bits<8>>::default(),
            r,
        ),
        agrees(
            "`SyncSender`",
            "sync_sender",
            SyncSender::<Bits<8>>::default(),
            r,
        ),
        refused(
            "`VectorSynchronizer`",
            VectorSynchronizer::<Bits<8>>::default(),
        ),
        refused("`TristateBuffer`", TristateBuffer::<Bits<4>>::default()),
    ];
    (rows, runs)
}

#[test]
fn the_table_has_each_widget_with_its_outcome() {
    let (rows, _) = tried();
    let rows = rows.iter().map(|row| match &row.refused {
        None => format!("| {} | yes | |\n", row.widget),
        Some(hint) => format!("| {} | no | {} |\n", row.widget, crate::tables::cell(hint)),
    });
    let table = "| widget | supported | if not, what the error says |\n|---|---|---|\n";
    crate::tables::check("widgets", &(table.to_string() + &rows.collect::<String>()));
}

// Flops without reset start at their value in Verilog, too: nothing else gives them one.
#[test]
fn exported_widgets_start_as_update_does() {
    let (_, mut runs) = tried();
    runs.retain(|run| run.name != UNSETTLED);
    exported::agrees(&runs);
    let lfsr = runs.iter().find(|run| run.name == "lfsr").expect("a row");
    let text = exported::text(&exported::design(lfsr));
    assert!(text.contains("initial begin"), "{text}");
}

// A testbench counts from the first cycle on what starts by itself; Icarus plays it.
#[test]
fn the_testbench_of_a_widget_passes_and_sees_a_fault() {
    let (_, runs) = tried();
    let run = runs.iter().find(|run| run.name == "strobe").expect("a row");
    let design = exported::design(run);
    let faulty = fault::at_outputs(&run.netlist)[0];
    let faulty = run.netlist.with_fault(&faulty).expect("an output");
    let header = Header::of(&design);
    let bench = verilog::testbench(&run.netlist, &design, &header).expect("a testbench");
    for (netlist, passes) in [(&run.netlist, true), (&faulty, false)] {
        let mut vectors = Writer::new(vec![], &header).expect("memory");
        let mut sim = Sim::new(netlist).expect("a design");
        for inputs in &run.inputs {
            for (input, value) in netlist.inputs.iter().zip(inputs) {
                let value = value.to_u64_digits().first().copied().unwrap_or_default();
                sim.set_input(&input.name, value).expect("an input");
            }
            sim.step();
            vectors.record(&sim).expect("memory");
        }
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &[u8]| {
            std::fs::write(folder.path().join(name), text).expect("a file is written");
        };
        write("strobe.vec", &vectors.finish().expect("memory").0);
        write("all.v", (exported::text(&design) + &bench).as_bytes());
        let vvp = Command::new("sh")
            .args([
                "-c",
                "iverilog -g2005 -s strobe_tb -o tb all.v && vvp -n tb",
            ])
            .current_dir(folder.path())
            .output()
            .expect("Icarus runs");
        let says = String::from_utf8_lossy(&vvp.stdout);
        assert_eq!(
            says.contains("PASS 400 cycles, 400 compared"),
            passes,
            "{says}"
        );
        assert_eq!(says.contains("FAIL"), !passes, "{says}");
    }
}

#[test]
fn exported_widgets_are_proven_equal() {
    let (_, runs) = tried();
    let of = |name: &str| runs.iter().find(|run| run.name == name).expect("a row");
    for run in ["strobe", "edge_dff", "sync_fifo"].map(of) {
        let folder = tempfile::tempdir().expect("a folder");
        let design = exported::design(run);
        let files = design.write_to(folder.path()).expect("files are written");
        let verdict = prove(&run.netlist, &design, &files, folder.path());
        let verdict = verdict.unwrap_or_else(|e| panic!("{}: {e}", run.name));
        assert!(matches!(verdict, Verdict::Equal { .. }), "{verdict:?}");
        // Another netlist is not proven.
        let state = fault::sample(&run.netlist, 1, 1)[0];
        let faulty = run.netlist.with_fault(&state).expect("a place");
        let verdict = prove(&faulty, &design, &files, folder.path()).expect("the tools run");
        assert!(matches!(verdict, Verdict::Different { .. }), "{}", run.name);
    }
}

block!(Inner { clock: I<Clock>, reset: I<Bit>; flop: Flop<Bit>, q: O<Bit> }
#[hdl_gen] fn update(&mut self) {
    self.flop.clock.next = self.clock.val();
    self.flop.reset.next = self.reset.val();
    self.flop.d.next = !self.flop.q.val();
    self.q.next = self.flop.q.val();
});
block!(NeverReset { clock: I<Clock>; inner: Inner, q: O<Bit> }
#[hdl_gen] fn update(&mut self) {
    self.inner.clock.next = self.clock.val();
    self.inner.reset.next = false;
    self.q.next = self.inner.q.val();
});

// The module of such a flop has a reset, and so no value before it.
#[test]
fn a_reset_that_nobody_uses_is_no_start() {
    let run = agree("never_reset", NeverReset::default(), 20);
    let design = exported::design(&run);
    assert!(!exported::text(&design).contains("initial"));
    let bench = verilog::testbench(&run.netlist, &design, &Header::of(&design));
    assert!(matches!(bench, Err(verilog::BenchError::NoReset { .. })));
}
