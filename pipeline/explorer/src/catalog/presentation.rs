//! Presentation of the catalog's answers, as data: `catalog/common.toml` for all sports, `catalog/SPORT.toml` for one. What is
//! not named there is shown by its contract.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::Deserialize;

use crate::declared::{AddressTemplate, DeclaredColumn, TextTemplate};

/// What holds of the columns of every sport.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CommonPresentation {
    /// Columns that serve the order or the bookkeeping of a table; they are shown when every column is asked for.
    hidden: BTreeSet<String>,
    /// Heads of columns, where the column's own name is not what a fan would write.
    labels: BTreeMap<String, String>,
}

/// How one sport is shown.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SportPresentation {
    /// Titles of pages, by the template of the route.
    routes: BTreeMap<String, String>,
    /// What pages are about, by the beginning of their routes' templates.
    #[serde(default)]
    subjects: BTreeMap<String, PageSubject>,
    #[serde(default)]
    tables: BTreeMap<String, TablePresentation>,
    /// What the sport's own page begins with.
    #[serde(default)]
    pub(super) highlights: Vec<SportHighlight>,
}

/// A game, a team, a player: the pages about it bear its name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PageSubject {
    /// The answer that names it; the row of `name` and of `address`. `{id}` and `{other_id}` are the values of the path.
    pub(super) address: AddressTemplate,
    pub(super) name: TextTemplate,
    /// The template of the route that is its first page, which has its name alone for a title.
    pub(super) main: String,
    /// Templates of routes about it that begin otherwise.
    #[serde(default)]
    pub(super) also: Vec<String>,
}

/// How the rows of a table are shown.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TablePresentation {
    pub(super) heading: Option<String>,
    /// The caption of a row's table: rows with one caption stand together.
    pub(super) group_by: Option<TextTemplate>,
    /// Columns in the place of those of the contract.
    #[serde(default)]
    pub(super) columns: Vec<DeclaredColumn>,
    /// Rows across in place of down.
    pub(super) line_score: Option<LineScore>,
    pub(super) picture: Option<TablePicture>,
    /// Rows of a page, where the usual number is too much to read.
    pub(super) page_rows: Option<String>,
}

/// Points by period as scoreboards have them: a line for each side, a column for each period.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LineScore {
    /// The column that numbers the periods.
    pub(super) period: String,
    /// The member of each side that has its points.
    pub(super) points: String,
}

/// A picture that cannot be known by the columns of the table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, tag = "kind", rename_all = "snake_case")]
pub(super) enum TablePicture {
    /// Shots where they were taken.
    Shots(ShotGround),
    /// A share over the seconds that are left.
    Curve { value: String, left: String, period: String, caption: String },
}

/// Where shots are taken, in the unit of `x` and `y`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ShotGround {
    pub(super) x: (f64, f64),
    pub(super) y: (f64, f64),
    /// The column that says which went in.
    pub(super) went_in: String,
    /// Lines on the ground, from point to point.
    #[serde(default)]
    pub(super) lines: Vec<Vec<(f64, f64)>>,
    /// Arcs on the ground: centre, radius, first and last angle in degrees.
    #[serde(default)]
    pub(super) arcs: Vec<(f64, f64, f64, f64, f64)>,
}

/// The first rows of a route.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SportHighlight {
    pub(super) heading: String,
    /// An answer whose values `query` takes.
    pub(super) after: Option<String>,
    pub(super) path: String,
    #[serde(default)]
    pub(super) query: BTreeMap<String, TextTemplate>,
    /// Rows at most.
    pub(super) rows: usize,
    /// Whether the page of all sports has it too.
    #[serde(default)]
    pub(super) is_on_home: bool,
}

const COMMON: &str = include_str!("../../catalog/common.toml");

macro_rules! files {
    ($($name:literal)+) => { [$(($name, include_str!(concat!("../../catalog/", $name, ".toml")))),+] };
}

const FILES: [(&str, &str); 7] = files!["mlb" "nba" "nfl" "nhl" "soccer" "tennis" "wnba"];

/// A test reads the files.
pub(super) fn common_presentation() -> &'static CommonPresentation {
    static COMMON_PRESENTATION: LazyLock<CommonPresentation> =
        LazyLock::new(|| toml::from_str(COMMON).unwrap_or_default());
    &COMMON_PRESENTATION
}

pub(super) fn sport_presentation(key: &str) -> &'static SportPresentation {
    static SPORTS: LazyLock<BTreeMap<&str, SportPresentation>> = LazyLock::new(|| {
        FILES.iter().map(|(name, file)| (*name, toml::from_str(file).unwrap_or_default())).collect()
    });
    static NONE: LazyLock<SportPresentation> = LazyLock::new(SportPresentation::default);
    SPORTS.get(key).unwrap_or(&NONE)
}

impl CommonPresentation {
    pub(super) fn is_hidden(&self, column: &str) -> bool {
        self.hidden.contains(column)
    }

    pub(super) fn find_label(&self, column: &str) -> Option<&str> {
        self.labels.get(column).map(String::as_str)
    }
}

impl SportPresentation {
    /// The title of a route's page; its template where nobody gave it one.
    pub(super) fn title<'r>(&'r self, route: &'r str) -> &'r str {
        self.find_title(route).unwrap_or(route)
    }

    pub(super) fn find_title(&self, route: &str) -> Option<&str> {
        self.routes.get(route).map(String::as_str)
    }

    /// What a route's page is about, and the beginning of its template.
    pub(super) fn find_subject(&self, route: &str) -> Option<(&str, &PageSubject)> {
        let mut subjects = self.subjects.iter().map(|(prefix, subject)| (prefix.as_str(), subject));
        subjects.find(|(prefix, subject)| subject.has_route(prefix, route))
    }

    pub(super) fn find_table(&self, name: &str) -> Option<&TablePresentation> {
        self.tables.get(name)
    }
}

impl PageSubject {
    /// Whether the route of this template is about it.
    pub(super) fn has_route(&self, prefix: &str, route: &str) -> bool {
        let is_under =
            route.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        is_under || self.also.iter().any(|also| also == route)
    }
}

#[cfg(test)]
mod tests {
    use fdna_catalog::RouteCatalog;

    use super::*;

    fn read(name: &str, file: &str) -> SportPresentation {
        toml::from_str(file).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    #[test]
    fn every_route_with_data_has_a_title_and_every_title_a_route() {
        let catalog = RouteCatalog::get().unwrap();
        for (name, file) in FILES {
            let presentation = read(name, file);
            let routes: BTreeSet<&str> =
                catalog.routes().filter(|route| route.sport == name).map(|route| route.path).collect();
            let titled: BTreeSet<&str> = presentation.routes.keys().map(String::as_str).collect();
            assert_eq!(titled, routes, "{name}");
            for prefix in presentation.subjects.keys() {
                assert!(routes.iter().any(|route| route.starts_with(prefix.as_str())), "{prefix}");
            }
        }
    }

    #[test]
    fn every_table_is_one_of_an_answer_and_a_picture_has_its_columns() {
        toml::from_str::<CommonPresentation>(COMMON).unwrap();
        let catalog = RouteCatalog::get().unwrap();
        for (sport, file) in FILES {
            for (name, table) in read(sport, file).tables {
                let part =
                    catalog.routes().flat_map(|route| route.parts()).find(|part| part.table().name == name);
                let part = part.unwrap_or_else(|| panic!("no route answers from {name}"));
                let columns = match &table.picture {
                    None => Vec::new(),
                    Some(TablePicture::Shots(ground)) => {
                        assert!(ground.x.0 < ground.x.1 && ground.y.0 < ground.y.1, "{name}");
                        vec!["x", "y", &ground.went_in]
                    }
                    Some(TablePicture::Curve { value, left, period, .. }) => {
                        vec![value.as_str(), left, period]
                    }
                };
                for column in columns {
                    let has_it = part.fields().iter().any(|field| field.column.name == column);
                    assert!(has_it, "{name} has no column {column}");
                }
            }
        }
    }

    #[test]
    fn every_highlight_asks_a_route() {
        let catalog = RouteCatalog::get().unwrap();
        for (sport, file) in FILES {
            for highlight in read(sport, file).highlights {
                let found = catalog.find(&highlight.path).unwrap_or_else(|_| panic!("{}", highlight.path));
                for name in highlight.query.keys() {
                    let is_known = found.route.parameters.iter().any(|parameter| parameter.name == name);
                    assert!(is_known, "{} has no parameter {name}", highlight.path);
                }
            }
        }
    }
}
