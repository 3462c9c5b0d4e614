//! What sampled sets cost in a monitor's bank: a table of docs/attribution.md, whose estimates have to
//! be those of today. `COTENANT_RECORD=1 cargo test -p cotenant --test all area::attribution` writes it, and
//! asks Yosys.

use super::estimate::{area_of, asked};

const BEGIN: &str =
    "<!-- begin: written by COTENANT_RECORD=1 cargo test -p cotenant --test all area::attribution -->\n\n";
const END: &str = "\n<!-- end -->";

/// Unit and set, and what the table calls it.
const SETS: [(&str, &str, &str); 4] = [
    ("llc_monitor", "16x4x64x1", "the monitor without"),
    ("llc_monitor", "16x4x64x1,SAMPLED=16", "with SAMPLED = 16"),
    (
        "attribution",
        "16x4x64x16,CNT_W=21",
        "`attribution` alone, without a queue",
    ),
    ("shadow_stack", "16x4x16", "of it `shadow_stack`"),
];

/// A row up to what Yosys says.
fn estimated((unit, set, name): (&str, &str, &str)) -> String {
    let area = area_of(unit, set).0;
    let luts: Vec<String> = area.mappings.iter().map(|m| m.luts.to_string()).collect();
    let (flops, bits) = (area.flop_bits, area.ram_bits);
    format!(
        "| {name}: `{unit}` `{set}` | {flops} | {bits} | {} |",
        luts.join(" | ")
    )
}

/// What Yosys says.
fn synthesised((unit, set, _): (&str, &str, &str)) -> String {
    let said = asked(unit, set, &area_of(unit, set).0);
    let luts: Vec<String> = said.iter().map(|said| said.luts.to_string()).collect();
    format!(" {} |", luts.join(" | "))
}

/// Rows that the page has not.
fn missing(page: &str, rows: &[String]) -> Vec<String> {
    let has = |row: &&String| !page.lines().any(|line| line.starts_with(row.as_str()));
    rows.iter().filter(has).cloned().collect()
}

#[test]
fn sampled_sets_cost_what_the_page_says() {
    let rows: Vec<String> = SETS.iter().map(|&set| estimated(set)).collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/attribution.md");
    let mut page = std::fs::read_to_string(path).unwrap();
    if std::env::var_os("COTENANT_RECORD").is_some() {
        let head = "| | flops | RAM bits | LUT4, iCE40 | LUT6, 7 series | LUT4 by Yosys | LUT6 by Yosys |\n\
                    |---|---|---|---|---|---|---|\n";
        let whole = SETS.iter().zip(&rows);
        let whole = whole.map(|(&set, row)| format!("{row}{}\n", synthesised(set)));
        let begin = page.find(BEGIN).expect("a table begins") + BEGIN.len();
        let end = begin + page[begin..].find(END).expect("and ends");
        page.replace_range(begin..end, &(head.to_string() + &whole.collect::<String>()));
        std::fs::write(path, &page).unwrap();
    }
    assert_eq!(missing(&page, &rows), Vec::<String>::new());
    // Another number is not on the page.
    let other = rows[0].replacen(" | ", " | 1", 1);
    assert_eq!(missing(&page, &[other]).len(), 1);
}
