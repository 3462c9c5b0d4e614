//! Accesses in arrays: replay in a cache, and who is to blame for whose misses.

use cotenant_golden::llc::cache::{AccessError, Cache, Fast, Geometry};
use cotenant_golden::llc::exact::{Exact, Use};
use cotenant_golden::workload::{Access, Op};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::wrong;

/// Accesses in arrays of the same length.
struct Accesses<'a> {
    kernels: &'a [u8],
    addresses: &'a [u64],
}

impl<'a> Accesses<'a> {
    fn of(kernels: &'a [u8], addresses: &'a [u64], geometry: &Geometry) -> PyResult<Self> {
        geometry.check().map_err(wrong)?;
        if kernels.len() != addresses.len() {
            let (kernels, addresses) = (kernels.len(), addresses.len());
            return Err(wrong(format!(
                "there are {addresses} addresses, expected {kernels}, one for each kernel"
            )));
        }
        let of = geometry.kernels;
        let unknown = kernels.iter().position(|&kernel| usize::from(kernel) >= of);
        if let Some(access) = unknown {
            let kernel = kernels[access];
            let problem = AccessError::UnknownKernel {
                kernel,
                kernels: of,
            };
            return Err(wrong(format!("access {access}: {problem}")));
        }
        Ok(Self { kernels, addresses })
    }

    fn each(&self) -> impl Iterator<Item = (u8, u64)> + 'a {
        let kernels = self.kernels.iter().copied();
        kernels.zip(self.addresses.iter().copied())
    }
}

fn slice<'a, T: numpy::Element>(
    name: &str,
    array: &'a PyReadonlyArray1<'_, T>,
) -> PyResult<&'a [T]> {
    let contiguous = array.as_slice();
    contiguous.map_err(|problem| wrong(format!("{name}: {problem}")))
}

/// A cache replays accesses; counts, and for each access whether it hit.
#[pyfunction]
#[pyo3(signature = (kernels, addresses, writes, geometry))]
pub fn replay<'py>(
    py: Python<'py>,
    kernels: PyReadonlyArray1<'py, u8>,
    addresses: PyReadonlyArray1<'py, u64>,
    writes: PyReadonlyArray1<'py, bool>,
    geometry: (usize, usize, u64, usize, usize),
) -> PyResult<Bound<'py, PyDict>> {
    let (sets, ways, line, of, banks) = geometry;
    let geometry = Geometry {
        sets,
        ways,
        line,
        kernels: of,
        banks,
    };
    let addresses = slice("addresses", &addresses)?;
    let accesses = Accesses::of(slice("kernels", &kernels)?, addresses, &geometry)?;
    let writes = slice("writes", &writes)?;
    if writes.len() != addresses.len() {
        let (given, expected) = (writes.len(), addresses.len());
        return Err(wrong(format!(
            "there are {given} writes, expected {expected}"
        )));
    }
    let run = || -> Result<_, String> {
        let mut cache = Fast::new(geometry).map_err(|problem| problem.to_string())?;
        let mut hits = Vec::with_capacity(addresses.len());
        for ((kernel, address), &write) in accesses.each().zip(writes) {
            let op = if write { Op::Write } else { Op::Read };
            let outcome = cache.access(&Access::at(kernel, op, address, line));
            hits.push(outcome.map_err(|problem| problem.to_string())?.hit);
        }
        Ok((hits, cache.counts()))
    };
    let (hits, counts) = py.detach(run).map_err(wrong)?;
    let found = PyDict::new(py);
    found.set_item("accesses", counts.accesses)?;
    found.set_item("hits", counts.hits)?;
    found.set_item("misses", counts.misses)?;
    found.set_item("evictions", counts.evictions)?;
    found.set_item("sector_misses", counts.sector_misses)?;
    let column = |of: fn(&cotenant_golden::llc::cache::KernelCounts) -> u64| -> Vec<u64> {
        counts.kernels.iter().map(of).collect()
    };
    found.set_item("kernel_accesses", column(|kernel| kernel.accesses))?;
    found.set_item("kernel_hits", column(|kernel| kernel.hits))?;
    found.set_item("kernel_misses", column(|kernel| kernel.misses))?;
    found.set_item("gdc", counts.gdc)?;
    found.set_item("ike", counts.ike)?;
    found.set_item("occupancy", counts.occupancy)?;
    found.set_item("hit", PyArray1::from_vec(py, hits))?;
    Ok(found)
}

/// What an access was, as a code.
fn code(found: Use) -> u8 {
    match found {
        Use::Hit | Use::Shared { hit: true } => 0,
        Use::Own => 1,
        Use::Contention => 2,
        Use::Shared { hit: false } => 3,
    }
}

/// Exact attribution of accesses; see `cotenant_golden::llc::exact`.
#[pyfunction]
#[pyo3(signature = (kernels, addresses, geometry))]
pub fn attribute<'py>(
    py: Python<'py>,
    kernels: PyReadonlyArray1<'py, u8>,
    addresses: PyReadonlyArray1<'py, u64>,
    geometry: (usize, usize, u64, usize),
) -> PyResult<Bound<'py, PyDict>> {
    let (sets, ways, line, of) = geometry;
    let geometry = Geometry {
        sets,
        ways,
        line,
        kernels: of,
        banks: 1,
    };
    let addresses = slice("addresses", &addresses)?;
    let accesses = Accesses::of(slice("kernels", &kernels)?, addresses, &geometry)?;
    let mut exact = Exact::new(of, sets, ways).map_err(wrong)?;
    let uses = py.detach(|| {
        let each = accesses.each().map(|(kernel, address)| {
            let (set, tag) = (geometry.set_of(address), geometry.tag_of(address));
            code(exact.access(kernel.into(), set, tag))
        });
        each.collect::<Vec<u8>>()
    });
    let attribution = exact.attribution();
    let found = PyDict::new(py);
    found.set_item("unit", attribution.unit)?;
    found.set_item("exact", attribution.exact)?;
    found.set_item("sampled", attribution.sampled)?;
    found.set_item("sce", attribution.sce)?;
    found.set_item("saved", attribution.saved)?;
    found.set_item("shared_lines", attribution.shared_lines)?;
    found.set_item("shared_misses", attribution.shared_misses)?;
    found.set_item("use", PyArray1::from_vec(py, uses))?;
    Ok(found)
}
