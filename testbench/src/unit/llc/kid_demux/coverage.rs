//! `kid_demux`: every kernel, passed on and not.

use cotenant_golden::llc::kid_demux::{In, KidDemux as Model, Params};

use crate::unit::llc::KidDemux;
use crate::verify::coverage::{Axis, Collect, Cover, Cross};

/// Sorts inputs, all of them.
#[derive(Debug, Clone)]
pub struct Collector {
    inputs: Cross,
}

impl Cover for KidDemux {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let axes = [
            Axis::new("enable", ["0", "1"]),
            Axis::numbers("select", params.kernels),
        ];
        Collector {
            inputs: Cross::new("inputs", axes),
        }
    }
}

impl Collect<KidDemux> for Collector {
    fn sample(&mut self, _: &Model, input: &In) {
        let select = usize::from(input.select);
        self.inputs.hit(&[usize::from(input.enable), select]);
    }

    fn crosses(&self) -> Vec<&Cross> {
        vec![&self.inputs]
    }
}
