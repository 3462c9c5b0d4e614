//! Rationale: whatever a file has wrong is named with line and key; and what is handed out of a running
//! platform must be in order, one access per tile and cycle, all of what the platform's own cache has
//! looked up, with the same hits.
use super::*;
use crate::gpu::{Gpu, Reached};

fn text() -> &'static str {
    Mix::text("cpus-beside-gpu").unwrap()
}

#[test]
fn what_is_wrong_is_named() {
    for (from, to, said) in [
        ("platform = \"tap\"", "platform = \"tip\"", "line 7: platform is \"tip\", expected tap"),
        ("accesses = 200_000", "accesses = 0", "line 8: accesses is 0, expected 1 to"),
        ("period = ", "perod = ", "line 9: perod: unknown field `perod` (did you mean \"period\"?)"),
        ("under-test = \"friendly1\"", "under-test = \"friendly2\"", "line 11: under-test is \"friendly2\" (did you mean \"friendly1\"?), expected friendly1, compute1, D1"),
        ("\"compute1\"", "\"friendly1\"", "line 17: cpu.name is \"friendly1\", expected a name that no other application has"),
        ("\"D1\"", "\"F2\"", "line 20: gpu.application is \"F2\""),
        ("[gpu]", "[[gpu]]", "line 19"),
        ("[[cpu]]\napplication = \"compute1\"", "[[cpu]]\napp = \"compute1\"", "line 17: cpu.app: unknown field `app`"),
    ] {
        let broken = text().replace(from, to);
        assert_ne!(broken, text(), "{from}");
        let error = Mix::from_toml(&broken).unwrap_err().to_string();
        assert!(error.starts_with(said), "{error}");
    }
    for (l3, said) in [
        ("ways = 65", "line 22: l3.ways is 65, expected 1 to 64"),
        ("sets = 3", "line 22: sets is 3, expected a power of two"),
        (
            "line = 32",
            "line 23: l3.line: unknown field `line`, expected `sets` or `ways`",
        ),
    ] {
        let (before, _) = text().split_once("[l3]").unwrap();
        let error = Mix::from_toml(&format!("{before}[l3]\n{l3}\n"))
            .unwrap_err()
            .to_string();
        assert!(error.starts_with(said), "{error}");
    }
    let many = text().to_owned() + &"\n[[cpu]]\napplication = \"compute2\"\n".repeat(3);
    let error = Mix::from_toml(&many).unwrap_err().to_string();
    assert!(
        error.contains("number of CPUs is 5, expected 1 to 4 [[cpu]] tables"),
        "{error}"
    );
    assert!(
        Mix::is_meant(text()) && !Mix::is_meant("platform = \"xavier\"") && !Mix::is_meant("=")
    );
}

#[test]
fn all_accesses_are_handed_out_in_order() {
    let mix = Mix::from_toml(text()).unwrap();
    let mut platform = mix.platform().unwrap();
    let mut last = [None; 4];
    let (mut now, mut number) = (0, 0u64);
    let mut take = |reached: &Reached<'_>| {
        assert!(reached.cycle >= now, "{} after {now}", reached.cycle);
        now = reached.cycle;
        // A tile begins one per cycle.
        assert!(last[reached.bank].is_none_or(|last| last < now));
        last[reached.bank] = Some(now);
        number += 1;
        number
    };
    // In stretches of any length, and stopping behind any access.
    for end in [0, 1, 5000, 5001, 9999, 40_000] {
        platform.run_to(end, &mut |reached| {
            assert!(reached.cycle <= end);
            take(&reached) % 97 > 0
        });
        while platform.cycle() <= end {
            platform.run_to(end, &mut |reached| take(&reached) % 97 > 0);
        }
        assert_eq!(platform.cycle(), end + 1);
    }
    platform.drain(&mut |reached| take(&reached) > 0);
    assert!(number > 1000, "{number}");
    platform.check().unwrap();
    assert_eq!(platform.counts().accesses, number);
    let requests: u64 = platform.activity().iter().map(|it| it.requests).sum();
    assert_eq!(requests, number);
    assert!(platform.stats().iter().all(|it| it.instructions > 0));
}

/// One that is not handed out is missed.
#[test]
fn a_lost_access_is_found() {
    let mix = Mix::from_toml(text()).unwrap();
    let mut platform = mix.platform().unwrap();
    platform.run_to(20_000, &mut |_| true);
    platform.pending.clear();
    platform.machine.seen().count();
    platform.machine.run(2000);
    let lost = platform.machine.seen().count();
    assert!(lost > 0);
    platform.drain(&mut |_| true);
    let error = platform.check().unwrap_err();
    assert_eq!(error.what, "accesses watched");
}
