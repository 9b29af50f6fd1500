//! A line of a description as a bout.

use fdna_model::FindingKind;

use super::description::CalendarLine;
use crate::row::RowError;
use crate::schedule::{BoutCorner, ScheduledBout, stands_for_nobody};

/// What stands before a bout for a title.
const TITLE_MARKS: [&str; 2] = ["🏆", "[TITLE]"];

/// What stands between two fighters, what is surest first.
const BETWEEN: [&[&str]; 2] = [&["vs.", "vs", "versus"], &["v.", "v"]];

/// The words of a name, at most.
const MAX_WORDS: usize = 6;

/// The text of a line that lists a bout: what a bullet stands before, and any other that is two names alone.
pub(super) fn line(line: &str) -> Option<&str> {
    let text = match line.strip_prefix('•') {
        Some(text) => text,
        None => Some(line).filter(|line| ListedPair::read(line).is_some_and(|pair| pair.is_of_two()))?,
    };
    Some(text.trim_end())
}

/// Whether something is said of two that meet.
pub(super) fn names_two(line: &str) -> bool {
    sides(line).is_some()
}

/// A line taken apart.
struct ListedPair<'l> {
    is_title: bool,
    sides: [&'l str; 2],
    limit: Option<&'l str>,
}

impl<'l> ListedPair<'l> {
    /// ` A (#6) vs. B (C) @125`, behind a bullet, a number or the mark of a title.
    fn read(line: &'l str) -> Option<Self> {
        let (names, limit) = match line.rsplit_once(" @") {
            Some((names, limit)) => (names, Some(limit.trim())),
            None => (line, None),
        };
        let (is_title, names) = without_marks(names);
        let sides = sides(names)?.map(str::trim);
        Some(Self { is_title, sides, limit })
    }

    /// Whether somebody is named on both sides.
    fn is_of_two(&self) -> bool {
        self.is_of_names() && self.sides.iter().all(|side| !side.is_empty())
    }

    /// Whether the sides are names as people have them, or nothing, and no sentence.
    fn is_of_names(&self) -> bool {
        self.sides.iter().all(|side| {
            let (name, _) = marked(side);
            let is_of_name = |c: char| c.is_alphabetic() || c.is_whitespace() || "'’‘`´.,-\"“”()".contains(c);
            name.chars().all(is_of_name)
                && !name.contains(" - ")
                && name.split_whitespace().count() <= MAX_WORDS
        })
    }
}

/// The line without what stands before its first name, and whether a mark of a title did.
fn without_marks(line: &str) -> (bool, &str) {
    let (mut is_title, mut rest) = (false, line.trim());
    loop {
        let number = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let next = if let Some(behind) = TITLE_MARKS.iter().find_map(|mark| rest.strip_prefix(mark)) {
            is_title = true;
            behind
        } else if number.len() < rest.len() && number.starts_with(['.', ')']) {
            &number[1..]
        } else {
            rest.trim_start_matches(|c: char| {
                !c.is_alphanumeric() && !TITLE_MARKS.iter().any(|mark| mark.starts_with(c))
            })
        };
        if next.len() == rest.len() {
            return (is_title, rest);
        }
        rest = next.trim_start();
    }
}

/// What stands on both sides of the one word that stands between fighters.
fn sides(text: &str) -> Option<[&str; 2]> {
    let of = |between: &[&str]| {
        let mut end = 0;
        let words = text.split(' ').map(|word| {
            end += word.len() + 1;
            (end - word.len() - 1, word)
        });
        let mut found = words.filter(|(_, word)| between.iter().any(|own| own.eq_ignore_ascii_case(word)));
        found.next().filter(|_| found.next().is_none())
    };
    let (at, word) = BETWEEN.into_iter().find_map(of)?;
    Some([&text[..at], &text[at + word.len()..]])
}

/// Reads a line under its event.
pub(super) fn read(event: Option<&str>, line: &CalendarLine<'_>) -> Result<ScheduledBout, RowError> {
    let text = line.text.trim();
    let aside = || RowError::new(FindingKind::UnknownEvent, format!("its event is set aside: `{text}`"));
    let unreadable = |why: &str| RowError::new(FindingKind::UnreadableValue, format!("{why}: `{text}`"));
    let pair = ListedPair::read(text).ok_or_else(|| unreadable("it names no two fighters"))?;
    if !pair.is_of_names() {
        return Err(unreadable("it names no two fighters"));
    }
    let [first, second] = pair.sides;
    let pounds =
        |limit: &str| limit.trim_end_matches(|c: char| c.is_alphabetic() || c == '.').trim().parse().ok();
    Ok(ScheduledBout {
        event: event.ok_or_else(aside)?.to_owned(),
        listed_at: line.listed_at,
        position: line.position,
        start_at: line.start_at,
        weight_class: pair.limit.map(|limit| format!("@{limit}")),
        weight_lbs: pair.limit.and_then(pounds).filter(|lbs| (50..1000).contains(lbs)),
        is_title: pair.is_title.then_some(true),
        corners: [corner(first)?, corner(second)?],
        ..ScheduledBout::default()
    })
}

/// A name, and what stands behind it in brackets.
fn marked(text: &str) -> (&str, Option<&str>) {
    let mark = text.rsplit_once(" (").and_then(|(name, mark)| Some((name, mark.strip_suffix(')')?)));
    mark.map_or((text, None), |(name, mark)| (name, Some(mark)))
}

/// `Leon Edwards (C)`: a rank, a champion or an interim one; nobody where the name is to be announced.
fn corner(text: &str) -> Result<BoutCorner, RowError> {
    let (name, mark) = marked(text);
    let mut corner = BoutCorner::default();
    match mark {
        None => {}
        Some("C" | "IC") => corner.is_champion = Some(true),
        Some(mark) => {
            let rank = mark.strip_prefix('#').and_then(crate::parse::whole).filter(|rank| *rank > 0);
            let unreadable = || {
                RowError::new(
                    FindingKind::UnreadableValue,
                    format!("unknown mark `{mark}` of `{}`: expected `C`, `IC` or `#RANK`", name.trim()),
                )
            };
            corner.rank = Some(rank.ok_or_else(unreadable)?);
        }
    }
    corner.name = Some(name.trim()).filter(|name| !stands_for_nobody(name)).map(str::to_owned);
    Ok(corner)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read_line(text: &str) -> Option<String> {
        let text = line(text)?;
        let line = CalendarLine { place: 0, text, position: None, start_at: None, listed_at: 1 };
        let bout = read(Some("e"), &line).ok()?;
        let title = if bout.is_title == Some(true) { "title " } else { "" };
        let [first, second] = bout.corners.map(|corner| corner.name.unwrap_or("-".to_owned()));
        Some(format!("{title}{first}|{second}|{}", bout.weight_lbs.unwrap_or_default()))
    }

    #[test]
    fn a_bout_is_read_whatever_stands_before_it() {
        for plain in [
            "Ada Stone (C) vs. Cem Aydın @155",
            "• Ada Stone vs. Cem Aydın @155",
            "- Ada Stone VS Cem Aydın @155 lbs.",
            "12. Ada Stone v Cem Aydın @155",
        ] {
            assert_eq!(read_line(plain).as_deref(), Some("Ada Stone|Cem Aydın|155"), "{plain}");
        }
        for title in [
            "🏆 Ada Stone vs. Cem Aydın @155",
            "[TITLE] Ada Stone (#1) vs. Cem Aydın (#2) @155",
            "• 🏆\u{fe0f} Ada Stone vs. Cem Aydın @155",
        ] {
            assert_eq!(read_line(title).as_deref(), Some("title Ada Stone|Cem Aydın|155"), "{title}");
        }
        assert_eq!(read_line("TBD vs. Dov V. Hale, Jr. @CW").as_deref(), Some("-|Dov V. Hale, Jr.|0"));
        assert_eq!(
            read_line("Bob \"Rock\" O'Hara-Lee vs. Opponent TBA").as_deref(),
            Some("Bob \"Rock\" O'Hara-Lee|-|0")
        );
    }

    #[test]
    fn a_sentence_about_two_is_no_bout() {
        for other in [
            "Where to watch: Ada Stone vs. Cem Aydın",
            "Main event is Ada Stone vs. Cem Aydın in five rounds or less",
            "Ada Stone vs. Cem Aydın - title fight",
            "Ada Stone vs. Cem Aydın vs. Eve Ito",
            "vs. Ada Stone",
            "Doors at 6",
        ] {
            assert_eq!(line(other), None, "{other}");
        }
    }

    proptest! {
        #[test]
        fn no_line_makes_it_panic(text in "(🏆|\\[TITLE\\]|•|vs\\.?|V|[0-9.)(#@ é]|[A-Z][a-z]){0,24}|\\PC{0,24}") {
            read_line(&text);
            names_two(&text);
        }
    }
}
