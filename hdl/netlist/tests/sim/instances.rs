//! One compiled design, many instances: code is shared, state is not.

use crate::engines::engines;
