//! Parameters of a unit that its registers follow from: field, name and legal values, said once.

use std::ops::RangeInclusive;

use crate::ParameterError;

/// A struct of parameters: `field: "NAME" in range`.
macro_rules! parameters {
    (
        $(#[$about:meta])*
        $Params:ident of $unit:literal {
            $($(#[$doc:meta])* $field:ident: $name:literal in $range:expr,)*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub struct $Params {
            $($(#[$doc])* pub $field: usize,)*
        }

        impl $Params {
            /// Those of a set whose values are found by their names: `KERNELS`.
            pub fn from_names(value: impl Fn(&str) -> usize) -> Self {
                Self { $($field: value($name)),* }
            }

            fn named(&self) -> Vec<(&'static str, usize)> {
                vec![$(($name, self.$field)),*]
            }

            fn in_range(&self) -> Result<(), ParameterError> {
                $(within($unit, $name, self.$field, $range)?;)*
                Ok(())
            }
        }
    };
}
pub(crate) use parameters;

/// Refuses a parameter out of range.
pub(crate) fn within(
    unit: &'static str,
    parameter: &'static str,
    value: usize,
    expected: RangeInclusive<usize>,
) -> Result<(), ParameterError> {
    if expected.contains(&value) {
        return Ok(());
    }
    Err(ParameterError {
        unit,
        parameter,
        value,
        expected,
    })
}
