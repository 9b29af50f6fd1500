//! The page of a bout: who fought, how it ended, and the counts of every round.

use fdna_model::FindingKind;
use scraper::ElementRef;

use super::Read;
use super::page::{HtmlPage, LabelledText, all, changed, id, is_null, required, text, unreadable};
use super::rounds;
use super::tables::{NamedPerson, PageBout, PageRecord};
use crate::parse;
use crate::row::RowError;

const EVENT: &str = "h2.b-content__title a";
const PERSON: &str = "div.b-fight-details__person";
const STATUS: &str = "i.b-fight-details__person-status";
const LINK: &str = "h3.b-fight-details__person-name a";
const NICKNAME: &str = "p.b-fight-details__person-title";
const TITLE: &str = "i.b-fight-details__fight-title";
const FIELDS: &str = "i.b-fight-details__text-item_first, i.b-fight-details__text-item";
const LABEL: &str = "i.b-fight-details__label";
const PARAGRAPH: &str = "p.b-fight-details__text";
const ITEM: &str = "i.b-fight-details__text-item";

/// One of the two, as listed.
pub(super) struct PagePerson {
    pub(super) id: String,
    pub(super) name: String,
    nickname: Option<String>,
    status: String,
}

/// The result first, then both fighters, then the rounds of each.
pub(super) fn bout(page: &HtmlPage, bout_id: &str) -> Result<Read, RowError> {
    let root = page.root();
    let event = required(root, EVENT)?;
    let persons = persons(root)?;
    let rounds = rounds::read(root, &event, &persons)?;
    let result = result(root, bout_id, &event, &persons)?;
    let names = persons.into_iter().map(|p| NamedPerson { id: p.id, name: p.name, nickname: p.nickname });
    let mut records = vec![result.map(PageRecord::Bout)];
    records.extend(names.map(|named| Ok(PageRecord::Named(named))));
    records.extend(rounds.records);
    Ok(Read { records, notes: rounds.notes })
}

fn persons(root: ElementRef<'_>) -> Result<[PagePerson; 2], RowError> {
    let persons = all(root, PERSON).into_iter().map(person).collect::<Result<Vec<_>, _>>()?;
    persons.try_into().map_err(|_| changed(&format!("{PERSON}` twice, `{LINK}")))
}

fn person(of: ElementRef<'_>) -> Result<PagePerson, RowError> {
    let link = super::page::first(of, LINK)?;
    let nickname = all(of, NICKNAME).first().map(|p| text(*p)).unwrap_or_default();
    let nickname = parse::one_space(nickname.trim_matches('"'));
    Ok(PagePerson {
        id: id(link, "href")?,
        name: required(of, LINK)?,
        nickname: Some(nickname).filter(|nickname| !is_null(nickname)),
        status: text(super::page::first(of, STATUS)?),
    })
}

/// The outer result says whether the page is built as it was, the inner one whether its result can be used.
fn result(
    root: ElementRef<'_>,
    bout_id: &str,
    event: &str,
    persons: &[PagePerson; 2],
) -> Result<Result<PageBout, RowError>, RowError> {
    let fields = LabelledText::read(root, FIELDS, LABEL);
    for label in ["Method", "Round", "Time", "Time format", "Referee"] {
        fields.optional(label)?;
    }
    let details = details(root)?;
    let weight = required(root, TITLE)?;
    Ok(ended(&fields, persons).map(|ended| PageBout {
        id: bout_id.to_owned(),
        event: event.to_owned(),
        names: [0, 1].map(|place| persons[place].name.clone()),
        source_ids: [0, 1].map(|place| persons[place].id.clone()),
        weight,
        details,
        ..ended
    }))
}

fn ended(fields: &LabelledText, persons: &[PagePerson; 2]) -> Result<PageBout, RowError> {
    let statuses = format!("{}/{}", persons[0].status, persons[1].status);
    if persons.iter().all(|person| is_null(&person.status)) {
        return Err(RowError::new(FindingKind::NoResult, "the page gives no outcome yet"));
    }
    Ok(PageBout {
        outcome: parse::outcome(&statuses).ok_or_else(|| unreadable(STATUS, &statuses))?,
        method: fields.required("Method")?.to_owned(),
        round: fields.read_required("Round", parse::whole)?,
        clock: fields.read_required("Time", parse::clock_secs)?,
        format: fields.required("Time format")?.to_owned(),
        referee: fields.optional("Referee")?.map(str::to_owned),
        ..PageBout::default()
    })
}

/// The finishing detail, or the judges with their totals one right behind the other, as the six files have them.
fn details(root: ElementRef<'_>) -> Result<Option<String>, RowError> {
    let labelled = |p: &ElementRef<'_>| all(*p, LABEL).iter().any(|label| text(*label) == "Details:");
    let paragraph = all(root, PARAGRAPH).into_iter().find(labelled);
    let paragraph = paragraph.ok_or_else(|| changed(&format!("{PARAGRAPH}` with `Details:")))?;
    let items: Vec<String> = all(paragraph, ITEM).into_iter().map(text).collect();
    let whole = text(paragraph);
    let own = whole.strip_prefix("Details:").unwrap_or(&whole);
    let own = own.strip_suffix(&items.join(" ")).unwrap_or(own).trim();
    let glued = parse::one_space(&format!("{own} {}", items.concat()));
    Ok(Some(glued).filter(|details| !is_null(details)))
}
