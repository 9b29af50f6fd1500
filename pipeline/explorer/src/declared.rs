//! Pages as data: `pages/NAME.toml` says what a page asks, and what of the answers stands where. What is no list of rows is
//! drawn by a function that a section names.

mod ask;
mod draw;
mod filters;
mod form;
mod table;
mod template;
mod view;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

pub(crate) use table::{draw_facts, draw_rows};
use template::ValueExpression;
pub(crate) use template::{AddressTemplate, TemplateScope, TextTemplate};
pub(crate) use view::PageView;

/// A page of the explorer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DeclaredPage {
    /// For the access log.
    pub(crate) name: String,
    pub(crate) path: String,
    /// What its query may hold besides the fields of its form; anything else is passed over.
    #[serde(default)]
    query: Vec<String>,
    /// Where what the lake lists may change under a snapshot, a page is made anew each time.
    #[serde(default)]
    pub(crate) is_made_anew: bool,
    /// The address of the entry of the menu that it belongs to.
    #[serde(default)]
    menu: String,
    title: TextTemplate,
    /// The metric that the page is about.
    metric: Option<TextTemplate>,
    asks: Vec<DeclaredAsk>,
    #[serde(default)]
    lead: Vec<TextTemplate>,
    #[serde(default)]
    links: Vec<DeclaredLink>,
    /// A fighter, whose initials and image stand beside the title.
    portrait: Option<ValueExpression>,
    #[serde(default)]
    facts: Vec<DeclaredColumn>,
    form: Option<DeclaredForm>,
    sections: Vec<DeclaredSection>,
}

/// An operation that a page asks; later ones may name what earlier ones answered.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DeclaredAsk {
    name: String,
    /// That of the metric definitions has none: all pages share its answer.
    address: Option<AddressTemplate>,
    #[serde(flatten)]
    condition: DisplayCondition,
    /// Whether a page is a page without what is not there, or not there now.
    #[serde(default)]
    may_be_missing: bool,
    /// Ids that are asked for, so many at a time as one question may name; `ids` in the address.
    ids: Option<ValueExpression>,
}

/// When a part of a page is there.
#[derive(Debug, Default, Deserialize)]
struct DisplayCondition {
    /// Any of these.
    #[serde(default)]
    when: Vec<ValueExpression>,
    /// None of these.
    #[serde(default)]
    unless: Vec<ValueExpression>,
}

impl DisplayCondition {
    fn is_met(&self, scope: TemplateScope<'_>) -> bool {
        let is_there = |of: &ValueExpression| of.is_there(scope);
        (self.when.is_empty() || self.when.iter().any(is_there)) && !self.unless.iter().any(is_there)
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DeclaredLink {
    text: TextTemplate,
    href: AddressTemplate,
    /// Whether it leads to this page.
    #[serde(default)]
    is_here: bool,
    #[serde(flatten)]
    condition: DisplayCondition,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DeclaredForm {
    action: TextTemplate,
    submit: String,
    /// Events of a fighter, between whose days the script lets one slide.
    dates: Option<ValueExpression>,
    fields: Vec<DeclaredField>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DeclaredField {
    name: String,
    label: String,
    /// Of an input: text, date, number.
    #[serde(default)]
    kind: String,
    /// What it holds; without it, what was asked.
    value: Option<TextTemplate>,
    /// Value and text.
    #[serde(default)]
    options: Vec<(String, String)>,
    /// Where more options come from.
    codes: Option<OptionSource>,
}

/// Options that are not the page's own.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum OptionSource {
    Metrics,
    Promotions,
    Snapshots,
    WeightClasses,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DeclaredSection {
    #[serde(default)]
    id: Option<TextTemplate>,
    #[serde(default)]
    heading: Option<TextTemplate>,
    #[serde(default)]
    is_wide: bool,
    #[serde(default)]
    is_folded: bool,
    #[serde(flatten)]
    condition: DisplayCondition,
    /// A section for each of these; the row of its texts. One whose table has no rows is left out.
    each: Option<ValueExpression>,
    /// Those that miss a value are left out.
    #[serde(default)]
    lines: Vec<TextTemplate>,
    /// A list of texts, a line for each.
    notes: Option<ValueExpression>,
    #[serde(default)]
    links: Vec<DeclaredLink>,
    table: Option<DeclaredTable>,
    /// Facts of the page as a table.
    measures: Option<DeclaredMeasures>,
    /// The function that draws it: see `pages::find_sections`.
    drawn: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DeclaredTable {
    caption: TextTemplate,
    rows: ValueExpression,
    /// Rows whose member has this text, in the place of the section.
    #[serde(default)]
    keep: BTreeMap<String, TextTemplate>,
    /// Rows that have this alone.
    only: Option<ValueExpression>,
    #[serde(default)]
    is_reversed: bool,
    /// Rows at most.
    most: Option<usize>,
    /// A line instead of a table without rows.
    empty: Option<String>,
    /// The functions that draw its pictures: see `pages::find_picture`.
    #[serde(default)]
    pictures: Vec<String>,
    /// Whether the table says more than its pictures, so that both are shown.
    #[serde(default)]
    is_open: bool,
    columns: TableColumns,
}

/// Values of the page as a table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DeclaredMeasures {
    caption: String,
    /// Numbers but for the first.
    columns: Vec<TextTemplate>,
    rows: Vec<MeasureRow>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MeasureRow {
    label: String,
    #[serde(flatten)]
    condition: DisplayCondition,
    cells: Vec<DeclaredColumn>,
}

/// Columns of its own, or those that several tables have, by their name in `pages/columns.toml`.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum TableColumns {
    Named(String),
    Own(Vec<DeclaredColumn>),
}

impl TableColumns {
    fn get(&'static self) -> &'static [DeclaredColumn] {
        match self {
            Self::Named(name) => COLUMNS.get(name).map_or(&[], Vec::as_slice),
            Self::Own(columns) => columns,
        }
    }
}

/// A column, or a fact beside the title.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DeclaredColumn {
    #[serde(default)]
    label: TextTemplate,
    #[serde(default)]
    kind: ValueKind,
    /// Of kind text.
    text: Option<TextTemplate>,
    /// Of every other kind.
    value: Option<ValueExpression>,
    /// Instead of some texts.
    #[serde(default)]
    words: BTreeMap<String, TextTemplate>,
    /// Whose number it is, by the name in the row; without it, the page's metric.
    metric: Option<ValueExpression>,
    #[serde(default)]
    decimals: usize,
    href: Option<AddressTemplate>,
    /// Whether a narrow screen does without it.
    #[serde(default)]
    is_secondary: bool,
    /// What stands there without a value.
    missing: Option<TextTemplate>,
    #[serde(flatten)]
    condition: DisplayCondition,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ValueKind {
    #[default]
    Text,
    /// A text that stands to the right.
    ShortText,
    Count,
    Number,
    /// A number to one decimal.
    ShortNumber,
    /// A metric by its name, which leads to its page.
    MetricName,
    /// The same with its unit.
    MetricInUnit,
    /// A number of a metric, with its decimals.
    Metric,
    /// The same with its unit.
    Quantity,
    /// The value of a metric of a fighter, or why there is none.
    MetricValue,
    /// A place in a pool; of a metric.
    Percentile,
    /// What a metric rests on.
    Sample,
    /// The place of the row.
    Row,
}

macro_rules! files {
    ($($name:literal)+) => { [$(include_str!(concat!("../pages/", $name, ".toml"))),+] };
}

const FILES: &[&str] = &files![
    "home" "events" "event" "fighters" "fighter" "form" "rounds" "matchup" "bout" "leaders" "metrics" "metric"
    "data" "search"
];

/// All pages. A test reads them.
pub(crate) static PAGES: LazyLock<Vec<DeclaredPage>> =
    LazyLock::new(|| FILES.iter().filter_map(|file| toml::from_str(file).ok()).collect());

const COLUMN_FILE: &str = include_str!("../pages/columns.toml");

/// Columns of several tables.
static COLUMNS: LazyLock<BTreeMap<String, Vec<DeclaredColumn>>> =
    LazyLock::new(|| toml::from_str(COLUMN_FILE).unwrap_or_default());

impl DeclaredPage {
    /// Whether its query may hold this.
    pub(crate) fn takes(&self, name: &str) -> bool {
        self.query_names().any(|known| known == name)
    }

    fn query_names(&self) -> impl Iterator<Item = &String> {
        let fields = self.form.iter().flat_map(|form| &form.fields).map(|field| &field.name);
        fields.chain(&self.query)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_can_be_read() {
        let _: BTreeMap<String, Vec<DeclaredColumn>> = toml::from_str(COLUMN_FILE).unwrap();
        for file in FILES {
            let page: DeclaredPage = toml::from_str(file).unwrap_or_else(|error| panic!("{error}"));
            for section in &page.sections {
                let (table, drawn) = (section.table.as_ref(), section.drawn.as_deref());
                assert!(
                    drawn.is_none_or(|name| crate::pages::find_sections(name).is_some()),
                    "{}: {drawn:?}",
                    page.name
                );
                let pictures = table.into_iter().flat_map(|table| &table.pictures);
                for name in pictures {
                    assert!(crate::pages::find_picture(name).is_some(), "{}: {name}", page.name);
                }
                if let Some(TableColumns::Named(name)) = table.map(|table| &table.columns) {
                    assert!(COLUMNS.contains_key(name), "{}: {name}", page.name);
                }
            }
        }
        assert_eq!(PAGES.len(), FILES.len());
    }
}
