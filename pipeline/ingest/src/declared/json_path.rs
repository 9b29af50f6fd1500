//! Paths in JSON documents: where the records stand, and what a record takes from itself and from what holds it.

use std::fmt::Write as _;

use serde_json::Value;

use super::value_shapes::{KnownShapes, holds_nothing, shape_of};

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PathStep {
    Field(String),
    Item(usize),
    /// Each item of an array, or each value of an object.
    Each,
}

/// A path such as `$.days[*].games[*]` or `home.abbrev`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JsonPath {
    /// Whether it begins at the document.
    pub(super) is_absolute: bool,
    pub(super) steps: Vec<PathStep>,
}

/// What a `[*]` of the path of a record stood for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PathBinding {
    Item(usize),
    Key(String),
}

/// A record with the place at which it stands.
pub(super) struct FoundRecord<'v> {
    pub(super) value: &'v Value,
    pub(super) bounds: Vec<PathBinding>,
}

impl JsonPath {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (is_absolute, rest) = match text.strip_prefix('$') {
            Some(rest) => (true, rest.strip_prefix('.').unwrap_or(rest)),
            None => (false, text),
        };
        let mut steps = Vec::new();
        for part in rest.split('.').filter(|part| !part.is_empty()) {
            let (name, mut indexes) = part.split_at(part.find('[').unwrap_or(part.len()));
            if !name.is_empty() {
                steps.push(PathStep::Field(name.to_owned()));
            }
            while let Some(inner) = indexes.strip_prefix('[') {
                let (index, behind) = inner.split_once(']')?;
                steps.push(if index == "*" { PathStep::Each } else { PathStep::Item(index.parse().ok()?) });
                indexes = behind;
            }
            if !indexes.is_empty() {
                return None;
            }
        }
        Some(Self { is_absolute, steps })
    }

    /// Every record at this path, and each place at which none can stand; a part of the path that is not there has none.
    pub(super) fn records<'v>(&self, document: &'v Value) -> (Vec<FoundRecord<'v>>, Vec<String>) {
        let mut found = vec![FoundRecord { value: document, bounds: Vec::new() }];
        let mut odd = Vec::new();
        for (at, step) in self.steps.iter().enumerate() {
            let mut next = Vec::with_capacity(found.len());
            let is_behind_each = at > 0 && self.steps[at - 1] == PathStep::Each;
            for record in found {
                // Fields of an object may be of many kinds.
                let is_meant = !(is_behind_each && record.is_field());
                if is_meant && !holds_nothing(record.value) && !step.enters(record.value) {
                    let place = self.text_of(at, &record.bounds);
                    odd.push(format!(
                        "`{place}` is {}, where {} leads on",
                        shape_of(record.value).name(),
                        self.text()
                    ));
                }
                next.extend(record.step(step));
            }
            found = next;
        }
        (found, odd)
    }

    /// The value at this path, of a record of a document. `None` where a part of it is not there, or is of a shape that
    /// another path of the contract reads.
    ///
    /// # Errors
    /// A part of it is of a shape that no path of the contract reads.
    pub(super) fn value<'v>(
        &self,
        document: &'v Value,
        record: &FoundRecord<'v>,
        known: &KnownShapes,
    ) -> Result<Option<&'v Value>, String> {
        let mut bounds = record.bounds.iter();
        let mut value = if self.is_absolute { document } else { record.value };
        for (at, step) in self.steps.iter().enumerate() {
            if value.is_null() {
                return Ok(None);
            }
            if !step.enters(value) {
                let is_other_field = at == 0 && !self.is_absolute && record.is_field();
                return if is_other_field { Ok(None) } else { known.check(self, at, value).map(|()| None) };
            }
            let next = match step {
                PathStep::Field(name) => value.get(name),
                PathStep::Item(index) => value.get(index),
                PathStep::Each => match bounds.next() {
                    Some(PathBinding::Item(index)) => value.get(index),
                    Some(PathBinding::Key(key)) => value.get(key),
                    None => None,
                },
            };
            let Some(next) = next else { return Ok(None) };
            value = next;
        }
        Ok(Some(value))
    }

    /// As it is written.
    fn text(&self) -> String {
        format!("`{}`", self.text_of(self.steps.len(), &[]))
    }

    /// The first steps of it, with what `[*]` stands for.
    pub(super) fn text_of(&self, steps: usize, bounds: &[PathBinding]) -> String {
        let mut text = if self.is_absolute { "$".to_owned() } else { String::new() };
        let mut bounds = bounds.iter();
        for step in &self.steps[..steps] {
            let written = match step {
                PathStep::Field(name) => write!(text, ".{name}"),
                PathStep::Item(index) => write!(text, "[{index}]"),
                PathStep::Each => match bounds.next() {
                    Some(PathBinding::Item(index)) => write!(text, "[{index}]"),
                    Some(PathBinding::Key(key)) => write!(text, ".{key}"),
                    None => write!(text, "[*]"),
                },
            };
            // Writing to a text does not fail.
            let _ = written;
        }
        text.trim_start_matches('.').to_owned()
    }

    /// Where a record of this path stands, such as `days[0].games[3]`.
    pub(super) fn place_of(&self, bounds: &[PathBinding]) -> String {
        let place = self.text_of(self.steps.len(), bounds);
        place.trim_start_matches('$').trim_start_matches('.').to_owned()
    }
}

impl PathStep {
    /// Whether a value is of the shape that the step leads into.
    fn enters(&self, value: &Value) -> bool {
        match self {
            Self::Field(_) => value.is_object(),
            Self::Item(_) => value.is_array(),
            Self::Each => value.is_object() || value.is_array(),
        }
    }
}

impl<'v> FoundRecord<'v> {
    /// Whether it is one of the fields of an object.
    fn is_field(&self) -> bool {
        matches!(self.bounds.last(), Some(PathBinding::Key(_)))
    }

    /// What a column that begins with `@key` names: `@key` is the key at which the innermost `[*]` stood in an object, `@key:1`
    /// that of the outermost, `@key:2` of the next.
    pub(super) fn key(&self, column: &str) -> Option<&str> {
        let mut keys = self.bounds.iter().filter_map(|bound| match bound {
            PathBinding::Key(key) => Some(key.as_str()),
            PathBinding::Item(_) => None,
        });
        match column.strip_prefix("@key:") {
            Some(place) => keys.nth(place.parse::<usize>().ok()?.checked_sub(1)?),
            None => keys.next_back(),
        }
    }

    fn step(self, step: &PathStep) -> Vec<FoundRecord<'v>> {
        let Self { value, bounds } = self;
        let with =
            |value, bound| FoundRecord { value, bounds: bounds.iter().cloned().chain([bound]).collect() };
        match (step, value) {
            (PathStep::Each, Value::Array(items)) => {
                items.iter().enumerate().map(|(at, item)| with(item, PathBinding::Item(at))).collect()
            }
            (PathStep::Each, Value::Object(fields)) => {
                fields.iter().map(|(key, value)| with(value, PathBinding::Key(key.clone()))).collect()
            }
            (PathStep::Each, _) => Vec::new(),
            (PathStep::Field(name), _) => {
                value.get(name).map(|value| FoundRecord { value, bounds }).into_iter().collect()
            }
            (PathStep::Item(index), _) => {
                value.get(index).map(|value| FoundRecord { value, bounds }).into_iter().collect()
            }
        }
    }
}

/// A value as the text that a parser reads; `None` for null. Lists and objects are JSON.
pub(super) fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_record_takes_from_itself_and_from_what_holds_it() {
        let document = json!({"days": [
            {"date": "d1", "games": {"g1": {"home": {"abbr": "A"}}, "g2": {"home": {"abbr": "B"}}}},
            {"date": "d2", "games": {}},
            {"date": "d3", "games": {"g3": {"home": {"abbr": "C"}, "lines": [1, 2]}}},
        ]});
        let (records, odd) = JsonPath::parse("$.days[*].games[*]").unwrap().records(&document);
        assert!(odd.is_empty());
        let path = |text| JsonPath::parse(text).unwrap();
        let told: Vec<_> = records
            .iter()
            .map(|record| {
                let value = |text| path(text).value(&document, record, &KnownShapes::default()).unwrap();
                let of = |text| value(text).and_then(text_of).unwrap_or_default();
                [
                    of("$.days[*].date"),
                    record.key("@key").unwrap().to_owned(),
                    of("home.abbr"),
                    of("lines[1]"),
                ]
            })
            .collect();
        assert_eq!(told, [["d1", "g1", "A", ""], ["d1", "g2", "B", ""], ["d3", "g3", "C", "2"]]);
    }

    #[test]
    fn a_column_names_the_key_of_an_outer_object() {
        let document = json!({"g1": {"drives": [{"plays": {"37": {}, "52": {}}}]}, "n": 5});
        let (records, odd) = JsonPath::parse("$[*].drives[*].plays[*]").unwrap().records(&document);
        assert!(odd.is_empty(), "fields of an object may be of many kinds: {odd:?}");
        let keys: Vec<_> =
            records.iter().map(|r| ["@key", "@key:1", "@key:2"].map(|name| r.key(name))).collect();
        assert_eq!(keys, [[Some("37"), Some("g1"), Some("37")], [Some("52"), Some("g1"), Some("52")]]);
        assert_eq!(["@key:0", "@key:3", "@key:x"].map(|name| records[0].key(name)), [None; 3]);
    }

    proptest! {
        #[test]
        fn no_text_makes_a_path_panic(text in "\\PC{0,24}") {
            if let Some(path) = JsonPath::parse(&text) {
                let document = json!({"a": [{"b": 1}]});
                path.records(&document);
                let record = FoundRecord { value: &document, bounds: vec![PathBinding::Item(7)] };
                let mut known = KnownShapes::default();
                known.add(&path, &[crate::declared::value_shapes::ValueShape::Scalar]);
                drop(path.value(&document, &record, &known));
                path.place_of(&record.bounds);
            }
        }
    }
}
