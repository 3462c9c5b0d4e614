//! Stimulus as an iterator of dictionaries.

use std::sync::Mutex;

use cotenant::registry::{self, Drawn};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::model::{ports_and_values, Model};
use crate::wrong;

/// The profiles of a unit.
#[pyfunction]
pub fn profiles(unit: &str) -> PyResult<Vec<&'static str>> {
    let profiles = registry::profiles(unit).map_err(wrong)?;
    Ok(profiles.iter().map(|profile| profile.name()).collect())
}

/// Legal inputs for a model.
#[pyclass(frozen, module = "cotenant")]
pub struct Stimulus {
    stimulus: Mutex<registry::Stimulus>,
    #[pyo3(get)]
    model: Py<Model>,
    #[pyo3(get)]
    directed: u64,
}

#[pymethods]
impl Stimulus {
    #[new]
    #[pyo3(signature = (model, profile="mix", seed=0x9e37, directed=0))]
    fn new(
        py: Python<'_>,
        model: Py<Model>,
        profile: &str,
        seed: u64,
        directed: u64,
    ) -> PyResult<Self> {
        let drawn = Drawn {
            profile: profile.into(),
            seed,
            directed,
        };
        let copy = model.get().lock()?.clone();
        // Ctrl-C is seen meanwhile.
        let mut stopped = None;
        let made = py.detach(|| {
            registry::Stimulus::new(&copy, &drawn, &mut |_| {
                stopped = Python::attach(|py| py.check_signals()).err();
                stopped.is_none()
            })
        });
        if let Some(stopped) = stopped {
            return Err(stopped);
        }
        let missing = || PyRuntimeError::new_err("finding the directed part was stopped");
        let stimulus = made.map_err(wrong)?.ok_or_else(missing)?;
        Ok(Self {
            directed: stimulus.directed(),
            stimulus: Mutex::new(stimulus),
            model,
        })
    }

    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let broken = |_| PyRuntimeError::new_err("an earlier call left the stimulus broken");
        let mut stimulus = self.stimulus.lock().map_err(broken)?;
        let model = self.model.get().lock()?;
        let ports = model.inputs().to_vec();
        let row = stimulus.next(&model).map_err(wrong)?.to_vec();
        // Python may let another thread run.
        drop((model, stimulus));
        ports_and_values(py, &ports, &row)
    }

    fn __repr__(&self) -> PyResult<String> {
        let stimulus = self.model.get().lock()?.to_string();
        Ok(format!("<Stimulus of {stimulus}>"))
    }
}
