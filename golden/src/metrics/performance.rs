//! Weighted speedup, ANTT and fairness of kernels that run together.

use serde::Serialize;

/// Instructions per cycle of a kernel, beside others and alone.
///
/// ```
/// use cotenant_golden::metrics::{antt, fairness, weighted_speedup, Ipc};
/// let pair = [Ipc { shared: 0.5, alone: 1.0 }, Ipc { shared: 1.5, alone: 2.0 }];
/// assert_eq!(weighted_speedup(&pair), Ok(1.25));
/// assert_eq!(antt(&pair), Ok((2.0 + 4.0 / 3.0) / 2.0));
/// assert_eq!(fairness(&pair), Ok(0.5 / 0.75));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Ipc {
    /// In concurrent execution.
    pub shared: f64,
    /// In isolated execution.
    pub alone: f64,
}

/// Why there is no such metric.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MetricError {
    /// There is no kernel.
    #[error("no kernels, expected at least one")]
    NoKernels,
    /// An IPC is no number above 0: the kernel has done nothing, or was not measured.
    #[error("kernel {kernel}: IPC {execution} is {ipc}, expected a finite number above 0: let it run until it has issued an instruction")]
    Ipc {
        /// The kernel's place in the list.
        kernel: usize,
        /// `shared` or `alone`.
        execution: &'static str,
        /// What was given.
        ipc: f64,
    },
}

/// Each kernel's IPC beside others over its IPC alone.
///
/// Source: Dai et al. (HPCA 2018), section 2.3: "the normalized IPC in concurrent execution over
/// the IPC in isolated execution".
fn normalised(kernels: &[Ipc]) -> Result<Vec<f64>, MetricError> {
    if kernels.is_empty() {
        return Err(MetricError::NoKernels);
    }
    let speedup = |(kernel, &Ipc { shared, alone }): (usize, &Ipc)| {
        for (execution, ipc) in [("shared", shared), ("alone", alone)] {
            if !ipc.is_finite() || ipc <= 0.0 {
                return Err(MetricError::Ipc {
                    kernel,
                    execution,
                    ipc,
                });
            }
        }
        Ok(shared / alone)
    };
    kernels.iter().enumerate().map(speedup).collect()
}

/// Weighted speedup: the sum of IPC beside others over IPC alone; the number of kernels if none
/// disturbs another.
///
/// Source: Dai et al. (HPCA 2018), section 2.3: "the sum of speedups of co-running kernels".
///
/// # Errors
/// [`MetricError`] without kernels, or for an IPC that is no number above 0.
pub fn weighted_speedup(kernels: &[Ipc]) -> Result<f64, MetricError> {
    Ok(normalised(kernels)?.iter().sum())
}

/// Average normalised turnaround time: the mean of IPC alone over IPC beside others, at least 1
/// if no kernel gains by company; lower is better.
///
/// Source: Dai et al. (HPCA 2018), section 2.3: "the average user-perceived slowdown"; the
/// arithmetic mean is of Eyerman and Eeckhout (IEEE Micro 2008), which it cites.
///
/// # Errors
/// As [`weighted_speedup`].
pub fn antt(kernels: &[Ipc]) -> Result<f64, MetricError> {
    let speedups = normalised(kernels)?;
    let slowdowns: f64 = speedups.iter().map(|speedup| speedup.recip()).sum();
    Ok(slowdowns / speedups.len() as f64)
}

/// Fairness: the lowest normalised IPC over the highest, 1 if all suffer alike.
///
/// Source: Dai et al. (HPCA 2018), section 4.1.1: "the lowest normalized IPC over the highest
/// normalized IPC".
///
/// # Errors
/// As [`weighted_speedup`].
pub fn fairness(kernels: &[Ipc]) -> Result<f64, MetricError> {
    let speedups = normalised(kernels)?;
    let lowest = speedups.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = speedups.iter().copied().fold(0.0, f64::max);
    Ok(lowest / highest)
}

#[cfg(test)]
mod tests {
    //! Rationale: three kernels by hand, whose ratios are exact in binary; one and many alike;
    //! each kind of value that is no IPC, in each place.
    use super::*;

    fn ipc(shared: f64, alone: f64) -> Ipc {
        Ipc { shared, alone }
    }

    #[test]
    fn three_kernels_by_hand() {
        // Speedups 1/2, 1/4 and 1.
        let kernels = [ipc(1.0, 2.0), ipc(0.5, 2.0), ipc(3.0, 3.0)];
        assert_eq!(weighted_speedup(&kernels), Ok(1.75));
        assert_eq!(antt(&kernels), Ok(7.0 / 3.0));
        assert_eq!(fairness(&kernels), Ok(0.25));
    }

    #[test]
    fn the_papers_pair() {
        // Section 2.5, figure 3: bp 0.39 under Warped-Slicer; 1.94 is the theoretical sum.
        let kernels = [ipc(0.39, 1.0), ipc(1.55, 1.0)];
        assert!((weighted_speedup(&kernels).unwrap() - 1.94).abs() < 1e-12);
    }

    #[test]
    fn undisturbed_kernels() {
        for n in [1, 5] {
            let kernels = vec![ipc(0.7, 0.7); n];
            assert_eq!(weighted_speedup(&kernels), Ok(n as f64));
            assert_eq!(antt(&kernels), Ok(1.0));
            assert_eq!(fairness(&kernels), Ok(1.0));
        }
    }

    #[test]
    fn what_is_no_ipc_is_refused() {
        let good = ipc(1.0, 1.0);
        for metric in [weighted_speedup, antt, fairness] {
            assert_eq!(metric(&[]), Err(MetricError::NoKernels));
            for bad in [0.0, -1.0, f64::INFINITY] {
                for (execution, pair) in [("shared", ipc(bad, 1.0)), ("alone", ipc(1.0, bad))] {
                    let expected = MetricError::Ipc {
                        kernel: 1,
                        execution,
                        ipc: bad,
                    };
                    assert_eq!(metric(&[good, pair]), Err(expected));
                }
            }
            let error = metric(&[ipc(f64::NAN, 1.0)]).unwrap_err().to_string();
            assert!(
                error.starts_with("kernel 0: IPC shared is NaN, expected"),
                "{error}"
            );
        }
    }
}
