//! The page of a fighter: name, nickname and tale of the tape.

use super::Read;
use super::page::{HtmlPage, LabelledText, all, is_null, required, text};
use super::tables::{NamedPerson, PageProfile, PageRecord};
use crate::parse;
use crate::row::RowError;

const NAME: &str = "h2.b-content__title span.b-content__title-highlight";
const NICKNAME: &str = "p.b-content__Nickname";
const FIELDS: &str = "li.b-list__box-list-item";
const LABEL: &str = "i.b-list__box-item-title";

/// The tape first, then the name; career statistics and the list of bouts are not read.
pub(super) fn fighter(page: &HtmlPage, fighter_id: &str) -> Result<Read, RowError> {
    let root = page.root();
    let name = required(root, NAME)?;
    let nickname = all(root, NICKNAME).first().map(|p| text(*p)).filter(|nickname| !is_null(nickname));
    let fields = LabelledText::read(root, FIELDS, LABEL);
    let profile = PageProfile {
        id: fighter_id.to_owned(),
        name: name.clone(),
        height: fields.read_optional("Height", parse::height_in)?,
        weight: fields.read_optional("Weight", parse::weight_lbs)?,
        reach: fields.read_optional("Reach", parse::reach_in)?,
        stance: fields.read_optional("STANCE", stance)?,
        born: fields.read_optional("DOB", parse::date_in_words)?,
    };
    let named = NamedPerson { id: fighter_id.to_owned(), name, nickname };
    Ok(Read {
        records: vec![Ok(PageRecord::Profile(profile)), Ok(PageRecord::Named(named))],
        notes: Vec::new(),
    })
}

fn stance(text: &str) -> Option<String> {
    fdna_model::Stance::parse(text).map(|_| text.to_owned())
}
