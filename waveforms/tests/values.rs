//! Values read back at the times at which they were sampled.
//!
//! Branches: first sample, change, no change, all limbs of wide values and only the highest of
//! them; windows; gaps shown as unknown or held; with and without a clock; header texts.

use crate::common::{binary, dump, shows, Run, Wave};
use bitvec::prelude::*;
use cotenant_waveforms::{
    Dump, Error, Fill, Gap, Layout, Options, Sample, Scope, Signal, Source, TimescaleUnit, Window,
};

fn wide(width: u32) -> Layout {
    let top = Scope::module("top")
        .signal(Signal::clock("clock"))
        .signal(Signal::reg("x", width));
    Layout::new(top).unwrap()
}

fn body(text: &[u8]) -> String {
    let text = String::from_utf8(text.to_vec()).unwrap();
    text.split_once("$enddefinitions $end\n").unwrap().1.into()
}

/// One bit set at a time walks through every limb; a writer that compares or writes only some limbs
/// misses it.
#[test]
fn every_bit_of_wide_values_is_seen() {
    for width in [1, 2, 63, 64, 65, 127, 128, 129, 200, 1000] {
        let layout = wide(width);
        let run: Run = (0..width)
            .map(|bit| {
                let mut limbs = vec![0; width.div_ceil(64) as usize];
                limbs[bit as usize / 64] = 1 << (bit % 64);
                (u64::from(bit), vec![limbs])
            })
            .collect();
        let options = Options::new();
        let wave = Wave::read(&dump(&layout, &options, &run)).unwrap();
        shows(&wave, &layout, &options, Some("top.clock"), &run).unwrap();
    }
}

#[test]
fn only_changes_are_written() {
    let top = Scope::module("top")
        .signal(Signal::wire("a", 1))
        .signal(Signal::wire("b", 70));
    let layout = Layout::new(top).unwrap();
    let values = [
        (0, [0, 0]),
        (0, [0, 0]),
        (1, [0, 0]),
        (1, [0, 1]),
        (1, [0, 1]),
        (0, [5, 0]),
    ];
    let run: Run = (0..)
        .zip(values.map(|(a, b)| vec![vec![a], b.to_vec()]))
        .collect();
    let text = body(&dump(&layout, &Options::new(), &run));
    let one_and_64_zeros = format!("b1{}", "0".repeat(64));
    assert_eq!(
        text,
        format!(
            "#0\n$dumpvars\n0\"\nb0 #\n$end\n#20\n1\"\n#30\n{one_and_64_zeros} #\n\
             #50\n0\"\nb101 #\n#60\n"
        )
    );
}

#[test]
fn clock_is_high_in_the_first_half() {
    let layout = wide(2);
    let options = Options::new().period(6).timescale(100, TimescaleUnit::PS);
    let run: Run = vec![(0, vec![vec![1]]), (1, vec![vec![1]]), (2, vec![vec![2]])];
    let text = dump(&layout, &options, &run);
    assert_eq!(
        body(&text),
        "#0\n$dumpvars\n1!\nb1 \"\n$end\n#3\n0!\n#6\n1!\n#9\n0!\n#12\n1!\nb10 \"\n#15\n0!\n#18\n"
    );
    let wave = Wave::read(&text).unwrap();
    let timescale = wave.wave.hierarchy().timescale().unwrap();
    assert_eq!(timescale.factor, 100);
    assert_eq!(timescale.unit, wellen::TimescaleUnit::PicoSeconds);
}

fn counting(cycles: impl IntoIterator<Item = u64>) -> Run {
    cycles
        .into_iter()
        .map(|cycle| (cycle, vec![vec![cycle * 3 % 256]]))
        .collect()
}

#[test]
fn a_window_shows_its_cycles_alone() {
    let layout = wide(8);
    for (from, to) in [(0, 1), (3, 7), (7, 8), (5, u64::MAX), (90, 99)] {
        let options = Options::new().window(Window { from, to });
        let run = counting(0..20);
        let text = dump(&layout, &options, &run);
        let wave = Wave::read(&text).unwrap();
        shows(&wave, &layout, &options, Some("top.clock"), &run).unwrap();
        let times = wave.wave.time_table();
        let ends = if from < 20 {
            (from * 10, to.min(20) * 10)
        } else {
            (0, 0)
        };
        assert_eq!((times[0], times[times.len() - 1]), ends);
    }
}

#[test]
fn gaps_are_unknown_or_held() {
    let layout = wide(8);
    let run = counting([2, 3, 10, 11, 13, 40]);
    for gap in [Gap::Unknown, Gap::Hold] {
        let options = Options::new().gap(gap);
        let wave = Wave::read(&dump(&layout, &options, &run)).unwrap();
        shows(&wave, &layout, &options, Some("top.clock"), &run).unwrap();
        let held = binary(8, &[9]);
        assert_eq!(
            wave.at("top.x", 70),
            if gap == Gap::Hold { &*held } else { "xxxxxxxx" }
        );
        assert_eq!(
            wave.at("top.clock", 70),
            if gap == Gap::Hold { "0" } else { "x" }
        );
    }
}

#[test]
fn header_texts_are_the_callers_and_nothing_else() {
    let layout = wide(8);
    let options = Options::new()
        .version("cotenant 1.0")
        .comment("seed $end 7")
        .comment("16x4");
    let text = dump(&layout, &options, &counting(0..3));
    assert_eq!(
        text,
        dump(&layout, &options, &counting(0..3)),
        "same run, same bytes"
    );
    let header = String::from_utf8(text.clone()).unwrap();
    assert!(header.starts_with(
        "$version\n    cotenant 1.0\n$end\n$comment\n    seed $ end 7\n$end\n\
         $comment\n    16x4\n$end\n$timescale 1 ns $end\n$scope module top $end\n"
    ));
    assert!(!header.contains("$date"));
    assert_eq!(
        Wave::read(&text).unwrap().wave.hierarchy().version(),
        "cotenant 1.0"
    );
}

#[test]
fn a_dump_without_samples_is_readable() {
    let layout = wide(8);
    let wave = Wave::read(&dump(&layout, &Options::new(), &vec![])).unwrap();
    assert_eq!(wave.at("top.x", 0), "");
}

/// A source in a slot of its own, twice beside each other.
#[test]
fn sources_show_side_by_side() {
    struct Model(u64, BitVec<u64, Lsb0>);
    impl Source for Model {
        fn scope(&self) -> Scope {
            Scope::module(format!("model_{}", self.0))
                .signal(Signal::reg("count", 8).array([2]))
                .signal(Signal::wire("valid", 1))
                .signal(Signal::reg("mask", 100))
        }
        fn sample(&self, out: &mut Fill<'_>) {
            out.put_all([self.0 as u8, self.0 as u8 + 1]);
            out.put_bool(true);
            out.put_bits(&self.1);
        }
    }
    let mut mask = bitvec![u64, Lsb0; 0; 100];
    mask.set(99, true);
    let (left, right) = (Model(3, mask), Model(7, bitvec![u64, Lsb0; 1; 2]));
    let layout = Layout::new(
        Scope::module("top")
            .scope(left.scope())
            .scope(right.scope()),
    )
    .unwrap();
    let mut sample = Sample::new(&layout);
    sample
        .fill(|out| {
            left.sample(out);
            right.sample(out);
        })
        .unwrap();
    let mut dump = Dump::new(Vec::new(), &layout, &Options::new()).unwrap();
    dump.sample(0, &sample).unwrap();
    dump.finish().unwrap();
    let wave = Wave::read(&dump.into_stream()).unwrap();
    assert_eq!(wave.at("top.model_3.count(1)", 0), "00000100");
    assert_eq!(wave.at("top.model_7.count(0)", 0), "00000111");
    assert_eq!(
        wave.at("top.model_3.mask", 0),
        format!("1{}", "0".repeat(99))
    );
    assert_eq!(
        wave.at("top.model_7.mask", 0),
        format!("{}11", "0".repeat(98))
    );
}

#[test]
fn samples_are_set_by_signal_too() {
    let top = Scope::module("top")
        .signal(Signal::wire("a", 4))
        .signal(Signal::wire("b", 130));
    let layout = Layout::new(top).unwrap();
    let (a, b) = (layout.find("top.a").unwrap(), layout.find("top.b").unwrap());
    let mut sample = Sample::new(&layout);
    sample.set(a, 15).unwrap();
    sample.set_limbs(b, &[1, 2, 3]).unwrap();
    assert_eq!(
        (sample.get(a).unwrap(), sample.get(b).unwrap()),
        (&[15][..], &[1, 2, 3][..])
    );
    sample.set(b, 9).unwrap();
    assert_eq!(sample.get(b).unwrap(), [9, 0, 0]);
    sample.set_bits(b, bits![u8, Lsb0; 1; 130]).unwrap();
    assert_eq!(sample.get(b).unwrap(), [u64::MAX, u64::MAX, 3]);
    sample.set_bits(b, bits![u8, Lsb0; 1; 3]).unwrap();
    assert_eq!(sample.get(b).unwrap(), [7, 0, 0]);
}

#[test]
fn values_that_do_not_fit_are_refused() {
    let top = Scope::module("top")
        .signal(Signal::wire("a", 4))
        .signal(Signal::wire("b", 130));
    let layout = Layout::new(top).unwrap();
    let (a, b) = (layout.find("top.a").unwrap(), layout.find("top.b").unwrap());
    let mut sample = Sample::new(&layout);
    sample.set(a, 5).unwrap();
    sample.set_limbs(b, &[1, 2, 3]).unwrap();
    let message = |result: Result<(), Error>| result.unwrap_err().to_string();
    assert_eq!(
        message(sample.set(a, 16)),
        "value 0x10 does not fit signal `top.a` of 4 bits"
    );
    assert!(message(sample.set_limbs(b, &[0, 0, 4])).contains("0x4"));
    assert!(message(sample.set_limbs(b, &[0, 0, 0, 1])).contains("top.b"));
    assert!(message(sample.set_bits(a, bits![u64, Lsb0; 1; 5])).contains("0x1f"));
    let kept = (sample.get(a).unwrap(), sample.get(b).unwrap());
    assert_eq!(
        kept,
        (&[5][..], &[1, 2, 3][..]),
        "a refused value changes nothing"
    );
    assert!(sample.set_bits(a, bits![u64, Lsb0; 0; 500]).is_ok());
    assert!(sample.set_limbs(a, &[7, 0, 0, 0]).is_ok());
    let put = |sample: &mut Sample, values: &[u64]| {
        sample.fill(|out| values.iter().for_each(|value| out.put(*value)))
    };
    assert_eq!(
        message(put(&mut sample, &[1])),
        "sample filled with 1 values, the layout has 2"
    );
    assert!(matches!(
        put(&mut sample, &[1, 2, 3]),
        Err(Error::Count { found: 3, .. })
    ));
    assert!(message(put(&mut sample, &[77, 2])).contains("0x4d"));
    let other = Layout::new(Scope::module("top").signal(Signal::wire("a", 4))).unwrap();
    assert!(matches!(
        Sample::new(&other).set(b, 1),
        Err(Error::Foreign { what: "signal" })
    ));
}

#[test]
fn misuse_is_refused() {
    let layout = wide(8);
    let setting = |options: Options| {
        Dump::new(Vec::new(), &layout, &options)
            .unwrap_err()
            .to_string()
    };
    assert!(setting(Options::new().period(0)).contains("period is 0"));
    assert!(setting(Options::new().period(5)).contains("an even number"));
    assert!(setting(Options::new().timescale(2, TimescaleUnit::NS)).contains("1, 10 or 100"));
    assert!(setting(Options::new().window(Window { from: 4, to: 4 })).contains("window is 4 to 4"));
    let mut dump = Dump::new(Vec::new(), &layout, &Options::new()).unwrap();
    let sample = Sample::new(&layout);
    dump.sample(4, &sample).unwrap();
    assert!(matches!(
        dump.sample(4, &sample),
        Err(Error::Order { cycle: 4, last: 4 })
    ));
    assert!(matches!(
        dump.sample(u64::MAX / 10, &sample),
        Err(Error::Time { .. })
    ));
    let foreign = Sample::new(&wide(8));
    assert!(matches!(
        dump.sample(5, &foreign),
        Err(Error::Foreign { what: "sample" })
    ));
    assert!(
        dump.sample(5, &sample).is_ok(),
        "a refused sample does no harm"
    );
}
