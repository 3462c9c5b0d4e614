//! The golden models, replay and exact attribution for Python: the part of the package `cotenant`
//! that is no Python. What users see is documented in `cotenant/__init__.py` and `_native.pyi`.

mod model;
mod replay;
mod stimulus;

use cotenant_golden::dynamic::{self, Usual};
use cotenant_golden::ports::Bound;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What is wrong, as an exception.
fn wrong(problem: impl ToString) -> PyErr {
    PyValueError::new_err(problem.to_string())
}

/// The names of all units.
#[pyfunction]
fn units() -> Vec<&'static str> {
    dynamic::units().iter().map(|unit| unit.name()).collect()
}

/// The parameters of a unit, in the order in which numbers are read.
#[pyfunction]
fn parameters<'py>(py: Python<'py>, unit: &str) -> PyResult<Vec<Bound_<'py>>> {
    let unit = dynamic::unit(unit).map_err(wrong)?;
    let mut all = Vec::new();
    for parameter in unit.parameters() {
        let described = PyDict::new(py);
        described.set_item("name", parameter.name)?;
        for (key, bound) in [
            ("min", parameter.range.map(|(min, _)| min)),
            ("max", parameter.range.map(|(_, max)| max)),
        ] {
            match bound {
                None => described.set_item(key, py.None())?,
                Some(Bound::Value(value)) => described.set_item(key, value)?,
                Some(Bound::Formula(formula)) => described.set_item(key, formula)?,
            }
        }
        match unit.usual(parameter.name) {
            Some(Usual::Value(value)) => described.set_item("usual", value)?,
            Some(Usual::Like(other)) => described.set_item("usual", other)?,
            _ => described.set_item("usual", py.None())?,
        }
        all.push(described);
    }
    Ok(all)
}

/// A dictionary of Python's.
type Bound_<'py> = pyo3::Bound<'py, PyDict>;

#[pymodule]
mod _native {
    #[pymodule_export]
    use super::model::{Model, Port};
    #[pymodule_export]
    use super::replay::{attribute, replay};
    #[pymodule_export]
    use super::stimulus::{profiles, Stimulus};
    #[pymodule_export]
    use super::{parameters, units};
}
