//! Shapes of values in documents: those that the paths of a contract read, and no others.

use std::collections::BTreeMap;

use serde_json::Value;

use super::json_path::{JsonPath, PathStep};

/// Shapes of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueShape {
    Object,
    List,
    Scalar,
}

impl ValueShape {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Object => "an object",
            Self::List => "a list",
            Self::Scalar => "no object and no list",
        }
    }
}

pub(super) fn shape_of(value: &Value) -> ValueShape {
    match value {
        Value::Object(_) => ValueShape::Object,
        Value::Array(_) => ValueShape::List,
        _ => ValueShape::Scalar,
    }
}

/// The shapes that the paths of a contract read, by the place of a value in a record or document.
#[derive(Debug, Default)]
pub(super) struct KnownShapes(BTreeMap<(bool, Vec<PathStep>), Vec<ValueShape>>);

impl KnownShapes {
    /// With what a path reads on its way, and at its end.
    pub(super) fn add(&mut self, path: &JsonPath, end: &[ValueShape]) {
        for (at, step) in path.steps.iter().enumerate() {
            let shapes: &[ValueShape] = match step {
                PathStep::Field(_) => &[ValueShape::Object],
                PathStep::Item(_) => &[ValueShape::List],
                PathStep::Each => &[ValueShape::Object, ValueShape::List],
            };
            self.at(path, at).extend(shapes);
        }
        self.at(path, path.steps.len()).extend(end);
    }

    fn at(&mut self, path: &JsonPath, steps: usize) -> &mut Vec<ValueShape> {
        self.0.entry((path.is_absolute, path.steps[..steps].to_vec())).or_default()
    }

    /// Refuses a value after so many steps of a path whose shape is not known. One that holds nothing is nothing in any shape.
    pub(super) fn check(&self, path: &JsonPath, steps: usize, value: &Value) -> Result<(), String> {
        let shape = shape_of(value);
        let place = (path.is_absolute, path.steps[..steps].to_vec());
        if holds_nothing(value) || self.0.get(&place).is_some_and(|known| known.contains(&shape)) {
            return Ok(());
        }
        let text: String = value.to_string().chars().take(100).collect();
        let place = if steps == 0 { "it".to_owned() } else { format!("`{}`", path.text_of(steps, &[])) };
        Err(format!("{place} is {}, which its contract does not know there: `{text}`", shape.name()))
    }

    /// The same of the value at the end of a path.
    pub(super) fn check_end(&self, path: &JsonPath, value: &Value) -> Result<(), String> {
        self.check(path, path.steps.len(), value)
    }
}

/// Whether a value is an empty one, or null.
pub(super) fn holds_nothing(value: &Value) -> bool {
    match value {
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        value => value.is_null(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::declared::json_path::{FoundRecord, text_of};

    #[test]
    fn a_value_of_a_shape_that_no_path_reads_is_told_and_one_that_another_reads_is_not_there() {
        let paths =
            ["score.ft[0]", "score.ht[0]", "score[0]", "day"].map(|text| JsonPath::parse(text).unwrap());
        let mut known = KnownShapes::default();
        paths.iter().for_each(|path| known.add(path, &[ValueShape::Scalar]));
        let read = |value: &Value| {
            let record = FoundRecord { value, bounds: Vec::new() };
            let read = paths.each_ref().map(|path| path.value(value, &record, &known));
            read.map(|read| read.map(|value| value.and_then(text_of).unwrap_or("-".to_owned())))
        };
        let ok = |texts: [&str; 4]| texts.map(|text| Ok(text.to_owned()));
        assert_eq!(read(&json!({"score": {"ft": [1, 2], "ht": null}, "day": "d"})), ok(["1", "-", "-", "d"]));
        assert_eq!(read(&json!({"score": [3, 4]})), ok(["-", "-", "3", "-"]));
        for nothing in [json!(null), json!([]), json!({}), json!("")] {
            assert_eq!(read(&json!({"score": nothing})), ok(["-"; 4]));
        }
        assert_eq!(read(&json!({})), ok(["-"; 4]));
        for odd in [
            json!({"score": "1-2"}),
            json!({"score": {"ft": "1-2"}}),
            json!({"score": {"ft": {"0": 1}}}),
            json!([1]),
        ] {
            assert!(read(&odd)[0].is_err(), "{odd}");
        }
        assert_eq!(
            read(&json!({"score": {"ft": "1-2"}}))[0].as_ref().unwrap_err(),
            "`score.ft` is no object and no list, which its contract does not know there: `\"1-2\"`"
        );
    }
}
