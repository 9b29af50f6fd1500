//! Pages of the multi-sport catalog: its sports, what one has, and the answer of a route. A page has the address of its route;
//! what stands on it is the contract's, in the words and the order of `catalog/*.toml`.

mod answer;
mod columns;
mod form;
mod home;
mod pictures;
mod presentation;

use fdna_catalog::{CatalogRoute, FoundRoute, RouteCatalog, Sport};
use serde_json::{Value, json};

use self::answer::AnswerView;
use self::presentation::{PageSubject, SportPresentation};
use crate::ask::{ApiClient, Refusal, address};
use crate::declared::TemplateScope;
use crate::page::{Cell, Link, Page, Section, Site, Table, TableColumn};
use crate::shown::{capital, minute, slug_words, words};

/// Rows of a page; a picture of more says nothing, but for those that are one picture.
const ROWS: &str = "50";
const ROWS_OF_PICTURE: &str = "500";

/// Rows of a picture, at most.
const MOST_OF_PICTURE: u64 = 2_000;

/// What is asked in place of a parameter: every column, as the contract has it.
const COLUMNS: &str = "columns";

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
        return Ok(home::all_sports(api, catalog).await);
    }
    if let Some(sport) = catalog.sports.iter().find(|sport| ask.path[1..] == *sport.key) {
        return Ok(home::one_sport(api, catalog, sport).await);
    }
    let found = catalog.find(ask.path).map_err(|failure| Refusal::not_found(failure.message.clone()))?;
    RoutePage::new(catalog, &found, ask).build_page(api).await
}

/// What its pages have in common.
pub(crate) fn site(catalog: &'static RouteCatalog) -> Site {
    let sports = catalog.sports.iter().map(|sport| (sport.name, sport.key, format!("/{}", sport.key)));
    Site {
        navigation: sports.collect(),
        can_search: false,
        until: "Captured until",
        footer: "Prices are those that bookmakers stated; nothing here is a pick.",
    }
}

/// The page of a route.
struct RoutePage<'a> {
    catalog: &'static RouteCatalog,
    found: &'a FoundRoute<'static>,
    presentation: &'static SportPresentation,
    /// What it is about, and the beginning of the templates of the pages about the same.
    subject: Option<(&'static str, &'static PageSubject)>,
    path: &'a str,
    /// Parameters of the route that are given.
    asked: Vec<(&'a str, Option<&'a str>)>,
    has_every_column: bool,
}

impl<'a> RoutePage<'a> {
    fn new(catalog: &'static RouteCatalog, found: &'a FoundRoute<'static>, ask: &'a CatalogAsk<'_>) -> Self {
        let route = found.route;
        let presentation = presentation::sport_presentation(route.sport);
        let is_known = |name: &str| route.parameters.iter().any(|parameter| parameter.name == name);
        let given = ask.query.iter().map(|(name, value)| (name.as_str(), Some(value.as_str())));
        let mut asked: Vec<_> = given.filter(|(name, _)| is_known(name)).collect();
        if is_known("limit") && !asked.iter().any(|(name, _)| *name == "limit") {
            let own = |table: &str| presentation.find_table(table)?.page_rows.as_deref();
            let own = route.parts().find_map(|part| own(&part.table().name));
            let usual = if has_picture(route, presentation) { ROWS_OF_PICTURE } else { ROWS };
            asked.push(("limit", Some(own.unwrap_or(usual))));
        }
        let has_every_column = ask.query.iter().any(|(name, value)| name == COLUMNS && value == "all");
        let subject = presentation.find_subject(route.path);
        Self { catalog, found, presentation, subject, path: ask.path, asked, has_every_column }
    }

    async fn build_page(&self, api: &ApiClient) -> Result<Page, Refusal> {
        let route = self.found.route;
        let subject = self.find_subject_name(api).await;
        let mut page = Page { place: self.found.sport.key, links: self.list_tabs(), ..Page::default() };
        let is_given = |name: &str| self.asked.iter().any(|(given, _)| *given == name);
        if let Some(needed) = route.parameters.iter().find(|p| p.required && !is_given(p.name)) {
            page.title = self.write_title(subject.as_deref(), &Value::Null);
            page.forms.extend(form::draw_form(route, self.path, &self.asked, None));
            let why = format!("{}: {}", form::write_label(needed.name), needed.about.replace('`', ""));
            page.sections.push(Section::new("why", "Choose first").line(why));
            return Ok(page);
        }
        let mut answer = api.get(&address(self.path, &self.asked)).await?;
        if self.has_picture() {
            self.add_other_pages(api, &mut answer).await?;
        }
        let meta = &answer["meta"];
        page.title = self.write_title(subject.as_deref(), meta);
        page.forms.extend(form::draw_form(route, self.path, &self.asked, Some(meta)));
        page.sections = AnswerView {
            catalog: self.catalog,
            route,
            presentation: self.presentation,
            has_every_column: self.has_every_column,
            answer: &answer,
        }
        .draw_sections();
        if let Some(first) = page.sections.first_mut() {
            first.links.extend(self.list_pages(meta));
        }
        page.sections.push(self.describe_answer(meta));
        Ok(page)
    }

    /// Whether all rows belong in one picture, and nobody asked for a part of them.
    fn has_picture(&self) -> bool {
        let is_usual = |(name, value): &(&str, Option<&str>)| match *name {
            "limit" => *value == Some(ROWS_OF_PICTURE),
            name => name != "offset",
        };
        has_picture(self.found.route, self.presentation) && self.asked.iter().all(is_usual)
    }

    /// What one question does not give of a picture.
    async fn add_other_pages(&self, api: &ApiClient, answer: &mut Value) -> Result<(), Refusal> {
        let total = answer["meta"]["total"].as_u64().unwrap_or_default().min(MOST_OF_PICTURE);
        loop {
            let Some(rows) = answer["data"].as_array_mut() else { return Ok(()) };
            let offset = u64::try_from(rows.len()).unwrap_or(u64::MAX);
            if offset >= total {
                break;
            }
            let next = api.get_data(&self.link_with("offset", &offset.to_string())).await?;
            match next {
                Value::Array(next) if !next.is_empty() => rows.extend(next),
                _ => break,
            }
        }
        answer["meta"]["limit"] = total.into();
        Ok(())
    }

    /// The name of the game, team or player that the page is about; `None` where it is about none, or its answer is not there.
    async fn find_subject_name(&self, api: &ApiClient) -> Option<String> {
        let (_, subject) = self.subject?;
        let mut row = json!({"id": self.found.values.first(), "other_id": self.found.values.get(1)});
        let address = subject.address.fill(TemplateScope::of_row(&row))?;
        row["data"] = api.get_data(&address).await.ok().filter(|data| data["available"] != false)?;
        subject.name.fill(TemplateScope::of_row(&row))
    }

    fn write_title(&self, subject: Option<&str>, meta: &Value) -> String {
        let (sport, route) = (self.found.sport.name, self.found.route);
        let title = self.presentation.title(route.path);
        let of_what = match subject {
            Some(name) if self.is_main() => name.to_owned(),
            Some(name) => format!("{name}: {}", lower_first(title)),
            None if self.found.values.is_empty() => format!("{sport} {}", lower_first(title)),
            None => format!("{}: {}", self.found.values.join(" "), lower_first(title)),
        };
        let competition = meta["competition"].as_str().map(slug_words);
        let others = ["season", "date"].into_iter().filter_map(|name| meta[name].as_str().map(str::to_owned));
        competition.into_iter().chain(others).fold(of_what, |title, value| format!("{title}, {value}"))
    }

    /// Whether it is the first page about its subject.
    fn is_main(&self) -> bool {
        self.subject.is_some_and(|(_, subject)| subject.main == self.found.route.path)
    }

    /// The other pages about the same, or the sport's.
    fn list_tabs(&self) -> Vec<Link> {
        let (sport, route) = (self.found.sport, self.found.route);
        let to_sport = link_to_sport(sport);
        let Some((prefix, subject)) = self.subject else { return vec![to_sport] };
        let about =
            sport.routes().filter(|other| other.shape.is_some() && subject.has_route(prefix, other.path));
        let tab = |other: &CatalogRoute| Link {
            text: self.presentation.title(other.path).to_owned(),
            href: fill_path(other, &self.found.values),
            is_here: other.path == route.path,
        };
        std::iter::once(to_sport).chain(about.map(tab)).collect()
    }

    /// The pages before and after, and the days beside one without rows.
    fn list_pages(&self, meta: &Value) -> Vec<Link> {
        let mut links = Vec::new();
        let number = |name: &str| meta[name].as_u64();
        if let (Some(total), Some(limit), Some(offset)) = (number("total"), number("limit"), number("offset"))
        {
            if offset > 0 {
                let to = self.link_with("offset", &offset.saturating_sub(limit).to_string());
                links.push(Link::new("Previous page", to));
            }
            if offset.saturating_add(limit) < total {
                let total = Cell::count(i64::try_from(total).unwrap_or(i64::MAX)).text;
                let to = self.link_with("offset", &(offset + limit).to_string());
                links.push(Link::new(format!("Next page of {total} rows"), to));
            }
        }
        let days = [("Before", "before"), ("After", "after")];
        let days = days.into_iter().filter_map(|(word, name)| Some((word, meta["nearest"][name].as_str()?)));
        // A page of today has no parameter for the day.
        let has_date = self.found.route.parameters.iter().any(|parameter| parameter.name == "date");
        let day_path =
            if has_date { self.path } else { self.path.strip_suffix("/today").unwrap_or(self.path) };
        let to_day = |(word, day): (&str, &str)| {
            Link::new(format!("{word}: {day}"), address(day_path, &[("date", Some(day))]))
        };
        links.extend(days.map(to_day));
        links
    }

    /// This page with another value of a parameter.
    fn link_with(&self, name: &str, value: &str) -> String {
        let kept = self.asked.iter().copied().filter(|(one, _)| *one != name);
        address(self.path, &kept.chain([(name, Some(value))]).collect::<Vec<_>>())
    }

    /// What the answer is, what is captured of it, and what it was made of, with what must stand by it.
    fn describe_answer(&self, meta: &Value) -> Section {
        let route = self.found.route;
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
        let mut section =
            Section::new("about", "About this page").wide().table(Table::new("Sources", columns, rows));
        // What is captured is known of the tables alone.
        let coverage = meta["coverage"]["note"].as_str().or(route.coverage);
        section
            .text
            .extend([Some(route.meaning), coverage].into_iter().flatten().map(|line| line.replace('`', "")));
        section.text.push(format!("The same as JSON: {} of the API.", address(self.path, &self.asked)));
        let (text, columns) = match self.has_every_column {
            true => ("The chosen columns", None),
            false => ("Every column, with its unit", Some("all")),
        };
        let asked = self.asked.iter().copied().chain([(COLUMNS, columns)]).collect::<Vec<_>>();
        section.links.push(Link::new(text, address(self.path, &asked)));
        Section { is_folded: true, ..section }
    }
}

fn link_to_sport(sport: &Sport) -> Link {
    Link::new(format!("All of {}", sport.name), format!("/{}", sport.key))
}

/// Whether an answer is rows of which one picture is made.
fn has_picture(route: &CatalogRoute, presentation: &SportPresentation) -> bool {
    let mut tables = route.parts().filter_map(|part| presentation.find_table(&part.table().name));
    tables.any(|table| table.picture.is_some())
}

/// The path of a template with these values.
fn fill_path(route: &CatalogRoute, values: &[String]) -> String {
    let mut values = values.iter();
    let part = |part: &str| match part.starts_with(':') {
        true => values.next().cloned().unwrap_or_default(),
        false => part.to_owned(),
    };
    route.path.split('/').map(part).collect::<Vec<_>>().join("/")
}

/// `Box score` as `box score`; `DNA of a player` stays.
fn lower_first(title: &str) -> String {
    let mut letters = title.chars();
    match (letters.next(), letters.next()) {
        (Some(first), Some(second)) if second.is_lowercase() => {
            first.to_lowercase().chain(title.chars().skip(1)).collect()
        }
        _ => title.to_owned(),
    }
}

/// `home_goals` under `home` as `Home goals`.
fn join_path(path: &[&str]) -> String {
    capital(&words(&path.join(" ")))
}
