//! Picture: figures 12 to 14 by type and scheme.

use cotenant_golden::schemes::run::Variant;
use plotters::prelude::*;

use super::evaluate::Group;
use super::Report;
use crate::experiments::picture::COLOURS;
use crate::experiments::plot::{plain, svg};
use crate::experiments::Error;

/// What a panel shows of a group.
struct Panel {
    name: &'static str,
    value: fn(&Group) -> Option<f64>,
    interval: fn(&Group) -> Option<[f64; 2]>,
    /// A kernel that starves makes it infinite; values are of all sizes.
    logarithmic: bool,
}

const PANELS: [Panel; 3] = [
    Panel {
        name: "weighted speedup",
        value: |it| Some(it.weighted_speedup?.mean),
        interval: |it| Some(it.weighted_speedup?.interval),
        logarithmic: false,
    },
    Panel {
        name: "ANTT",
        value: |it| it.antt,
        interval: |_| None,
        logarithmic: true,
    },
    Panel {
        name: "fairness",
        value: |it| it.fairness,
        interval: |_| None,
        logarithmic: false,
    },
];

/// Weighted speedup, ANTT and fairness of table 1's machine, a bar for each scheme; the interval of
/// 95 % where there is one, and "∞" above a scheme with which some kernel of the type starves.
pub fn groups(report: &Report) -> Result<String, Error> {
    let of = |group: &&Group| group.machine == Variant::PAPER;
    let groups: Vec<&Group> = report.groups.iter().filter(of).collect();
    let distinct = |name: fn(&Group) -> &String| {
        let mut names: Vec<&String> = vec![];
        for group in &groups {
            if !names.contains(&name(group)) {
                names.push(name(group));
            }
        }
        names
    };
    let (classes, schemes) = (distinct(|it| &it.class), distinct(|it| &it.scheme));
    let colour =
        |at: usize| COLOURS[at % COLOURS.len()].mix(if at < COLOURS.len() { 1.0 } else { 0.5 });
    svg((900, 780), |root| {
        let (above, below) = root.split_vertically(60);
        for (at, scheme) in schemes.iter().enumerate() {
            let place = (20 + 125 * (at % 7) as i32, 8 + 24 * (at / 7) as i32);
            let corner = (place.0 + 10, place.1 + 10);
            above.draw(&Rectangle::new([place, corner], colour(at).filled()))?;
            let text = (place.0 + 14, place.1 - 2);
            above.draw(&Text::new(scheme.to_string(), text, ("sans-serif", 12)))?;
        }
        let wide = schemes.len() as f64 + 1.0;
        for (area, panel) in below.split_evenly((3, 1)).iter().zip(&PANELS) {
            let scaled = |value: f64| match panel.logarithmic {
                true => value.log10(),
                false => value,
            };
            let ends = groups
                .iter()
                .filter_map(|it| Some((panel.interval)(it).map_or((panel.value)(it)?, |it| it[1])));
            let least = if panel.logarithmic { 2.0 } else { 1.0 };
            let most = 1.1 * ends.map(scaled).fold(scaled(least), f64::max);
            // A kernel may run faster than alone.
            let floor = match panel.logarithmic {
                true => {
                    let values = groups.iter().filter_map(|it| (panel.value)(it));
                    scaled(values.fold(1.0, f64::min) / 1.1)
                }
                false => 0.0,
            };
            let mut chart = ChartBuilder::on(area)
                .margin(8)
                .y_label_area_size(50)
                .x_label_area_size(8)
                .build_cartesian_2d(0.0..wide * classes.len().max(1) as f64, floor..1.05 * most)?;
            plain(&mut chart.configure_mesh())
                .disable_x_mesh()
                .x_labels(0)
                .y_labels(6)
                .y_desc(panel.name)
                .y_label_formatter(&|&y| match panel.logarithmic {
                    true => format!("{:.1}", 10f64.powf(y)),
                    false => format!("{y:.1}"),
                })
                .draw()?;
            for (at, class) in classes.iter().enumerate() {
                for (nth, scheme) in schemes.iter().enumerate() {
                    let Some(found) = groups
                        .iter()
                        .find(|it| it.class == **class && it.scheme == **scheme)
                    else {
                        continue;
                    };
                    let from = at as f64 * wide + nth as f64 + 0.5;
                    let value = (panel.value)(found).map(scaled);
                    if let Some(value) = value {
                        let bar = [(from, floor), (from + 0.9, value)];
                        chart.draw_series([Rectangle::new(bar, colour(nth).filled())])?;
                    }
                    if let Some(ends) = (panel.interval)(found) {
                        let line = ends.map(|end| (from + 0.45, scaled(end)));
                        chart.draw_series([PathElement::new(line.to_vec(), BLACK)])?;
                    }
                    if panel.logarithmic && found.starved > 0 {
                        let place = (from, value.unwrap_or(floor) + 0.08 * most);
                        chart.draw_series([Text::new("∞", place, ("sans-serif", 11))])?;
                    }
                }
                let place = ((at as f64 + 0.4) * wide, 1.04 * most);
                chart.draw_series([Text::new(class.to_string(), place, ("sans-serif", 13))])?;
            }
        }
        Ok(())
    })
}
