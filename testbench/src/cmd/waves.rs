//! `cotenant waves`: shows the example waveform of a unit.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use miette::{miette, IntoDiagnostic, Result};
use serde::Serialize;

use crate::scenes::Played;
use crate::whole::{Folder, Kind};

/// The folder of a scene.
const KIND: Kind = Kind {
    name: "scene",
    list: "report.json",
    also: &[],
    grows: &[],
};

/// Explain a unit by a short example: step by step in words, as waves and as a diagram
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  cotenant waves gdcu
  cotenant waves milg --config 3x6x3d --out out/release
  cotenant waves lru_stack --json

Netlist and golden model run the example in lockstep, and every statement of the
text is checked against the netlist. The folder contains UNIT.vcd (dut and golden
side by side, with a marker where they differ), UNIT.json (WaveJSON, for
WaveDrom), UNIT.svg and report.json. An example exists for few parameter sets,
often small ones; for others, the error names them.

Exit code: 0 all agrees, 1 a mismatch or a statement that does not hold, 2 could
not run.")]
pub struct Args {
    /// Name of the unit, see `cotenant list`
    #[arg(value_name = "UNIT")]
    unit: String,
    /// Parameter set of the example, by name or alias [default: the usual one]
    #[arg(long = "config", alias = "set", value_name = "CONFIG")]
    set: Option<String>,
    /// Output folder [default: out/waves/UNIT]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print a JSON document instead of text
    #[arg(long)]
    json: bool,
}

/// What `report.json` holds and `--json` prints.
#[derive(Debug, Serialize)]
struct Document<'a> {
    schema: u32,
    passed: bool,
    files: &'a [String],
    #[serde(flatten)]
    played: &'a Played,
}

/// Runs the subcommand.
///
/// # Errors
/// What keeps it from running; the caller prints it and exits with 2.
pub fn run(args: &Args) -> Result<ExitCode> {
    let any = super::args::unit(&args.unit)?;
    let unit = any.name();
    let default = || Path::new("out/waves").join(unit);
    let out = args.out.clone().unwrap_or_else(default);
    let folder = Folder::new(&out, KIND).into_diagnostic()?;
    let wave = folder.path().join(format!("{unit}.vcd"));
    let set = any.scene_set(args.set.as_deref());
    let mut played = set
        .and_then(|set| any.play(&set, Some(&wave)))
        .map_err(|error| miette!("{error}"))?;

    let mut files = ["vcd", "json", "svg"]
        .map(|kind| format!("{unit}.{kind}"))
        .to_vec();
    files.push(KIND.list.into());
    // What the viewers read is written with the wave.
    files.extend(["gtkw", "sucl"].map(|kind| format!("{unit}.{kind}")));
    // Where the wave will be, not where it is being written.
    if let Some(mismatch) = &mut played.mismatch {
        mismatch.wave = Some(out.join(&files[0]));
    }
    let document = Document {
        schema: 1,
        passed: played.passed(),
        files: &files,
        played: &played,
    };
    let json = serde_json::to_string_pretty(&document).into_diagnostic()? + "\n";
    for (file, text) in [
        (&files[1][..], &played.wave_json()),
        (&files[2], &played.svg()),
        (&files[3], &json),
    ] {
        folder.write(file, text).into_diagnostic()?;
    }
    let out = folder.finish().into_diagnostic()?;
    super::print(&match args.json {
        true => json,
        false => format!(
            "{}\n{}: {}\n",
            played.text(),
            out.display(),
            files.join(", ")
        ),
    })?;
    Ok(verdict(&played))
}

/// Says on stderr what does not agree.
fn verdict(played: &Played) -> ExitCode {
    for wrong in played.wrong() {
        eprintln!("wrong: {wrong}");
    }
    if let Some(mismatch) = &played.mismatch {
        eprintln!(
            "mismatch: {} {}: cycle {}: {}: dut {}, golden {}",
            played.unit, played.set, mismatch.cycle, mismatch.field, mismatch.dut, mismatch.golden
        );
    }
    ExitCode::from(exit_code(played))
}

fn exit_code(played: &Played) -> u8 {
    u8::from(!played.passed())
}

#[cfg(test)]
mod tests {
    //! Rationale: units agree with their models and scenes hold, so that the program itself cannot
    //! show what a mismatch or a wrong statement does to the exit code.
    use super::*;
    use crate::scenes::{self, play_scene, Teach};
    use crate::unit::llc::LruStack;
    use crate::verify::interface::Interface;

    #[test]
    fn exit_codes() {
        let set = scenes::set::<LruStack>(None).unwrap();
        let scene = || LruStack::scene(&LruStack::params(&set).unwrap());
        let mut netlist = LruStack::netlist(&set).unwrap();
        let played = play_scene(&set, &netlist, scene(), None).unwrap();
        assert_eq!(exit_code(&played), 0);
        let victim = netlist.outputs.iter_mut().find(|o| o.name == "victim_way");
        victim.unwrap().node = netlist.graph.constant(0u8, 2);
        let played = play_scene(&set, &netlist, scene(), None).unwrap();
        assert_eq!(played.mismatch.as_ref().unwrap().field, "victim_way");
        assert_eq!(exit_code(&played), 1);
    }
}
