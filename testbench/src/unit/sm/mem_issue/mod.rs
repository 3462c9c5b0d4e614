//! `mem_issue`.

pub(in crate::unit) mod coverage;
pub(in crate::unit) mod facts;
mod scene;
pub mod stimulus;

use cotenant_golden::sm::mem_issue::{Limiter, MemIssue as Model, Params, Priority, State};
use cotenant_waveforms::ValueNames;

use super::{Milg, Qbmi, Rbmi, Smil};
use crate::verify::interface::*;

/// The unit [`mem_issue`](cotenant_golden::sm::mem_issue).
#[derive(Debug, Clone, Copy)]
pub struct MemIssue;

/// A flop's name below an instance of `array`: `peak` of `milg[1].peak`.
fn below<'a>(flop: &'a str, array: &str) -> Option<&'a str> {
    let rest = flop.strip_prefix(array)?.strip_prefix('[')?;
    rest.split_once("].").map(|(_, flop)| flop)
}

impl Interface for MemIssue {
    const NAME: &'static str = "mem_issue";
    const SUMMARY: &'static str =
        "decides which kernel's memory instruction goes to the LSU: a limiter each, a priority";
    const PLACE: Place = Place::Sm;
    type Model = Model;

    fn named_in_paper(flop: &str) -> bool {
        below(flop, "milg").is_some_and(Milg::named_in_paper)
            || below(flop, "qbmi").is_some_and(Qbmi::named_in_paper)
    }

    fn working(flop: &str) -> bool {
        below(flop, "qbmi").is_some_and(Qbmi::working)
    }

    fn codes(name: &str) -> Option<ValueNames> {
        match name {
            "LIMITER" => Some(names_of_codes::<Limiter>("Limiter")),
            "PRIORITY" => Some(names_of_codes::<Priority>("Priority")),
            _ => Milg::codes(name),
        }
    }

    fn compared(params: &Params, register: &str, at: &[usize]) -> bool {
        Qbmi::compared(&params.qbmi(), register, at)
    }

    fn probe(params: &Params, register: &str, at: &[usize]) -> Probe {
        let kernel = || at[0];
        match register.split_once('.') {
            Some(("milg[]", milg)) => {
                Milg::probe(&params.milg(), milg, &at[1..]).below(&format!("milg[{}]", kernel()))
            }
            Some(("smil[]", smil)) => {
                Smil::probe(&params.smil(), smil, &at[1..]).below(&format!("smil[{}]", kernel()))
            }
            Some(("rbmi", rbmi)) => Rbmi::probe(&params.rbmi(), rbmi, at).below("rbmi[0]"),
            Some(("qbmi", qbmi)) => Qbmi::probe(&params.qbmi(), qbmi, at).below("qbmi[0]"),
            _ => Probe::Value(format!("{register}_register")),
        }
    }

    fn computed(params: &Params) -> Vec<StateField> {
        let mut fields = Vec::new();
        for kernel in 0..params.limiters(Limiter::Milg) {
            let milg = Milg::computed(&params.milg()).into_iter();
            fields.extend(milg.map(|field| field.below(&format!("milg[{kernel}]"))));
        }
        if params.priority == Priority::Qbmi {
            let qbmi = Qbmi::computed(&params.qbmi()).into_iter();
            fields.extend(qbmi.map(|field| field.below("qbmi[0]")));
        }
        fields
    }

    fn pack_computed(params: &Params, state: &State, words: &mut Packer<'_>) {
        for milg in &state.milg {
            Milg::pack_computed(&params.milg(), milg, words);
        }
        if let Some(qbmi) = &state.qbmi {
            Qbmi::pack_computed(&params.qbmi(), qbmi, words);
        }
    }

    from_golden!();
}
