//! The page of the registers.

use std::path::Path;

use cotenant_registers::{markdown, RULES};
use cotenant_units::table;

use super::{between, Error};

/// The page, below the root of the repository.
pub(super) const PAGE: &str = "docs/registers.md";

/// Units and parameter sets whose registers it shows.
const SHOWN: [(&str, &str); 3] = [
    ("llc_monitor_apb", "table-1"),
    ("mem_issue_apb", "2-smil-rbmi"),
    ("managed_llc_apb", "table-1"),
];

/// `text` of the page with its rules and tables as they are now.
pub(super) fn page(text: &str) -> Result<String, Error> {
    let path = Path::new(PAGE);
    let mut text = between(path, text, "rules", RULES)?;
    for (unit, set) in SHOWN {
        let set = table::set(unit, set).map_err(crate::Error::from)?;
        let map = crate::export::registers::map(unit, &set)?;
        text = between(path, &text, map.unit, &markdown(&map))?;
    }
    Ok(text)
}
