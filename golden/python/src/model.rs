//! A model with dictionaries of ports.

use std::sync::{Mutex, MutexGuard};

use cotenant_golden::dynamic::{self, AnyModel};
use cotenant_golden::ports::{self, Packer};
use pyo3::exceptions::{PyKeyError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyInt};

use crate::wrong;

/// A port of a model.
#[pyclass(frozen, get_all, module = "cotenant")]
pub struct Port {
    name: &'static str,
    width: usize,
    elements: usize,
}

#[pymethods]
impl Port {
    fn __repr__(&self) -> String {
        let Self {
            name,
            width,
            elements,
        } = self;
        format!("Port(name='{name}', width={width}, elements={elements})")
    }
}

fn listed(ports: &[ports::Port]) -> Vec<Port> {
    let port = |port: &ports::Port| Port {
        name: port.name,
        width: port.width(),
        elements: port.elements,
    };
    ports.iter().map(port).collect()
}

/// A golden model.
#[pyclass(frozen, module = "cotenant")]
pub struct Model {
    model: Mutex<AnyModel>,
}

impl Model {
    pub(crate) fn lock(&self) -> PyResult<MutexGuard<'_, AnyModel>> {
        let broken = |_| PyRuntimeError::new_err("an earlier call left the model broken");
        self.model.lock().map_err(broken)
    }

    fn of(model: AnyModel) -> Self {
        let model = Mutex::new(model);
        Self { model }
    }
}

#[pymethods]
impl Model {
    #[new]
    fn new(unit: &str, parameters: &str) -> PyResult<Self> {
        let model = dynamic::unit(unit).and_then(|unit| unit.model(parameters));
        Ok(Self::of(model.map_err(wrong)?))
    }

    #[getter]
    fn unit(&self) -> PyResult<&'static str> {
        Ok(self.lock()?.unit().name())
    }

    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let parameters = PyDict::new(py);
        for (name, value) in self.lock()?.settings().values() {
            parameters.set_item(name, value)?;
        }
        Ok(parameters)
    }

    #[getter]
    fn inputs(&self) -> PyResult<Vec<Port>> {
        Ok(listed(self.lock()?.inputs()))
    }

    #[getter]
    fn outputs(&self) -> PyResult<Vec<Port>> {
        Ok(listed(self.lock()?.outputs()))
    }

    #[getter]
    fn clocked(&self) -> PyResult<bool> {
        Ok(self.lock()?.is_clocked())
    }

    fn step<'py>(
        &self,
        py: Python<'py>,
        inputs: &Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyDict>> {
        // What Python is asked for comes first: it may let another thread run.
        let all = self.lock()?.inputs().to_vec();
        let row = row(&all, inputs)?;
        let mut model = self.lock()?;
        let mut outputs = model.output_row();
        model.step(&row, &mut outputs).map_err(wrong)?;
        let ports = model.outputs().to_vec();
        drop(model);
        ports_and_values(py, &ports, &outputs)
    }

    fn legal(&self, inputs: &Bound<'_, PyDict>) -> PyResult<Option<String>> {
        let all = self.lock()?.inputs().to_vec();
        let row = row(&all, inputs)?;
        let legal = self.lock()?.legal(&row);
        Ok(legal.err().map(|problem| problem.to_string()))
    }

    fn reset(&self) -> PyResult<()> {
        self.lock()?.reset();
        Ok(())
    }

    #[getter]
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let state = self.lock()?.state().to_string();
        py.import("json")?.call_method1("loads", (state,))
    }

    fn register(&self, name: &str) -> PyResult<u64> {
        let model = self.lock()?;
        let unknown = || format!("{} has no register '{name}'", model.unit().name());
        let value = model.register(name);
        value.ok_or_else(|| PyKeyError::new_err(unknown()))
    }

    fn save(&self) -> PyResult<Self> {
        Ok(Self::of(self.lock()?.clone()))
    }

    fn restore(&self, saved: &Self) -> PyResult<()> {
        // One lock at a time.
        let state = saved.lock()?.clone();
        self.lock()?.restore(&state).map_err(wrong)
    }

    fn __copy__(&self) -> PyResult<Self> {
        self.save()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.save()
    }

    fn __repr__(&self) -> PyResult<String> {
        let model = self.lock()?;
        Ok(format!(
            "Model('{}', '{}')",
            model.unit().name(),
            model.settings()
        ))
    }
}

/// A row as a dictionary by port.
pub(crate) fn ports_and_values<'py>(
    py: Python<'py>,
    ports: &[ports::Port],
    mut row: &[u64],
) -> PyResult<Bound<'py, PyDict>> {
    let values = PyDict::new(py);
    for port in ports {
        let (value, behind) = row.split_at(port.words());
        row = behind;
        match value {
            [word] => values.set_item(port.name, word)?,
            value => values.set_item(port.name, number(py, value)?)?,
        }
    }
    Ok(values)
}

/// A number of several words.
fn number<'py>(py: Python<'py>, words: &[u64]) -> PyResult<Bound<'py, PyAny>> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let int = py.get_type::<PyInt>();
    int.call_method1("from_bytes", (PyBytes::new(py, &bytes), "little"))
}

/// A row of inputs; ports that are not given are 0.
fn row(ports: &[ports::Port], inputs: &Bound<'_, PyDict>) -> PyResult<Vec<u64>> {
    let mut row = vec![0; ports.iter().map(ports::Port::words).sum()];
    let (mut at, mut used) = (0, 0);
    for port in ports {
        let words = &mut row[at..at + port.words()];
        at += port.words();
        let Some(value) = inputs.get_item(port.name)? else {
            continue;
        };
        used += 1;
        match value.extract::<u64>() {
            Ok(number) => words[0] = number,
            Err(_) => match value.call_method0("__index__") {
                Ok(number) => whole(port, &number, words)?,
                Err(_) => elements(port, &value, words)?,
            },
        }
    }
    if used < inputs.len() {
        for name in inputs.keys() {
            let name: String = name.extract()?;
            if !ports.iter().any(|port| port.name == name) {
                let known: Vec<&str> = ports.iter().map(|port| port.name).collect();
                return Err(wrong(format!(
                    "there is no input '{name}'; the inputs are {}",
                    known.join(", ")
                )));
            }
        }
    }
    Ok(row)
}

/// A number of more than 64 bits, or one that is none of a port's.
fn whole(port: &ports::Port, value: &Bound<'_, PyAny>, words: &mut [u64]) -> PyResult<()> {
    let bytes = value.call_method1("to_bytes", (8 * words.len(), "little"));
    let bytes = bytes.map_err(|_| {
        let (name, width) = (port.name, port.width());
        wrong(format!(
            "{name} is {value}, expected a number of {width} bits"
        ))
    })?;
    let bytes: Vec<u8> = bytes.extract()?;
    for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(8)) {
        *word = bytes
            .iter()
            .rev()
            .fold(0, |word, &byte| word << 8 | u64::from(byte));
    }
    Ok(())
}

/// Elements of a packed port.
fn elements(port: &ports::Port, value: &Bound<'_, PyAny>, words: &mut [u64]) -> PyResult<()> {
    let name = port.name;
    let values: Vec<u64> = value.extract().map_err(|_| {
        wrong(format!(
            "{name} is {value}, expected a number or a sequence of numbers"
        ))
    })?;
    if values.len() != port.elements {
        let (given, expected) = (values.len(), port.elements);
        return Err(wrong(format!(
            "{name} has {given} elements, expected {expected}"
        )));
    }
    let most = u64::MAX >> (64 - port.element_width);
    if let Some(index) = values.iter().position(|&value| value > most) {
        let (element, value) = (port.element_name(index), values[index]);
        return Err(wrong(format!(
            "{element} is {value}, expected at most {most}"
        )));
    }
    Packer::new(words).elements(port.element_width, values);
    Ok(())
}
