//! Pages of the multi-sport catalog: its sports, the routes of one, and the answer of a route, all made from the route tables.
//! A page has the address of its route.

mod answer;
mod pictures;

use fdna_api::ParameterKind;
use fdna_catalog::{CatalogRoute, FoundRoute, RouteCatalog, Sport};
use serde_json::Value;

use crate::ask::{ApiClient, Refusal, address};
use crate::page::{Cell, Field, Form, Link, Page, Section, Site, Table, TableColumn};
use crate::shown::{capital, minute, words};

/// Rows of a page; a picture of more says nothing, but for shots.
const ROWS: &str = "50";
const SHOTS: &str = "500";

/// An address under a catalog's pages, and what its query asks.
#[derive(Debug)]
pub(crate) struct CatalogAsk<'a> {
    pub(crate) path: &'a str,
    pub(crate) query: Vec<(String, String)>,
}

/// The page of an address.
pub(crate) async fn page(
    api: &ApiClient,
    catalog: &'static RouteCatalog,
    ask: &CatalogAsk<'_>,
) -> Result<Page, Refusal> {
    if ask.path == "/" {
        return Ok(home(catalog));
    }
    if let Some(sport) = catalog.sports.iter().find(|sport| ask.path[1..] == *sport.key) {
        return Ok(of_sport(api, sport).await);
    }
    let found = catalog.find(ask.path).map_err(|failure| Refusal::not_found(failure.message.clone()))?;
    of_route(api, catalog, &found, ask).await
}

/// What its pages have in common.
pub(crate) fn site(catalog: &'static RouteCatalog) -> Site {
    let sports = catalog.sports.iter().map(|sport| (sport.name, sport.key, format!("/{}", sport.key)));
    Site { navigation: sports.collect(), can_search: false, first_day: "1870-01-01" }
}

fn home(catalog: &'static RouteCatalog) -> Page {
    let rows = catalog.sports.iter().map(|sport| {
        let without = sport.routes().filter(|route| route.shape.is_none()).count();
        let count = |number: usize| Cell::text(number.to_string());
        vec![
            Cell::link(sport.name, format!("/{}", sport.key)),
            count(sport.routes().count()),
            count(without),
            Cell::text(sport.day_zone),
        ]
    });
    let columns = [
        TableColumn::text("Sport"),
        TableColumn::number("Routes"),
        TableColumn::number("Of them no source can answer"),
        TableColumn::text("Days are those of"),
    ];
    let table = Table::new("Sports", columns, rows);
    Page {
        title: "Sports".to_owned(),
        lead: vec!["Every route of the catalog as a page: the answer as a table, and as a picture where one says more.".to_owned()],
        sections: vec![Section::new("sports", "Sports").wide().table(table)],
        ..Page::default()
    }
}

/// Groups of routes, each with what it answers and a page to begin with.
async fn of_sport(api: &ApiClient, sport: &'static Sport) -> Page {
    // `/sports` says which routes have data; without it all are listed alike.
    let listed = api.get_data(&format!("/sports?sport={}", sport.key)).await.unwrap_or_default();
    let status = |path: &str| {
        let groups = listed["sports"][0]["groups"].as_array().into_iter().flatten();
        let mut routes = groups.flat_map(|group| group["routes"].as_array().into_iter().flatten());
        let route = routes.find(|route| route["path"] == path)?;
        route["status"].as_str().map(words)
    };
    let sections = sport.groups.iter().map(|group| {
        let rows = group.routes.iter().map(|route| {
            let status = status(route.path).unwrap_or_default();
            let page = match (status.as_str(), route.example, route.path_parameters.is_empty()) {
                ("served", Some(example), _) => Cell::link(route.path, example),
                ("served", None, true) => Cell::link(route.path, route.path),
                _ => Cell::text(route.path),
            };
            vec![page, Cell::text(status), Cell::text(route.meaning.replace('`', ""))]
        });
        let table = Table::new(
            format!("Routes of {}", group.name),
            ["Page", "Data", "What it shows"].map(TableColumn::text),
            rows,
        );
        Section::new(slug(group.name), group.name).wide().table(table)
    });
    Page { title: sport.name.to_owned(), place: sport.key, sections: sections.collect(), ..Page::default() }
}

/// An id of a heading.
fn slug(text: &str) -> String {
    let letters = text.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' });
    letters.collect::<String>().to_lowercase()
}

async fn of_route(
    api: &ApiClient,
    catalog: &'static RouteCatalog,
    found: &FoundRoute<'static>,
    ask: &CatalogAsk<'_>,
) -> Result<Page, Refusal> {
    let route = found.route;
    let is_known = |name: &str| route.parameters.iter().any(|parameter| parameter.name == name);
    let mut asked: Vec<(&str, Option<&str>)> =
        ask.query.iter().map(|(name, value)| (name.as_str(), Some(value.as_str()))).collect();
    asked.retain(|(name, _)| is_known(name));
    if is_known("limit") && !asked.iter().any(|(name, _)| *name == "limit") {
        let has_shots = route.parts().any(|part| pictures::is_ground(&part.table().name));
        asked.push(("limit", Some(if has_shots { SHOTS } else { ROWS })));
    }
    let mut page = Page {
        title: format!("{}: {}", found.sport.name, heading(route, &found.values)),
        place: found.sport.key,
        lead: [Some(route.meaning), route.coverage]
            .into_iter()
            .flatten()
            .map(|line| line.replace('`', ""))
            .collect(),
        links: vec![Link::new(format!("All of {}", found.sport.name), format!("/{}", found.sport.key))],
        ..Page::default()
    };
    let needs =
        route.parameters.iter().find(|p| p.required && !asked.iter().any(|(name, _)| *name == p.name));
    if let Some(needed) = needs {
        page.forms.extend(form(route, ask.path, &asked, None));
        let why = format!("Choose `{}`: {}", needed.name, needed.about);
        page.sections.push(Section::new("why", "One thing more").line(why));
        return Ok(page);
    }
    let answer = api.get(&address(ask.path, &asked)).await?;
    let meta = &answer["meta"];
    // What is captured is known of the tables alone.
    if let Some(note) = meta["coverage"]["note"].as_str() {
        page.lead = vec![route.meaning.replace('`', ""), note.replace('`', "")];
    }
    page.forms.extend(form(route, ask.path, &asked, Some(meta)));
    page.sections = answer::sections(catalog, route, &answer["data"]);
    if let Some(first) = page.sections.first_mut() {
        first.links.extend(paging(ask.path, &asked, meta));
    }
    page.sections.push(sources(meta));
    Ok(page)
}

/// The path in words, with its values.
fn heading(route: &CatalogRoute, values: &[String]) -> String {
    let mut values = values.iter();
    let parts = route.path.split('/').skip(2).map(|part| match part.starts_with(':') {
        true => values.next().cloned().unwrap_or_default(),
        false => part.replace('-', " "),
    });
    parts.collect::<Vec<_>>().join(" ")
}

fn form(
    route: &CatalogRoute,
    path: &str,
    asked: &[(&str, Option<&str>)],
    meta: Option<&Value>,
) -> Option<Form> {
    let shown = route.parameters.iter().filter(|p| !matches!(p.name, "limit" | "offset"));
    let fields = shown.map(|parameter| {
        let given = asked.iter().find(|(name, _)| *name == parameter.name).and_then(|(_, value)| *value);
        let taken = || meta?[parameter.name].as_str();
        let value = given.or_else(taken).unwrap_or_default();
        let mut field = Field {
            name: parameter.name,
            label: parameter.name,
            kind: "text",
            value: value.to_owned(),
            ..Field::default()
        };
        let options = |words: &[&str]| {
            words.iter().map(|word| ((*word).to_owned(), crate::shown::words(word))).collect()
        };
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
    (!fields.is_empty()).then(|| Form { action: path.to_owned(), submit: "Show", fields, ..Form::default() })
}

/// How many rows match, the pages before and after, and the days beside one without rows.
fn paging<'a>(path: &'a str, asked: &'a [(&str, Option<&str>)], meta: &'a Value) -> Vec<Link> {
    let mut links = Vec::new();
    let to = |name: &str, value: &str| {
        let kept = asked.iter().copied().filter(|(one, _)| *one != name).chain([(name, Some(value))]);
        address(path, &kept.collect::<Vec<_>>())
    };
    let number = |name: &str| meta[name].as_u64();
    if let (Some(total), Some(limit), Some(offset)) = (number("total"), number("limit"), number("offset")) {
        if offset > 0 {
            links.push(Link::new("Previous page", to("offset", &offset.saturating_sub(limit).to_string())));
        }
        if offset.saturating_add(limit) < total {
            links.push(Link::new(
                format!("Next page of {total} rows"),
                to("offset", &(offset + limit).to_string()),
            ));
        }
    }
    let days = [("Before", "before"), ("After", "after")];
    let days = days.into_iter().filter_map(|(word, name)| Some((word, meta["nearest"][name].as_str()?)));
    links.extend(days.map(|(word, day)| Link::new(format!("{word}: {day}"), to("date", day))));
    links
}

/// What the answer was made of, with what must stand by it.
fn sources(meta: &Value) -> Section {
    let rows = meta["sources"].as_array().into_iter().flatten().map(|source| {
        let stated = |name: &str| source[name].as_str();
        vec![
            Cell::text(stated("name").unwrap_or_default()),
            Cell::of(stated("licence")),
            stated("notice").map_or_else(|| Cell::missing("none asked"), Cell::text),
            Cell::of(stated("captured_at").map(minute)),
        ]
    });
    let columns = ["Source", "Licence", "Notice", "Newest capture"].map(TableColumn::text);
    Section::new("sources", "Sources").wide().table(Table::new("Sources", columns, rows))
}

/// `home_goals` under `home` as `Home goals`.
fn title(path: &[&str]) -> String {
    capital(&words(&path.join(" ")))
}
