//! What the paper reports (Fractional GPUs, tables III and IV, section V-B).

use serde::Serialize;

use super::application::App;
use super::partition::Technique;

/// Variations in per cent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Reported {
    /// On average over the applications.
    pub average: f64,
    /// The highest.
    pub max: f64,
}

/// Tables III and IV: GPU, parts, technique, average and highest variation.
const TABLES: [(&str, u64, Technique, f64, f64); 8] = [
    ("gtx1080", 2, Technique::Cp, 130.4, 226.7),
    ("gtx1080", 2, Technique::Cmp, 7.5, 24.6),
    ("v100", 2, Technique::Mps, 135.8, 273.3),
    ("v100", 2, Technique::Cp, 48.1, 127.7),
    ("v100", 2, Technique::Cmp, 8.7, 18.3),
    ("v100", 4, Technique::Mps, 260.6, 510.0),
    ("v100", 4, Technique::Cp, 79.0, 106.8),
    ("v100", 4, Technique::Cmp, 7.3, 12.3),
];

/// What it reports of a configuration and these applications, if it does.
pub fn reported(gpu: &str, parts: u64, technique: Technique, apps: &[App]) -> Option<Reported> {
    if (gpu, parts) == ("gtx1080", 2) && apps == [App::Ic] {
        let variation = match technique {
            Technique::Cp => 104.6,
            Technique::Cmp => 19.5,
            _ => return None,
        };
        return Some(Reported {
            average: variation,
            max: variation,
        });
    }
    let found = TABLES
        .iter()
        .find(|it| (it.0, it.1, it.2) == (gpu, parts, technique));
    let of = |it: &(_, _, _, f64, f64)| Reported {
        average: it.3,
        max: it.4,
    };
    found.filter(|_| apps == App::TABLE_1).map(of)
}
