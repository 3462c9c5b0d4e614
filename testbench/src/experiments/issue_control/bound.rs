//! Whether limits hold, seen from outside: from what is granted and what completes.

use cotenant_golden::sm::mem_issue::{In, Out};

/// Counts what is in flight itself and holds it against the limits.
///
/// A kernel has at most its limit in flight; when the limit falls below what is in flight, that
/// many at most until they are answered: nothing is issued above a limit.
#[derive(Debug, Clone)]
pub struct Bound {
    in_flight: Vec<u64>,
}

/// More in flight than there may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "cycle {cycle}: kernel {kernel} issues with {in_flight} memory instructions in flight and a \
     limit of {limit}, expected none to be issued at or above the limit"
)]
pub struct Excess {
    /// The cycle.
    pub cycle: u64,
    /// The kernel.
    pub kernel: usize,
    /// Its instructions in flight before.
    pub in_flight: u64,
    /// How many there may be.
    pub limit: u64,
}

impl Bound {
    /// Of so many kernels, none with anything in flight.
    pub fn new(kernels: usize) -> Self {
        Self {
            in_flight: vec![0; kernels],
        }
    }

    /// A cycle of the unit.
    ///
    /// # Errors
    /// [`Excess`] if it grants what the limit forbids.
    pub fn step(&mut self, cycle: u64, input: &In, out: &Out) -> Result<(), Excess> {
        for (kernel, in_flight) in self.in_flight.iter_mut().enumerate() {
            let bit = |mask: u64| mask >> kernel & 1;
            let (granted, limit) = (bit(out.grant), out.limit[kernel]);
            // Without a limit, the unit's counter is one: it has no value above.
            if granted == 1 && *in_flight >= limit {
                return Err(Excess {
                    cycle,
                    kernel,
                    in_flight: *in_flight,
                    limit,
                });
            }
            *in_flight = (*in_flight + granted).saturating_sub(bit(input.complete));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: the four cases of a cycle: below the limit, at it, above it because it has
    //! fallen, and none; a kernel's completion makes room for the next cycle, for that kernel only.
    use super::*;
    use cotenant_golden::sm::ByKernel;

    fn out(grant: u64, limits: [u64; 2]) -> Out {
        Out {
            grant,
            limit: ByKernel::try_from(&limits[..]).unwrap(),
            ..Out::default()
        }
    }

    fn input(complete: u64) -> In {
        In {
            complete,
            ..In::default()
        }
    }

    #[test]
    fn a_grant_at_the_limit_is_an_excess() {
        let mut bound = Bound::new(2);
        assert_eq!(bound.step(0, &input(0), &out(0b10, [1, 2])), Ok(()));
        assert_eq!(bound.step(1, &input(0), &out(0b10, [1, 2])), Ok(()));
        // One of the other kernel completes, which makes no room.
        assert_eq!(bound.step(2, &input(0b01), &out(0b01, [1, 2])), Ok(()));
        let excess = bound.clone().step(3, &input(0), &out(0b10, [1, 2]));
        let excess = excess.unwrap_err();
        assert_eq!((excess.kernel, excess.in_flight, excess.limit), (1, 2, 2));
        assert!(excess.to_string().starts_with("cycle 3: kernel 1 issues"));
        // Room in the cycle after the completion, not in its own.
        assert!(bound
            .clone()
            .step(3, &input(0b10), &out(0b10, [1, 2]))
            .is_err());
        assert_eq!(bound.step(3, &input(0b10), &out(0, [1, 2])), Ok(()));
        assert_eq!(bound.step(4, &input(0), &out(0b10, [1, 2])), Ok(()));
        // The limit falls below what is in flight: that is no excess, an issue is.
        assert_eq!(bound.step(5, &input(0), &out(0, [1, 1])), Ok(()));
        assert_eq!(bound.step(6, &input(0b10), &out(0, [1, 1])), Ok(()));
        assert!(bound.step(7, &input(0), &out(0b10, [1, 1])).is_err());
    }
}
