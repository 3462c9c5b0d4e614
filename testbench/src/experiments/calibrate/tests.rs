//! Rationale: hours of a fit must not be lost, and what it says must be the same however it came to
//! its end: at once, or stopped and gone on with. Cycles are few; the numbers mean nothing here.

use super::*;
use crate::experiments::impatient::Impatient;

#[test]
fn a_stopped_fit_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("measured.jsonl");
    let run_with = |watch: &Impatient, journal| {
        run(&Setting {
            cycles: Some(20),
            watch,
            journal,
            ..Setting::new(7)
        })
        .unwrap()
    };
    let stopped = run_with(&Impatient::new(300), Some(&path));
    assert!(!stopped.from.complete && stopped.from.fit.is_none());
    assert!(
        (1..300).contains(&stopped.from.runs),
        "{}",
        stopped.from.runs
    );
    assert!(stopped.text().contains("Interrupted: "));
    assert!(stopped.attachments().unwrap().is_empty());

    let rest = Impatient::new(u64::MAX);
    let gone_on = run_with(&rest, Some(&path));
    let all = free::trials(&free::all()).len();
    assert!(gone_on.from.complete);
    assert_eq!(gone_on.from.runs, all);
    let [left, _] = rest.steps();
    // And those that are only compared, with fewer blocks.
    let compared = compare::BLOCKS.len();
    assert_eq!(left as usize, all - stopped.from.runs + compared);

    // Nothing is left, and the result is the same.
    let nothing = Impatient::new(u64::MAX);
    assert_eq!(run_with(&nothing, Some(&path)), gone_on);
    assert_eq!(nothing.steps()[0], 0);
    let preset = &gone_on.attachments().unwrap()[0];
    assert_eq!(preset.name, "maxwell-fit.toml");
    assert_eq!(preset.text, gone_on.from.fit.as_ref().unwrap().text());
    let text = gone_on.text();
    assert!(text.contains("| bp     | l1d_miss_rate"), "{text}");
}
