//! What the functions of a mapping must be together.

use super::{Claim, Fault, Field, Mapping, Table};
use crate::addr::gf2;

impl Mapping {
    /// Each bank and each set is in one module, and there are as many modules as said.
    pub(super) fn one_module(&self) -> Result<(), Fault> {
        let (key, found) = (Field::Module.key(), self.module.len());
        if found != self.table.modules.ilog2() as usize {
            let found = format!("left out, and banks and sets have {found} functions in common");
            let expected = format!("{}", self.table.modules.ilog2());
            return Err(Fault::new(&key, found, expected));
        }
        for (parts, functions) in [("bank", &self.bank), ("set", &self.set)] {
            let span = gf2::span(functions);
            let wrong = self.module.iter().position(|it| !span.contains(*it));
            if let Some(place) = wrong {
                // In the kernel of the parts, and not of the module.
                let same = gf2::kernel(functions, self.table.mask());
                let mut apart = same.iter().filter(|x| gf2::apply(&self.module, **x) != 0);
                let other = apart.next().copied().unwrap_or_default();
                return Err(Fault {
                    function: Some(place),
                    ..Fault::new(
                        &key,
                        format!("different for 0x0 and {other:#x}, which are in one {parts}"),
                        format!(
                            "a sum of functions of the {parts}, each {parts} being in one module"
                        ),
                    )
                });
            }
        }
        Ok(())
    }

    /// From the fields of a claim to the address, where that is possible.
    pub(super) fn inverse_of(&self, claim: Claim) -> Result<Option<Vec<u64>>, Fault> {
        let claimed = self.table.bijective.contains(&claim);
        let offset: Vec<u64> = (0..self.table.line.ilog2()).map(|bit| 1 << bit).collect();
        let none = vec![];
        let fields = match claim {
            Claim::Bank => [
                ("column", self.column.as_ref().unwrap_or(&none)),
                ("bank", &self.bank),
                ("row", self.row.as_ref().unwrap_or(&none)),
            ],
            Claim::Set => [("offset", &offset), ("set", &self.set), ("tag", &self.tag)],
        };
        let all: Vec<u64> = fields
            .iter()
            .flat_map(|(_, it)| it.iter().copied())
            .collect();
        let (inverse, width) = (gf2::inverse(&all), self.table.width as usize);
        if !claimed || all.len() == width && inverse.is_some() {
            return Ok(inverse.filter(|_| all.len() == width));
        }
        let parts = fields.map(|(name, functions)| format!("{} of {name}", functions.len()));
        let name = format!("{claim:?}").to_lowercase();
        let found = match gf2::collision(&all, self.table.mask()) {
            Some(other) => format!(
                "said of \"{name}\", but addresses 0x0 and {other:#x} are equal in {}, {} and {}",
                fields[0].0, fields[1].0, fields[2].0
            ),
            None => format!("said of \"{name}\", which has more functions than address bits"),
        };
        let expected = format!(
            "{width} independent functions; there are {} ({})",
            all.len(),
            parts.join(", ")
        );
        Err(Fault::new("bijective", found, expected))
    }
}

/// The highest address bits that, with the set and the byte within the line, tell all addresses
/// apart; in ascending order.
///
/// ASSUMPTION: a table without tags has these.
pub(super) fn completion(table: &Table, set: &[u64]) -> Vec<u64> {
    let offset = (0..table.line.ilog2()).map(|bit| 1 << bit);
    let mut span: gf2::Span = set.iter().copied().chain(offset).collect();
    let bits = (0..table.width).rev().map(|bit| 1u64 << bit);
    let mut tag: Vec<u64> = bits.filter(|bit| span.insert(*bit)).collect();
    tag.reverse();
    tag
}
