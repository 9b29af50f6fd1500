//! Events and their cards.

use fdna_api::{Failure, MetaExtra};

use super::bouts::bout_json;
use super::{Asked, unknown};
use crate::Dataset;
use crate::dataset::Status;
use crate::dataset::events::EventRow;
use crate::respond::Answer;
use crate::splice::{Object, array};

pub(crate) fn events(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    let (status, date) = (asked.params.word("status"), asked.params.date("date"));
    let matches = |event: &&EventRow| {
        let in_status = match status {
            "upcoming" => event.status == Status::Upcoming,
            "recent" => event.status == Status::Completed,
            _ => true,
        };
        in_status && date.is_none_or(|day| event.date == day)
    };
    let matching = data.events.rows.iter().filter(matches);
    let total = matching.clone().count();
    let rows: Vec<&[u8]> = matching.take(asked.params.number("limit")).map(|e| &*e.json).collect();
    let meta = MetaExtra::Events {
        count: rows.len(),
        total,
        status: status.to_owned(),
        date: date.map(|d| d.to_string()),
    };
    let mut out = Vec::new();
    array(&mut out, rows);
    Ok(asked.answer(out, meta))
}

pub(crate) fn event(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    let event = find(data, asked)?;
    Ok(asked.answer(event.json.to_vec(), MetaExtra::None {}))
}

pub(crate) fn card(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    let event = find(data, asked)?;
    let with_stats = asked.params.words("include").contains(&"stats");
    let bouts: Vec<Vec<u8>> =
        event.bouts.iter().map(|&row| bout_json(&data.bouts.rows[row], with_stats)).collect();
    // Media and results are always on, whether asked for or not.
    let mut include = vec!["media", "results"];
    include.extend(with_stats.then_some("stats"));
    let meta = MetaExtra::Card { include, bouts: bouts.len() };
    let card = Object::new().field("event", &event.json);
    let card = card.field_with("bouts", |out| array(out, bouts.iter().map(Vec::as_slice)));
    Ok(asked.answer(card.finish(), meta))
}

fn find<'a>(data: &'a Dataset, asked: &Asked) -> Result<&'a EventRow, Failure> {
    let row = data.events.ids.find(asked.id()).ok_or_else(|| unknown("event"))?;
    Ok(&data.events.rows[row])
}
