//! Parts of a page, and its template.

use askama::Template;
use serde_json::Value;

use crate::assets::AssetPaths;
use crate::shown::words;

/// What all pages of an API have in common.
#[derive(Debug)]
pub(crate) struct Site {
    /// The pages that every page leads to: name, [`Page::place`] of pages under it, address.
    pub(crate) navigation: Vec<(&'static str, &'static str, String)>,
    pub(crate) can_search: bool,
    /// What stands before the last day.
    pub(crate) until: &'static str,
    /// What holds of all its pages.
    pub(crate) footer: &'static str,
}

impl Site {
    /// Fighters and their bouts.
    pub(crate) fn of_mma() -> Self {
        let places = ["Events", "Fighters", "Leaders", "Metrics", "Data"].into_iter().zip([
            "/events",
            "/fighters",
            "/leaders",
            "/metrics",
            "/data",
        ]);
        Self {
            navigation: places.map(|(name, place)| (name, place, place.to_owned())).collect(),
            can_search: true,
            until: "Data until",
            footer: "No picks, no odds, no probability of winning.",
        }
    }
}

/// A page, without what all have.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) title: String,
    /// Which of [`Site::navigation`] it is under.
    pub(crate) place: &'static str,
    pub(crate) lead: Vec<String>,
    pub(crate) links: Vec<Link>,
    pub(crate) portrait: Option<Portrait>,
    pub(crate) facts: Vec<(String, Cell)>,
    pub(crate) forms: Vec<Form>,
    pub(crate) sections: Vec<Section>,
}

/// Where another page is.
#[derive(Debug, Clone, Default)]
pub(crate) struct Link {
    pub(crate) text: String,
    pub(crate) href: String,
    pub(crate) is_here: bool,
}

impl Link {
    pub(crate) fn new(text: impl Into<String>, href: impl Into<String>) -> Self {
        Self { text: text.into(), href: href.into(), is_here: false }
    }
}

/// A fighter's initials, and the credit of the licensed image, which is elsewhere: pages load nothing from there.
#[derive(Debug)]
pub(crate) struct Portrait {
    pub(crate) monogram: String,
    pub(crate) credit: Option<Link>,
}

impl Portrait {
    pub(crate) fn of(fighter: &Value) -> Self {
        let name = fighter["name"].as_str().unwrap_or_default();
        let initials = name.split_whitespace().filter_map(|word| word.chars().next());
        let image = &fighter["primary_image"];
        let href = image["source_url"].as_str().or_else(|| image["image_url"].as_str());
        // What is no web address is not led to.
        let is_web = |href: &&str| href.starts_with("https://") || href.starts_with("http://");
        let text = image["attribution_text"].as_str().unwrap_or("licensed image");
        Self {
            monogram: initials.take(2).collect::<String>().to_uppercase(),
            credit: href.filter(is_web).map(|href| Link::new(text, href)),
        }
    }
}

/// Something in a table or beside a fact's name.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cell {
    pub(crate) text: String,
    pub(crate) href: Option<String>,
    /// A number as the API gives it, where `text` is rounded.
    pub(crate) value: Option<f64>,
    /// Whether the text says why there is nothing.
    pub(crate) is_missing: bool,
}

impl Cell {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// A text that may be null.
    pub(crate) fn of(text: Option<impl Into<String>>) -> Self {
        text.map_or_else(|| Self::missing("not stated"), Self::text)
    }

    pub(crate) fn link(text: impl Into<String>, href: impl Into<String>) -> Self {
        Self { text: text.into(), href: Some(href.into()), ..Self::default() }
    }

    pub(crate) fn number(value: f64, text: impl Into<String>) -> Self {
        Self { text: text.into(), value: Some(value), ..Self::default() }
    }

    /// A whole number, in groups of three digits.
    pub(crate) fn count(count: i64) -> Self {
        let digits = count.unsigned_abs().to_string();
        let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
        Self::text(format!("{}{}", if count < 0 { "-" } else { "" }, groups.join(",")))
    }

    pub(crate) fn missing(why: impl Into<String>) -> Self {
        Self { text: why.into(), is_missing: true, ..Self::default() }
    }
}

/// A table and what its columns hold.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) caption: String,
    pub(crate) columns: Vec<TableColumn>,
    pub(crate) rows: Vec<Vec<Cell>>,
    /// Whether the caption repeats the heading of its section, and is for those who cannot see that.
    pub(crate) has_quiet_caption: bool,
}

/// A column's name; numbers stand to the right.
#[derive(Debug)]
pub(crate) struct TableColumn {
    pub(crate) name: String,
    pub(crate) is_number: bool,
    /// Whether its texts are days, scores and the like, which are not broken into lines.
    pub(crate) has_figures: bool,
    /// Whether a narrow screen does without it.
    pub(crate) is_secondary: bool,
}

impl TableColumn {
    /// The attribute with the classes of its cells; empty without one.
    fn class_attribute(&self) -> String {
        let classes = [(self.is_number, "n"), (self.has_figures, "f"), (self.is_secondary, "secondary")];
        let classes: Vec<&str> = classes.iter().filter(|(is, _)| *is).map(|(_, class)| *class).collect();
        if classes.is_empty() { String::new() } else { format!(r#" class="{}""#, classes.join(" ")) }
    }

    pub(crate) fn text(name: impl Into<String>) -> Self {
        Self { name: name.into(), is_number: false, has_figures: false, is_secondary: false }
    }

    pub(crate) fn number(name: impl Into<String>) -> Self {
        Self { is_number: true, ..Self::text(name) }
    }
}

impl Table {
    pub(crate) fn new(
        caption: impl Into<String>,
        columns: impl IntoIterator<Item = TableColumn>,
        rows: impl IntoIterator<Item = Vec<Cell>>,
    ) -> Self {
        let rows: Vec<Vec<Cell>> = rows.into_iter().collect();
        let mut columns: Vec<TableColumn> = columns.into_iter().collect();
        for (place, column) in columns.iter_mut().enumerate() {
            let has_letters = |row: &Vec<Cell>| row[place].text.contains(char::is_alphabetic);
            column.has_figures = !rows.iter().any(has_letters);
        }
        Self { caption: caption.into(), columns, rows, has_quiet_caption: false }
    }
}

impl Table {
    /// Attributes of the cells of each column.
    pub(crate) fn list_classes(&self) -> Vec<String> {
        self.columns.iter().map(TableColumn::class_attribute).collect()
    }
}

/// A picture, whose numbers stand in a table of its section.
#[derive(Debug)]
pub(crate) struct Figure {
    pub(crate) svg: String,
    pub(crate) caption: String,
}

impl Figure {
    pub(crate) fn new(svg: String, caption: impl Into<String>) -> Self {
        Self { svg, caption: caption.into() }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Section {
    pub(crate) id: String,
    pub(crate) heading: String,
    pub(crate) text: Vec<String>,
    pub(crate) facts: Vec<(String, Cell)>,
    pub(crate) links: Vec<Link>,
    pub(crate) figures: Vec<Figure>,
    pub(crate) tables: Vec<Table>,
    /// What stands below its tables.
    pub(crate) notes: Vec<String>,
    /// Whether it takes the whole width.
    pub(crate) is_wide: bool,
    /// Whether all but its heading is shown when somebody asks for it.
    pub(crate) is_folded: bool,
    /// Whether its tables say more than its pictures; others are shown when somebody asks for them.
    pub(crate) has_open_tables: bool,
}

impl Section {
    pub(crate) fn new(id: impl Into<String>, heading: impl Into<String>) -> Self {
        Self { id: id.into(), heading: heading.into(), ..Self::default() }
    }

    pub(crate) fn wide(self) -> Self {
        Self { is_wide: true, ..self }
    }

    pub(crate) fn line(mut self, line: impl Into<String>) -> Self {
        self.text.push(line.into());
        self
    }

    pub(crate) fn figure(mut self, figure: Figure) -> Self {
        self.figures.push(figure);
        self
    }

    pub(crate) fn table(mut self, table: Table) -> Self {
        self.tables.push(table);
        self
    }
}

/// Questions to the page itself, all in its address.
#[derive(Debug, Default)]
pub(crate) struct Form {
    pub(crate) action: String,
    pub(crate) submit: &'static str,
    pub(crate) fields: Vec<Field>,
    /// Days between which the script lets one slide, comma-separated.
    pub(crate) dates: String,
    /// What stands in its place on a narrow screen until somebody asks for it; empty where it is always there.
    pub(crate) summary: String,
}

#[derive(Debug, Default)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) label: String,
    /// Of an input: text, date, number.
    pub(crate) kind: &'static str,
    pub(crate) value: String,
    /// Value and text; empty for an input.
    pub(crate) options: Vec<(String, String)>,
}

/// What is chosen now, and what else may be.
pub(crate) fn summarise_choices(fields: &[Field]) -> String {
    let (chosen, open): (Vec<&Field>, Vec<&Field>) = fields.iter().partition(|field| !field.value.is_empty());
    let chosen = chosen.iter().map(|field| format!("{} {}", field.label, words(&field.value)));
    let open = open.iter().map(|field| field.label.to_lowercase());
    let texts = [chosen.collect::<Vec<_>>().join(", "), open.collect::<Vec<_>>().join(", ")];
    match texts.each_ref().map(String::as_str) {
        ["", open] => format!("Choose {open}"),
        [chosen, ""] => format!("{chosen}: change"),
        [chosen, open] => format!("{chosen}: change, or choose {open}"),
    }
}

/// What a page is made from.
#[derive(Debug)]
pub(crate) struct Stamp {
    pub(crate) snapshot_id: String,
    pub(crate) facts_until: String,
    pub(crate) synthetic: bool,
}

/// A page with what all have.
#[derive(Template)]
#[template(path = "page.html")]
pub(crate) struct Document<'a> {
    pub(crate) page: &'a Page,
    pub(crate) site: &'a Site,
    pub(crate) stamp: &'a Stamp,
    pub(crate) assets: &'a AssetPaths,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_written_in_groups_of_three_digits() {
        let texts = [0, 999, 1_000, 11_277, -1_234_567].map(|count| Cell::count(count).text);
        assert_eq!(texts, ["0", "999", "1,000", "11,277", "-1,234,567"]);
    }
}
