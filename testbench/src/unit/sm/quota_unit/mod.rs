//! `quota_unit`.

pub(in crate::unit) mod coverage;
pub(in crate::unit) mod facts;
mod scene;
pub mod stimulus;

use cotenant_golden::sm::quota_unit::{Params, QuotaUnit as Model};

use crate::verify::interface::*;

/// The unit [`quota_unit`](cotenant_golden::sm::quota_unit).
#[derive(Debug, Clone, Copy)]
pub struct QuotaUnit;

impl Interface for QuotaUnit {
    const NAME: &'static str = "quota_unit";
    const SUMMARY: &'static str =
        "computes how many memory instructions give kernels the same number of requests";
    const PLACE: Place = Place::Sm;
    type Model = Model;

    /// The model knows how long a computation takes, not its steps.
    fn working(flop: &str) -> bool {
        let compared = flop == "left" || flop == "done_register";
        !compared && !flop.starts_with("quota_register[")
    }

    fn probe(_: &Params, register: &str, at: &[usize]) -> Probe {
        Probe::Value(match register {
            "quota[]" => format!("quota_register[{}]", at[0]),
            "done" => "done_register".into(),
            other => other.into(),
        })
    }

    from_golden!();
}
