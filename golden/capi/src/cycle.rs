//! What a model does: cycles, registers, states.

use std::ffi::c_char;

use crate::guard::{guard, handed, CotenantStatus, CotenantStatus::*, Failure, Outcome};
use crate::model::{self, CotenantModel};
use crate::text;

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
        let model = unsafe { model::model(model) }?;
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
        let model = unsafe { model::model(model) }?;
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
        unsafe { model::model(model) }?.lock()?.reset();
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
        let model = unsafe { model::model(model) }?;
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
        let state = unsafe { model::model(model) }?.lock()?.state().to_string();
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
    // SAFETY: the caller's, here and below.
    let copy = || {
        let model = unsafe { model::model(model) }?.lock()?.clone();
        Ok(CotenantModel::of(model))
    };
    unsafe { handed("saved", saved, copy) }
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
        let model = unsafe { model::model(model) }?;
        let saved = unsafe { model::model(saved) }?;
        // One after the other: two threads may restore from each other's.
        let state = saved.lock()?.clone();
        Ok(model.lock()?.restore(&state)?)
    })
}
