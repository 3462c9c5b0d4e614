//! The golden models behind SystemVerilog's DPI-C: what `cotenant_pkg.sv` imports.
//!
//! Words are given and taken one by one, so that nothing of the simulator's is needed to link.

use std::ffi::{c_char, c_void};

use cotenant_golden::ports::Port;

use crate::guard::{cotenant_message, guard, guard_or, CotenantStatus, Failure, Outcome};
use crate::model::CotenantModel;
use crate::text;

/// A model, and the rows of a cycle.
struct Checked {
    model: CotenantModel,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
}

/// The model behind a handle.
///
/// # Safety
/// The handle is null or from [`cotenant_dpi_new`]; no other call uses it.
unsafe fn checked<'a>(handle: *mut c_void) -> Outcome<&'a mut Checked> {
    // SAFETY: the caller's.
    unsafe { handle.cast::<Checked>().as_mut() }.ok_or_else(|| Failure::null("model"))
}

/// A model in its reset state; null if there is none.
///
/// # Safety
/// The pointers are null or to texts.
#[no_mangle]
pub unsafe extern "C" fn cotenant_dpi_new(
    unit: *const c_char,
    parameters: *const c_char,
) -> *mut c_void {
    guard_or(std::ptr::null_mut(), || {
        // SAFETY: the caller's, here and below.
        let unit = unsafe { text::given("unit", unit) }?;
        let parameters = unsafe { text::given("parameters", parameters) }?;
        let model = CotenantModel::new(unit, parameters)?;
        let (inputs, outputs) = {
            let model = model.lock()?;
            (model.input_row(), model.output_row())
        };
        let checked = Box::new(Checked {
            model,
            inputs,
            outputs,
        });
        Ok(Box::into_raw(checked).cast())
    })
}

/// Frees a model; null is allowed.
///
/// # Safety
/// The handle is null or from [`cotenant_dpi_new`], and not freed.
#[no_mangle]
pub unsafe extern "C" fn cotenant_dpi_free(model: *mut c_void) {
    guard(|| {
        if !model.is_null() {
            // SAFETY: the caller's.
            drop(unsafe { Box::from_raw(model.cast::<Checked>()) });
        }
        Ok(())
    });
}

/// Why the last call failed.
#[no_mangle]
pub extern "C" fn cotenant_dpi_message() -> *const c_char {
    cotenant_message()
}

/// Width of a port in bits, 0 if there is none.
///
/// # Safety
/// The handle is null or from [`cotenant_dpi_new`].
#[no_mangle]
pub unsafe extern "C" fn cotenant_dpi_width(model: *mut c_void, direction: i32, port: i32) -> i32 {
    guard_or(0, || {
        // SAFETY: the caller's.
        let model = unsafe { checked(model) }?.model.lock()?;
        let ports = match direction {
            0 => model.inputs(),
            _ => model.outputs(),
        };
        let port = usize::try_from(port).ok().and_then(|port| ports.get(port));
        Ok(port.map_or(0, |port| Port::width(port) as i32))
    })
}

/// A word of the row of inputs.
///
/// # Safety
/// The handle is null or from [`cotenant_dpi_new`].
#[no_mangle]
pub unsafe extern "C" fn cotenant_dpi_input(model: *mut c_void, word: i32, bits: u64) {
    guard(|| {
        // SAFETY: the caller's.
        let inputs = &mut unsafe { checked(model) }?.inputs;
        let word = usize::try_from(word).ok();
        if let Some(input) = word.and_then(|word| inputs.get_mut(word)) {
            *input = bits;
        }
        Ok(())
    });
}

/// A clock cycle: 0, or a status with its message if the unit may not be driven like this. Its
/// outputs are meaningless then, until it is reset.
///
/// # Safety
/// The handle is null or from [`cotenant_dpi_new`].
#[no_mangle]
pub unsafe extern "C" fn cotenant_dpi_step(model: *mut c_void) -> i32 {
    let status = guard(|| {
        // SAFETY: the caller's.
        let checked = unsafe { checked(model) }?;
        let mut model = checked.model.lock()?;
        let legal = model.legal(&checked.inputs);
        model.step(&checked.inputs, &mut checked.outputs)?;
        Ok(legal?)
    });
    match status {
        CotenantStatus::CotenantOk => 0,
        status => status as i32,
    }
}

/// A word of the row of outputs of the last cycle.
///
/// # Safety
/// The handle is null or from [`cotenant_dpi_new`].
#[no_mangle]
pub unsafe extern "C" fn cotenant_dpi_output(model: *mut c_void, word: i32) -> u64 {
    guard_or(0, || {
        // SAFETY: the caller's.
        let outputs = &unsafe { checked(model) }?.outputs;
        let word = usize::try_from(word).ok();
        Ok(word
            .and_then(|word| outputs.get(word))
            .copied()
            .unwrap_or(0))
    })
}
