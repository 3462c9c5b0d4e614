//! Value change dumps from any hierarchy of signals.
