//! The pages that one begins with: all sports, and one.

use fdna_catalog::{CatalogRoute, RouteCatalog, Sport};
use serde_json::Value;

use super::answer::AnswerView;
use super::link_to_sport;
use super::presentation::{self, SportHighlight};
use crate::ask::{ApiClient, address};
use crate::declared::TemplateScope;
use crate::page::{Link, Page, Section};
use crate::shown::words;

/// Rows of each list where all sports stand on one page.
const ROWS_AT_HOME: usize = 5;

pub(super) async fn all_sports(api: &ApiClient, catalog: &'static RouteCatalog) -> Page {
    let mut sections = Vec::new();
    for sport in &catalog.sports {
        let mut own = Vec::new();
        for highlight in
            presentation::sport_presentation(sport.key).highlights.iter().filter(|one| one.is_on_home)
        {
            let rows = highlight.rows.min(ROWS_AT_HOME);
            own.extend(draw_highlight(api, catalog, sport, highlight, rows).await);
        }
        if own.is_empty() {
            own.push(Section::new(sport.key, sport.name).line("Nothing of it is published here."));
        }
        for section in &mut own {
            section.heading = format!("{}: {}", sport.name, section.heading);
        }
        if let Some(last) = own.last_mut() {
            last.links.push(link_to_sport(sport));
        }
        sections.extend(own);
    }
    Page {
        title: "Scores, tables and leaders".to_owned(),
        lead: vec!["What is captured of seven sports: games, players and their DNA, with the sources beside every answer.".to_owned()],
        sections,
        ..Page::default()
    }
}

/// What is newest, then the pages of each group.
pub(super) async fn one_sport(
    api: &ApiClient,
    catalog: &'static RouteCatalog,
    sport: &'static Sport,
) -> Page {
    let presentation = presentation::sport_presentation(sport.key);
    let mut sections = Vec::new();
    for highlight in &presentation.highlights {
        sections.extend(draw_highlight(api, catalog, sport, highlight, highlight.rows).await);
    }
    // `/sports` says which routes have data.
    let listed = api.get_data(&format!("/sports?sport={}", sport.key)).await.unwrap_or_default();
    let find_status = |path: &str| {
        let groups = listed["sports"][0]["groups"].as_array().into_iter().flatten();
        let mut routes = groups.flat_map(|group| group["routes"].as_array().into_iter().flatten());
        routes.find(|route| route["path"] == path).and_then(|route| route["status"].as_str())
    };
    let is_served = |route: &&CatalogRoute| find_status(route.path) == Some("served");
    for group in &sport.groups {
        let mut section = Section::new(write_slug(group.name), group.name);
        for route in group.routes.iter().filter(is_served) {
            let title = presentation.title(route.path);
            section.links.extend(match (route.path_parameters.is_empty(), route.example) {
                (true, _) => Some(Link::new(title, route.path)),
                (false, example) => {
                    example.map(|example| Link::new(format!("{title} (an example)"), example))
                }
            });
        }
        if !section.links.is_empty() {
            sections.push(section);
        }
    }
    let mut missing = Section::new("missing", "What is not here");
    for route in sport.routes().filter(|route| !is_served(route)) {
        let title = presentation.title(route.path);
        let why = match find_status(route.path) {
            Some("unavailable") | None => route.meaning.replace('`', ""),
            Some(status) => format!("{}.", words(status)),
        };
        missing.text.push(format!("{title} ({}): {why}", route.path));
    }
    if !missing.text.is_empty() {
        sections.push(Section { is_folded: true, is_wide: true, ..missing });
    }
    Page { title: sport.name.to_owned(), place: sport.key, sections, ..Page::default() }
}

/// The first rows of a route; nothing where it has none.
async fn draw_highlight(
    api: &ApiClient,
    catalog: &'static RouteCatalog,
    sport: &'static Sport,
    highlight: &'static SportHighlight,
    rows: usize,
) -> Option<Section> {
    let found = catalog.find(&highlight.path).ok()?;
    let before = match &highlight.after {
        Some(after) => api.get(after).await.ok()?,
        None => Value::Null,
    };
    let scope = TemplateScope::of_row(&before);
    let query: Vec<(&str, Option<String>)> =
        highlight.query.iter().map(|(name, value)| (name.as_str(), value.fill(scope))).collect();
    let query: Vec<(&str, Option<&str>)> =
        query.iter().map(|(name, value)| (*name, value.as_deref())).collect();
    let mut answer = api.get(&address(&highlight.path, &query)).await.ok()?;
    if let Value::Array(all_rows) = &mut answer["data"] {
        all_rows.truncate(rows);
    }
    let presentation = presentation::sport_presentation(sport.key);
    let view =
        AnswerView { catalog, route: found.route, presentation, has_every_column: false, answer: &answer };
    let section = view.draw_sections().into_iter().next()?;
    let is_empty = section.tables.iter().all(|table| table.rows.is_empty());
    if is_empty && section.facts.is_empty() {
        return None;
    }
    let id = write_slug(&format!("{} {}", sport.key, highlight.heading));
    Some(Section {
        id,
        heading: highlight.heading.clone(),
        is_wide: false,
        figures: Vec::new(),
        links: vec![Link::new("More", address(&highlight.path, &query))],
        ..section
    })
}

/// An id of a heading.
fn write_slug(text: &str) -> String {
    let letters = text.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' });
    letters.collect::<String>().to_lowercase()
}
