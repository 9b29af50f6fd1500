//! Decisions as written: whatever the text, it is read or refused with the place, and what is written is read back.

use fdna_model::Kind;
use proptest::prelude::*;

use super::*;

const FILE: &str = "aliases/who.toml";

fn parse(text: &str) -> Result<LinkDecisions, DecisionError> {
    LinkDecisions::parse(&[(FILE.to_owned(), text.to_owned())])
}

/// One entry; `n` makes ids of its own.
fn entry(is_same: bool, kind: &str, ids: [&str; 2]) -> String {
    let table = if is_same { "same" } else { "different" };
    let quoted = |text: &str| toml::Value::from(text).to_string();
    format!(
        "[[{table}]]\nkind = {}\nsource = \"feed\"\nsource_id = {}\nas = {}\nreason = \"seen\"\nby = \"A. Person\"\n\
         on = 2026-11-21\n\n",
        quoted(kind),
        quoted(ids[0]),
        quoted(&format!("statsdb:{}", ids[1])),
    )
}

fn check_place(text: &str, error: &DecisionError) {
    assert_eq!(error.file, FILE);
    let lines = text.split('\n').count();
    assert!((1..=lines).contains(&error.line), "line {} of {lines}: {error}", error.line);
    let place = format!("{FILE}:{}, entry {}: ", error.line, error.entry);
    let said = error.to_string();
    assert!(said.starts_with(&place) && said.len() > place.len(), "{said}");
    let (name, n) = error.entry.split_once(' ').unwrap_or((&error.entry, "1"));
    assert!(
        ["file", "same", "different", "same_judge", "different_judge"].contains(&name)
            && n.parse::<usize>().is_ok(),
        "{}",
        error.entry
    );
    if name != "file" {
        let line = text.split('\n').nth(error.line - 1).unwrap_or_default();
        assert!(line.contains(name), "the entry begins at another line than `{line}`");
    }
}

#[test]
fn an_entry_that_lacks_a_field_or_has_a_wrong_one_is_told_with_its_line() {
    let good = entry(true, "fighter", ["1", "2"]);
    let cases = [
        (good.replace("by = \"A. Person\"", "by = \" \""), "same 2", 10, "it does not say why or by whom"),
        (good.replace("\"fighter\"", "\"judge\""), "same 2", 10, "`judge` is no event, bout or fighter"),
        (good.replace("statsdb:2", "2"), "same 2", 10, "`as` is no source and id, such as feed:123"),
        (good.replace("statsdb:2", "feed:1"), "same 2", 10, "it speaks of one id alone"),
        (good.replace("on = 2026-11-21", "on = 12:00:00"), "same 2", 10, "`on` is no date"),
        (good.replace("on = 2026-11-21\n", ""), "file", 10, "missing field `on`"),
        (good.replace("by =", "who ="), "file", 16, "unknown field `who`"),
        (good.replace("on = 2026-11-21", "on = 2026-13-41"), "file", 17, ""),
    ];
    for (bad, entry_name, line, reason) in cases {
        let text = entry(true, "fighter", ["8", "9"]) + &bad;
        let error = parse(&text).unwrap_err();
        assert_eq!((&*error.entry, error.line), (entry_name, line), "{error}");
        assert!(error.reason.contains(reason), "{error}");
        check_place(&text, &error);
    }
}

#[test]
fn of_two_files_the_one_that_is_wrong_is_named() {
    let file = |name: &str, text: String| (name.to_owned(), text);
    let good = file("a.toml", entry(true, "fighter", ["1", "2"]));
    let error = LinkDecisions::parse(&[good, file("b.toml", "\n\n[[same]".to_owned())]).unwrap_err();
    assert_eq!((&*error.file, error.line), ("b.toml", 3));
}

/// A pair of ids and what is said of it. No id stands twice, so that none contradicts another.
fn pairs() -> impl Strategy<Value = Vec<(bool, Kind, String)>> {
    let kinds = prop_oneof![Just(Kind::Event), Just(Kind::Bout), Just(Kind::Fighter)];
    // Ids as sources give them, and worse: quotes, line ends, marks, colons.
    proptest::collection::vec((any::<bool>(), kinds, "[a-z0-9:#+\"'\\\\\n é]{1,8}"), 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_text_is_read_or_refused_with_file_and_line(text in any::<String>()) {
        if let Err(error) = parse(&text) {
            check_place(&text, &error);
        }
    }

    /// Almost right: whole entries with a few characters lost, doubled or replaced.
    #[test]
    fn damaged_entries_are_read_or_refused_with_file_and_line(
        pairs in pairs(),
        damage in proptest::collection::vec((any::<prop::sample::Index>(), 0..3u8, any::<char>()), 1..4),
    ) {
        let written = (0..).zip(&pairs).map(|(n, (is_same, kind, id))| {
            entry(*is_same, kind.name(), [&format!("{n}{id}"), &format!("{n}{id}")])
        });
        let mut text: Vec<char> = written.collect::<String>().chars().collect();
        for (at, how, new) in damage {
            if text.is_empty() {
                break;
            }
            let at = at.index(text.len());
            match how {
                0 => drop(text.remove(at)),
                1 => text.insert(at, text[at]),
                _ => text[at] = new,
            }
        }
        let text: String = text.into_iter().collect();
        if let Err(error) = parse(&text) {
            check_place(&text, &error);
        }
    }

    #[test]
    fn what_is_written_is_read_back(pairs in pairs()) {
        let mut text = String::new();
        let mut expected = Vec::new();
        for (n, (is_same, kind, id)) in (0..).zip(&pairs) {
            let ids = [format!("{n}{id}"), format!("{n}{id}")];
            expected.push((*is_same, [SourceKey::new(*kind, "feed", &ids[0]), SourceKey::new(*kind, "statsdb", &ids[1])]));
            text += &entry(*is_same, kind.name(), [&ids[0], &ids[1]]);
        }
        let read = parse(&text).unwrap();
        prop_assert_eq!(read.entries.len(), expected.len());
        for (is_same, [a, b]) in &expected {
            let said: [Vec<&SourceKey>; 2] = if *is_same {
                [read.same_keys(a).collect(), read.same_keys(b).collect()]
            } else {
                [read.different_keys(a).collect(), read.different_keys(b).collect()]
            };
            prop_assert_eq!(said, [vec![b], vec![a]]);
        }
    }
}
