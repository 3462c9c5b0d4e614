//! All units, by name.

#[cfg(feature = "lockstep")]
mod any;
mod stimulus;

use cotenant_golden::dynamic;

use crate::error::Result;
use crate::scenes::Teach;
use crate::verify::coverage::Cover;
use crate::verify::facts::Facts;

#[cfg(feature = "lockstep")]
pub use any::{find, AnyUnit, UNITS};
pub use stimulus::{profiles, Drawn, Stimulus};

/// Everything a unit is registered with: golden model, ports and registers ([`Interface`](crate::verify::interface::Interface)),
/// stimulus ([`Drive`](crate::verify::stimulus::Drive)), coverage ([`Cover`]), a scene ([`Teach`])
/// and facts for proofs ([`Facts`]).
///
/// A unit that lacks one of them does not compile; here one that has no facts:
///
/// ```compile_fail,E0277
/// use cotenant::registry::Unit;
/// use cotenant::scenes::Teach;
/// use cotenant::verify::coverage::Cover;
///
/// fn registered<U: Unit>() {}
/// fn incomplete<U: Cover + Teach>() {
///     registered::<U>();
/// }
/// ```
pub trait Unit: Cover + Teach + Facts {}
impl<U: Cover + Teach + Facts> Unit for U {}

/// Something that is done with a unit's types, once its name is known.
pub trait Visitor {
    /// What it gives.
    type Output;

    /// Does it.
    fn visit<U: Unit>(self) -> Self::Output;
}

macro_rules! register {
    ($($name:ident: $area:ident::$unit:ident, $($settings:expr),*;)*) => {
        /// Does something with the types of the unit of this name.
        ///
        /// ```
        /// use cotenant::registry::{Unit, Visitor, visit};
        ///
        /// struct Profiles;
        /// impl Visitor for Profiles {
        ///     type Output = usize;
        ///     fn visit<U: Unit>(self) -> usize {
        ///         U::PROFILES.len()
        ///     }
        /// }
        /// assert_eq!(visit("gdcu", Profiles)?, 10);
        /// # Ok::<(), cotenant::Error>(())
        /// ```
        ///
        /// # Errors
        /// [`Error::Unit`](crate::Error::Unit) with the nearest name if there is no such unit.
        pub fn visit<V: Visitor>(name: &str, visitor: V) -> Result<V::Output> {
            match dynamic::unit(name)?.name() {
                $(stringify!($name) => Ok(visitor.visit::<crate::unit::$area::$unit>()),)*
                _ => unreachable!("both are made of one list"),
            }
        }
    };
}

cotenant_golden::models!(register);
