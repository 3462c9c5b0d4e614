//! What persistent blocks cost each launch of a kernel (section V-B, observation 3).

use cotenant_golden::addr::isolation::share::application::App;
use cotenant_golden::addr::isolation::share::launch::{launch_costs, LaunchCost, Work};
use cotenant_golden::addr::isolation::share::partition::Technique;
use cotenant_golden::addr::isolation::share::Configuration;

use crate::experiments::statement::{near, Statement};
use crate::experiments::table::{number, table};
use crate::experiments::{Error, Setting};

/// The GPU of which the paper says what they cost, and the other one.
const GPUS: [&str; 2] = ["v100", "gtx1080"];
/// ASSUMPTION: an overhead is "relatively small" up to so many per cent.
const SMALL: f64 = 5.0;

/// Runs all of it: seconds.
pub fn measure(setting: &Setting<'_>) -> Result<Vec<LaunchCost>, Error> {
    let works = Work::all();
    let mut all = vec![];
    for gpu in GPUS {
        // On all SMs, however they are divided.
        let whole = Configuration::named(gpu, Technique::Cp, 2)?;
        all.extend(launch_costs(&whole, &works, setting.seed)?);
    }
    Ok(all)
}

/// An application's added time in per cent.
fn percent(costs: &[&LaunchCost], app: App) -> f64 {
    let found = costs.iter().find(|it| it.work == Work::Application(app));
    found.and_then(|it| it.percent).unwrap_or(f64::NAN)
}

/// Section V-B on the V100.
pub fn said(costs: &[LaunchCost]) -> Vec<Statement> {
    let costs: Vec<&LaunchCost> = costs.iter().filter(|it| it.gpu == GPUS[0]).collect();
    let is_application = |it: &&&LaunchCost| matches!(it.work, Work::Application(_));
    let added = costs
        .iter()
        .filter(is_application)
        .map(|it| it.ns_per_launch);
    let (lowest, highest) = (
        added.clone().fold(f64::INFINITY, f64::min),
        added.fold(f64::NEG_INFINITY, f64::max),
    );
    let (small, large): (Vec<App>, Vec<App>) = App::TABLE_1
        .into_iter()
        .partition(|app| [App::Sn, App::Cfd].contains(app));
    let of = |apps: &[App]| -> Vec<(App, f64)> {
        apps.iter()
            .map(|app| (*app, percent(&costs, *app)))
            .collect()
    };
    let (small, large) = (of(&small), of(&large));
    let lowest_of = |all: &[(App, f64)]| all.iter().map(|it| it.1).fold(f64::INFINITY, f64::min);
    let highest_of =
        |all: &[(App, f64)]| all.iter().map(|it| it.1).fold(f64::NEG_INFINITY, f64::max);
    let words = |all: &[(App, f64)]| {
        let each = all
            .iter()
            .map(|(app, percent)| format!("{} {percent:.1} %", app.name()));
        each.collect::<Vec<_>>().join(", ")
    };
    vec![
        Statement::new(
            "V100: a compute partition has a fixed overhead per kernel",
            format!("{lowest:.0} to {highest:.0} ns per launch"),
            near(lowest, highest),
        )
        .because(
            "a launch by itself costs the same, but each further block of a slot adds a trip to the \
             queue, which others hide in part, and the queue gives a slot other blocks than the hardware's \
             scheduler does",
        ),
        Statement::new(
            "V100: it is large for the small kernels of SN and CFD",
            words(&small),
            lowest_of(&small) > highest_of(&large),
        )
        .because("not known"),
        Statement::new(
            "V100: it is small for the other applications",
            words(&large),
            highest_of(&large) <= SMALL,
        )
        .because("FWT's arrays have a quarter of the sample's size, so that its kernels are short"),
    ]
}

/// The table.
pub fn text(costs: &[LaunchCost]) -> String {
    table(
        "Persistent blocks: what they add to the time on the whole GPU, beside nobody",
        &[
            "GPU",
            "kernels of",
            "launches",
            "blocks",
            "cycles, blocks from the hardware",
            "cycles, persistent blocks",
            "added per launch (ns)",
            "added (%)",
        ],
        costs.iter().map(|row| {
            let work = match row.work {
                Work::Application(app) => app.name().to_owned(),
                Work::Empty(1) => "an empty block per slot".into(),
                Work::Empty(blocks) => format!("{blocks} empty blocks per slot"),
            };
            vec![
                row.gpu.clone(),
                work,
                row.launches.to_string(),
                row.blocks.to_string(),
                row.scheduled.to_string(),
                row.persistent.to_string(),
                format!("{:.0}", row.ns_per_launch),
                number(row.percent, 1),
            ]
        }),
    )
}
