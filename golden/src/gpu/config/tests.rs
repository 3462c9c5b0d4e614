//! Rationale: the L1D's line is checked against the L2's. Other numbers are broken one at a time
//! where they are used, and in the presets.

use super::*;
use crate::gpu::sm::tests::script::config;

/// An L2 with lines of so many bytes.
fn l2(line: u64) -> Geometry {
    Geometry {
        sets: 16,
        ways: 2,
        line,
        kernels: 2,
        banks: 2,
    }
}

/// An L1D with such lines, if they are told, and such a miss queue.
fn with(line: Option<u64>, miss_queue: usize) -> Config {
    let mut config = config();
    (config.l1d.line, config.l1d.miss_queue) = (line, miss_queue);
    config
}

#[test]
fn a_line_of_the_l1d_is_one_or_several_of_the_l2() {
    for (line, l2_line, requests) in [
        (None, 128, 1),
        (None, 16, 1),
        (Some(128), 128, 1),
        (Some(128), 32, 4),
        (Some(1024), 32, 32),
        (Some(32), 16, 2),
    ] {
        let config = with(line, requests);
        assert_eq!(config.check(&l2(l2_line)), Ok(()));
        let bytes = config.l1d.line_bytes(l2_line);
        assert_eq!(bytes, line.unwrap_or(l2_line));
        assert_eq!(bytes / l2_line, requests as u64);
    }
}

#[test]
fn other_lines_are_refused() {
    for (line, l2_line, miss_queue, message) in [
        (0, 32, 64, "l1d.line is 0, expected 32 to 1024"),
        (16, 16, 64, "l1d.line is 16, expected 32 to 1024"),
        (2048, 32, 64, "l1d.line is 2048, expected 32 to 1024"),
        (
            96,
            32,
            64,
            "l1d.line is 96, expected a power of two: the byte in a line is a field of address bits",
        ),
        (
            64,
            128,
            64,
            "l1d.line is 64, expected a multiple of llc.line, which is 128",
        ),
        (128, 32, 3, "l1d.miss-queue is 3, expected 4 to 4096"),
    ] {
        let error = with(Some(line), miss_queue).check(&l2(l2_line));
        assert_eq!(error.unwrap_err().to_string(), message);
    }
    let error = with(None, 0).check(&l2(32)).unwrap_err().to_string();
    assert_eq!(error, "l1d.miss-queue is 0, expected 1 to 4096");
}

/// A platform that does not tell it is written as it was read.
#[test]
fn it_may_be_left_out() {
    for line in [None, Some(128)] {
        let config = with(line, 8);
        let text = toml::to_string(&config).unwrap();
        assert_eq!(text.contains("\nline = 128\n"), line.is_some(), "{text}");
        assert!(text.contains("[l1d]"));
        assert_eq!(toml::from_str::<Config>(&text).unwrap(), config);
        let json = serde_json::to_string(&config.l1d).unwrap();
        assert_eq!(json.contains("line"), line.is_some(), "{json}");
    }
    let wrong = toml::to_string(&with(Some(128), 8)).unwrap();
    let error = toml::from_str::<Config>(&wrong.replace("line = 128", "line = \"long\""));
    assert!(error.unwrap_err().to_string().contains("line = \"long\""));
}

/// A hash of an L1D is none of the L2's, and the other way round; what the L1D's is made of are
/// bits of an address in lines of 128 bytes.
#[test]
fn hashes_are_where_they_belong() {
    let mut config = config();
    (config.l1d.index, config.l1d.sets) = (Index::Fermi, 32);
    assert_eq!(config.check(&l2(128)), Ok(()));
    let message = |config: &Config, line| config.check(&l2(line)).unwrap_err().to_string();
    assert_eq!(message(&config, 64), "l1d.line is 64, expected 128 to 128");
    config.l1d.sets = 16;
    assert_eq!(message(&config, 128), "l1d.sets is 16, expected 32 to 64");
    config.l1d.index = Index::Slices;
    assert_eq!(
        message(&config, 128),
        "l1d.index is slices, expected bits, xor or fermi: an L1D has no partitions"
    );
    (config.l1d.index, config.l2.index) = (Index::Bits, Index::Slices);
    assert_eq!(config.check(&l2(128)), Ok(()));
    config.l2.index = Index::Fermi;
    assert_eq!(
        message(&config, 128),
        "l2.index is fermi, expected bits, xor or slices: fermi is a hash of an L1D"
    );
}

/// Rows a power of two apart: in one partition each, in many sets of it; with xor in several.
#[test]
fn slices_keep_the_partition_and_spread_its_sets() {
    let cache = Geometry {
        sets: 64,
        banks: 4,
        ..l2(128)
    };
    let places = |index: Index| -> (usize, usize) {
        let rows = (0..16u64).map(|row| row * 64 * 128 + 3 * 128);
        let sets: Vec<usize> = rows
            .map(|row| cache.set_of(index.permuted(row, &cache)))
            .collect();
        let count = |of: fn(usize) -> usize| {
            let found = sets.iter().map(|set| of(*set));
            found.collect::<std::collections::BTreeSet<_>>().len()
        };
        (count(|set| set % 4), count(|set| set))
    };
    assert_eq!(places(Index::Bits), (1, 1));
    assert_eq!(places(Index::Slices), (1, 16));
    assert_eq!(places(Index::Xor), (4, 16));
    // A bijection: every line has a place of its own.
    let all: std::collections::BTreeSet<u64> = (0..4096)
        .map(|line| Index::Slices.permuted(line * 128, &cache))
        .collect();
    assert_eq!(all.len(), 4096);
}
