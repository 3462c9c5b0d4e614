//! Scenes of the SM side; the same stems as the units.

mod mem_issue;
mod milg;
mod qbmi;
mod quota_unit;
mod rbmi;
mod smil;
