//! Any unit behind one interface, its ports by name.

pub use cotenant_netlist::unit::{InputPort, OutputPort, Unit};

/// Implements [`Unit`] from the names of the ports:
/// `unit! { [const W: usize] Block<W>: clock; in a, b; out c }`.
macro_rules! unit {
    ([$($generics:tt)*] $block:ty: $($clock:ident)?; in $($input:ident),*; out $($output:ident),*) => {
        impl<$($generics)*> $crate::unit::Unit for $block {
            fn clock(
                &mut self,
            ) -> Option<&mut cotenant_netlist::hdl::Signal<cotenant_netlist::hdl::In, cotenant_netlist::hdl::Clock>> {
                None$(.or(Some(&mut self.$clock)))?
            }

            fn inputs(&mut self) -> Vec<(&'static str, &mut dyn $crate::unit::InputPort)> {
                vec![$((stringify!($input), &mut self.$input)),*]
            }

            fn outputs(&self) -> Vec<(&'static str, &dyn $crate::unit::OutputPort)> {
                vec![$((stringify!($output), &self.$output)),*]
            }
        }
    };
}
pub(crate) use unit;
