//! Names that are near to one that does not exist.

use std::cmp::Reverse;

/// The three nearest, as errors write them.
pub(crate) fn nearest_names(missing: &str, names: &mut [&str]) -> String {
    // To the thousandth: floats have no order.
    let likeness =
        |name: &str| (strsim::jaro_winkler(missing, name) * 1000.0).round().to_string().parse::<u32>();
    names.sort_by_key(|name| (Reverse(likeness(name).unwrap_or_default()), *name));
    names.iter().take(3).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
