//! The units as rust-hdl blocks.
