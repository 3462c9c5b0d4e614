//! Which blocks of rust-hdl-widgets can be elaborated.
//!
//! Rationale: who has a design in rust-hdl has its widgets in it, and must know beforehand which of
//! them stay and what to write for the others. So each is tried: it elaborates, and its netlist does
//! what its `update()` does for random inputs, signal by signal; or it is refused with a hint. The
//! table in the README is what this finds, no more and no less.

use crate::support::agree::{agree, Run};
use crate::support::exported;
use crate::support::ports::{Port, Ports};
use crate::support::{Flop, I, L, O};
use cotenant_netlist::equivalence::{prove, Verdict};
use cotenant_netlist::hdl::*;
use cotenant_netlist::sim::Sim;
use cotenant_netlist::vectors::{Header, Writer};
use cotenant_netlist::{elaborate, fault, verilog};
use num_bigint::BigUint;
use rust_hdl_widgets::accum::Accum;
use rust_hdl_widgets::auto_reset::AutoReset;
use rust_hdl_widgets::delay_line::DelayLine;
use rust_hdl_widgets::dff::DFF;
use rust_hdl_widgets::dff_with_init::DFFWithInit;
use rust_hdl_widgets::edge_detector::EdgeDetector;
use rust_hdl_widgets::edge_ff::EdgeDFF;
use rust_hdl_widgets::fifo::async_fifo::AsynchronousFIFO;
use rust_hdl_widgets::fifo::fifo_logic::{FIFOReadLogic, FIFOWriteLogic};
use rust_hdl_widgets::i2c::i2c_controller::{I2CController, I2CControllerCmd};
use rust_hdl_widgets::i2c::i2c_driver::{I2CDriver, I2CDriverCmd};
use rust_hdl_widgets::prelude::*;
use rust_hdl_widgets::registered_edge_tristate::RegisteredEdgeTristate;
use rust_hdl_widgets::sdram::cmd::{SDRAMCommandDecoder, SDRAMCommandEncoder};
use std::process::Command;
use std::time::Duration;

/// Cycles of random inputs.
const CYCLES: usize = 400;

/// Its block and its part's have combinational paths in both directions, and defaults that are
/// assigned first. Icarus wakes one after the other for each default, for ever, although no bit
/// depends on itself; the README says so.
const UNSETTLED: &str = "i2c_controller";

/// Makes the named inputs settable by name, also those of interfaces.
macro_rules! pokes {
    ($($ty:ty { $($($field:ident).+),* })*) => {$(
        impl Ports for $ty {
            fn poke(&mut self, name: &str, value: &BigUint) -> bool {
                $(if name == [$(stringify!($field)),+].join(".") {
                    return Port::poke(&mut self.$($field).+, "", value);
                })*
                false
            }
        }
    )*};
}

pokes! {
    AutoReset { clock }
    BitSynchronizer { clock, sig_in }
    DFFWithInit<Bits<8>> { clock, d }
    DelayLine<Bits<8>, 8, 4> { clock, data_in, delay }
    EdgeDetector { clock, input_signal }
    FIFOExpanderN<4, 16> { clock, data_in, empty, full }
    FIFOReducer<8, 4, false> { clock, data_in, empty, full }
    FIFOReducerN<16, 4> { clock, data_in, empty, full }
    I2CTarget { clock, i2c.sda.line_state, i2c.scl.line_state, active, to_bus, write_enable }
    LFSRSimple { clock, strobe }
    PulseWidthModulator<4> { clock, enable, threshold }
    Pulser { clock, enable }
    RegisterFIFO<Bits<8>> { clock, data_in, write, read }
    SDRAMCommandDecoder { ras_not, cas_not, we_not, cs_not }
    Shot<8> { clock, trigger }
    Strobe<8> { clock, enable }
    SyncReceiver<Bits<8>> { clock, sig_cross, flag_in }
    SyncSender<Bits<8>> { clock, sig_in, ack_in, send }
    SynchronousFIFO<Bits<8>, 3, 4, 1> { clock, read, write, data_in }
}

// Widgets with hand-written Verilog stand inside a block.
block!(Dff { clock: I<Clock>, d: I<Bits<8>>; part: DFF<Bits<8>>, q: O<Bits<8>> }
#[hdl_gen] fn update(&mut self) {
    self.part.clock.next = self.clock.val();
    self.part.d.next = self.d.val();
    self.q.next = self.part.q.val();
});
block!(EdgeDff { clock: I<Clock>, d: I<Bits<8>>; part: EdgeDFF<Bits<8>>, q: O<Bits<8>> }
#[hdl_gen] fn update(&mut self) {
    self.part.clk.next = self.clock.val();
    self.part.d.next = self.d.val();
    self.q.next = self.part.q.val();
});
block!(Memory {
    clock: I<Clock>, read: I<Bits<3>>, write: I<Bits<3>>, enable: I<Bit>, data_in: I<Bits<8>>;
    part: RAM<Bits<8>, 3>, data: O<Bits<8>>
}
#[hdl_gen] fn update(&mut self) {
    self.part.read_clock.next = self.clock.val();
    self.part.write_clock.next = self.clock.val();
    self.part.read_address.next = self.read.val();
    self.part.write_address.next = self.write.val();
    self.part.write_enable.next = self.enable.val();
    self.part.write_data.next = self.data_in.val();
    self.data.next = self.part.read_data.val();
});

/// A block around parts without a `Default`.
macro_rules! around {
    (
        $name:ident {
            $($input:ident : $input_ty:ty),*; $($field:ident : $ty:ty = $value:expr),* $(,)?
        }
        $($update:tt)*
    ) => {
        #[derive(LogicBlock)]
        struct $name { $($input: $input_ty,)* $($field: $ty,)* }
        impl Default for $name {
            fn default() -> Self {
                $name { $($input: Default::default(),)* $($field: $value,)* }
            }
        }
        impl Logic for $name {
            $($update)*
        }
        ports!($name { $($input),* });
    };
}

fn spi() -> SPIConfig {
    SPIConfig {
        clock_speed: 1_000_000,
        cs_off: true,
        mosi_off: false,
        speed_hz: 100_000,
        cpha: true,
        cpol: false,
    }
}

fn i2c() -> I2CConfig {
    I2CConfig {
        delay_time: Duration::from_micros(2),
        clock_speed_hz: 1_000_000,
    }
}

fn dynamic() -> SPIConfigDynamicMode {
    SPIConfigDynamicMode {
        clock_speed: 1_000_000,
        cs_off: true,
        mosi_off: false,
        speed_hz: 100_000,
    }
}

// Commands are those that there are.
around!(Controller {
    clock: I<Clock>, sda: I<Bit>, scl: I<Bit>, code: I<Bits<3>>, run: I<Bit>, data_in: I<Bits<8>>;
    part: I2CController = I2CController::new(i2c()), cmd: L<I2CControllerCmd> = Default::default(), data: O<Bits<8>> = Default::default(), busy: O<Bit> = Default::default(), error: O<Bit> = Default::default(), ack: O<Bit> = Default::default(), sda_low: O<Bit> = Default::default() }
#[hdl_gen] fn update(&mut self) {
    self.cmd.next = I2CControllerCmd::Noop;
    if self.code.val() == 1 { self.cmd.next = I2CControllerCmd::BeginWrite; }
    if self.code.val() == 2 { self.cmd.next = I2CControllerCmd::Write; }
    if self.code.val() == 3 { self.cmd.next = I2CControllerCmd::BeginRead; }
    if self.code.val() == 4 { self.cmd.next = I2CControllerCmd::Read; }
    if self.code.val() == 5 { self.cmd.next = I2CControllerCmd::EndTransmission; }
    if self.code.val() == 6 { self.cmd.next = I2CControllerCmd::ReadLast; }
    self.part.clock.next = self.clock.val();
    self.part.cmd.next = self.cmd.val();
    self.part.run.next = self.run.val();
    self.part.write_data_in.next = self.data_in.val();
    self.part.i2c.sda.line_state.next = self.sda.val();
    self.part.i2c.scl.line_state.next = self.scl.val();
    self.data.next = self.part.read_data_out.val();
    self.busy.next = self.part.busy.val();
    self.error.next = self.part.error.val();
    self.ack.next = self.part.ack.val();
    self.sda_low.next = self.part.i2c.sda.drive_low.val();
});
around!(Driver {
    clock: I<Clock>, sda: I<Bit>, scl: I<Bit>, code: I<Bits<3>>, run: I<Bit>;
    part: I2CDriver = I2CDriver::new(i2c()), cmd: L<I2CDriverCmd> = Default::default(), busy: O<Bit> = Default::default(), read_bit: O<Bit> = Default::default(), sda_low: O<Bit> = Default::default(), scl_low: O<Bit> = Default::default() }
#[hdl_gen] fn update(&mut self) {
    self.cmd.next = I2CDriverCmd::Noop;
    if self.code.val() == 1 { self.cmd.next = I2CDriverCmd::SendStart; }
    if self.code.val() == 2 { self.cmd.next = I2CDriverCmd::SendTrue; }
    if self.code.val() == 3 { self.cmd.next = I2CDriverCmd::SendFalse; }
    if self.code.val() == 4 { self.cmd.next = I2CDriverCmd::SendStop; }
    if self.code.val() == 5 { self.cmd.next = I2CDriverCmd::GetBit; }
    if self.code.val() == 6 { self.cmd.next = I2CDriverCmd::Restart; }
    self.part.clock.next = self.clock.val();
    self.part.cmd.next = self.cmd.val();
    self.part.run.next = self.run.val();
    self.part.i2c.sda.line_state.next = self.sda.val();
    self.part.i2c.scl.line_state.next = self.scl.val();
    self.busy.next = self.part.busy.val();
    self.read_bit.next = self.part.read_bit.val();
    self.sda_low.next = self.part.i2c.sda.drive_low.val();
    self.scl_low.next = self.part.i2c.scl.drive_low.val();
});
// As many bits as the words have: update() panics at others.
around!(Master {
    clock: I<Clock>, bits: I<Bits<3>>, data: I<Bits<8>>, send: I<Bit>, continued: I<Bit>, miso: I<Bit>;
    part: SPIMaster<8> = SPIMaster::new(spi()), received: O<Bits<8>> = Default::default(), busy: O<Bit> = Default::default(), mosi: O<Bit> = Default::default(), mclk: O<Bit> = Default::default() }
#[hdl_gen] fn update(&mut self) {
    self.part.clock.next = self.clock.val();
    self.part.bits_outbound.next = bit_cast::<16, 3>(self.bits.val()) + 1;
    self.part.data_outbound.next = self.data.val();
    self.part.start_send.next = self.send.val();
    self.part.continued_transaction.next = self.continued.val();
    self.part.wires.miso.next = self.miso.val();
    self.received.next = self.part.data_inbound.val();
    self.busy.next = self.part.busy.val();
    self.mosi.next = self.part.wires.mosi.val();
    self.mclk.next = self.part.wires.mclk.val();
});
around!(DynamicMaster {
    clock: I<Clock>, bits: I<Bits<3>>, data: I<Bits<8>>, send: I<Bit>, continued: I<Bit>, miso: I<Bit>;
    part: SPIMasterDynamicMode<8> = SPIMasterDynamicMode::new(dynamic()), received: O<Bits<8>> = Default::default(), busy: O<Bit> = Default::default(), mosi: O<Bit> = Default::default(), mclk: O<Bit> = Default::default() }
#[hdl_gen] fn update(&mut self) {
    self.part.clock.next = self.clock.val();
    self.part.bits_outbound.next = bit_cast::<16, 3>(self.bits.val()) + 1;
    self.part.data_outbound.next = self.data.val();
    self.part.start_send.next = self.send.val();
    self.part.continued_transaction.next = self.continued.val();
    self.part.wires.miso.next = self.miso.val();
    self.received.next = self.part.data_inbound.val();
    self.busy.next = self.part.busy.val();
    self.mosi.next = self.part.wires.mosi.val();
    self.mclk.next = self.part.wires.mclk.val();
});
around!(Slave {
    clock: I<Clock>, bits: I<Bits<3>>, data: I<Bits<8>>, send: I<Bit>, continued: I<Bit>,
    disabled: I<Bit>, mosi: I<Bit>, msel: I<Bit>, mclk: I<Bit>;
    part: SPISlave<8> = SPISlave::new(spi()), received: O<Bits<8>> = Default::default(), busy: O<Bit> = Default::default(), miso: O<Bit> = Default::default() }
#[hdl_gen] fn update(&mut self) {
    self.part.clock.next = self.clock.val();
    self.part.bits.next = bit_cast::<16, 3>(self.bits.val()) + 1;
    self.part.data_outbound.next = self.data.val();
    self.part.start_send.next = self.send.val();
    self.part.continued_transaction.next = self.continued.val();
    self.part.disabled.next = self.disabled.val();
    self.part.wires.mosi.next = self.mosi.val();
    self.part.wires.msel.next = self.msel.val();
    self.part.wires.mclk.next = self.mclk.val();
    self.received.next = self.part.data_inbound.val();
    self.busy.next = self.part.busy.val();
    self.miso.next = self.part.wires.miso.val();
});

block!(Slaves { sel: I<Bits<1>>, mosi: I<Bit>, mclk: I<Bit>, msel: I<Bit>, miso: [I<Bit>; 2]; part: MuxSlaves<2, 1>, to_master: O<Bit>, selected: [O<Bit>; 2] }
#[hdl_gen] fn update(&mut self) {
    self.part.sel.next = self.sel.val();
    self.part.from_master.mosi.next = self.mosi.val();
    self.part.from_master.mclk.next = self.mclk.val();
    self.part.from_master.msel.next = self.msel.val();
    for i in 0..2 {
        self.part.to_slaves[i].miso.next = self.miso[i].val();
    }
    self.to_master.next = self.part.from_master.miso.val();
    for i in 0..2 {
        self.selected[i].next = self.part.to_slaves[i].msel.val();
    }
});
block!(Masters { sel: I<Bits<1>>, mosi: [I<Bit>; 2], mclk: [I<Bit>; 2], msel: [I<Bit>; 2], miso: I<Bit>; part: MuxMasters<2, 1>, to_bus: [O<Bit>; 3], to_masters: [O<Bit>; 2] }
#[hdl_gen] fn update(&mut self) {
    self.part.sel.next = self.sel.val();
    self.part.to_bus.miso.next = self.miso.val();
    for i in 0..2 {
        self.part.from_masters[i].mosi.next = self.mosi[i].val();
        self.part.from_masters[i].mclk.next = self.mclk[i].val();
        self.part.from_masters[i].msel.next = self.msel[i].val();
    }
    self.to_bus[0].next = self.part.to_bus.mosi.val();
    self.to_bus[1].next = self.part.to_bus.mclk.val();
    self.to_bus[2].next = self.part.to_bus.msel.val();
    for i in 0..2 {
        self.to_masters[i].next = self.part.from_masters[i].miso.val();
    }
});

/// The RAM between two clocks.
#[derive(LogicBlock, Default)]
struct TwoClocks {
    clock: I<Clock>,
    other: I<Clock>,
    address: I<Bits<3>>,
    data: O<Bits<8>>,
    part: RAM<Bits<8>, 3>,
}
impl Logic for TwoClocks {
    #[hdl_gen]
    fn update(&mut self) {
        self.part.read_clock.next = self.clock.val();
        self.part.write_clock.next = self.other.val();
        self.part.read_address.next = self.address.val();
        self.part.write_address.next = self.address.val();
        self.part.write_enable.next = true;
        self.part.write_data.next = 1.into();
        self.data.next = self.part.read_data.val();
    }
}

/// A block with a part that reads words at an address.
macro_rules! reads {
    ($name:ident, $part:ty $(, $clock:ident)?) => {
        #[derive(LogicBlock)]
        struct $name {
            address: I<Bits<2>>,
            $($clock: I<Clock>,)?
            data: O<Bits<8>>,
            part: $part,
        }
        impl $name {
            fn new() -> Self {
                $name {
                    address: Default::default(),
                    $($clock: Default::default(),)?
                    data: Default::default(),
                    part: words().into_iter().into(),
                }
            }
        }
    };
}
reads!(Rom, ROM<Bits<8>, 2>);
reads!(SyncRom, SyncROM<Bits<8>, 2>, clock);
reads!(FilledRam, RAM<Bits<8>, 2>, clock);

fn words() -> [Bits<8>; 4] {
    [3u64, 1, 4, 1].map(|word| word.to_bits())
}

impl Logic for Rom {
    #[hdl_gen]
    fn update(&mut self) {
        self.part.address.next = self.address.val();
        self.data.next = self.part.data.val();
    }
}
impl Logic for SyncRom {
    #[hdl_gen]
    fn update(&mut self) {
        self.part.clock.next = self.clock.val();
        self.part.address.next = self.address.val();
        self.data.next = self.part.data.val();
    }
}
impl Logic for FilledRam {
    #[hdl_gen]
    fn update(&mut self) {
        self.part.read_clock.next = self.clock.val();
        self.part.write_clock.next = self.clock.val();
        self.part.read_address.next = self.address.val();
        self.part.write_address.next = self.address.val();
        self.part.write_enable.next = false;
        self.part.write_data.next = 0.into();
        self.data.next = self.part.read_data.val();
    }
}

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
