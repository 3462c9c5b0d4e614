//! `qbmi`.

pub(in crate::unit) mod coverage;
pub(in crate::unit) mod facts;
mod scene;
pub mod stimulus;

use cotenant_golden::sm::qbmi::{Params, Qbmi as Model, State};

use super::QuotaUnit;
use crate::verify::interface::*;

/// The unit [`qbmi`](cotenant_golden::sm::qbmi).
#[derive(Debug, Clone, Copy)]
pub struct Qbmi;

impl Interface for Qbmi {
    const NAME: &'static str = "qbmi";
    const SUMMARY: &'static str =
        "picks the kernel that issues a memory instruction, the highest quota first";
    const PLACE: Place = Place::Sm;
    type Model = Model;

    /// Section 4.4: "one more 10-bit memory instruction counter"; the request counter is MILG's,
    /// which `qbmi` has once more.
    fn named_in_paper(flop: &str) -> bool {
        flop.starts_with("meter[") && flop.ends_with("].instructions")
    }

    fn working(flop: &str) -> bool {
        match flop.strip_prefix("unit.") {
            Some(flop) => QuotaUnit::working(flop),
            None => [".total", ".sum", ".candidate"]
                .iter()
                .any(|work| flop.starts_with("meter[") && flop.ends_with(work)),
        }
    }

    /// A set is held less 1: see [`Self::computed`].
    fn compared(_: &Params, register: &str, _: &[usize]) -> bool {
        register != "set[]"
    }

    fn probe(params: &Params, register: &str, at: &[usize]) -> Probe {
        if let Some(register) = register.strip_prefix("unit.") {
            return QuotaUnit::probe(&params.unit(), register, at).below("unit");
        }
        Probe::Value(match register {
            "active" | "meter[].ratio" => subscripted(register, at) + "_register",
            other => subscripted(other, at),
        })
    }

    fn computed(params: &Params) -> Vec<StateField> {
        let newest = (0..params.kernels).map(|kernel| {
            let name = format!("newest[{kernel}]");
            StateField::value(&name, params.set_w(), &name)
        });
        let masks = ["single", "refill"];
        let masks = masks.map(|name| StateField::value(name, params.kernels, name));
        newest.chain(masks).collect()
    }

    fn pack_computed(_: &Params, state: &State, words: &mut Packer<'_>) {
        state.set.iter().for_each(|&set| words.value(set - 1));
        let single = state.set.iter().enumerate().filter(|(_, &set)| set == 1);
        words.value(single.fold(0u64, |mask, (kernel, _)| mask | 1 << kernel));
        words.value(match state.used_up() {
            true => state.active,
            false => 0,
        });
    }

    from_golden!();
}
