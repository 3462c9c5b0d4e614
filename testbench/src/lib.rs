//! Lockstep of netlists and golden models, trace replay and the cotenant command.
