//! What tests of the platform have in common.

mod balance;
mod shapes;
mod timing;
mod workloads;

use super::*;
use crate::mgmt::policy::Kind;
