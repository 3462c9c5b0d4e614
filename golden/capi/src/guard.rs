//! What every function of the interface does alike: no panic leaves it, and what fails is kept to be
//! told.

use std::cell::RefCell;
use std::ffi::{c_char, CString};
use std::panic::{catch_unwind, AssertUnwindSafe};

use cotenant_golden::dynamic::Error;

/// What became of a call.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CotenantStatus {
    /// It did what it says.
    CotenantOk = 0,
    /// A pointer is null that must not be.
    CotenantNull = 1,
    /// There is no unit, parameter, port or register of this name or number.
    CotenantUnknown = 2,
    /// A text is no parameters, or no UTF-8.
    CotenantText = 3,
    /// There is no such unit with these parameters.
    CotenantParameter = 4,
    /// A row has too many or too few words, or a buffer is too short.
    CotenantLength = 5,
    /// A value does not fit its port, or the unit may not be driven with it.
    CotenantIllegal = 6,
    /// A state of another unit, or of the same with other parameters.
    CotenantOtherState = 7,
    /// A defect of this library; the model must not be used any more.
    CotenantDefect = 8,
}

use CotenantStatus::*;

/// Why a call fails.
#[derive(Debug)]
pub(crate) struct Failure {
    pub status: CotenantStatus,
    pub message: String,
}

pub(crate) type Outcome<T> = Result<T, Failure>;

impl Failure {
    pub fn new(status: CotenantStatus, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { status, message }
    }

    pub fn null(what: &str) -> Self {
        Self::new(CotenantNull, format!("{what} is null"))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status = match &error {
            Error::UnknownUnit { .. } => CotenantUnknown,
            Error::Text { .. } => CotenantText,
            Error::Parameter { .. } => CotenantParameter,
            Error::Words { .. } => CotenantLength,
            Error::Input(_) => CotenantIllegal,
            Error::OtherState { .. } => CotenantOtherState,
            _ => CotenantDefect,
        };
        Self::new(status, error.to_string())
    }
}

thread_local! {
    static MESSAGE: RefCell<CString> = RefCell::default();
}

/// Keeps a message for [`cotenant_message`].
fn keep(message: String) {
    // A zero byte would end it.
    let message = CString::new(message.replace('\0', "\\0")).unwrap_or_default();
    MESSAGE.with(|kept| *kept.borrow_mut() = message);
}

/// Does the work of a function whose status says what became of it.
pub(crate) fn guard(work: impl FnOnce() -> Outcome<()>) -> CotenantStatus {
    match caught(work) {
        Ok(()) => CotenantOk,
        Err(status) => status,
    }
}

/// Does the work of a function that gives something, and something else if it fails.
pub(crate) fn guard_or<T>(otherwise: T, work: impl FnOnce() -> Outcome<T>) -> T {
    caught(work).unwrap_or(otherwise)
}

/// Makes something and gives it to the caller, who frees it with [`freed`]: `place`, called `what`, is
/// null if it cannot be made.
///
/// # Safety
/// The place is null or may be written.
pub(crate) unsafe fn handed<T>(
    what: &str,
    place: *mut *mut T,
    make: impl FnOnce() -> Outcome<T>,
) -> CotenantStatus {
    guard(|| {
        if place.is_null() {
            return Err(Failure::null(what));
        }
        // SAFETY: the caller's, here and below.
        unsafe { place.write(std::ptr::null_mut()) };
        let made = Box::new(make()?);
        unsafe { place.write(Box::into_raw(made)) };
        Ok(())
    })
}

/// Frees what was handed out, if there is something.
///
/// # Safety
/// The pointer is null or was [`handed`] out and not freed.
pub(crate) unsafe fn freed<T>(handed: *mut T) {
    guard(|| {
        if !handed.is_null() {
            // SAFETY: the caller's; it came from a box.
            drop(unsafe { Box::from_raw(handed) });
        }
        Ok(())
    });
}

fn caught<T>(work: impl FnOnce() -> Outcome<T>) -> Result<T, CotenantStatus> {
    let failure = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(done)) => return Ok(done),
        Ok(Err(failure)) => failure,
        Err(panic) => {
            let what = panic.downcast_ref::<&str>().copied();
            let what = what.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
            let what = what.unwrap_or("unknown");
            Failure::new(CotenantDefect, format!("defect of the library: {what}"))
        }
    };
    keep(failure.message);
    Err(failure.status)
}

/// What was wrong in the last call of this thread that failed; empty if none did. It is the
/// library's, and stays until the next call of this thread that fails.
#[no_mangle]
pub extern "C" fn cotenant_message() -> *const c_char {
    MESSAGE.with(|kept| kept.borrow().as_ptr())
}

#[cfg(test)]
mod tests {
    //! Rationale: a panic that leaves a function is undefined behaviour in C, so one is made here.
    use super::*;
    use std::ffi::CStr;

    fn message() -> String {
        let message = unsafe { CStr::from_ptr(cotenant_message()) };
        message.to_str().unwrap().into()
    }

    #[test]
    fn a_panic_becomes_a_status() {
        assert_eq!(guard(|| panic!("out of {}", "luck")), CotenantDefect);
        assert_eq!(message(), "defect of the library: out of luck");
        assert_eq!(guard_or(7, || panic!("again")), 7);
        assert_eq!(message(), "defect of the library: again");
    }

    #[test]
    fn messages_are_a_threads_own_and_end_where_they_end() {
        let failure = || Err(Failure::new(CotenantText, "a\0b"));
        assert_eq!(guard(failure), CotenantText);
        assert_eq!(message(), "a\\0b");
        assert_eq!(std::thread::spawn(message).join().unwrap(), "");
        assert_eq!(guard(|| Ok(())), CotenantOk);
        assert_eq!(message(), "a\\0b", "a success leaves it");
    }
}
