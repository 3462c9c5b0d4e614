//! `kid_demux`: routes a position's demotion activation bit to the kernel that owns its line.
//!
//! Source: GDC paper, section III-A, figure 2: "The output of the demux are 2^|M| signals (one
//! per kernel), with signal X for the KID kernel activated if such line has been demoted."
//! Combinational.
//!
//! ASSUMPTION: one lane per kernel, not one per code of the KID, where the number of kernels is no
//! power of two; a code without a kernel activates nothing.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{id_w, MAX_KERNELS};
use crate::model::{Model, ParamError, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;

/// Parameters of [`KidDemux`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Number of kernels, 1 to [`MAX_KERNELS`].
    #[range(1..=MAX_KERNELS)]
    pub kernels: usize,
}

/// Input ports.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// The activation bit: the line was demoted.
    pub enable: bool,
    /// The owner's KID.
    #[port(id_w(p.kernels))]
    pub select: u8,
}

/// Output ports.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct Out {
    /// One bit per kernel: bit `select` when enabled, else nothing.
    #[port([1; p.kernels])]
    pub lane: u64,
}

/// No registers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {}

/// The model.
#[derive(Debug, Clone)]
pub struct KidDemux {
    params: Params,
    state: State,
    rules: Arc<Rules<In, State>>,
}

impl Model for KidDemux {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn new(params: Params) -> Result<Self, ParamError> {
        params.check_ranges()?;
        Ok(Self {
            rules: Arc::new(Self::rules(&params)),
            params,
            state: State {},
        })
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn reset(&mut self) {}

    fn step(&mut self, input: &In) -> Out {
        let known = usize::from(input.select) < self.params.kernels;
        Out {
            lane: if input.enable && known {
                1 << input.select
            } else {
                0
            },
        }
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(p: &Params) -> Rules<In, State> {
        Rules::new().legal(
            "known_kernel",
            "The kernel is one that there is.",
            input!(select).below(p.kernels),
        )
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: small enough for all inputs. One kernel, a power of two, and a number that is
    //! none (codes without a kernel) branch differently.
    use super::*;

    #[test]
    fn all_selects() {
        for kernels in [1, 3, 4, 6, 64] {
            let mut demux = KidDemux::new(Params { kernels }).unwrap();
            for select in 0..64u8 {
                let lane = demux
                    .step(&In {
                        enable: true,
                        select,
                    })
                    .lane;
                if usize::from(select) < kernels {
                    assert_eq!(lane, 1 << select);
                    assert!(demux
                        .assume(&In {
                            enable: true,
                            select
                        })
                        .is_ok());
                } else {
                    assert_eq!(lane, 0);
                    assert!(demux
                        .assume(&In {
                            enable: true,
                            select
                        })
                        .is_err());
                }
                assert_eq!(
                    demux
                        .step(&In {
                            enable: false,
                            select
                        })
                        .lane,
                    0
                );
            }
        }
    }

    #[test]
    fn illegal_parameters() {
        for kernels in [0, MAX_KERNELS + 1] {
            assert!(KidDemux::new(Params { kernels }).is_err());
        }
    }
}
