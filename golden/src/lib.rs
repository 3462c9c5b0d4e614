//! Behavioural models, trace readers and metrics; knows no hardware description.
