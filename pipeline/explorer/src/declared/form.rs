//! The form of a page.

use fdna_api::{PROMOTIONS, WEIGHT_CLASSES};
use serde_json::Value;

use super::view::PageView;
use super::{DeclaredField, DeclaredForm, OptionSource};
use crate::page::{Field, Form, summarise_choices};
use crate::shown::{class, minute, words};

/// Fields that a narrow screen has room for before what they are about.
const FEW_FIELDS: usize = 2;

impl DeclaredForm {
    pub(super) fn draw_form(&'static self, view: &PageView<'_>) -> Form {
        let scope = view.scope();
        let events = self.dates.as_ref().map_or_else(Vec::new, |events| events.evaluate_rows(scope));
        let dates: Vec<&str> =
            events.iter().rev().filter_map(|item| item["event"]["event_date"].as_str()).collect();
        let fields: Vec<Field> = self.fields.iter().map(|field| field.draw_field(view)).collect();
        Form {
            action: self.action.fill(scope).unwrap_or_default(),
            submit: &self.submit,
            summary: if fields.len() > FEW_FIELDS { summarise_choices(&fields) } else { String::new() },
            fields,
            dates: dates.join(","),
        }
    }
}

impl DeclaredField {
    fn draw_field(&'static self, view: &PageView<'_>) -> Field {
        let value = self.value.as_ref().and_then(|value| value.fill(view.scope()));
        let asked = || view.query_value(&self.name).unwrap_or_default().to_owned();
        let codes = self.codes.map_or_else(Vec::new, |codes| codes.list_options(view));
        Field {
            name: &self.name,
            label: self.label.clone(),
            kind: &self.kind,
            value: value.unwrap_or_else(asked),
            options: self.options.iter().cloned().chain(codes).collect(),
        }
    }
}

impl OptionSource {
    fn list_options(self, view: &PageView<'_>) -> Vec<(String, String)> {
        let named = |codes: &[&str], write: fn(&str) -> String| {
            codes.iter().map(|code| ((*code).to_owned(), write(code))).collect()
        };
        match self {
            Self::Promotions => named(PROMOTIONS, words),
            Self::WeightClasses => named(WEIGHT_CLASSES, class),
            Self::Metrics => {
                let option = |metric: &fdna_api::MetricDefinition<'_>| {
                    (metric.metric.to_owned(), metric.label.to_owned())
                };
                view.metrics().iter().map(option).collect()
            }
            Self::Snapshots => {
                let others = view.answer_data("snapshots").as_array().into_iter().flatten();
                others
                    .filter(|snapshot| snapshot["is_current"] == false)
                    .filter_map(snapshot_option)
                    .collect()
            }
        }
    }
}

fn snapshot_option(snapshot: &Value) -> Option<(String, String)> {
    let id = snapshot["id"].as_str()?;
    let until = snapshot["captured_until"].as_str().map_or_else(|| "not known".to_owned(), minute);
    Some((id.to_owned(), format!("{id}, captures until {until}")))
}
