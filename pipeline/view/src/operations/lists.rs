//! The lists of the API. Whose list it is, the path may say: articles about an event are articles.

use std::cmp::Reverse;
use std::io::Write as _;
use std::slice::from_ref;

use fdna_api::MetaExtra;
use fdna_api::operations::articles::TAG;
use fdna_api::operations::events::{DATE, HAS_BOUTS, STATUS};
use fdna_api::operations::fighters::{ACTIVE, Q};
use fdna_api::operations::parameters::{FROM, PROMOTION, TO, VIDEO_TYPE};
use fdna_api::operations::results::{METHOD, WEIGHT_CLASS};
use fdna_api::operations::wire::OUTLET;
use fdna_model::Method;
use serde_json::to_writer;

use super::entity_lookup::EntityKind::{Bout, Event, Fighter};
use super::page::Page;
use super::row_list::{RowFilter, RowList};
use super::{articles, results};
use crate::Dataset;
use crate::dataset::Status;
use crate::dataset::fighters::NameFilter;

/// Published articles, newest first.
pub(crate) const ARTICLES: RowList = RowList {
    rows: |data, request| Box::new(data.articles.published(request.now)),
    filters: &[
        RowFilter::Entity(Fighter, |data, row| &data.articles.rows[row].about.fighters),
        RowFilter::Entity(Event, |data, row| &data.articles.rows[row].about.events),
        RowFilter::Text(TAG, str::to_owned, |data, row| &data.articles.rows[row].tags),
    ],
    write: |data, row, shown, out| to_writer(out, &articles::body(data, &data.articles.rows[row], shown)),
    ..DEFAULT_LIST
};

/// Stories, newest first; a story is one of every outlet that tells it.
pub(crate) const STORIES: RowList = RowList {
    rows: |data, _| Box::new(0..data.wire.len()),
    filters: &[
        RowFilter::Entity(Fighter, |data, row| &data.wire[row].about.fighters),
        RowFilter::Entity(Event, |data, row| &data.wire[row].about.events),
        RowFilter::Text(OUTLET, str::to_lowercase, |data, row| &data.wire[row].outlets),
    ],
    write: |data, row, _, out| write_prepared(&data.wire[row].json, out),
    ..DEFAULT_LIST
};

/// Videos, newest first.
pub(crate) const VIDEOS: RowList = RowList {
    rows: |data, _| Box::new(0..data.videos.len()),
    filters: &[
        RowFilter::Entity(Fighter, |data, row| &data.videos[row].about.fighters),
        RowFilter::Entity(Event, |data, row| &data.videos[row].about.events),
        RowFilter::Entity(Bout, |data, row| &data.videos[row].about.bouts),
        RowFilter::Word(VIDEO_TYPE, |data, row| Some(data.videos[row].video_type)),
    ],
    write: |data, row, _, out| write_prepared(&data.videos[row].json, out),
    ..DEFAULT_LIST
};

/// Bouts with a result, newest first.
pub(crate) const RESULTS: RowList = RowList {
    rows: |data, _| Box::new(data.bouts.with_result.iter().copied()),
    filters: &[
        RowFilter::Word(WEIGHT_CLASS, |data, row| data.bouts.rows[row].weight_class),
        RowFilter::Word(METHOD, |data, row| data.bouts.rows[row].result.as_ref()?.method.map(Method::name)),
        RowFilter::Word(PROMOTION, |data, row| data.events.rows[data.bouts.rows[row].event].promotion),
        RowFilter::Day(|data, row| data.bouts.rows[row].date),
        RowFilter::Entity(Fighter, |data, row| &data.bouts.rows[row].fighters),
        RowFilter::Entity(Event, |data, row| from_ref(&data.bouts.rows[row].event)),
    ],
    write: |data, row, shown, out| to_writer(out, &results::with_parties(data, &data.bouts.rows[row], shown)),
    ..DEFAULT_LIST
};

/// Events, newest first; of those to come, the next first.
pub(crate) const EVENTS: RowList = RowList {
    rows: |data, request| {
        let of_status = |status| {
            let rows = data.events.rows.iter().enumerate();
            rows.filter(move |(_, event)| event.status == status).map(|(row, _)| row)
        };
        match request.params.get(STATUS) {
            "upcoming" => Box::new(of_status(Status::Upcoming).rev()),
            "recent" => Box::new(of_status(Status::Completed)),
            _ => Box::new(0..data.events.rows.len()),
        }
    },
    filters: &[
        RowFilter::Day(|data, row| data.events.rows[row].date),
        RowFilter::Word(PROMOTION, |data, row| data.events.rows[row].promotion),
        RowFilter::Flag(HAS_BOUTS, |data, row| {
            data.events.rows[row].bouts.iter().any(|&bout| data.bouts.rows[bout].status != Status::Off)
        }),
    ],
    write: |data, row, _, out| write_prepared(&data.events.rows[row].json, out),
    meta: |data, request, page, _| {
        let Page { count, total, limit, next_cursor, .. } = page;
        let [date, from, to] = [DATE, FROM, TO].map(|day| request.params.get(day).map(|day| day.to_string()));
        let (status, known_until) = (request.params.get(STATUS).to_owned(), known_until(data));
        MetaExtra::Events { count, total, status, date, from, to, known_until, limit, next_cursor }
    },
};

/// Fighters by name; of those with a name that is asked for, the nearest first, then the most famous.
pub(crate) const FIGHTERS: RowList = RowList {
    rows: |data, request| {
        let rows = data.fighters.rows.iter().enumerate();
        let Some(name) = request.params.get(Q).map(NameFilter::new) else {
            return Box::new(rows.map(|(row, _)| row));
        };
        let mut named: Vec<_> = rows
            .filter_map(|(row, fighter)| {
                let nearness = fighter.match_name(&name)?;
                Some((nearness, Reverse(fighter.fame), !fighter.is_active, row))
            })
            .collect();
        named.sort_unstable();
        Box::new(named.into_iter().map(|(.., row)| row))
    },
    filters: &[RowFilter::Flag(ACTIVE, |data, row| data.fighters.rows[row].is_active)],
    write: |data, row, shown, out| to_writer(out, &data.fighter(row, shown)),
    meta: |data, request, page, rows| {
        let with_media =
            rows.iter().filter(|row| data.images.primary(**row, request.shown()).is_some()).count();
        let (Page { count, total, limit, offset, next_cursor }, known_until) = (page, known_until(data));
        MetaExtra::Fighters { count, total, limit, offset, with_media, known_until, next_cursor }
    },
};

/// What lists are unless they say otherwise.
const DEFAULT_LIST: RowList = RowList {
    rows: |_, _| Box::new(std::iter::empty()),
    filters: &[],
    write: |_, _, _, _| Ok(()),
    meta: |_, _, page, _| page.meta(),
};

/// Writes a row that was made JSON when the snapshot was loaded.
fn write_prepared(json: &[u8], out: &mut Vec<u8>) -> serde_json::Result<()> {
    out.write_all(json).map_err(serde_json::Error::io)
}

fn known_until(data: &Dataset) -> Option<String> {
    data.known_until.map(|day| day.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parameters that are no filters: of the page, and those by which `rows` are chosen.
    const OTHERS: [&str; 6] = ["limit", "offset", "cursor", "snapshot", "status", "q"];

    fn parameters(filter: &RowFilter) -> Vec<&'static str> {
        match filter {
            RowFilter::Entity(kind, _) => vec![kind.named_by().1.name()],
            RowFilter::Day(_) => vec![DATE.name(), FROM.name(), TO.name()],
            RowFilter::Flag(parameter, _) => vec![parameter.name()],
            RowFilter::Word(parameter, _) => vec![parameter.name()],
            RowFilter::Text(parameter, ..) => vec![parameter.name()],
        }
    }

    #[test]
    fn every_parameter_of_a_list_is_asked_of_its_rows() {
        let lists = [
            ("news", &ARTICLES),
            ("wire", &STORIES),
            ("videos", &VIDEOS),
            ("event_videos", &VIDEOS),
            ("results", &RESULTS),
            ("events", &EVENTS),
            ("fighters", &FIGHTERS),
        ];
        for (name, list) in lists {
            let asked: Vec<&str> = list.filters.iter().flat_map(parameters).chain(OTHERS).collect();
            for parameter in fdna_api::operation(name).unwrap().parameters() {
                assert!(asked.contains(&parameter.name), "{name}: {}", parameter.name);
            }
        }
    }
}
