//! Long checks by other programs whose result is recorded.
//!
//! A simulator or prover takes seconds for a unit and parameter set, and says the same as long as
//! what it is given is the same. A check that has passed is recorded with the digest of that. Where
//! the digest has not changed, a sample is repeated, about [`SAMPLE`] of a program's checks, others
//! with each commit: as many however many units there are, so that a run does not grow with them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock};

use sha2::{Digest, Sha256};

/// Runs the checks that have no record or an old one, and writes it down.
pub const RECORD: &str = "COTENANT_RECORD";
/// Chooses the sample; the commit, where it is not given. `all` repeats every check.
const SEED: &str = "COTENANT_SAMPLE";
const SAMPLE: usize = 16;

/// Recorded checks of a test program: digests by name.
#[derive(Debug)]
pub struct Recorded {
    file: PathBuf,
    record: bool,
    seed: String,
    /// One of so many is repeated.
    one_of: u32,
    digests: Mutex<BTreeMap<String, String>>,
}

impl Recorded {
    /// Those in a file, none if there is no file.
    pub fn read(file: PathBuf, record: bool, seed: String) -> Self {
        let digests: BTreeMap<_, _> = match std::fs::read_to_string(&file) {
            Ok(text) => serde_json::from_str(&text).unwrap(),
            Err(_) => BTreeMap::new(),
        };
        let one_of = (digests.len() / SAMPLE).max(1);
        Self {
            file,
            record,
            seed,
            one_of: u32::try_from(one_of).unwrap(),
            digests: Mutex::new(digests),
        }
    }

    /// Those of a test program, as the environment says.
    pub fn of(program: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded");
        let record = std::env::var_os(RECORD).is_some();
        Self::read(folder.join(format!("{program}.json")), record, seed())
    }

    /// Makes the check, which panics if it fails, unless it is recorded with this digest and not in
    /// the sample.
    ///
    /// # Panics
    /// If it passes and is not recorded.
    pub fn check(&self, name: &str, digest: &str, check: impl FnOnce()) {
        let known = self.digests.lock().unwrap().get(name).cloned();
        let known = known.as_deref() == Some(digest);
        if known && !self.samples(name) {
            return;
        }
        check();
        if known {
            return;
        }
        let program = self.file.file_stem().unwrap().to_string_lossy();
        assert!(
            self.record,
            "{name}: passes, and is new or has changed since it was recorded; run {RECORD}=1 cargo test -p cotenant --test all {program}::"
        );
        let mut digests = self.digests.lock().unwrap();
        digests.insert(name.into(), digest.into());
        let text = serde_json::to_string_pretty(&*digests).unwrap() + "\n";
        let beside = self.file.with_extension("new");
        std::fs::write(&beside, text).unwrap();
        std::fs::rename(beside, &self.file).unwrap();
    }

    /// Whether a check that is recorded is repeated.
    fn samples(&self, name: &str) -> bool {
        sampled(&self.seed, name, self.one_of)
    }

    /// The names.
    pub fn names(&self) -> Vec<String> {
        self.digests.lock().unwrap().keys().cloned().collect()
    }
}

/// What chooses the sample.
pub fn seed() -> String {
    std::env::var(SEED).unwrap_or_else(|_| commit())
}

/// Whether a name is in the sample, one of so many.
pub fn sampled(seed: &str, name: &str, one_of: u32) -> bool {
    let digest = Sha256::digest(format!("{seed} {name}"));
    let draw = u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]]);
    seed == "all" || draw % one_of == 0
}

/// So many of them, others with another seed; all with `all`.
pub fn some<T>(seed: &str, mut all: Vec<T>, name: impl Fn(&T) -> String, count: usize) -> Vec<T> {
    if seed != "all" {
        all.sort_by_cached_key(|one| {
            <[u8; 32]>::from(Sha256::digest(format!("{seed} {}", name(one))))
        });
        all.truncate(count);
    }
    all
}

/// Of this tree; changes that are not committed do not change it.
fn commit() -> String {
    static COMMIT: OnceLock<String> = OnceLock::new();
    let ask = || {
        let output = Command::new("git").args(["rev-parse", "HEAD"]).output();
        let output = output.expect("git does not start: give COTENANT_SAMPLE");
        assert!(output.status.success(), "no commit: give COTENANT_SAMPLE");
        String::from_utf8(output.stdout).unwrap().trim().into()
    };
    COMMIT.get_or_init(ask).clone()
}

/// Each recorded check begins with a unit and one of its test sets.
pub fn names_sets(program: &str) {
    for name in Recorded::of(program).names() {
        let mut words = name.split(' ');
        let unit = words.next().unwrap();
        let set = words.next().unwrap_or_default();
        assert!(
            cotenant_units::table::set(unit, set).is_ok(),
            "{program}.json has '{name}', whose parameter set is not there: remove it"
        );
    }
}

/// Of the names and contents of the files in a folder, without those in folders below.
pub fn digest(folder: &Path) -> String {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    let mut hasher = Sha256::new();
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy();
        let content = std::fs::read(&path).unwrap();
        hasher.update(format!("{name} {} ", content.len()));
        hasher.update(content);
    }
    hasher
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Rationale: a check that is wrongly left out is none.
#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn only_what_has_not_changed_is_left_out_and_a_sample_of_that_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("program.json");
        let ran = Cell::new(0);
        let made = |recorded: &Recorded, name: &str, digest: &str| {
            ran.set(0);
            recorded.check(name, digest, || ran.set(1));
            ran.get()
        };
        let recording = Recorded::read(file.clone(), true, "a".into());
        for unit in 0..400 {
            assert_eq!(made(&recording, &format!("unit {unit}"), "old"), 1);
        }
        // A check that fails is not recorded.
        let failing = std::panic::AssertUnwindSafe(|| recording.check("bad", "old", || panic!()));
        assert!(std::panic::catch_unwind(failing).is_err());
        let later = |seed: &str| Recorded::read(file.clone(), false, seed.into());
        let sampled = |seed: &str| -> Vec<i32> {
            let recorded = later(seed);
            let repeated = |unit: &i32| made(&recorded, &format!("unit {unit}"), "old") == 1;
            (0..400).filter(repeated).collect()
        };
        let (first, second) = (sampled("a"), sampled("b"));
        // Binomial: five standard deviations around the mean.
        assert!((SAMPLE / 6..2 * SAMPLE).contains(&first.len()), "{first:?}");
        assert_eq!(first, sampled("a"));
        assert_ne!(first, second);
        assert_eq!(sampled("all").len(), 400);
        // Of few checks all are repeated.
        let few = Recorded::read(folder.path().join("few.json"), true, "a".into());
        let repeated = |name: &str| made(&few, name, "old") == 1;
        assert!(["a", "b", "c"]
            .into_iter()
            .all(|name| repeated(name) && repeated(name)));
        // What is new or has changed is made, and then asks to be recorded.
        for (name, digest) in [("unit 0", "new"), ("bad", "old")] {
            ran.set(0);
            let recorded = later("a");
            let check = || recorded.check(name, digest, || ran.set(1));
            assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(check)).is_err());
            assert_eq!(ran.get(), 1);
        }
    }

    #[test]
    fn some_are_others_with_another_seed() {
        let some = |seed: &str| super::some(seed, (0..100).collect(), u32::to_string, 10);
        assert_eq!(some("a").len(), 10);
        assert_eq!(some("a"), some("a"));
        assert_ne!(some("a"), some("b"));
        assert_eq!(some("all").len(), 100);
    }

    #[test]
    fn a_digest_is_of_names_and_contents() {
        let folder = tempfile::tempdir().unwrap();
        let write =
            |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        let of = || digest(folder.path());
        write("a.v", "x");
        let first = of();
        write("a.v", "y");
        let second = of();
        write("b.v", "");
        assert!(first != second && second != of());
        std::fs::remove_file(folder.path().join("b.v")).unwrap();
        std::fs::create_dir(folder.path().join("build")).unwrap();
        assert_eq!(second, of());
    }
}
