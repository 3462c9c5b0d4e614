//! The golden models behind SystemVerilog's DPI-C: what `cotenant_pkg.sv` imports.
//!
//! Words are given and taken one by one, so that nothing of the simulator's is needed to link.

use std::ffi::{c_char, c_void, CString};

use cotenant_golden::ports::Port;

use crate::guard::{cotenant_message, guard, guard_or, CotenantStatus, Failure, Outcome};
use crate::model::CotenantModel;
use crate::text;

/// A model, and the rows of a cycle.
struct Checked {
    model: CotenantModel,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
    /// What the design shows, and which bits of it are unknown.
    seen: Vec<(u64, u64)>,
    /// What differs, once asked for.
    mismatch: CString,
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
            seen: vec![(0, 0); outputs.len()],
            mismatch: CString::default(),
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

/// A word of the row of outputs that the design has shown, and which of its bits are unknown.
///
/// # Safety
/// The handle is null or from [`cotenant_dpi_new`].
#[no_mangle]
pub unsafe extern "C" fn cotenant_dpi_seen(model: *mut c_void, word: i32, bits: u64, unknown: u64) {
    guard(|| {
        // SAFETY: the caller's.
        let seen = &mut unsafe { checked(model) }?.seen;
        let word = usize::try_from(word).ok();
        if let Some(seen) = word.and_then(|word| seen.get_mut(word)) {
            *seen = (bits, unknown);
        }
        Ok(())
    });
}

/// What differs from the last cycle's outputs; empty if nothing does. It is the model's, until the
/// next call.
///
/// # Safety
/// The handle is null or from [`cotenant_dpi_new`].
#[no_mangle]
pub unsafe extern "C" fn cotenant_dpi_mismatch(model: *mut c_void) -> *const c_char {
    guard_or(c"no model".as_ptr(), || {
        // SAFETY: the caller's.
        let checked = unsafe { checked(model) }?;
        let ports = checked.model.lock()?.outputs().to_vec();
        let found = mismatch(&ports, &checked.outputs, &checked.seen);
        checked.mismatch = CString::new(found.unwrap_or_default()).unwrap_or_default();
        Ok(checked.mismatch.as_ptr())
    })
}

/// The first element that differs: `stack_way[3] is 2, expected 1`.
fn mismatch(ports: &[Port], expected: &[u64], seen: &[(u64, u64)]) -> Option<String> {
    let mut at = 0;
    let starts: Vec<usize> = ports
        .iter()
        .map(|port| {
            let start = at;
            at += port.words();
            start
        })
        .collect();
    // Until its RAMs are initialised, no other output of a unit means something.
    let mut ready = ports.iter().zip(&starts);
    let ready = ready.find(|(port, _)| port.name == "ready");
    let only_ready = ready.is_some_and(|(_, &start)| expected[start] == 0);
    let (bits, unknown): (Vec<u64>, Vec<u64>) = seen.iter().copied().unzip();
    for (port, &start) in ports.iter().zip(&starts) {
        if only_ready && port.name != "ready" {
            continue;
        }
        for element in 0..port.elements {
            let value = |row: &[u64]| port.element(&row[start..], element);
            let (expected, got, unknown) = (value(expected), value(&bits), value(&unknown));
            let name = port.element_name(element);
            if unknown != 0 {
                return Some(format!("{name} is unknown, expected {expected}"));
            }
            if got != expected {
                return Some(format!("{name} is {got}, expected {expected}"));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    //! Rationale: the simulator at hand knows no unknown values and initialises its RAMs, so what is
    //! said of them is tested here; and so are handles that are null.
    use super::*;

    #[test]
    fn the_first_element_that_differs_is_named() {
        let ports = [
            Port::value("ready", 1),
            Port::packed("way", 3, 30),
            Port::value("count", 8),
        ];
        let expected = [1, 5 | 6 << 30, 7 >> 4, 9];
        let same = expected.map(|word| (word, 0));
        assert_eq!(mismatch(&ports, &expected, &same), None);
        let told = |word: usize, bits: u64, unknown: u64| {
            let mut seen = same;
            seen[word] = (bits, unknown);
            mismatch(&ports, &expected, &seen).unwrap_or_default()
        };
        assert_eq!(told(3, 8, 0), "count is 8, expected 9");
        assert_eq!(told(1, 5, 0), "way[1] is 0, expected 6");
        // It straddles two words.
        assert_eq!(told(2, 1, 0), "way[2] is 16, expected 0");
        assert_eq!(told(3, 9, 8), "count is unknown, expected 9");
        assert_eq!(told(0, 1, 1), "ready is unknown, expected 1");
        let busy = [0, 5, 0, 9];
        let seen = [(0, 0), (0, !0), (0, !0), (3, 0)];
        assert_eq!(mismatch(&ports, &busy, &seen), None, "it is not ready");
        let early = [(1, 0), (0, 0), (0, 0), (0, 0)];
        let told = mismatch(&ports, &busy, &early);
        assert_eq!(told.as_deref(), Some("ready is 1, expected 0"));
    }

    #[test]
    fn handles_may_be_null_and_numbers_too_large() {
        let null = std::ptr::null_mut();
        // SAFETY: null is allowed.
        unsafe {
            cotenant_dpi_free(null);
            cotenant_dpi_input(null, 0, 1);
            cotenant_dpi_seen(null, 0, 1, 0);
            assert_ne!(cotenant_dpi_step(null), 0);
            assert_eq!(cotenant_dpi_output(null, 0), 0);
            assert_eq!(cotenant_dpi_width(null, 0, 0), 0);
            let model = cotenant_dpi_new(c"popcnt".as_ptr(), c"4".as_ptr());
            for word in [-1, 1] {
                cotenant_dpi_input(model, word, 1);
                cotenant_dpi_seen(model, word, 1, 0);
                assert_eq!(cotenant_dpi_output(model, word), 0);
                assert_eq!(cotenant_dpi_width(model, 1, word), 0);
            }
            cotenant_dpi_input(model, 0, 0b1011);
            assert_eq!(cotenant_dpi_step(model), 0);
            assert_eq!(cotenant_dpi_output(model, 0), 3);
            let told = std::ffi::CStr::from_ptr(cotenant_dpi_mismatch(model));
            assert_eq!(told, c"count is 0, expected 3");
            cotenant_dpi_free(model);
            assert!(cotenant_dpi_new(c"popcnt".as_ptr(), c"65".as_ptr()).is_null());
        }
    }
}
