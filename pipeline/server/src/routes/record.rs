//! A fighter's record: as stated, and as counted.

use fdna_api::{Failure, FighterRecord, MetaExtra};

use super::fighters::find;
use super::{Asked, to_json};
use crate::Dataset;
use crate::respond::Answer;
use crate::splice::Object;

pub(crate) fn fighter_record(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    let (row, as_of) = (find(data, asked)?, asked.params.date("as_of"));
    let career = &data.fighters.rows[row].career;
    let record = FighterRecord {
        as_of: as_of.map(|day| day.to_string()),
        record_stated: career.record(as_of),
        record_counted: data.counted_record(row, as_of),
        career_snapshot: career.snapshot(as_of),
    };
    let body = Object::new().field("fighter", &data.fighter_compact(row, asked.shown()));
    Ok(asked.answer(body.and(&to_json(&record)?).finish(), MetaExtra::None {}))
}
