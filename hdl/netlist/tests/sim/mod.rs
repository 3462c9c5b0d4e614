//! The simulators.
//!
//! Both engines share the lowering of wide nets to words, the recognition of
//! vectors, tables and population counts, and the order of stores. All of it
//! is judged by a third evaluator (`naive`) that knows none of this: it walks
//! the graph with numbers of any size. Random designs (`design`) cover every
//! operation over widths 1 to 200, flops, RAMs, and, on purpose, the shapes
//! that the recognisers look for.

mod design;
mod engines;
mod instances;
mod limits;
mod naive;
mod names;
mod order;
