//! Area `addr`; the same stems as in `cotenant_golden::addr` and `cotenant_units::addr`.

/// `Drive` of a unit whose one input is an address of `address_w` bits.
macro_rules! driven_by_addresses {
    ($unit:ty) => {
        impl Drive for $unit {
            type Transaction = super::Address;
            type World = ();
            const PROFILES: &'static [Profile] =
                &[Profile::Uniform, Profile::Skewed, Profile::Bursts];

            fn world(_: &Params) {}

            fn resolve(
                params: &Params,
                _: &Model,
                (): &mut (),
                transaction: &super::Address,
                input: &mut In,
            ) {
                input.address = transaction.address & ones(params.address_w);
            }

            fn draw(
                params: &Params,
                _: &Knobs,
                _: &mut Pace,
                random: &mut Random,
                transaction: &mut super::Address,
            ) {
                super::draw(params.address_w, random, transaction);
            }
        }
    };
}

pub mod address_map;
pub mod xor_hash;

pub use address_map::AddressMap;
pub use xor_hash::XorHash;

use serde::{Deserialize, Serialize};

use crate::verify::stimulus::Random;

/// An address to look at.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Address {
    /// The address; bits beyond its width are dropped.
    pub address: u64,
}

/// Any address, one or two address bits, or one a little after the last.
fn draw(address_w: usize, random: &mut Random, transaction: &mut Address) {
    let bit = |random: &mut Random| 1u64 << random.below(address_w);
    transaction.address = match random.below(4) {
        0 => bit(random),
        1 => bit(random) ^ bit(random),
        2 => transaction.address.wrapping_add(32 << random.below(4)),
        _ => random.bits(),
    };
}
