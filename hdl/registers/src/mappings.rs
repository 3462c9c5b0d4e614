//! The address mappings that come with the units and models, as TOML.
//!
//! `cotenant_golden::addr::mapping` says what a mapping is and checks it.

/// Name and text of each mapping.
pub const TEXTS: [(&str, &str); 2] = [
    ("gtx1080", include_str!("../mappings/gtx1080.toml")),
    ("v100", include_str!("../mappings/v100.toml")),
];
