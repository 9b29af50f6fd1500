//! The list of events, and the page of one event with its card.

use scraper::ElementRef;

use super::Read;
use super::page::{HtmlPage, LabelledText, all, changed, first, id, is_null, required, text, unreadable};
use super::tables::{PageEvent, PageListing, PageRecord};
use crate::parse;
use crate::row::RowError;

const LIST: &str = "table.b-statistics__table-events";
const LINK: &str = "a[href*='event-details/']";
const DATE: &str = "span.b-statistics__date";

/// Every row of the list that links to an event; the rows between are empty.
pub(super) fn list(page: &HtmlPage) -> Result<Read, RowError> {
    let table = first(page.root(), LIST)?;
    let rows = all(table, "tbody tr").into_iter().filter(|row| !text(*row).is_empty());
    let records: Vec<_> = rows.map(listed_event).collect();
    if records.is_empty() {
        return Err(changed(&format!("{LIST} {LINK}")));
    }
    Ok(Read { records, notes: Vec::new() })
}

fn listed_event(row: ElementRef<'_>) -> Result<PageRecord, RowError> {
    let link = first(row, LINK)?;
    let date = required(row, DATE)?;
    let place = all(row, "td").last().map(|cell| text(*cell)).filter(|place| !is_null(place));
    Ok(PageRecord::Event(PageEvent {
        id: id(link, "href")?,
        name: required(row, LINK)?,
        date: parse::date_in_words(&date).ok_or_else(|| unreadable("Date", &date))?,
        location: place,
    }))
}

const NAME: &str = "h2.b-content__title span.b-content__title-highlight";
const FIELDS: &str = "li.b-list__box-list-item";
const LABEL: &str = "i.b-list__box-item-title";
const CARD: &str = "table.js-fight-table";
/// The first two columns: how it ended, and who fought.
const COLUMNS: [&str; 2] = ["W/L", "Fighter"];

/// The event itself, and each bout of its card in the order of the page: the main event first.
pub(super) fn event(page: &HtmlPage, event_id: &str) -> Result<Read, RowError> {
    let root = page.root();
    let fields = LabelledText::read(root, FIELDS, LABEL);
    let name = required(root, NAME)?;
    let event = PageEvent {
        id: event_id.to_owned(),
        name: name.clone(),
        date: fields.read_required("Date", parse::date_in_words)?,
        location: fields.optional("Location")?.map(str::to_owned),
    };
    let card = first(root, CARD)?;
    let header: Vec<String> = all(card, "thead th").into_iter().map(text).collect();
    if !header.starts_with(&COLUMNS.map(str::to_owned)) {
        return Err(changed(&format!("{CARD} thead` with the columns `{}", COLUMNS.join("`, `"))));
    }
    let bouts = all(card, "tbody tr").into_iter().filter(|row| !text(*row).is_empty());
    let bouts = bouts.map(|row| listing(row, &name));
    Ok(Read {
        records: std::iter::once(Ok(PageRecord::Event(event))).chain(bouts).collect(),
        notes: Vec::new(),
    })
}

fn listing(row: ElementRef<'_>, event: &str) -> Result<PageRecord, RowError> {
    let names: Vec<String> = all(row, "a[href*='fighter-details/']").into_iter().map(text).collect();
    let [first, second] = names.as_slice() else {
        return Err(changed("tbody tr a[href*='fighter-details/']` twice in each row, `a"));
    };
    if first.is_empty() || second.is_empty() {
        return Err(unreadable("Fighter", &names.join(" vs. ")));
    }
    let bout = format!("{first} vs. {second}");
    Ok(PageRecord::Listing(PageListing { id: id(row, "data-link")?, event: event.to_owned(), bout }))
}
