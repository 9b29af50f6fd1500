//! `/metrics`: the metric definitions, family by family.

use crate::ask::{Api, Refusal};
use crate::model::Definition;
use crate::page::{Cell, Page, Section, Table};
use crate::shown::{capital, plain, words};

pub(crate) async fn page(api: &Api) -> Result<Page, Refusal> {
    let definitions = api.definitions().await?;
    let row = |definition: &Definition| {
        let validity = &definition.validity;
        vec![
            Cell::link(&definition.label, format!("/metrics/{}", definition.metric)),
            Cell::text(&definition.meaning),
            validity.class.as_deref().map_or_else(|| Cell::missing("predicts nothing"), Cell::text),
            plain(validity.out_of_time_r2, 3),
            Cell::link("leaders", format!("/leaders?metric={}", definition.metric)),
        ]
    };
    let head = ["Metric", "Meaning", "Validity", "#Out-of-time R²", "Leaders"];
    let sections = definitions.families.iter().map(|family| {
        let of = definitions.metrics.iter().filter(|metric| metric.family == family.family);
        let name = capital(&words(&family.family));
        Section::new(family.family.clone(), name.clone()).line(&family.meaning).table(Table::new(
            name,
            &head,
            of.map(row).collect(),
        ))
    });
    Ok(Page {
        title: "Metrics".to_owned(),
        place: "/metrics",
        lead: vec![format!(
            "Definition {}: constants fitted on bouts to {}, gates and classes measured to {}. Class A predicts the next bout best, D hardly.",
            definitions.definition_version, definitions.constants_fitted_to, definitions.gates_measured_to
        )],
        sections: sections.map(Section::wide).collect(),
        ..Page::default()
    })
}
