//! What units there are.

use std::ffi::{c_char, CStr, CString};
use std::sync::OnceLock;

use cotenant_golden::dynamic::{self, Usual};
use cotenant_golden::ports::{Bound, Parameter};
use serde_json::{json, Value};

use crate::guard::{guard, guard_or, CotenantStatus, Outcome};
use crate::text;

/// The number of units.
#[no_mangle]
pub extern "C" fn cotenant_unit_count() -> usize {
    dynamic::units().len()
}

/// Names that C can read.
fn names() -> &'static [CString] {
    static NAMES: OnceLock<Vec<CString>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let names = dynamic::units().iter().map(|unit| unit.name());
        names
            .map(|name| CString::new(name).unwrap_or_default())
            .collect()
    })
}

/// The name of a unit, by its number from 0; null if there is none. It is the library's and stays.
#[no_mangle]
pub extern "C" fn cotenant_unit_name(number: usize) -> *const c_char {
    guard_or(std::ptr::null(), || {
        let name = names().get(number);
        Ok(name.map_or(std::ptr::null(), |name| name.as_ptr()))
    })
}

/// The version of this library: `0.1.0`. It is the library's and stays.
#[no_mangle]
pub extern "C" fn cotenant_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    VERSION.as_ptr()
}

/// The parameters of a unit as JSON, in the order in which numbers are read:
/// `[{"max":64,"min":1,"name":"WAYS","usual":null},..]`. A bound that depends on other parameters is
/// a formula in a string; bounds that only the model knows are null, and so is `usual` where the
/// parameter must be given; it is a string where it is the value of another one.
///
/// Written to `buffer`, which has `size` bytes, with a zero byte behind; the length without it to
/// `length`, if that is not null. With a null buffer and size 0 only the length is told.
///
/// # Safety
/// The pointers are null, or `unit` is to a text, `buffer` to `size` bytes, `length` to a number.
#[no_mangle]
pub unsafe extern "C" fn cotenant_unit_parameters(
    unit: *const c_char,
    buffer: *mut c_char,
    size: usize,
    length: *mut usize,
) -> CotenantStatus {
    guard(|| {
        // SAFETY: the caller's.
        let unit = unsafe { text::given("unit", unit) }?;
        let parameters = parameters(unit)?.to_string();
        // SAFETY: the caller's.
        unsafe { text::give(&parameters, buffer, size, length) }
    })
}

fn parameters(unit: &str) -> Outcome<Value> {
    let unit = dynamic::unit(unit)?;
    let bound = |bound: Option<Bound>| match bound {
        None => Value::Null,
        Some(Bound::Value(value)) => value.into(),
        Some(Bound::Formula(formula)) => formula.into(),
    };
    let parameter = |parameter: &Parameter| {
        let usual = match unit.usual(parameter.name) {
            Some(Usual::Value(value)) => value.into(),
            Some(Usual::Like(other)) => other.into(),
            _ => Value::Null,
        };
        json!({
            "name": parameter.name,
            "min": bound(parameter.range.map(|(min, _)| min)),
            "max": bound(parameter.range.map(|(_, max)| max)),
            "usual": usual,
        })
    };
    Ok(unit.parameters().iter().map(parameter).collect())
}
