//! Random hierarchies and runs read back as they were written, and what is missing is noticed.
//!
//! State space: trees up to four levels deep, names out of characters that readers stumble over,
//! widths on both sides of each limb boundary, arrays; runs in which few bits change per cycle (so
//! that suppressing and writing both happen), with gaps and windows.

use crate::common::{dump, shows, Run, Wave};
use crate::random::{run, scope, steps, with_clock};
use cotenant_waveforms::{Format, Gap, Layout, Options, Sample, WaveFile, Window};
use proptest::prelude::*;

/// Writes a run to an FST file and reads it.
fn fst(layout: &Layout, options: &Options, run: &Run) -> Wave {
    let folder = tempfile::tempdir().unwrap();
    let options = options.clone().format(Format::Fst);
    let mut file = WaveFile::create(folder.path().join("w.fst"), layout, &options).unwrap();
    let mut sample = Sample::new(layout);
    for (cycle, values) in run {
        let fill = sample.fill(|out| values.iter().for_each(|limbs| out.put_limbs(limbs)));
        fill.unwrap();
        file.sample(*cycle, &sample).unwrap();
    }
    Wave::open(&file.finish().unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn what_is_written_reads_back(
        scope in scope(),
        steps in steps(),
        first in 0u64..50,
        window in prop::option::of((0u64..60, 1u64..30)),
        hold in any::<bool>(),
        half in 1u64..6,
    ) {
        let layout = with_clock(scope);
        let gap = if hold { Gap::Hold } else { Gap::Unknown };
        let window = window.map_or(Window::ALL, |(from, len)| Window { from, to: from + len });
        let options = Options::new().gap(gap).window(window).period(2 * half);
        let run = run(&layout, first, &steps);
        let wave = Wave::read(&dump(&layout, &options, &run)).unwrap();
        prop_assert_eq!(shows(&wave, &layout, &options, Some("top.clock"), &run), Ok(()));
        let wave = fst(&layout, &options, &run);
        if !run.iter().any(|(cycle, _)| window.contains(*cycle)) {
            // A file of no cycle can be read, but it ends at 1.
            return Ok(());
        }
        prop_assert_eq!(shows(&wave, &layout, &options, Some("top.clock"), &run), Ok(()));
    }

    /// No line of the body repeats the value that its identifier already has.
    #[test]
    fn nothing_is_written_twice(scope in scope(), steps in steps()) {
        let layout = with_clock(scope);
        let text = dump(&layout, &Options::new(), &run(&layout, 0, &steps));
        let mut parser = vcd::Parser::new(&text[..]);
        parser.parse_header().unwrap();
        let mut shown = std::collections::HashMap::new();
        for command in parser {
            let (code, digits) = match command.unwrap() {
                vcd::Command::ChangeScalar(code, value) => (code, value.to_string()),
                vcd::Command::ChangeVector(code, value) => (code, value.to_string()),
                _ => continue,
            };
            prop_assert_ne!(shown.insert(code, digits.clone()), Some(digits));
        }
    }

    /// A change that is wrongly suppressed, any one of them, does not pass for the run.
    #[test]
    fn a_missing_change_is_caught(scope in scope(), steps in steps(), pick in any::<usize>()) {
        let layout = with_clock(scope);
        let options = Options::new();
        let run = run(&layout, 0, &steps);
        let text = String::from_utf8(dump(&layout, &options, &run)).unwrap();
        let (header, body) = text.split_once("$enddefinitions $end\n").unwrap();
        let lines: Vec<&str> = body.lines().collect();
        let is_change = |line: &str| !line.starts_with(['#', '$']);
        let changes: Vec<usize> = (0..lines.len()).filter(|at| is_change(lines[*at])).collect();
        let missing = changes[pick % changes.len()];
        let kept = lines.iter().enumerate().filter(|(at, _)| *at != missing);
        let kept: String = kept.map(|(_, line)| format!("{line}\n")).collect();
        let broken = format!("{header}$enddefinitions $end\n{kept}");
        let wave = Wave::read(broken.as_bytes()).unwrap();
        let found = shows(&wave, &layout, &options, Some("top.clock"), &run);
        prop_assert!(found.is_err(), "line {} not missed", lines[missing]);
    }
}
