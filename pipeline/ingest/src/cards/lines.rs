//! The content lines of a calendar, made safe for its reader.
//!
//! The reader calls itself for every component within another, and looks for ends of values and parameters beyond
//! the line that they stand on: what is nested by such lines it alone would know. So every line is looked at first,
//! and one whose parameters do not end on it is refused.

use crate::limits::MAX_COMPONENT_DEPTH;

/// A calendar as its reader is to get it, and where in the file its entries stand.
#[derive(Debug)]
pub(super) struct UnfoldedCalendar {
    /// Folded lines joined, each with the one end that RFC 5545 gives it, and names in the capitals that the reader
    /// compares: to the standard they are the same in any case.
    pub(super) text: String,
    /// Of each component within the outermost, in their order.
    pub(super) places: Vec<EntryPlace>,
}

/// Where an entry stands: lines of the file, 1 first.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct EntryPlace {
    pub(super) begin: i32,
    /// The line on which each line of its description begins.
    description: Vec<i32>,
}

impl EntryPlace {
    /// The line of the file on which this line of the description begins, 0 first.
    pub(super) fn line(&self, of_description: usize) -> i32 {
        self.description.get(of_description).copied().unwrap_or(self.begin)
    }
}

/// Makes a calendar safe for its reader.
///
/// # Errors
/// A line is no content line, or components do not lie within one another as they should; the number is that of the
/// line of the file.
pub(super) fn unfolded(text: &str) -> Result<UnfoldedCalendar, String> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut calendar = UnfoldedCalendar { text: String::with_capacity(text.len()), places: Vec::new() };
    let mut open: Vec<String> = Vec::new();
    let mut folded = (1..).zip(text.split('\n')).peekable();
    while let Some((number, begin)) = folded.next() {
        let mut parts = vec![(number, begin)];
        while let Some((next, part)) = folded.next_if(|(_, part)| part.starts_with([' ', '\t'])) {
            parts.push((next, &part[1..]));
        }
        let line: String = parts.iter().map(|(_, part)| *part).collect();
        let name = if let Some(name) = component(&line, "BEGIN:") {
            if open.len() == 1 {
                calendar.places.push(EntryPlace { begin: number, ..EntryPlace::default() });
            }
            open.push(name.to_ascii_uppercase());
            line.len()
        } else if let Some(name) = component(&line, "END:") {
            if !open.pop().is_some_and(|open| open.eq_ignore_ascii_case(name)) {
                return Err(format!("`END:{name}` of line {number} ends no component: it is no calendar"));
            }
            line.len()
        } else if is_content(&line) {
            line.find([':', ';']).unwrap_or(line.len())
        } else {
            return Err(format!("line {number} is no content line of a calendar"));
        };
        if open.len() > MAX_COMPONENT_DEPTH {
            return Err(format!("its components are nested more than {MAX_COMPONENT_DEPTH} deep"));
        }
        let (name, rest) = line.split_at(name);
        if let (2, true, Some(place)) =
            (open.len(), name.eq_ignore_ascii_case("DESCRIPTION"), calendar.places.last_mut())
        {
            place.description = text_lines(&parts);
        }
        if number > 1 {
            calendar.text.push_str("\r\n");
        }
        calendar.text.push_str(&name.to_ascii_uppercase());
        calendar.text.push_str(rest);
    }
    match open.last() {
        Some(name) => Err(format!("`BEGIN:{name}` has no end: the file was cut")),
        None => Ok(calendar),
    }
}

/// The lines of the file on which the lines of a text begin, whose ends are written `\n`.
fn text_lines(parts: &[(i32, &str)]) -> Vec<i32> {
    let (mut lines, mut is_escaped, mut is_new) = (Vec::new(), false, true);
    for (number, part) in parts {
        for c in part.chars() {
            if std::mem::take(&mut is_new) {
                lines.push(*number);
            }
            is_new = is_escaped && matches!(c, 'n' | 'N');
            is_escaped = c == '\\' && !is_escaped;
        }
    }
    lines
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
        assert_eq!(unfolded(&text).unwrap().text, text);
    }

    #[test]
    fn names_are_the_same_in_any_case_and_values_are_not_touched() {
        let text = "begin:vcalendar\nBegin:VEvent\nsummary;Language=de:begin:x\nEnd:vevent\nend:vcalendar\n";
        let read = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY;Language=de:begin:x\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
        assert_eq!(unfolded(text).unwrap().text, read);
    }

    #[test]
    fn the_lines_of_a_description_are_known_in_the_file() {
        let text = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDESCRIPTION:a\\nb\\\n nc \\\\n\\n\n\td\nEND:VEVENT\nEND:VCALENDAR\n";
        let places = unfolded(text).unwrap().places;
        assert_eq!(places.len(), 1);
        assert_eq!(places[0].begin, 2);
        let lines: Vec<i32> = (0..5).map(|of| places[0].line(of)).collect();
        assert_eq!(lines, [3, 3, 4, 5, 2], "the fourth line is the last");
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
            if let Ok(calendar) = unfolded(&parts.concat())
                && let Ok(roots) = read_calendar_simple(&calendar.text)
            {
                prop_assert!(roots.iter().map(depth).max().unwrap_or(0) <= MAX_COMPONENT_DEPTH);
            }
        }
    }
}
