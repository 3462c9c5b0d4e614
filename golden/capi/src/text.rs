//! Text in and out.

use std::ffi::{c_char, CStr};

use crate::guard::{CotenantStatus::*, Failure, Outcome};

/// A text that C gives.
///
/// # Safety
/// The pointer is null or to a text with a zero byte behind it.
pub(crate) unsafe fn given<'a>(what: &str, text: *const c_char) -> Outcome<&'a str> {
    if text.is_null() {
        return Err(Failure::null(what));
    }
    // SAFETY: the caller's, and it is not null.
    let text = unsafe { CStr::from_ptr(text) };
    let text = text.to_str();
    text.map_err(|_| Failure::new(CotenantText, format!("{what} is no UTF-8")))
}

/// Writes a text and a zero byte into a buffer, and its length without it to `length`, if that is
/// not null. A null buffer of length 0 only asks for the length.
///
/// # Safety
/// The buffer is null or has `size` bytes; `length` is null or can be written.
pub(crate) unsafe fn give(
    text: &str,
    buffer: *mut c_char,
    size: usize,
    length: *mut usize,
) -> Outcome<()> {
    if !length.is_null() {
        // SAFETY: the caller's.
        unsafe { length.write(text.len()) };
    }
    if buffer.is_null() && size == 0 {
        return match length.is_null() {
            true => Err(Failure::null("buffer")),
            false => Ok(()),
        };
    }
    if buffer.is_null() {
        return Err(Failure::null("buffer"));
    }
    if size <= text.len() {
        let needed = text.len() + 1;
        let problem = format!("the buffer has {size} bytes, expected at least {needed}");
        return Err(Failure::new(CotenantLength, problem));
    }
    // SAFETY: there is room for the text and the zero byte, and the buffer is not the text.
    unsafe {
        buffer.copy_from_nonoverlapping(text.as_ptr().cast(), text.len());
        buffer.add(text.len()).write(0);
    }
    Ok(())
}
