//! Fight DNA of several fighters at once: each what it is alone, or why there is none.

use fdna_api::{Failure, Id, MetaExtra};
use uuid::Uuid;

use super::fighter::{Wanted, body};
use super::version::Version;
use crate::dataset::Whole;
use crate::respond::Answer;
use crate::routes::named::{Kind, row};
use crate::routes::page::list;
use crate::routes::{Asked, to_json};
use crate::splice::Object;

/// In the order in which they were asked.
pub(crate) fn fighters_dna(data: Whole<'_>, asked: &Asked) -> Result<Answer, Failure> {
    let (ids, wanted) = (asked.params.ids("ids"), Wanted::of(data, asked)?);
    let mut found = 0;
    let mut items = Vec::with_capacity(ids.len());
    for id in ids {
        let dna = one(data, asked, *id, &wanted);
        found += usize::from(dna.is_ok());
        items.push(item(*id, dna)?);
    }
    Ok(asked.answer(list(&items), MetaExtra::Media { requested: ids.len(), found }))
}

fn one(data: Whole<'_>, asked: &Asked, id: Uuid, wanted: &Wanted) -> Result<Vec<u8>, Failure> {
    let fighter = row(&data, Kind::Fighter, &id.to_string())?;
    let version = Version::choose(data, fighter, asked.params.date("as_of"))?;
    body(&version, asked, wanted)
}

fn item(id: Uuid, dna: Result<Vec<u8>, Failure>) -> Result<Vec<u8>, Failure> {
    let object = Object::new().field("id", &to_json(&Id(id))?);
    Ok(match dna {
        Ok(dna) => object.field("dna", &dna).field("error", b"null"),
        Err(failure) => object.field("dna", b"null").field("error", &to_json(&failure)?),
    }
    .finish())
}
