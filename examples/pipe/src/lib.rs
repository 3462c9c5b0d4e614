//! Nothing of its own: the test is in `tests`.
