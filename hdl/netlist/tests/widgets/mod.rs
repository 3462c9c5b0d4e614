//! Which blocks of rust-hdl-widgets can be elaborated.
//!
//! Rationale: who has a design in rust-hdl has its widgets in it, and must know beforehand which of
//! them stay and what to write for the others. So each is tried: it elaborates, and its netlist does
//! what its `update()` does for random inputs, signal by signal; or it is refused with a hint. The
//! table in the README is what this finds, no more and no less.

mod tried;

use crate::support::ports::{Port, Ports};
use crate::support::{Flop, I, L, O};
use cotenant_netlist::hdl::*;
use num_bigint::BigUint;
use rust_hdl_widgets::auto_reset::AutoReset;
use rust_hdl_widgets::delay_line::DelayLine;
use rust_hdl_widgets::dff::DFF;
use rust_hdl_widgets::dff_with_init::DFFWithInit;
use rust_hdl_widgets::edge_detector::EdgeDetector;
use rust_hdl_widgets::edge_ff::EdgeDFF;
use rust_hdl_widgets::i2c::i2c_controller::{I2CController, I2CControllerCmd};
use rust_hdl_widgets::i2c::i2c_driver::{I2CDriver, I2CDriverCmd};
use rust_hdl_widgets::prelude::*;
use rust_hdl_widgets::sdram::cmd::SDRAMCommandDecoder;
use std::time::Duration;

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
/// A block around an SPI master. As many bits as the words have: update() panics at others.
macro_rules! spi_master {
    ($name:ident, $part:ty, $config:expr) => {
        around!($name {
            clock: I<Clock>, bits: I<Bits<3>>, data: I<Bits<8>>, send: I<Bit>, continued: I<Bit>, miso: I<Bit>;
            part: $part = <$part>::new($config), received: O<Bits<8>> = Default::default(), busy: O<Bit> = Default::default(), mosi: O<Bit> = Default::default(), mclk: O<Bit> = Default::default() }
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
    };
}
spi_master!(Master, SPIMaster<8>, spi());
spi_master!(DynamicMaster, SPIMasterDynamicMode<8>, dynamic());
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
