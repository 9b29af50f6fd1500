//! Events and their cards.

use fdna_api::{Failure, MetaExtra};

use super::Asked;
use super::bouts::of_card;
use super::named::{Kind, row};
use super::page::{Page, list};
use crate::Dataset;
use crate::dataset::Status;
use crate::dataset::events::EventRow;
use crate::respond::Answer;
use crate::splice::{Object, array};

/// Newest first; of those to come, the next first.
pub(crate) fn events(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    let (status, date) = (asked.params.word("status"), asked.params.date("date"));
    let (from, to) = asked.params.span()?;
    let promotion = asked.params.given_word("promotion");
    let matches = |event: &&EventRow| {
        let in_status = match status {
            "upcoming" => event.status == Status::Upcoming,
            "recent" => event.status == Status::Completed,
            _ => true,
        };
        in_status
            && date.is_none_or(|day| event.date == day)
            && from.is_none_or(|day| event.date >= day)
            && to.is_none_or(|day| event.date <= day)
            && promotion.is_none_or(|code| event.promotion == Some(code))
    };
    let mut matching: Vec<&EventRow> = data.events.rows.iter().filter(matches).collect();
    if status == "upcoming" {
        matching.reverse();
    }
    let page = Page::of(data, asked, matching.len())?;
    let rows: Vec<&[u8]> = page.take(matching.iter().map(|event| &*event.json));
    let [date, from, to] = [date, from, to].map(|day| day.map(|day| day.to_string()));
    let Page { count, total, limit, next_cursor, .. } = page;
    let (status, known_until) = (status.to_owned(), data.known_until.map(|day| day.to_string()));
    let meta = MetaExtra::Events { count, total, status, date, from, to, known_until, limit, next_cursor };
    Ok(asked.answer(list(&rows), meta))
}

pub(crate) fn event(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    let event = find(data, asked)?;
    Ok(asked.answer(event.json.to_vec(), MetaExtra::None {}))
}

pub(crate) fn card(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    let event = find(data, asked)?;
    let with_stats = asked.params.words("include").contains(&"stats");
    let bout = |&row: &usize| of_card(data, &data.bouts.rows[row], asked.shown(), with_stats);
    let bouts = event.bouts.iter().map(bout).collect::<Result<Vec<_>, _>>()?;
    // Media and results are always on, whether asked for or not.
    let mut include = vec!["media", "results"];
    include.extend(with_stats.then_some("stats"));
    let off = event.bouts.iter().filter(|&&row| data.bouts.rows[row].status == Status::Off).count();
    let meta = MetaExtra::Card { include, bouts: bouts.len() - off, off };
    let card = Object::new().field("event", &event.json);
    let card = card.field_with("bouts", |out| array(out, bouts.iter().map(Vec::as_slice)));
    Ok(asked.answer(card.finish(), meta))
}

fn find<'a>(data: &'a Dataset, asked: &Asked) -> Result<&'a EventRow, Failure> {
    find_row(data, asked).map(|row| &data.events.rows[row])
}

/// Row of the event in the path.
pub(crate) fn find_row(data: &Dataset, asked: &Asked) -> Result<usize, Failure> {
    row(data, Kind::Event, asked.id())
}
