//! A model of a unit.

use std::ffi::{c_char, CString};
use std::sync::{Mutex, MutexGuard};

use cotenant_golden::dynamic::{self, AnyModel};
use cotenant_golden::ports::Port;

use crate::guard::{guard, guard_or, CotenantStatus, CotenantStatus::*, Failure, Outcome};
use crate::text;

/// A model. C knows it by pointers only.
pub struct CotenantModel {
    model: Mutex<AnyModel>,
    inputs: Vec<Named>,
    outputs: Vec<Named>,
    unit: CString,
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

    fn of(model: AnyModel) -> Self {
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

/// A row of words.
///
/// # Safety
/// The pointer is null or to so many words.
unsafe fn row<'a>(what: &str, words: *const u64, count: usize) -> Outcome<&'a [u64]> {
    match (words.is_null(), count) {
        (true, 0) => Ok(&[]),
        (true, _) => Err(Failure::null(what)),
        // SAFETY: the caller's.
        (false, _) => Ok(unsafe { std::slice::from_raw_parts(words, count) }),
    }
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
    guard(|| {
        if made.is_null() {
            return Err(Failure::null("made"));
        }
        // SAFETY: the caller's, here and below.
        unsafe { made.write(std::ptr::null_mut()) };
        let unit = unsafe { text::given("unit", unit) }?;
        let parameters = unsafe { text::given("parameters", parameters) }?;
        let model = Box::new(CotenantModel::new(unit, parameters)?);
        unsafe { made.write(Box::into_raw(model)) };
        Ok(())
    })
}

/// Frees a model or a saved state. Null is allowed. No other thread may be using it.
///
/// # Safety
/// The pointer is null or to a model that has not been freed.
#[no_mangle]
pub unsafe extern "C" fn cotenant_free(model: *mut CotenantModel) {
    guard(|| {
        if !model.is_null() {
            // SAFETY: the caller's; it came from a box.
            drop(unsafe { Box::from_raw(model) });
        }
        Ok(())
    });
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

/// Whether the unit may be driven with these inputs in its present state: `CotenantOk`, or
/// `CotenantIllegal` with the reason as message.
///
/// # Safety
/// The pointers are null, or to a model and to `input_words` words.
#[no_mangle]
pub unsafe extern "C" fn cotenant_legal(
    model: *const CotenantModel,
    inputs: *const u64,
    input_words: usize,
) -> CotenantStatus {
    guard(|| {
        // SAFETY: the caller's, here and below.
        let model = unsafe { self::model(model) }?;
        let inputs = unsafe { row("inputs", inputs, input_words) }?;
        Ok(model.lock()?.legal(inputs)?)
    })
}

/// One clock cycle: takes a row of inputs, gives the outputs seen during the cycle, then passes the
/// clock edge. Each port starts a 64-bit word, in the order of the ports.
///
/// Inputs that fit their ports but are not legal are taken; what they do is unspecified. If a value
/// does not fit its port, nothing happens and the status is `CotenantIllegal`.
///
/// # Safety
/// The pointers are null, or to a model, `input_words` words, and `output_words` words that do not
/// overlap them.
#[no_mangle]
pub unsafe extern "C" fn cotenant_step(
    model: *mut CotenantModel,
    inputs: *const u64,
    input_words: usize,
    outputs: *mut u64,
    output_words: usize,
) -> CotenantStatus {
    guard(|| {
        // SAFETY: the caller's, here and below.
        let model = unsafe { self::model(model) }?;
        let inputs = unsafe { row("inputs", inputs, input_words) }?;
        if outputs.is_null() {
            return Err(Failure::null("outputs"));
        }
        let outputs = unsafe { std::slice::from_raw_parts_mut(outputs, output_words) };
        Ok(model.lock()?.step(inputs, outputs)?)
    })
}

/// Puts every register back to its reset value.
///
/// # Safety
/// The pointer is null or to a model.
#[no_mangle]
pub unsafe extern "C" fn cotenant_reset(model: *mut CotenantModel) -> CotenantStatus {
    guard(|| {
        // SAFETY: the caller's.
        unsafe { self::model(model) }?.lock()?.reset();
        Ok(())
    })
}

/// The value of a register before the next clock edge, by name: `sequence_number`, `count[2][1]`.
/// Flags are 0 or 1, masks are numbers.
///
/// # Safety
/// The pointers are null, or to a model, a text and a number.
#[no_mangle]
pub unsafe extern "C" fn cotenant_register(
    model: *const CotenantModel,
    name: *const c_char,
    value: *mut u64,
) -> CotenantStatus {
    guard(|| {
        // SAFETY: the caller's, here and below.
        let model = unsafe { self::model(model) }?;
        let name = unsafe { text::given("name", name) }?;
        if value.is_null() {
            return Err(Failure::null("value"));
        }
        let found = model.lock()?.register(name);
        let unknown = || {
            let unit = model.unit.to_string_lossy();
            Failure::new(CotenantUnknown, format!("{unit} has no register '{name}'"))
        };
        unsafe { value.write(found.ok_or_else(unknown)?) };
        Ok(())
    })
}

/// All registers as JSON, written as `cotenant_unit_parameters` does.
///
/// # Safety
/// The pointers are null, or to a model, `size` bytes and a number.
#[no_mangle]
pub unsafe extern "C" fn cotenant_state(
    model: *const CotenantModel,
    buffer: *mut c_char,
    size: usize,
    length: *mut usize,
) -> CotenantStatus {
    guard(|| {
        // SAFETY: the caller's, here and below.
        let state = unsafe { self::model(model) }?.lock()?.state().to_string();
        unsafe { text::give(&state, buffer, size, length) }
    })
}

/// Saves the state: writes a copy of the model to `saved`, which is freed with `cotenant_free`. The
/// copy is a model itself, and goes on from there on its own.
///
/// # Safety
/// The pointers are null, or to a model and to a pointer.
#[no_mangle]
pub unsafe extern "C" fn cotenant_save(
    model: *const CotenantModel,
    saved: *mut *mut CotenantModel,
) -> CotenantStatus {
    guard(|| {
        if saved.is_null() {
            return Err(Failure::null("saved"));
        }
        // SAFETY: the caller's, here and below.
        unsafe { saved.write(std::ptr::null_mut()) };
        let copy = unsafe { self::model(model) }?.lock()?.clone();
        unsafe { saved.write(Box::into_raw(Box::new(CotenantModel::of(copy)))) };
        Ok(())
    })
}

/// Goes on from a saved state of the same unit with the same parameters; it stays as it is.
///
/// # Safety
/// The pointers are null or to models.
#[no_mangle]
pub unsafe extern "C" fn cotenant_restore(
    model: *mut CotenantModel,
    saved: *const CotenantModel,
) -> CotenantStatus {
    guard(|| {
        // SAFETY: the caller's, here and below.
        let model = unsafe { self::model(model) }?;
        let saved = unsafe { self::model(saved) }?;
        // One after the other: two threads may restore from each other's.
        let state = saved.lock()?.clone();
        Ok(model.lock()?.restore(&state)?)
    })
}
