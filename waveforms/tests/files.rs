//! Files appear whole or not at all; rings keep the last cycles.
//!
//! Branches: finished, cut short, dropped, replaced, folder missing, write failing; a ring empty,
//! partly and exactly full, wrapped, refilled after a fault; translation files shared or in
//! conflict.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::common::{dump, shows, Run, Wave};
use cotenant_waveforms::{
    Dump, Error, Kind, Layout, Options, Ring, Sample, Scope, Signal, WaveFile, Window,
};

fn layout() -> Layout {
    let top = Scope::module("top")
        .signal(Signal::clock("clock"))
        .signal(Signal::reg("x", 70));
    Layout::new(top).unwrap()
}

fn counting(cycles: std::ops::Range<u64>) -> Run {
    cycles
        .map(|cycle| (cycle, vec![vec![cycle / 2, cycle % 64]]))
        .collect()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn feed(file: &mut WaveFile, layout: &Layout, run: &Run) {
    let mut sample = Sample::new(layout);
    for (cycle, values) in run {
        sample.fill(|out| out.put_limbs(&values[0])).unwrap();
        file.sample(*cycle, &sample).unwrap();
    }
}

#[test]
fn a_file_appears_when_it_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.vcd");
    let (layout, options, run) = (layout(), Options::new(), counting(0..30_000));
    let mut file = WaveFile::create(&path, &layout, &options).unwrap();
    feed(&mut file, &layout, &run);
    assert!(!path.exists());
    let partial = names(folder.path());
    assert!(
        partial.len() == 1
            && partial[0].starts_with(".run.vcd.")
            && partial[0].ends_with(".partial")
    );
    assert_eq!(file.last_cycle(), Some(29_999));
    assert_eq!(file.finish().unwrap(), path);
    assert_eq!(names(folder.path()), ["run.vcd"]);
    // More than one buffer, and read in parallel chunks.
    assert_eq!(fs::read(&path).unwrap(), dump(&layout, &options, &run));
    shows(
        &Wave::open(&path),
        &layout,
        &options,
        Some("top.clock"),
        &run,
    )
    .unwrap();
}

#[test]
fn a_dropped_file_leaves_nothing_and_an_old_one_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.vcd");
    fs::write(&path, "old").unwrap();
    let layout = layout();
    let mut file = WaveFile::create(&path, &layout, &Options::new()).unwrap();
    feed(&mut file, &layout, &counting(0..3));
    drop(file);
    assert_eq!(names(folder.path()), ["run.vcd"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    WaveFile::create(&path, &layout, &Options::new())
        .unwrap()
        .finish()
        .unwrap();
    assert!(fs::read_to_string(&path)
        .unwrap()
        .contains("$enddefinitions"));
}

#[test]
fn a_run_cut_short_is_readable_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let (layout, options, run) = (layout(), Options::new(), counting(0..50));
    let mut file = WaveFile::create(folder.path().join("run.vcd"), &layout, &options).unwrap();
    feed(&mut file, &layout, &run);
    let path = file
        .finish_readable("interrupted after cycle 49 $end")
        .unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("$comment\n    interrupted after cycle 49 $ end\n$end\n#500\n"));
    shows(
        &Wave::open(&path),
        &layout,
        &options,
        Some("top.clock"),
        &run,
    )
    .unwrap();
}

#[test]
fn errors_name_the_path() {
    let folder = tempfile::tempdir().unwrap();
    let layout = layout();
    let missing = folder.path().join("no/such/run.vcd");
    let error = WaveFile::create(&missing, &layout, &Options::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("cannot create {}", missing.display())
    );
    let error = WaveFile::create("/", &layout, &Options::new()).unwrap_err();
    assert!(matches!(
        error,
        Error::Io {
            action: "create",
            ..
        }
    ));
    // The path becomes a folder while the dump is being written.
    let path = folder.path().join("taken");
    let file = WaveFile::create(&path, &layout, &Options::new()).unwrap();
    fs::create_dir(&path).unwrap();
    let error = file.finish().unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("cannot rename to {}", path.display())
    );
    assert_eq!(names(folder.path()), ["taken"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_new_file_has_the_permissions_of_any_new_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    let plain = folder.path().join("plain");
    fs::write(&plain, "").unwrap();
    let path = folder.path().join("run.vcd");
    let path = WaveFile::create(path, &layout(), &Options::new())
        .unwrap()
        .finish()
        .unwrap();
    assert_eq!(mode(&path), mode(&plain));
}

/// A stream that is full after some bytes.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let room = self.0.min(bytes.len());
        self.0 -= room;
        Ok(room)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_stream_is_reported() {
    let layout = layout();
    assert!(matches!(
        Dump::new(Full(10), &layout, &Options::new()),
        Err(Error::Write(_))
    ));
    let mut dump = Dump::new(Full(1000), &layout, &Options::new()).unwrap();
    let mut sample = Sample::new(&layout);
    let failed = (0..100_000u64).find_map(|cycle| {
        sample.fill(|out| out.put(cycle)).unwrap();
        dump.sample(cycle, &sample).err()
    });
    assert!(matches!(failed, Some(Error::Write(_))));
}

/// Half a buffer has arrived by then; going on would leave a torn line in the middle.
#[test]
fn nothing_follows_a_failed_write() {
    let layout = layout();
    let room = std::rc::Rc::new(std::cell::Cell::new(1000));
    struct Freed(std::rc::Rc<std::cell::Cell<usize>>);
    impl Write for Freed {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let room = self.0.get().min(bytes.len());
            self.0.set(self.0.get() - room);
            Ok(room)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut dump = Dump::new(Freed(room.clone()), &layout, &Options::new()).unwrap();
    let mut sample = Sample::new(&layout);
    let first_failed = (0..100_000u64).find(|cycle| {
        sample.fill(|out| out.put(*cycle)).unwrap();
        dump.sample(*cycle, &sample).is_err()
    });
    room.set(usize::MAX);
    assert!(first_failed.is_some());
    assert!(matches!(dump.comment("too late"), Err(Error::Write(_))));
    assert!(matches!(dump.finish(), Err(Error::Write(_))));
    assert_eq!(room.get(), usize::MAX);
}

#[test]
fn a_ring_writes_its_last_cycles() {
    let folder = tempfile::tempdir().unwrap();
    let (layout, options) = (layout(), Options::new());
    let mut sample = Sample::new(&layout);
    for capacity in [1, 2, 7, 50] {
        for cycles in [0, 1, 6, 7, 8, 49, 50, 51, 120] {
            let (mut copied, mut filled) = (
                Ring::new(&layout, capacity).unwrap(),
                Ring::new(&layout, capacity).unwrap(),
            );
            let run = counting(0..cycles);
            for (cycle, values) in &run {
                sample.fill(|out| out.put_limbs(&values[0])).unwrap();
                copied.push(*cycle, &sample).unwrap();
                filled
                    .push_with(*cycle, |out| out.put_limbs(&values[0]))
                    .unwrap();
            }
            let kept = counting(cycles.saturating_sub(capacity as u64)..cycles);
            assert_eq!(copied.len(), kept.len());
            assert_eq!(copied.last_cycle(), cycles.checked_sub(1));
            for ring in [copied, filled] {
                let path = ring
                    .write(folder.path().join("ring.vcd"), &options)
                    .unwrap();
                assert_eq!(fs::read(path).unwrap(), dump(&layout, &options, &kept));
            }
        }
    }
}

#[test]
fn a_ring_refuses_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let layout = layout();
    let mut ring = Ring::new(&layout, 3).unwrap();
    for cycle in 0..5 {
        ring.push_with(cycle, |out| out.put(cycle)).unwrap();
    }
    let wide = ring.push_with(5, |out| out.put_limbs(&[0, 64]));
    assert!(matches!(wide, Err(Error::TooWide { .. })));
    assert!(matches!(
        ring.push_with(5, |_| {}),
        Err(Error::Count {
            found: 0,
            expected: 1
        })
    ));
    let order = ring.push_with(4, |out| out.put(4));
    assert!(matches!(order, Err(Error::Order { cycle: 4, last: 4 })));
    let run: Run = vec![(3, vec![vec![3]]), (4, vec![vec![4]])];
    let path = ring
        .write(folder.path().join("ring.vcd"), &Options::new())
        .unwrap();
    assert_eq!(
        fs::read(&path).unwrap(),
        dump(&layout, &Options::new(), &run)
    );
    let window = Options::new().window(Window { from: 4, to: 5 });
    ring.write(&path, &window).unwrap();
    assert_eq!(fs::read(&path).unwrap(), dump(&layout, &window, &run));
    ring.clear();
    assert!(ring.is_empty());
    ring.push_with(0, |out| out.put(1)).unwrap();
    let copied = ring.push(0, &Sample::new(&layout));
    assert!(matches!(copied, Err(Error::Order { cycle: 0, last: 0 })));
    let foreign = Sample::new(&self::layout());
    assert!(matches!(ring.push(1, &foreign), Err(Error::Foreign { .. })));
}

#[test]
fn a_ring_stays_within_its_memory() {
    let layout = layout();
    let ring = Ring::with_memory(&layout, 1000).unwrap();
    assert_eq!((ring.capacity(), ring.bytes()), (41, 41 * 3 * 8));
    assert_eq!(Ring::with_memory(&layout, 0).unwrap().capacity(), 1);
    assert!(matches!(Ring::new(&layout, 0), Err(Error::Setting { .. })));
    assert!(matches!(
        Ring::new(&layout, usize::MAX / 2),
        Err(Error::Memory { .. })
    ));
    assert!(matches!(
        Ring::new(&layout, usize::MAX / 32),
        Err(Error::Memory { .. })
    ));
}

#[test]
fn named_values_get_translation_files() {
    let folder = tempfile::tempdir().unwrap();
    let state =
        |name: &str| Signal::reg(name, 5).named("Fsm State", [(0, "Idle"), (26, "Fill\nline")]);
    let outcome = |signal: Signal| signal.named("Outcome", [(0, "Hit"), (2, "Miss"), (7, "None")]);
    let top = Scope::module("top")
        .signal(state("a"))
        .signal(state("b").array([4]))
        .signal(outcome(Signal::wire("narrow", 3)))
        .signal(outcome(Signal::new("constant", 3, Kind::Parameter)))
        .signal(outcome(Signal::integer("number")))
        .signal(Signal::new("time", 64, Kind::Time).named("T", [(u64::MAX, "Never")]))
        .signal(Signal::wire("hit", 1).named("T", [(0, "Miss"), (1, "Hit")]));
    let layout = Layout::new(top).unwrap();
    let files = layout.write_translations(folder.path()).unwrap();
    let found: Vec<(&str, &str, String)> = files
        .iter()
        .map(|(signal, path)| {
            let name = path.file_name().unwrap().to_str().unwrap();
            (signal.as_str(), name, fs::read_to_string(path).unwrap())
        })
        .collect();
    let found: Vec<(&str, &str, &str)> = found
        .iter()
        .map(|(signal, name, text)| (*signal, *name, text.as_str()))
        .collect();
    // The digits are those that GTKWave 3.3.118 showed for such signals.
    let expected = [
        ("top.a", "Fsm_State.hex5.txt", "00 Idle\n1a Fill line\n"),
        ("top.b", "Fsm_State.hex5.txt", "00 Idle\n1a Fill line\n"),
        (
            "top.narrow",
            "Outcome.bin3.txt",
            "000 Hit\n010 Miss\n111 None\n",
        ),
        (
            "top.constant",
            "Outcome.dec3.txt",
            "0 Hit\n2 Miss\n-1 None\n",
        ),
        ("top.number", "Outcome.dec32.txt", "0 Hit\n2 Miss\n7 None\n"),
        ("top.time", "T.hex64.txt", "ffffffffffffffff Never\n"),
        ("top.hit", "T.bin1.txt", "0 Miss\n1 Hit\n"),
    ];
    assert_eq!(found, expected);
    assert_eq!(names(folder.path()).len(), 6, "nothing partial left");
    let conflict = Scope::module("top")
        .signal(state("a"))
        .signal(Signal::reg("b", 5).named("Fsm State", [(1, "Busy")]));
    let refused = Layout::new(conflict)
        .unwrap()
        .write_translations(folder.path());
    assert!(matches!(refused, Err(Error::Text { .. })));
}
