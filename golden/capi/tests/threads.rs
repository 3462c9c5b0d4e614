//! Rationale: models of different threads, and one model of several, which save and restore from
//! each other; nothing may be lost, and no two calls may wait for each other for ever.

use std::ffi::CString;
use std::thread;

use cotenant_capi::{
    cotenant_free, cotenant_new, cotenant_register, cotenant_restore, cotenant_step, CotenantModel,
    CotenantStatus,
};

/// A pointer that threads may share, as C does.
#[derive(Clone, Copy)]
struct Shared(*mut CotenantModel);
// SAFETY: that they may is what is tested.
unsafe impl Send for Shared {}

fn new() -> Shared {
    let mut model = std::ptr::null_mut();
    // SAFETY: the pointers are those of this function.
    let status = unsafe { cotenant_new(c"gdcu".as_ptr(), c"2x2x21".as_ptr(), &mut model) };
    assert_eq!(status, CotenantStatus::CotenantOk);
    Shared(model)
}

fn snapshots(model: Shared) -> u64 {
    let (name, mut value) = (CString::new("sequence_number").unwrap(), 0);
    // SAFETY: the model is not freed yet.
    let status = unsafe { cotenant_register(model.0, name.as_ptr(), &mut value) };
    assert_eq!(status, CotenantStatus::CotenantOk);
    value
}

#[test]
fn models_restore_from_each_other_at_once() {
    let models = [new(), new()];
    let others = (0..4).map(|number: usize| {
        thread::spawn(move || {
            // All of it, and not its pointer alone.
            let [one, other] = { models };
            let (Shared(to), Shared(from)) = match number % 2 {
                0 => (one, other),
                _ => (other, one),
            };
            let mut inputs = [0; 10];
            inputs[6] = number as u64 / 2;
            let mut outputs = [0; 4];
            for _ in 0..500 {
                // SAFETY: the models are freed once the threads have ended.
                unsafe {
                    let status = cotenant_step(to, inputs.as_ptr(), 10, outputs.as_mut_ptr(), 4);
                    assert_eq!(status, CotenantStatus::CotenantOk);
                    assert_eq!(cotenant_restore(to, from), CotenantStatus::CotenantOk);
                }
            }
        })
    });
    let others: Vec<_> = others.collect();
    others.into_iter().for_each(|other| other.join().unwrap());
    let _ = models.map(snapshots);
    // SAFETY: nothing uses them any more.
    let _ = models.map(|Shared(model)| unsafe { cotenant_free(model) });
}
