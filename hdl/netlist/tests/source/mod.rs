//! The source check and the extraction of documentation.

mod docs;
mod hazards;
mod places;
mod robust;
mod rules;
