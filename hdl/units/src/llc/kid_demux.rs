//! `kid_demux`: drives the lane of one kernel.
//!
//! Source: GDC, section III-A, figure 2, the demultiplexers: one an LRU stack
//! position, controlled by the KID of the line there.
//!
//! Timing: combinational.

use super::{kid_width, MAX_KERNELS};
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;

/// 1-to-`KERNELS` demultiplexer.
///
/// Derived: `KID_W` = max(1, clog2 KERNELS), or more.
///
/// ```
/// let demux = <cotenant_units::kid_demux!(4)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct KidDemux<const KERNELS: usize, const KID_W: usize> {
    /// The bit to pass on; active high.
    pub enable: Signal<In, Bit>,
    /// KID of the lane that it goes to; below KERNELS, others drive no lane.
    pub select: Signal<In, Bits<KID_W>>,
    /// One bit a kernel: one-hot at `select` if `enable`, else zero.
    pub lane: Signal<Out, Bits<KERNELS>>,
    about: About,
}

impl<const KERNELS: usize, const KID_W: usize> Default for KidDemux<KERNELS, KID_W> {
    fn default() -> Self {
        const {
            assert!(
                KERNELS >= 1 && KERNELS <= MAX_KERNELS,
                "kid_demux: KERNELS is 1 to 64"
            );
            assert!(
                KID_W >= kid_width(KERNELS),
                "kid_demux: KID_W is at least max(1, clog2 KERNELS)"
            );
        }
        let about = About::new("kid_demux")
            .parameter("KERNELS", KERNELS)
            .citing("GDC, section III-A, figure 2")
            .documented_in(include_str!("kid_demux.rs"));
        KidDemux {
            enable: Default::default(),
            select: Default::default(),
            lane: Default::default(),
            about: if KID_W == kid_width(KERNELS) {
                about
            } else {
                about.parameter("KID_W", KID_W)
            },
        }
    }
}

impl<const KERNELS: usize, const KID_W: usize> Logic for KidDemux<KERNELS, KID_W> {
    #[hdl_gen]
    fn update(&mut self) {
        self.lane.next = 0.into();
        for kid in 0..KERNELS {
            self.lane.next = self.lane.val().replace_bit(
                kid,
                self.enable.val() & (self.select.val() == kid.to_bits::<KID_W>()),
            );
        }
    }
}

unit! {
    [const KERNELS: usize, const KID_W: usize]
    KidDemux<KERNELS, KID_W>: ;
    in enable, select;
    out lane
}

/// The type of a [`KidDemux`](crate::llc::KidDemux) for this many kernels.
#[macro_export]
macro_rules! kid_demux {
    ($kernels:expr) => {
        $crate::llc::KidDemux<{ $kernels }, { $crate::llc::kid_width($kernels) }>
    };
}
