//! The content lines of a calendar, made safe for its reader.
//!
//! The reader calls itself for every component within another, and looks for ends of values and parameters beyond
//! the line that they stand on: what is nested by such lines it alone would know. So every line is looked at first,
//! and one whose parameters do not end on it is refused.

use icalendar::parser::unfold;

use crate::limits::MAX_COMPONENT_DEPTH;

/// The lines as the reader is to get them, folded ones joined, each with the one end that RFC 5545 gives it.
///
/// # Errors
/// A line is no content line, or components do not lie within one another as they should; the number is that of the
/// joined line.
pub(super) fn unfolded(text: &str) -> Result<String, String> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = unfold(&text);
    let mut open: Vec<&str> = Vec::new();
    for (number, line) in (1..).zip(text.split('\n')) {
        if let Some(name) = component(line, "BEGIN:") {
            open.push(name);
        } else if let Some(name) = component(line, "END:") {
            if open.pop() != Some(name) {
                return Err(format!("`END:{name}` of line {number} ends no component: it is no calendar"));
            }
        } else if !is_content(line) {
            return Err(format!("line {number} is no content line of a calendar"));
        }
        if open.len() > MAX_COMPONENT_DEPTH {
            return Err(format!("its components are nested more than {MAX_COMPONENT_DEPTH} deep"));
        }
    }
    match open.last() {
        Some(name) => Err(format!("`BEGIN:{name}` has no end: the file was cut")),
        None => Ok(text.replace('\n', "\r\n")),
    }
}

/// The rest of a line that begins so, in whatever case.
fn component<'l>(line: &'l str, begin: &str) -> Option<&'l str> {
    let (head, name) = line.split_at_checked(begin.len())?;
    head.eq_ignore_ascii_case(begin).then_some(name.trim_end())
}

/// Whether what stands before the value ends on this line: an even number of quotes, none of them escaped.
fn is_content(line: &str) -> bool {
    let (mut is_quoted, mut before) = (false, '\0');
    for c in line.chars() {
        match c {
            ':' if !is_quoted => return true,
            '"' if before == '\\' => return false,
            '"' => is_quoted = !is_quoted,
            _ => {}
        }
        before = c;
    }
    !line.contains([';', '"'])
}

#[cfg(test)]
mod tests {
    use icalendar::parser::{Component, read_calendar_simple};
    use proptest::prelude::*;

    use super::*;

    fn nested(line: &str, times: usize) -> String {
        format!("BEGIN:VCALENDAR\r\n{}", line.repeat(times))
    }

    #[test]
    fn no_line_hides_how_deep_components_lie_within_one_another() {
        for line in [
            "BEGIN:A\r\n",
            "begin:A\r\n",
            "X-A:END:\r\nBEGIN:VEVENT\r\n",
            "BEGIN:A\r\nEND:ABEGIN:A\r\n",
            "BEGIN:A\r\nX;a=\"\r\nEND:A\r\n\":v\r\n",
            "BEGIN:A\r\nX;a=b\r\nEND:A\r\n",
            "BEGIN:A\r\nX;a=\"b\\\":c\r\nEND:A\r\n",
            "BEGIN:A\nEND\n :B\n",
        ] {
            assert!(unfolded(&nested(line, 200_000)).is_err(), "{line:?}");
        }
    }

    #[test]
    fn texts_that_speak_of_beginnings_are_texts() {
        let line =
            "DESCRIPTION:Doors BEGIN: 18:00\r\nX-NOTE:END:never\r\nSUMMARY;LANGUAGE=\"a:b\":BEGIN:x\r\n";
        let text = format!("BEGIN:VCALENDAR\r\n{}END:VCALENDAR\r\n", line.repeat(20));
        assert_eq!(unfolded(&text).as_deref(), Ok(&text[..]));
    }

    fn depth(component: &Component<'_>) -> usize {
        1 + component.components.iter().map(depth).max().unwrap_or(0)
    }

    proptest! {
        #[test]
        fn what_is_passed_on_is_as_deep_as_it_was_found_to_be(
            parts in proptest::collection::vec(
                prop::sample::select(&[
                    "BEGIN:A", "END:A", "BEGIN:", "END:", "begin:a", "END:a", "\n", "\r\n", "\n", "\n ", "\r", "X", ";a=", "\"", ":", "\\",
                    "BEGIN", "END", "BEGIN:A\nBEGIN:A\n", "END:A\nEND:A\n", ",", "é",
                ][..]),
                0..60,
            ),
        ) {
            if let Ok(text) = unfolded(&parts.concat())
                && let Ok(roots) = read_calendar_simple(&text)
            {
                prop_assert!(roots.iter().map(depth).max().unwrap_or(0) <= MAX_COMPONENT_DEPTH);
            }
        }
    }
}
