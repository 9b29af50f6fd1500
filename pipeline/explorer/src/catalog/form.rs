//! The form of a route: its parameters, with what was given or taken.

use fdna_api::ParameterKind;
use fdna_catalog::CatalogRoute;
use serde_json::Value;

use crate::page::{Field, Form, summarise_choices};
use crate::shown::{capital, words};

pub(super) fn draw_form(
    route: &CatalogRoute,
    path: &str,
    asked: &[(&str, Option<&str>)],
    meta: Option<&Value>,
) -> Option<Form> {
    let shown = route.parameters.iter().filter(|p| !matches!(p.name, "limit" | "offset"));
    let fields = shown.map(|parameter| {
        let given = asked.iter().find(|(name, _)| *name == parameter.name).and_then(|(_, value)| *value);
        let taken = || meta?[parameter.name].as_str();
        let mut field = Field {
            name: parameter.name,
            label: write_label(parameter.name),
            kind: "text",
            value: given.or_else(taken).unwrap_or_default().to_owned(),
            ..Field::default()
        };
        let options = |codes: &[&str]| codes.iter().map(|code| ((*code).to_owned(), words(code))).collect();
        match parameter.kind {
            ParameterKind::Choice { words, .. } => field.options = options(words),
            ParameterKind::Word { words } => {
                field.options = options(words);
                field.options.insert(0, (String::new(), "any".to_owned()));
            }
            ParameterKind::Date => field.kind = "date",
            ParameterKind::Integer { .. } | ParameterKind::OptionalInteger { .. } => field.kind = "number",
            _ => {}
        }
        field
    });
    let fields: Vec<Field> = fields.collect();
    let is_answered = meta.is_some();
    (!fields.is_empty()).then(|| Form {
        action: path.to_owned(),
        submit: "Show",
        summary: if is_answered { summarise_choices(&fields) } else { String::new() },
        fields,
        ..Form::default()
    })
}

pub(super) fn write_label(parameter: &str) -> String {
    capital(&words(parameter))
}
