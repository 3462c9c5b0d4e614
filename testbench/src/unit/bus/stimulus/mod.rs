//! Stimulus of a bus, which all units behind one have.
//!
//! What happens to the unit itself is drawn as for the unit without a bus; what software could do
//! on its other ports comes over the bus. A [`Transfer`] is to a register, mostly, and writes what
//! software might; its master ([`Master`]) holds it on the bus until it is taken, as the protocol
//! says. Some address nothing, some are unaligned, some write a part of a word. Transfers are asked
//! for as often as the profile lets the unit be accessed; periods end, lines are dropped, limits
//! are set and requesters are mapped by what they write, whatever the profile.

mod master;
pub(in crate::unit) mod transfer;

pub use master::Master;
pub use transfer::{Data, Place, Transaction, Transfer, ROWS};
