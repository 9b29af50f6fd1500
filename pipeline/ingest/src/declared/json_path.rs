//! Paths in JSON documents: where the records stand, and what a record takes from itself and from what holds it.

use serde_json::Value;

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
enum PathStep {
    Field(String),
    Item(usize),
    /// Each item of an array, or each value of an object.
    Each,
}

/// A path such as `$.days[*].games[*]` or `home.abbrev`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JsonPath {
    /// Whether it begins at the document.
    is_absolute: bool,
    steps: Vec<PathStep>,
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

    /// Every record at this path; a part of the path that is not there has none.
    pub(super) fn records<'v>(&self, document: &'v Value) -> Vec<FoundRecord<'v>> {
        let mut found = vec![FoundRecord { value: document, bounds: Vec::new() }];
        for step in &self.steps {
            found = found.into_iter().flat_map(|record| record.step(step)).collect();
        }
        found
    }

    /// The value at this path, of a record of a document.
    pub(super) fn value<'v>(&self, document: &'v Value, record: &FoundRecord<'v>) -> Option<&'v Value> {
        let mut bounds = record.bounds.iter();
        let start = if self.is_absolute { document } else { record.value };
        self.steps.iter().try_fold(start, |value, step| match step {
            PathStep::Field(name) => value.get(name),
            PathStep::Item(index) => value.get(index),
            PathStep::Each => match bounds.next()? {
                PathBinding::Item(index) => value.get(index),
                PathBinding::Key(key) => value.get(key),
            },
        })
    }
}

impl<'v> FoundRecord<'v> {
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
        let records = JsonPath::parse("$.days[*].games[*]").unwrap().records(&document);
        let path = |text| JsonPath::parse(text).unwrap();
        let told: Vec<_> = records
            .iter()
            .map(|record| {
                let of = |text| path(text).value(&document, record).and_then(text_of).unwrap_or_default();
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
        let records = JsonPath::parse("$[*].drives[*].plays[*]").unwrap().records(&document);
        let keys: Vec<_> =
            records.iter().map(|r| ["@key", "@key:1", "@key:2"].map(|name| r.key(name))).collect();
        assert_eq!(keys, [[Some("37"), Some("g1"), Some("37")], [Some("52"), Some("g1"), Some("52")]]);
        assert_eq!(["@key:0", "@key:3", "@key:x"].map(|name| records[0].key(name)), [None; 3]);
    }

    proptest! {
        #[test]
        fn no_text_makes_a_path_panic(text in "\\PC{0,24}") {
            if let Some(path) = JsonPath::parse(&text) {
                path.records(&json!({"a": [{"b": 1}]}));
            }
        }
    }
}
