//! Rationale: who chooses a number of sampled sets weighs what they cost against how far their shares
//! are from the truth. The table of docs/attribution.md has both beside each other: bits of today's
//! netlists, and the distances that follow from the record of `truth`. A row with another number is
//! seen. `COTENANT_RECORD=1 cargo test -p cotenant --test all sampled_sets::` writes it.

use cotenant::experiments::truth::{drawn, By, Method, Over, Standing};
use cotenant::export::area::{share, Cache, ADDRESS_BITS};
use cotenant::registry::find;
use cotenant::verify::interface::Place;
use cotenant_golden::llc::exact::SAMPLES;
use cotenant_golden::presets::Preset;
use cotenant_netlist::area::Storage;
use cotenant_units::table;

use crate::common::recorded::RECORD;
use crate::truth;

const BEGIN: &str =
    "<!-- begin: written by COTENANT_RECORD=1 cargo test -p cotenant --test all sampled_sets:: -->\n\n";
const END: &str = "\n<!-- end -->";
const HEAD: &str = "| sampled sets | of 256 | one `attribution` beside all banks, bits | of the L2 | in each of four banks: `llc_monitor` with SAMPLED | bits | of the L2 | distance, same streams | distance, kernels run again |
|---|---|---|---|---|---|---|---|---|
";
/// Cache sets and banks of table I.
const SETS: usize = 256;
const BANKS: usize = 4;

/// The cache of table I.
fn cache() -> Cache {
    let geometry = Preset::named("xavier").unwrap().llc;
    assert_eq!((geometry.sets, geometry.banks), (SETS, BANKS));
    Cache {
        geometry,
        address_bits: ADDRESS_BITS,
    }
}

/// Flop and RAM bits, and their part of the cache's tags and data.
fn cost(unit: &str, name: &str) -> String {
    let set = table::set(unit, name).unwrap();
    let netlist = find(unit).unwrap().netlist(&set).unwrap();
    let storage = Storage::of(&netlist).unwrap();
    // One stands beside the whole cache, whatever it is.
    let one = share(
        Place::Banks,
        &set,
        storage,
        &Cache {
            geometry: cotenant_golden::llc::cache::Geometry {
                banks: 1,
                ..cache().geometry
            },
            ..cache()
        },
    );
    let one = one.unwrap().unwrap();
    format!("{} | {:.3} %", one.unit_bits, 100.0 * one.share)
}

fn distance(standing: &Standing, by: By, samples: usize) -> String {
    let method = match samples {
        0 => Method::Sce,
        SETS => Method::All,
        samples => Method::Sampled(samples),
    };
    let judgement = standing.judgement(by, Over::CoRunners).unwrap();
    judgement.rank(method).unwrap().distance.to_string()
}

fn row(standing: &Standing, samples: usize) -> String {
    let [streams, timed] = [By::Streams, By::Timed].map(|by| distance(standing, by, samples));
    let part = match samples {
        0 => "none, `sce` in their place".into(),
        samples => format!("1/{}", SETS / samples),
    };
    let beside = match samples {
        0 => cost("sce", "table-1"),
        samples => cost(
            "attribution",
            &format!("16x4x{SETS}x{samples}l4q8,CNT_W=21"),
        ),
    };
    let (with, inside) = match samples / BANKS {
        0 => ("SCE=1".into(), cost("llc_monitor", "table-1,SCE=1")),
        // A bank has at least two.
        1 => ("-".into(), "- | -".into()),
        each => (
            format!("{each}"),
            cost("llc_monitor", &format!("table-1,SAMPLED={each}")),
        ),
    };
    format!("| {samples} | {part} | {beside} | {with} | {inside} | {streams} | {timed} |\n")
}

#[test]
fn the_table_has_cost_and_error_of_today() {
    let drawn = drawn(truth::SEED);
    let record = std::fs::read_to_string(truth::place()).unwrap();
    let standing = truth::standing(&truth::lines(&record), &drawn);
    let samples = [0].into_iter().chain(SAMPLES).chain([SETS]);
    let rows: Vec<String> = samples.map(|samples| row(&standing, samples)).collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/attribution.md");
    let mut page = std::fs::read_to_string(path).unwrap();
    let begin = page.find(BEGIN).expect("a table begins") + BEGIN.len();
    let end = begin + page[begin..].find(END).expect("and ends");
    let table = HEAD.to_string() + &rows.concat();
    if std::env::var_os(RECORD).is_some() {
        page.replace_range(begin..end, &table);
        std::fs::write(path, &page).unwrap();
    }
    assert!(page.contains(&format!("{BEGIN}{table}{END}")), "{table}");
    // Another number is not on the page.
    let other = rows[1].replacen(" | ", " | 1", 1);
    assert!(!page.contains(&other));
}
