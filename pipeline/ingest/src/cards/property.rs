//! Properties of a calendar.

use icalendar::parser::Component;

/// A property's value, escapes undone; `None` where it is not there or empty.
pub(super) fn value(entry: &Component<'_>, name: &str) -> Option<String> {
    let text = entry.find_prop(name)?.val.as_str().trim().to_owned();
    (!text.is_empty()).then_some(text)
}
