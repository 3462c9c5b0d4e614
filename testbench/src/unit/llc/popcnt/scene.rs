//! `popcnt`: the lines of one kernel that an access demotes, at figure 2's size.

use cotenant_golden::llc::popcnt::{In, Params};

use crate::scenes::{row, Scene, Step, Teach};
use crate::unit::llc::Popcnt;

impl Teach for Popcnt {
    const SETS: &'static [&'static str] = &["4"];

    fn scene(_: &Params) -> Scene<Self> {
        let counts =
            |caption, data, count: u64| Step::new(caption, In { data }).sees("count", count);
        Scene::new("how many lines of one kernel an access demotes")
            .group("one bit a position, MRU lowest", [row("data").binary()])
            .group("how many are set", [row("count")])
            .step(counts("None of the kernel's lines is demoted.", 0b0000, 0))
            .step(counts(
                "The lines in positions 0 and 2 are the kernel's and demoted: two demotions.",
                0b0101,
                2,
            ))
            .step(counts(
                "Three lines, two of them beside each other.",
                0b1011,
                3,
            ))
            .step(counts(
                "A miss in a set that is all the kernel's: as many demotions as ways.",
                0b1111,
                4,
            ))
    }
}
