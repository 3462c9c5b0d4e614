//! A model of a unit, and its ports.

use std::ffi::{c_char, CString};
use std::sync::{Mutex, MutexGuard};

use cotenant_golden::dynamic::{self, AnyModel};
use cotenant_golden::ports::Port;

use crate::guard::{
    freed, guard, guard_or, handed, CotenantStatus, CotenantStatus::*, Failure, Outcome,
};
use crate::text;

/// A model. C knows it by pointers only.
pub struct CotenantModel {
    model: Mutex<AnyModel>,
    inputs: Vec<Named>,
    outputs: Vec<Named>,
    pub(crate) unit: CString,
    /// Parameters as text.
    settings: CString,
}

/// A port, and its name as C can read it.
struct Named {
    port: Port,
    name: CString,
    /// The row's word at which it starts.
    word: usize,
}

fn named(ports: &[Port]) -> Vec<Named> {
    let mut word = 0;
    let place = |port: &Port| {
        let start = word;
        word += port.words();
        Named {
            port: *port,
            name: CString::new(port.name).unwrap_or_default(),
            word: start,
        }
    };
    ports.iter().map(place).collect()
}

/// A port of a model.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct CotenantPort {
    /// Its name, which is that of the Verilog module's port; the model's.
    pub name: *const c_char,
    /// Its width in bits.
    pub width: usize,
    /// Number of values packed in it, element 0 in the low bits; 1 if it is not packed.
    pub elements: usize,
    /// The word of the row at which it starts.
    pub word: usize,
    /// Number of words that it takes.
    pub words: usize,
}

/// Which ports.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CotenantDirection {
    /// Those that are driven.
    CotenantInput = 0,
    /// Those that are read.
    CotenantOutput = 1,
}

impl CotenantModel {
    pub(crate) fn new(unit: &str, parameters: &str) -> Outcome<Self> {
        let model = dynamic::unit(unit)?.model(parameters)?;
        Ok(Self::of(model))
    }

    pub(crate) fn of(model: AnyModel) -> Self {
        Self {
            inputs: named(model.inputs()),
            outputs: named(model.outputs()),
            unit: CString::new(model.unit().name()).unwrap_or_default(),
            settings: CString::new(model.settings().to_string()).unwrap_or_default(),
            model: Mutex::new(model),
        }
    }

    /// The model, once no other thread is at it.
    pub(crate) fn lock(&self) -> Outcome<MutexGuard<'_, AnyModel>> {
        let defect = || Failure::new(CotenantDefect, "an earlier call left the model broken");
        self.model.lock().map_err(|_| defect())
    }

    /// The ports of a direction: 0 for inputs, 1 for outputs.
    fn ports(&self, direction: i32) -> Outcome<&[Named]> {
        match direction {
            0 => Ok(&self.inputs),
            1 => Ok(&self.outputs),
            _ => Err(Failure::new(
                CotenantUnknown,
                format!("direction is {direction}, expected 0 for inputs or 1 for outputs"),
            )),
        }
    }
}

/// The model behind a pointer.
///
/// # Safety
/// The pointer is null or to a model.
pub(crate) unsafe fn model<'a>(model: *const CotenantModel) -> Outcome<&'a CotenantModel> {
    // SAFETY: the caller's.
    unsafe { model.as_ref() }.ok_or_else(|| Failure::null("model"))
}

/// Makes a model of a unit in its reset state, with parameters as on the command line: `4x4x21`,
/// `WAYS=4,KERNELS=4,CNT_W=21` or `4x4x21,STAGES=2`. It is written to `made`, and freed with
/// `cotenant_free`; null is written if it fails.
///
/// # Safety
/// The pointers are null, or `unit` and `parameters` are to texts and `made` to a pointer.
#[no_mangle]
pub unsafe extern "C" fn cotenant_new(
    unit: *const c_char,
    parameters: *const c_char,
    made: *mut *mut CotenantModel,
) -> CotenantStatus {
    // SAFETY: the caller's, here and below.
    let make = || {
        let unit = unsafe { text::given("unit", unit) }?;
        let parameters = unsafe { text::given("parameters", parameters) }?;
        CotenantModel::new(unit, parameters)
    };
    unsafe { handed("made", made, make) }
}

/// Frees a model or a saved state. Null is allowed. No other thread may be using it.
///
/// # Safety
/// The pointer is null or to a model that has not been freed.
#[no_mangle]
pub unsafe extern "C" fn cotenant_free(model: *mut CotenantModel) {
    // SAFETY: the caller's.
    unsafe { freed(model) }
}

/// The unit's name; null if `model` is. It is the model's.
///
/// # Safety
/// The pointer is null or to a model.
#[no_mangle]
pub unsafe extern "C" fn cotenant_unit(model: *const CotenantModel) -> *const c_char {
    // SAFETY: the caller's.
    guard_or(std::ptr::null(), || {
        Ok(unsafe { self::model(model) }?.unit.as_ptr())
    })
}

/// The parameters, all of them: `WAYS=4,KERNELS=4,CNT_W=21,STAGES=1`; null if `model` is. The text
/// is the model's.
///
/// # Safety
/// The pointer is null or to a model.
#[no_mangle]
pub unsafe extern "C" fn cotenant_parameters(model: *const CotenantModel) -> *const c_char {
    // SAFETY: the caller's.
    guard_or(std::ptr::null(), || {
        Ok(unsafe { self::model(model) }?.settings.as_ptr())
    })
}

/// The number of ports of a direction; 0 if there is no model or direction. The clock is no port.
///
/// # Safety
/// The pointer is null or to a model.
#[no_mangle]
pub unsafe extern "C" fn cotenant_port_count(model: *const CotenantModel, direction: i32) -> usize {
    // SAFETY: the caller's.
    guard_or(0, || {
        Ok(unsafe { self::model(model) }?.ports(direction)?.len())
    })
}

/// The number of 64-bit words of a row of all ports of a direction; 0 if there is no model or
/// direction.
///
/// # Safety
/// The pointer is null or to a model.
#[no_mangle]
pub unsafe extern "C" fn cotenant_word_count(model: *const CotenantModel, direction: i32) -> usize {
    // SAFETY: the caller's.
    guard_or(0, || {
        let ports = unsafe { self::model(model) }?.ports(direction)?;
        Ok(ports.iter().map(|named| named.port.words()).sum())
    })
}

/// Describes a port, by its number from 0.
///
/// # Safety
/// The pointers are null, or to a model and to a port.
#[no_mangle]
pub unsafe extern "C" fn cotenant_port(
    model: *const CotenantModel,
    direction: i32,
    number: usize,
    port: *mut CotenantPort,
) -> CotenantStatus {
    guard(|| {
        // SAFETY: the caller's, here and below.
        let ports = unsafe { self::model(model) }?.ports(direction)?;
        let named = ports.get(number).ok_or_else(|| {
            let problem = format!("port is {number}, expected less than {}", ports.len());
            Failure::new(CotenantUnknown, problem)
        })?;
        if port.is_null() {
            return Err(Failure::null("port"));
        }
        let described = CotenantPort {
            name: named.name.as_ptr(),
            width: named.port.width(),
            elements: named.port.elements,
            word: named.word,
            words: named.port.words(),
        };
        unsafe { port.write(described) };
        Ok(())
    })
}
