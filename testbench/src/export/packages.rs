//! The export as a package of FuseSoC and of Bender.

use super::design::LICENSE;
use super::manifest::Manifest;
use super::text::ENTIRE_ARRAY;

/// Core file of FuseSoC, CAPI 2, that lints the design and plays its vectors.
///
/// Simulation goes by FuseSoC's tool interface: its flows run no script afterwards (edalize 0.6),
/// and without the one here a `FAIL` of the testbench would be a success of FuseSoC.
pub(super) fn core(manifest: &Manifest) -> String {
    let Manifest {
        unit,
        set,
        top,
        sources,
        ..
    } = manifest;
    let version = env!("CARGO_PKG_VERSION");
    let mut out = format!(
        "CAPI=2:\n# SPDX-License-Identifier: {LICENSE}\n\
         name: \"{}:{version}\"\n\
         description: \"{unit} {set}, exported by cotenant\"\n\
         filesets:\n  rtl:\n    files:\n",
        vlnv(top)
    );
    out.push_str(&list(6, sources));
    out.push_str("    file_type: verilogSource-2005\n");
    if manifest.vectors.is_some() {
        out.push_str(&BENCH.replace("@TOP@", top));
    }
    if let Some(vectors) = &manifest.vectors {
        let script = VERDICT.replace("@CYCLES@", &vectors.cycles.to_string());
        out.push_str(&script);
    }
    out.push_str(&TARGETS.replace("@TOP@", top));
    out.push_str(&LINT.replace("@TARGET@", "lint").replace("@TOP@", top));
    if manifest.vectors.is_some() {
        let simulation = SIMULATION.replace("@TOP@", top);
        out.push_str(&match manifest.loops {
            true => simulation.replace("-Wall", &format!("-Wall, {ENTIRE_ARRAY}")),
            false => simulation,
        });
    }
    out
}

/// The core's name without its version.
fn vlnv(top: &str) -> String {
    format!("cotenant:rtl:{top}")
}

const BENCH: &str = "  testbench:
    files:
      - @TOP@_tb.v: {file_type: verilogSource-2005}
      - @TOP@.vec: {file_type: user, copyto: @TOP@.vec}
";

const VERDICT: &str = "scripts:
  verdict:
    cmd: [grep, -q, \"PASS @CYCLES@ cycles\", icarus.log]
";

const TARGETS: &str = "targets:
  default:
    filesets: [rtl]
    toplevel: @TOP@
";

const LINT: &str = "  @TARGET@:
    filesets: [rtl]
    toplevel: @TOP@
    flow: lint
    flow_options:
      tool: verilator
      verilator_options: [-Wall]
";

const SIMULATION: &str = "  sim:
    filesets: [rtl, testbench]
    toplevel: @TOP@_tb
    default_tool: icarus
    tools:
      icarus:
        iverilog_options: [-g2005, -Wall]
    hooks:
      post_run: [verdict]
";

/// Core file of FuseSoC for several designs: a target to lint each.
pub(super) fn core_of_several(name: &str, tops: &[String], sources: &[String]) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut out = format!(
        "CAPI=2:\n# SPDX-License-Identifier: {LICENSE}\n\
         name: \"{}:{version}\"\n\
         description: \"{} units, exported by cotenant\"\n\
         filesets:\n  rtl:\n    files:\n",
        vlnv(name),
        tops.len()
    );
    out.push_str(&list(6, sources));
    out.push_str("    file_type: verilogSource-2005\ntargets:\n  default:\n    filesets: [rtl]\n");
    for top in tops {
        out.push_str(
            &LINT
                .replace("@TARGET@", &format!("lint_{top}"))
                .replace("@TOP@", top),
        );
    }
    out
}

/// Manifest of Bender for several designs.
pub(super) fn bender_of_several(name: &str, sources: &[String]) -> String {
    format!(
        "# SPDX-License-Identifier: {LICENSE}\n\
         package:\n  name: {name}\n\
         sources:\n  - files:\n{}",
        list(6, sources)
    )
}

/// Manifest of Bender: the design, and for target `simulation` the testbench.
pub(super) fn bender(manifest: &Manifest) -> String {
    let Manifest { top, sources, .. } = manifest;
    let mut out = format!(
        "# SPDX-License-Identifier: {LICENSE}\n\
         package:\n  name: {top}\n\
         sources:\n  - files:\n{}",
        list(6, sources)
    );
    if manifest.vectors.is_some() {
        out.push_str("  - target: simulation\n    files:\n");
        out.push_str(&list(6, &[format!("{top}_tb.v")]));
    }
    out
}

/// A list of YAML. Names of files are names of modules: nothing in them needs quotes.
fn list(indent: usize, items: &[String]) -> String {
    items
        .iter()
        .map(|item| format!("{:indent$}- {item}\n", ""))
        .collect()
}
