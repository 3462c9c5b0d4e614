//! `lru_stack`: the golden model's rules.

use crate::unit::llc::LruStack;
use crate::verify::fault::Facts;

impl Facts for LruStack {}
