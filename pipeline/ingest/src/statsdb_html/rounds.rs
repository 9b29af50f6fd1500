//! The four tables of a bout's page: totals and rounds of all counts, totals and rounds of significant strikes
//! by target and position.
//!
//! A table's rows hold both fighters, one under the other in every cell. The rounds are what is kept; totals
//! that are not their sum are noted.

use std::collections::BTreeMap;

use fdna_model::{Count, FindingKind, RoundCounts};
use scraper::ElementRef;

use super::Read;
use super::bout::PagePerson;
use super::page::{all, changed, id, is_null, text, unreadable};
use super::tables::{PageRecord, PageRound};
use crate::parse;
use crate::row::RowError;

const TABLE: &str = "section.b-statistics__section_details table";
const CELL: &str = "p.b-fight-details__table-text";
/// What the page says of a bout without counts.
const NO_STATISTICS: &str = "Round-by-round stats not currently available";

/// What a column holds.
#[derive(Clone, Copy)]
enum GridColumn {
    Single(Count),
    Pair(Count, Count),
    Control,
    Unused,
}

use GridColumn::{Control, Pair, Single, Unused};

/// Header and meaning of each column after the fighter's. The page calls takedowns `Td %` too, in the rounds.
const COUNTS: [(&[&str], GridColumn); 9] = [
    (&["KD"], Single(Count::Knockdowns)),
    (&["Sig. str."], Pair(Count::SigLanded, Count::SigAttempted)),
    (&["Sig. str. %"], Unused),
    (&["Total str."], Pair(Count::TotalLanded, Count::TotalAttempted)),
    (&["Td", "Td %"], Pair(Count::TdLanded, Count::TdAttempted)),
    (&["Td %"], Unused),
    (&["Sub. att"], Single(Count::SubAttempts)),
    (&["Rev."], Single(Count::Reversals)),
    (&["Ctrl"], Control),
];

const SIGNIFICANT: [(&[&str], GridColumn); 8] = [
    (&["Sig. str"], Unused),
    (&["Sig. str. %"], Unused),
    (&["Head"], Pair(Count::HeadLanded, Count::HeadAttempted)),
    (&["Body"], Pair(Count::BodyLanded, Count::BodyAttempted)),
    (&["Leg"], Pair(Count::LegLanded, Count::LegAttempted)),
    (&["Distance"], Pair(Count::DistanceLanded, Count::DistanceAttempted)),
    (&["Clinch"], Pair(Count::ClinchLanded, Count::ClinchAttempted)),
    (&["Ground"], Pair(Count::GroundLanded, Count::GroundAttempted)),
];

type GridLayout = &'static [(&'static [&'static str], GridColumn)];

/// A table's rows by round; round 0 is the totals.
struct RoundGrid<'a> {
    layout: GridLayout,
    rows: BTreeMap<i32, Vec<ElementRef<'a>>>,
}

/// The rounds of both fighters, the first-listed one's first; none where the page says that it has none.
pub(super) fn read(root: ElementRef<'_>, event: &str, persons: &[PagePerson; 2]) -> Result<Read, RowError> {
    let tables = all(root, TABLE);
    if tables.is_empty() && text(root).contains(NO_STATISTICS) {
        let reason = "the source has no statistics of this bout";
        let notes = vec![RowError::note(FindingKind::NoStatistics, reason)];
        return Ok(Read { records: Vec::new(), notes });
    }
    let grids = tables.into_iter().map(grid).collect::<Result<Vec<_>, _>>()?;
    let [totals, rounds, significant_totals, significant] = four(&grids)?;
    let mut read = Read::default();
    for place in [0, 1] {
        let fighter = GridFighter { event, persons, place };
        let counted = fighter.rounds(rounds, significant)?;
        let total = fighter.counts(0, totals, significant_totals)?;
        read.notes.extend(total.ok().and_then(|total| fighter.difference(&counted, &total)));
        read.records.extend(counted.into_iter().map(|round| round.map(PageRecord::Round)));
    }
    Ok(read)
}

/// The tables in the order of the page: counts and significant strikes, of each the totals and the rounds.
fn four<'a, 'b>(grids: &'b [RoundGrid<'a>]) -> Result<[&'b RoundGrid<'a>; 4], RowError> {
    let find = |layout: GridLayout, of_rounds: bool| {
        let found = grids
            .iter()
            .find(|grid| grid.layout.len() == layout.len() && grid.rows.contains_key(&0) != of_rounds);
        let of = if of_rounds { "Round 1" } else { "Totals" };
        found.ok_or_else(|| changed(&format!("{TABLE}` with `{}` and `{of}", layout[0].0[0])))
    };
    Ok([find(&COUNTS, false)?, find(&COUNTS, true)?, find(&SIGNIFICANT, false)?, find(&SIGNIFICANT, true)?])
}

fn grid(table: ElementRef<'_>) -> Result<RoundGrid<'_>, RowError> {
    let (mut header, mut rows, mut round) = (None, BTreeMap::new(), 0);
    for row in all(table, "tr") {
        let heads: Vec<String> = all(row, "th").into_iter().map(text).collect();
        let cells = all(row, "td");
        match heads.as_slice() {
            [] if cells.is_empty() => {}
            [] if rows.insert(round, cells).is_none() => {}
            [] => return Err(RowError::new(FindingKind::Duplicate, format!("round {round} stands twice"))),
            [one] => round = parse::round(one).ok_or_else(|| unreadable("th", one))?,
            _ => header = Some(heads),
        }
    }
    let header = header.ok_or_else(|| changed(&format!("{TABLE} th")))?;
    let layouts: [GridLayout; 2] = [&COUNTS, &SIGNIFICANT];
    let layout = layouts.into_iter().find(|layout| is_of(&header, layout));
    let layout = layout.ok_or_else(|| {
        changed(&format!("{TABLE} th` in the columns it had; it has `{}", header.join("`, `")))
    })?;
    if rows.is_empty() {
        return Err(changed(&format!("{TABLE} td")));
    }
    Ok(RoundGrid { layout, rows })
}

fn is_of(header: &[String], layout: GridLayout) -> bool {
    let Some((fighter, columns)) = header.split_first() else { return false };
    let fits = |(name, (names, _)): (&String, &(&[&str], GridColumn))| names.contains(&name.as_str());
    fighter == "Fighter" && columns.len() == layout.len() && columns.iter().zip(layout).all(fits)
}

/// Whose lines are read.
struct GridFighter<'a> {
    event: &'a str,
    persons: &'a [PagePerson; 2],
    place: usize,
}

impl GridFighter<'_> {
    fn name(&self) -> &str {
        &self.persons[self.place].name
    }

    /// Every round that either table has: one that only one of them has cannot be counted.
    fn rounds(
        &self,
        counts: &RoundGrid<'_>,
        significant: &RoundGrid<'_>,
    ) -> Result<Vec<Result<PageRound, RowError>>, RowError> {
        let mut numbers: Vec<i32> = counts.rows.keys().chain(significant.rows.keys()).copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        let round = |number: i32| {
            let counts = self.counts(number, counts, significant)?;
            Ok(counts.map(|counts| PageRound {
                event: self.event.to_owned(),
                names: [0, 1].map(|place| self.persons[place].name.clone()),
                round: number,
                fighter: self.name().to_owned(),
                counts,
            }))
        };
        numbers.into_iter().map(round).collect()
    }

    /// The outer result is about the page, the inner one about these values.
    fn counts(
        &self,
        round: i32,
        counts: &RoundGrid<'_>,
        significant: &RoundGrid<'_>,
    ) -> Result<Result<RoundCounts, RowError>, RowError> {
        let mut into = RoundCounts::with_control(None);
        for grid in [counts, significant] {
            let Some(cells) = grid.rows.get(&round) else {
                let reason = format!("round {round} is not in both tables");
                return Ok(Err(RowError::new(FindingKind::IncompleteRounds, reason)));
            };
            let line = self.line(cells)?;
            for ((names, column), cell) in grid.layout.iter().zip(cells.iter().skip(1)) {
                if let Err(refusal) = put(*column, names[0], &value(*cell, line)?, &mut into) {
                    return Ok(Err(refusal));
                }
            }
        }
        Ok(Ok(into))
    }

    /// Which line of each cell is this fighter's: the first cell says by its addresses.
    fn line(&self, cells: &[ElementRef<'_>]) -> Result<usize, RowError> {
        let links = cells.first().map(|cell| all(*cell, "a")).unwrap_or_default();
        let ids = links.into_iter().map(|link| id(link, "href")).collect::<Result<Vec<_>, _>>()?;
        let of_both = ids.len() == 2 && self.persons.iter().all(|person| ids.contains(&person.id));
        let line = ids.iter().position(|id| *id == self.persons[self.place].id).filter(|_| of_both);
        line.ok_or_else(|| changed(&format!("{TABLE} td a` of both fighters, `td")))
    }

    /// What the totals say otherwise than the rounds add up to; nothing if a round is missing.
    fn difference(&self, rounds: &[Result<PageRound, RowError>], total: &RoundCounts) -> Option<RowError> {
        let rounds: Vec<&RoundCounts> =
            rounds.iter().map(|r| r.as_ref().ok().map(|r| &r.counts)).collect::<Option<_>>()?;
        let sum = |count: Count| rounds.iter().map(|counts| counts[count]).sum::<i32>();
        let counts = Count::ALL.into_iter().filter(|count| sum(*count) != total[*count]);
        let mut wrong: Vec<String> = counts
            .map(|c| format!("{} {} where the rounds add up to {}", c.name(), total[c], sum(c)))
            .collect();
        let control = rounds.iter().map(|counts| counts.control_secs).sum::<Option<i32>>();
        if control != total.control_secs {
            let [total, sum] = [total.control_secs, control].map(secs);
            wrong.push(format!("control {total} where the rounds add up to {sum}"));
        }
        let reason = format!("the totals of `{}` say {}", self.name(), wrong.join(", "));
        (!wrong.is_empty()).then(|| RowError::note(FindingKind::Contradiction, reason))
    }
}

fn secs(control: Option<i32>) -> String {
    control.map_or("unknown".to_owned(), |secs| format!("{secs} s"))
}

/// A fighter's line of a cell.
fn value(cell: ElementRef<'_>, line: usize) -> Result<String, RowError> {
    let lines = all(cell, CELL);
    let own = lines.get(line).filter(|_| lines.len() == 2);
    own.map(|own| text(*own)).ok_or_else(|| changed(&format!("td {CELL}` twice in each cell, `p")))
}

fn put(column: GridColumn, name: &str, text: &str, into: &mut RoundCounts) -> Result<(), RowError> {
    let unreadable = || {
        if is_null(text) {
            return RowError::new(FindingKind::MissingValue, format!("`{name}` has no value"));
        }
        unreadable(name, text)
    };
    match column {
        Unused => {}
        Control if is_null(text) => {}
        Control => into.control_secs = Some(parse::clock_secs(text).ok_or_else(unreadable)?),
        Single(count) => into[count] = parse::whole(text).ok_or_else(unreadable)?,
        Pair(landed, attempted) => {
            (into[landed], into[attempted]) = parse::landed_of_attempted(text).ok_or_else(unreadable)?;
        }
    }
    Ok(())
}
