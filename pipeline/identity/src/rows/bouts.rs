//! Bouts.

use std::collections::BTreeMap;

use fdna_model::{Kind, WeightClass, fold_name};
use fdna_rows::{CellValue, TableRow};
use fdna_schemas::tables::{BoutListingsRow, BoutsRow, ColumnPlace, EventsRow};
use fdna_schemas::{Table, Titles};
use uuid::Uuid;

use super::{LinkedRows, RowCells, blank_row, row_ids};
use crate::claims::mention_key;
use crate::listing_history::ValidityInterval;
use crate::listing_statements::bout_place;
use crate::registry::SourceKey;

/// Columns that a source states together: where on the card, and when; a class and what it was read from, so that a
/// limit that is none of a class is not given the class of the limit before.
const TOGETHER: [&[ColumnPlace]; 2] = [
    &[BoutListingsRow::CARD_POSITION, BoutListingsRow::BOUT_ORDER, BoutListingsRow::START_AT],
    &[BoutListingsRow::WEIGHT_CLASS, BoutListingsRow::WEIGHT_CLASS_RAW],
];

fn newest_cell(sources: &[Vec<&ValidityInterval>], column: ColumnPlace) -> CellValue {
    let with = TOGETHER.into_iter().find(|columns| columns.contains(&column)).unwrap_or_default();
    let with: Vec<usize> = with.iter().map(|column| bout_place(*column)).collect();
    super::newest_value(sources, bout_place(column), &with).clone()
}

impl LinkedRows<'_> {
    /// Adds to the rows of the statistics source what the schedule says, and the bouts that it alone has; their day
    /// and promotion are those of their events, the rows of `events`.
    pub(crate) fn bout_rows(
        &self,
        table: &Table,
        mut rows: Vec<TableRow>,
        events: &EventColumns,
    ) -> Vec<TableRow> {
        let (there, feed) = (row_ids(&rows), self.feed_ids(Kind::Bout));
        let rules = self.link_rules();
        let new = self.registry.bouts.keys().filter(|id| !there.contains(id));
        rows.extend(new.map(|id| blank_row(table, *id)));
        for row in &mut rows {
            let mut cells = RowCells(row);
            let id = cells.id();
            let spans = self.listings.bouts.newest_of(id);
            cells.fill_null(BoutsRow::FEED_COMPETITION_ID, feed.get(&id).copied());
            if !there.contains(&id) {
                self.found_bout(&mut cells, &spans, &rules);
            }
            let start = BoutListingsRow::START_AT;
            let believed =
                super::with_believed_starts(&self.listings.bouts, id, bout_place(start), &|_| true);
            cells.fill_null(BoutsRow::START_AT, newest_cell(&believed, start));
            for (column, said) in [
                (BoutsRow::CARD_POSITION, BoutListingsRow::CARD_POSITION),
                (BoutsRow::BOUT_ORDER, BoutListingsRow::BOUT_ORDER),
            ] {
                cells.fill_null(column, newest_cell(&spans, said));
            }
            if cells.cell_at(BoutsRow::STATUS).as_text() != Some("completed") {
                let day = cells.cell_at(BoutsRow::EVENT_DATE);
                let status = self.unless_past(self.bout_status(id, &spans), day);
                cells.set_cell(BoutsRow::STATUS, status);
            }
            if let Some(replacement) = self.replacements.get(&id) {
                cells.set_cell(BoutsRow::REPLACED_BOUT_ID, replacement.bout);
                cells.set_cell(BoutsRow::SHORT_NOTICE_DAYS, replacement.days);
            }
            let statsdb_id = cells.cell_at(BoutsRow::STATSDB_ID).as_text();
            cells.fill_null(BoutsRow::TITLE_KIND, statsdb_id.and_then(|id| Titles::get().kind_of(id)));
            let event = cells.cell_at(BoutsRow::EVENT_ID).as_id().and_then(|event| events.get(&event));
            if let Some([day, promotion, _]) = event {
                cells.set_cell(BoutsRow::EVENT_DATE, day.clone());
                cells.set_cell(BoutsRow::PROMOTION, promotion.clone());
            }
            if !there.contains(&id) {
                let event = event.and_then(|[.., name]| name.as_text()).unwrap_or_default();
                let is_first = cells.cell_at(BoutsRow::CARD_POSITION).as_text() == Some("main_event");
                // Bouts of The Ultimate Fighter are listed as events of one bout.
                let is_main = event.contains("UFC ") && (is_first || self.is_named_after(event, id));
                set_rounds(&mut cells, is_main);
            }
        }
        rows
    }

    /// Fills the required columns of a new bout.
    fn found_bout(&self, cells: &mut RowCells<'_>, spans: &[Vec<&ValidityInterval>], rules: &LinkRules<'_>) {
        let Some(bout) = self.registry.bouts.get(&cells.id()) else { return };
        let [mut a, mut b] = bout.fighters;
        if b < a {
            (a, b) = (b, a);
        }
        cells.set_cell(BoutsRow::EVENT_ID, bout.event);
        cells.set_cell(BoutsRow::EVENT_DATE, self.day_of(bout.event));
        for (column, rule, fighter) in [
            (BoutsRow::FIGHTER_A_ID, BoutsRow::FIGHTER_A_RULE, a),
            (BoutsRow::FIGHTER_B_ID, BoutsRow::FIGHTER_B_RULE, b),
        ] {
            cells.set_cell(column, fighter);
            cells.set_cell(rule, rules.get(&(bout.id, fighter)).copied().unwrap_or("name"));
        }
        for (column, said) in [
            (BoutsRow::WEIGHT_CLASS, BoutListingsRow::WEIGHT_CLASS),
            (BoutsRow::WEIGHT_CLASS_RAW, BoutListingsRow::WEIGHT_CLASS_RAW),
            (BoutsRow::SCHEDULED_ROUNDS, BoutListingsRow::SCHEDULED_ROUNDS),
            (BoutsRow::IS_TITLE, BoutListingsRow::IS_TITLE),
        ] {
            cells.set_cell(column, newest_cell(spans, said));
        }
        let class = cells.cell_at(BoutsRow::WEIGHT_CLASS).as_text().and_then(WeightClass::from_name);
        let known = [a, b].iter().find_map(|fighter| self.women.get(fighter).copied());
        cells.set_cell(BoutsRow::IS_WOMENS, class.map(WeightClass::is_womens).or(known));
    }

    /// Rules that linked each fighter of a bout of the schedule.
    fn link_rules(&self) -> LinkRules<'_> {
        let mut rules = LinkRules::new();
        let claims = self.schedule.bouts.iter().zip(&self.entities.bouts);
        for (claim, linked) in claims.filter_map(|(claim, linked)| Some((claim, (*linked)?))) {
            let event = &self.schedule.events[claim.event];
            for ((id, name), fighter) in claim.fighters.iter().zip(linked.fighters) {
                let source_id = id.clone().unwrap_or_else(|| mention_key(&event.source_id, &[name]));
                let link = self.registry.links.get(&SourceKey::new(Kind::Fighter, event.space, &source_id));
                if let Some(link) = link.filter(|link| link.entity == fighter) {
                    rules.entry((linked.bout, fighter)).or_insert(&link.rule);
                }
            }
        }
        rules
    }

    /// Whether an event bears the names of both fighters of a bout.
    fn is_named_after(&self, event: &str, bout: Uuid) -> bool {
        let Some(bout) = self.registry.bouts.get(&bout) else { return false };
        let names = bout.fighters.map(|fighter| {
            let fighter = self.registry.fighters.get(&fighter);
            fighter.and_then(|fighter| fighter.names.first()).map_or("", String::as_str)
        });
        bears_names(event, names)
    }

    /// Whether a bout will not be, or was not, fought.
    pub(crate) fn is_off(&self, id: Uuid) -> bool {
        self.bout_status(id, &self.listings.bouts.newest_of(id)) == CellValue::from("cancelled")
    }

    /// Completed with a result; without one, though it is over, its result is unknown; cancelled if the newest list of
    /// the event lacks it, or if the event is off or over without it; else what the newest list says.
    fn bout_status(&self, id: Uuid, spans: &[Vec<&ValidityInterval>]) -> CellValue {
        let event = self.registry.bouts.get(&id).map(|bout| bout.event).unwrap_or_default();
        match super::last_word(spans) {
            _ if self.results.contains(&id) => "completed".into(),
            _ if self.over.contains(&id) => "result_unknown".into(),
            Some(span) if !span.is_listed => "cancelled".into(),
            _ if self.told.contains(&event) || self.is_event_cancelled(event) => "cancelled".into(),
            _ => match newest_cell(spans, BoutListingsRow::STATUS) {
                CellValue::Null => "scheduled".into(),
                status => status,
            },
        }
    }
}

/// Whether an event is called `…: Surname vs. Surname`, with a number behind it or without.
fn bears_names(event: &str, names: [&str; 2]) -> bool {
    let pair = event.rsplit_once(": ").map_or(event, |(_, pair)| pair);
    let Some((first, second)) = pair.split_once(" vs. ").or_else(|| pair.split_once(" vs ")) else {
        return false;
    };
    let second = second.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == ' ');
    let [a, b] = names;
    (is_surname(first, a) && is_surname(second, b)) || (is_surname(first, b) && is_surname(second, a))
}

/// Whether a name ends with a surname; of both, `Jr.` counts where it stands.
fn is_surname(surname: &str, name: &str) -> bool {
    let (folded, given) = (fold_name(surname), name.split_whitespace().next().unwrap_or_default());
    let whole = fold_name(name);
    !folded.is_empty() && (whole.ends_with(&folded) || whole == fold_name(&format!("{given} {surname}")))
}

/// Rounds that no source states: all 254 title bouts of the UFC since June 2012 were over five, and of 534 main events 521.
fn set_rounds(cells: &mut RowCells<'_>, is_main: bool) {
    let is = |column, text| cells.cell_at(column).as_text() == Some(text);
    let rule = if *cells.cell_at(BoutsRow::SCHEDULED_ROUNDS) != CellValue::Null {
        "stated"
    } else if !is(BoutsRow::PROMOTION, "UFC") {
        return;
    } else if *cells.cell_at(BoutsRow::IS_TITLE) == CellValue::from(true) {
        "title_bout"
    } else if is_main {
        "main_event"
    } else {
        return;
    };
    cells.set_cell(BoutsRow::SCHEDULED_ROUNDS_RULE, rule);
    if rule != "stated" {
        cells.set_cell(BoutsRow::SCHEDULED_ROUNDS, 5);
    }
}

/// Day, promotion and name of each event.
pub(crate) type EventColumns = BTreeMap<Uuid, [CellValue; 3]>;

/// Reads them from rows of `events`.
pub(crate) fn of_events(rows: &[TableRow]) -> EventColumns {
    let of_row = |row: &TableRow| {
        let columns = [EventsRow::EVENT_DATE, EventsRow::PROMOTION, EventsRow::NAME];
        Some((row[0].as_id()?, columns.map(|column| row[column.place].clone())))
    };
    rows.iter().filter_map(of_row).collect()
}

/// By bout and fighter.
type LinkRules<'a> = BTreeMap<(Uuid, Uuid), &'a str>;

#[cfg(test)]
mod tests {
    use fdna_schemas::Tables;

    use super::*;

    #[test]
    fn title_bouts_and_main_events_of_the_ufc_are_over_five_rounds_where_no_source_says() {
        let told = |promotion: &str, is_title: bool, is_main: bool, rounds: Option<i32>| {
            let mut row = blank_row(Tables::get().table("bouts").unwrap(), Uuid::nil());
            let mut cells = RowCells(&mut row);
            cells.set_cell(BoutsRow::PROMOTION, promotion);
            cells.set_cell(BoutsRow::IS_TITLE, is_title);
            cells.set_cell(BoutsRow::SCHEDULED_ROUNDS, rounds);
            set_rounds(&mut cells, is_main);
            let of = |column| cells.cell_at(column).clone();
            (of(BoutsRow::SCHEDULED_ROUNDS), of(BoutsRow::SCHEDULED_ROUNDS_RULE))
        };
        let five = |rule: &str| (CellValue::from(5), CellValue::text(rule));
        let unknown = (CellValue::Null, CellValue::Null);
        assert_eq!(told("UFC", true, false, None), five("title_bout"));
        assert_eq!(told("UFC", false, true, None), five("main_event"));
        assert_eq!(told("UFC", false, true, Some(3)), (CellValue::from(3), CellValue::text("stated")));
        assert_eq!(told("UFC", false, false, None), unknown);
        assert_eq!(told("DWCS", false, true, None), unknown);
    }

    #[test]
    fn an_event_is_named_after_the_fighters_whose_surnames_it_bears() {
        let of = |event: &str| bears_names(event, ["Khalil Rountree Jr.", "Magomed Ankalaev"]);
        assert!(of("UFC Fight Night: Ankalaev vs. Rountree Jr."));
        assert!(of("UFC 320: Rountree Jr. vs Ankalaev 2"));
        assert!(!of("UFC Fight Night: Ankalaev vs. Pereira"));
        assert!(!of("UFC 320"));
        assert!(!of("UFC Fight Night:  vs. "));
    }
}
