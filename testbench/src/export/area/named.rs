//! The hardware cost stated by a paper, beside the estimate.

use cotenant_netlist::Netlist;
use serde::Serialize;

use crate::registry::AnyUnit;
use crate::verify::interface::Place;

/// Kernels for which the cost of an SM is shown, where there is one instance per kernel.
const KERNELS: [usize; 2] = [2, 3];

/// Flops of the same name, in all instances of a unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Register {
    /// The flops' name, without the instances that they are in.
    pub name: String,
    /// Bits of all of them.
    pub bits: usize,
}

/// Flop bits of a unit: those that its paper names as the cost, and those needed besides.
///
/// Counted as the netlist has them, by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Named {
    /// Where the paper names them.
    pub source: &'static str,
    /// Registers that the paper names.
    pub named: Vec<Register>,
    /// Registers that are needed besides.
    pub besides: Vec<Register>,
    /// Kernels of an SM, and the units that these take.
    pub units_of_sm: Vec<(usize, usize)>,
}

impl Named {
    /// Sorts a netlist's flops; none if the paper names none of them.
    pub(super) fn of(
        unit: &dyn AnyUnit,
        kernels: Option<usize>,
        netlist: &Netlist,
    ) -> Option<Self> {
        let (mut named, mut besides, mut source) = (Vec::new(), Vec::new(), None);
        for flop in &netlist.regs {
            let names = unit.named_in_paper(&flop.name);
            source = source.or(names);
            let registers = match names {
                Some(_) => &mut named,
                None => &mut besides,
            };
            add(registers, plain(&flop.name), flop.width);
        }
        let units_of_sm = match unit.place() {
            Place::Kernel => KERNELS.map(|kernels| (kernels, kernels)).into(),
            Place::Sm => vec![(kernels?, 1)],
            _ => Vec::new(),
        };
        Some(Self {
            source: source?,
            named,
            besides,
            units_of_sm,
        })
    }

    /// Bits of a unit: named ones, and those besides.
    pub fn bits(&self) -> (usize, usize) {
        let sum = |registers: &[Register]| registers.iter().map(|register| register.bits).sum();
        (sum(&self.named), sum(&self.besides))
    }
}

fn add(registers: &mut Vec<Register>, name: String, bits: usize) {
    match registers.iter_mut().find(|register| register.name == name) {
        Some(register) => register.bits += bits,
        None => registers.push(Register { name, bits }),
    }
}

/// The name without the numbers of instances: `milg.peak` of `milg[1].peak`.
fn plain(name: &str) -> String {
    let parts = name.split('[').enumerate();
    let parts = parts.map(|(at, part)| match at {
        0 => part,
        _ => part.split_once(']').map_or(part, |(_, rest)| rest),
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    //! Rationale: sums go by names, so a name must lose its numbers and nothing else; a unit whose
    //! paper names nothing has no such table.
    use super::*;
    use crate::registry::find;
    use cotenant_units::table;

    #[test]
    fn names_without_numbers() {
        assert_eq!(plain("milg[1].peak"), "milg.peak");
        assert_eq!(plain("count[2][1]"), "count");
        assert_eq!(plain("qbmi[0].meter[12].left"), "qbmi.meter.left");
        assert_eq!(plain("last"), "last");
    }

    #[test]
    fn the_caches_paper_names_no_flops() {
        let unit = find("gdcu").unwrap();
        let netlist = unit.netlist(&table::set("gdcu", "small").unwrap()).unwrap();
        assert_eq!(Named::of(unit, Some(2), &netlist), None);
    }
}
