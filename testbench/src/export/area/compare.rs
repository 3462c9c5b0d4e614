//! Compares the estimate with Yosys.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use cotenant_netlist::area::{Architecture, Area};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{bound, Error};
use crate::export;
use crate::export::{Exported, Options};
use crate::verify::lockstep::Flow;

/// Estimate and Yosys on one family.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The family.
    pub architecture: Architecture,
    /// Look-up tables estimated.
    pub estimate: usize,
    /// Look-up tables of Yosys, inverters (`INV`) included.
    pub luts: usize,
    /// Deviation of the estimate in percent of Yosys; null if Yosys has none.
    pub deviation: Option<f64>,
    /// Within 20 % or 10 look-up tables.
    pub within: bool,
    /// Flop bits of Yosys.
    pub flops: usize,
    /// Flop bits of Yosys are those counted here.
    pub flops_equal: bool,
    /// Block RAM cells of Yosys, by type.
    pub rams: BTreeMap<String, usize>,
    /// Look-up tables that Yosys uses as RAM, by type; not among `luts`.
    pub lut_rams: BTreeMap<String, usize>,
}

/// Runs `synth_ice40` and `synth_xilinx` on the exported unit, flattened.
///
/// # Errors
/// [`Error::Yosys`] if it cannot be exported or Yosys does not run, [`Error::Statistics`].
pub fn compare(unit: &str, set: &str, area: &Area) -> Result<Vec<Comparison>, Error> {
    let io = |source| export::Error::Io {
        action: "create a folder in",
        path: std::env::temp_dir(),
        source,
    };
    let folder = tempfile::tempdir().map_err(io)?;
    let place = folder.path().join("export");
    let options = Options::default().unrolled();
    let exported = export::export_named(unit, set, &place, &options, &mut |_| Flow::Continue)?;
    let mappings = area.mappings.iter();
    mappings
        .map(|mapping| {
            let cells = cells(&exported, mapping.architecture)?;
            Ok(Comparison::of(
                mapping.architecture,
                mapping.luts,
                area.flop_bits,
                &cells,
            ))
        })
        .collect()
}

impl Comparison {
    /// The same look-up tables and flops of Yosys beside another estimate.
    #[must_use]
    pub fn beside(self, estimate: usize, flop_bits: usize) -> Self {
        let off = estimate as f64 - self.luts as f64;
        Comparison {
            estimate,
            deviation: (self.luts > 0).then(|| 100.0 * off / self.luts as f64),
            within: bound::within(estimate, self.luts),
            flops_equal: self.flops == flop_bits,
            ..self
        }
    }

    fn of(
        architecture: Architecture,
        estimate: usize,
        flop_bits: usize,
        cells: &BTreeMap<String, usize>,
    ) -> Self {
        let total = |of: &dyn Fn(&str) -> bool| -> usize {
            let cells = cells.iter().filter(|(name, _)| of(name));
            cells.map(|(_, count)| count).sum()
        };
        let kind = |of: &dyn Fn(&str) -> bool| {
            let cells = cells.iter().filter(|(name, _)| of(name));
            cells.map(|(name, count)| (name.clone(), *count)).collect()
        };
        let luts = total(&|name| name == "SB_LUT4" || name.starts_with("LUT") || name == "INV");
        let flops = total(&|name| name.starts_with("SB_DFF") || name.starts_with("FD"));
        let measured = Comparison {
            architecture,
            estimate: 0,
            luts,
            deviation: None,
            within: false,
            flops,
            flops_equal: false,
            rams: kind(&|name| name.starts_with("SB_RAM") || name.starts_with("RAMB")),
            lut_rams: kind(&|name| name.starts_with("RAM") && !name.starts_with("RAMB")),
        };
        measured.beside(estimate, flop_bits)
    }
}

/// Cells of a synthesised unit, by type.
fn cells(
    exported: &Exported,
    architecture: Architecture,
) -> Result<BTreeMap<String, usize>, Error> {
    let top = &exported.design.top;
    let synth = match architecture {
        Architecture::Ice40 => "synth_ice40",
        // Pads are no area of the unit.
        _ => "synth_xilinx -family xc7 -noiopad",
    };
    let statistics = format!("stat_{}.json", architecture.name());
    let script = format!(
        "read_verilog {}; {synth} -top {top} -flatten; tee -q -o {statistics} stat -json",
        exported.manifest.sources.join(" ")
    );
    let run = Command::new("yosys")
        .current_dir(&exported.folder)
        .args(["-q", "-p", &script])
        .output();
    let output = run.map_err(|source| export::Error::Tool {
        tool: "yosys",
        source,
    })?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(export::Error::Failed {
            tool: "yosys",
            message,
        }
        .into());
    }
    read(&exported.folder.join(statistics))
}

fn read(path: &Path) -> Result<BTreeMap<String, usize>, Error> {
    let text = std::fs::read_to_string(path).map_err(|source| export::Error::Io {
        action: "read",
        path: path.into(),
        source,
    })?;
    parse(&text)
}

/// Version 0.23 prints lines of its log around the document.
fn parse(text: &str) -> Result<BTreeMap<String, usize>, Error> {
    let wrong = |what: &str| Error::Statistics(what.into());
    let document = match (text.find('{'), text.rfind('}')) {
        (Some(from), Some(to)) if from < to => &text[from..=to],
        _ => return Err(wrong("no JSON")),
    };
    let document: Value =
        serde_json::from_str(document).map_err(|error| Error::Statistics(error.to_string()))?;
    let cells = document["design"]["num_cells_by_type"]
        .as_object()
        .ok_or_else(|| wrong("no design.num_cells_by_type"))?;
    let count = |(name, count): (&String, &Value)| {
        let count = count
            .as_u64()
            .ok_or_else(|| wrong("a count that is no number"))?;
        Ok((name.clone(), count as usize))
    };
    cells.iter().map(count).collect()
}

#[cfg(test)]
mod tests {
    //! Rationale: cells are told apart by name; each kind, and text around or instead of JSON.
    use super::*;

    #[test]
    fn cells_by_kind() {
        let text =
            "\n2. Printing\n{\"design\": {\"num_cells_by_type\": {\"LUT2\": 3, \"LUT6\": 4, \
                    \"INV\": 1, \"FDRE\": 5, \"MUXF7\": 2, \"RAMB18E1\": 1, \"RAM32M\": 2, \
                    \"CARRY4\": 1, \"BUFG\": 1}}}\n\n";
        let cells = parse(text).unwrap();
        let found = Comparison::of(Architecture::Xc7, 10, 5, &cells);
        assert_eq!((found.luts, found.flops, found.flops_equal), (8, 5, true));
        assert_eq!((found.deviation, found.within), (Some(25.0), true));
        assert_eq!(found.rams.len() + found.lut_rams.len(), 2);
        let ice = BTreeMap::from([("SB_LUT4".into(), 100), ("SB_DFFESR".into(), 1)]);
        let found = Comparison::of(Architecture::Ice40, 130, 2, &ice);
        assert_eq!((found.within, found.flops_equal), (false, false));
    }

    #[test]
    fn no_statistics() {
        for text in [
            "",
            "}{",
            "{",
            "{}",
            "{\"design\":{\"num_cells_by_type\":{\"a\":\"b\"}}}",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
