//! Stimulus of a unit: legal inputs, cycle by cycle.

use std::ffi::{c_char, CStr, CString};
use std::sync::{Mutex, OnceLock};

use cotenant::registry::{self, Drawn, Stimulus};
use cotenant::verify::stimulus::Profile;
use cotenant_golden::dynamic;

use crate::guard::{
    freed, guard, guard_or, handed, CotenantStatus, CotenantStatus::*, Failure, Outcome,
};
use crate::model::{self, CotenantModel};
use crate::text;

/// Stimulus of a unit. C knows it by pointers only.
pub struct CotenantStimulus {
    stimulus: Mutex<Stimulus>,
}

impl From<cotenant::Error> for Failure {
    fn from(error: cotenant::Error) -> Self {
        use cotenant::Error;
        let status = match error {
            Error::Unit(error) => return error.into(),
            Error::Profile { .. } => CotenantUnknown,
            Error::Golden { .. } | Error::Parameter { .. } => CotenantParameter,
            Error::OtherModel { .. } => CotenantOtherState,
            _ => CotenantDefect,
        };
        Self::new(status, error.to_string())
    }
}

/// The stimulus behind a pointer.
///
/// # Safety
/// The pointer is null or to stimulus.
unsafe fn stimulus<'a>(stimulus: *const CotenantStimulus) -> Outcome<&'a CotenantStimulus> {
    // SAFETY: the caller's.
    unsafe { stimulus.as_ref() }.ok_or_else(|| Failure::null("stimulus"))
}

/// The name of a profile of a unit, by its number from 0; null if there is none, or no such unit. It is
/// the library's and stays. `cotenant list UNIT` says what each is for.
///
/// # Safety
/// The pointer is null or to a text.
#[no_mangle]
pub unsafe extern "C" fn cotenant_unit_profile(
    unit: *const c_char,
    number: usize,
) -> *const c_char {
    guard_or(std::ptr::null(), || {
        // SAFETY: the caller's.
        let unit = unsafe { text::given("unit", unit) }?;
        let profile = registry::profiles(unit)?.get(number);
        Ok(profile.map_or(std::ptr::null(), |profile| name(*profile).as_ptr()))
    })
}

/// A name that C can read.
fn name(profile: Profile) -> &'static CStr {
    static NAMES: OnceLock<Vec<CString>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let names = Profile::ALL.into_iter().map(Profile::name);
        names
            .map(|name| CString::new(name).unwrap_or_default())
            .collect()
    });
    let at = Profile::ALL.iter().position(|known| *known == profile);
    at.map_or(c"", |at| names[at].as_c_str())
}

/// Makes stimulus of a unit with parameters, which are as in `cotenant_new`: from reset on, without an
/// end, the same for the same arguments on every machine, and what `cotenant vectors` writes for them.
///
/// `profile` is `mix` for all profiles of the unit by turns, the name of one, or several with plus signs
/// between them. `directed` is the most cycles of the directed part, the shortest way found from reset to
/// each bin of the unit's functional coverage, so that counters reach their limits; 0 for none. Finding it
/// takes some seconds for large units; 400000 are enough for most.
///
/// It is written to `made`, and freed with `cotenant_stimulus_free`; null is written if it fails.
///
/// # Safety
/// The pointers are null, or `made` is to a pointer and the others to texts.
#[no_mangle]
pub unsafe extern "C" fn cotenant_stimulus_new(
    unit: *const c_char,
    parameters: *const c_char,
    profile: *const c_char,
    seed: u64,
    directed: u64,
    made: *mut *mut CotenantStimulus,
) -> CotenantStatus {
    // SAFETY: the caller's, here and below.
    let make = || {
        let unit = unsafe { text::given("unit", unit) }?;
        let parameters = unsafe { text::given("parameters", parameters) }?;
        let drawn = Drawn {
            profile: unsafe { text::given("profile", profile) }?.into(),
            seed,
            directed,
        };
        let model = dynamic::unit(unit)?.model(parameters)?;
        let stimulus = Stimulus::new(&model, &drawn, &mut |_| true)?;
        let stopped = || Failure::new(CotenantDefect, "finding the directed part was stopped");
        Ok(CotenantStimulus {
            stimulus: Mutex::new(stimulus.ok_or_else(stopped)?),
        })
    };
    unsafe { handed("made", made, make) }
}

/// Frees stimulus. Null is allowed. No other thread may be using it.
///
/// # Safety
/// The pointer is null or to stimulus that has not been freed.
#[no_mangle]
pub unsafe extern "C" fn cotenant_stimulus_free(stimulus: *mut CotenantStimulus) {
    // SAFETY: the caller's.
    unsafe { freed(stimulus) }
}

/// Cycles of the directed part, which follow the reset; 0 if there is no stimulus.
///
/// # Safety
/// The pointer is null or to stimulus.
#[no_mangle]
pub unsafe extern "C" fn cotenant_stimulus_directed(stimulus: *const CotenantStimulus) -> u64 {
    // SAFETY: the caller's.
    guard_or(0, || {
        Ok(lock(unsafe { self::stimulus(stimulus) }?)?.directed())
    })
}

/// Writes the row of inputs of the next cycle, which `model` is in front of. They are legal in its state,
/// and follow from it where the unit is answered by what it does. The model is of the same unit with the
/// same parameters; it stays as it is until `cotenant_step` takes it through the cycle. In a state that
/// the inputs before did not lead to (`cotenant_reset`, `cotenant_restore`), stimulus goes on from there.
///
/// The first two cycles reset a unit that has a reset; in the first, flops of a design are unknown.
///
/// # Safety
/// The pointers are null, or to stimulus, a model, and `input_words` words.
#[no_mangle]
pub unsafe extern "C" fn cotenant_stimulus_next(
    stimulus: *mut CotenantStimulus,
    model: *const CotenantModel,
    inputs: *mut u64,
    input_words: usize,
) -> CotenantStatus {
    guard(|| {
        // SAFETY: the caller's, here and below.
        let stimulus = unsafe { self::stimulus(stimulus) }?;
        let model = unsafe { model::model(model) }?;
        if inputs.is_null() {
            return Err(Failure::null("inputs"));
        }
        let inputs = unsafe { std::slice::from_raw_parts_mut(inputs, input_words) };
        // Stimulus first, always: two threads may use the same two.
        let mut stimulus = lock(stimulus)?;
        let model = model.lock()?;
        let expected = model.input_row().len();
        if inputs.len() != expected {
            let problem = format!("inputs are {input_words} words, expected {expected}");
            return Err(Failure::new(CotenantLength, problem));
        }
        inputs.copy_from_slice(stimulus.next(&model)?);
        Ok(())
    })
}

/// The stimulus, once no other thread is at it.
fn lock(stimulus: &CotenantStimulus) -> Outcome<std::sync::MutexGuard<'_, Stimulus>> {
    let defect = |_| Failure::new(CotenantDefect, "an earlier call left the stimulus broken");
    stimulus.stimulus.lock().map_err(defect)
}
