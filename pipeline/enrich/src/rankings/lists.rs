//! Lists of the rankings: one division on one day, from whichever capture last had it, known since the first that had
//! it so.

use std::collections::{BTreeMap, HashSet};

use chrono::{DateTime, NaiveDate, Utc};
use fdna_model::{Finding, FindingKind, Severity, fold_name};
use fdna_rows::{CaptureFacts, RowsError, TableCount};
use fdna_schemas::tables::{ContractRow as _, RankingRowsReader, RankingRowsRow};

use super::corrections::RankingCorrections;
use super::division::RankingDivision;
use crate::SourceStatements;
use crate::facts::record_finding;

/// Lists by division, and within it by day.
pub(super) type RankingLists<'a> = BTreeMap<(RankingDivision, NaiveDate), RankingList<'a>>;

/// One division on one day.
pub(super) struct RankingList<'a> {
    /// The last that had it.
    pub(super) capture: &'a str,
    pub(super) captured_at: DateTime<Utc>,
    /// Start of the current unbroken run of identical lists.
    pub(super) since: DateTime<Utc>,
    pub(super) label: &'a str,
    file: &'a str,
    /// In the order of the list.
    pub(super) places: Vec<RankedPlace<'a>>,
}

pub(super) struct RankedPlace<'a> {
    /// `None` where nobody is named.
    pub(super) name: Option<&'a str>,
    pub(super) folded: Option<String>,
    pub(super) rank: i32,
    /// The list has him at another rank as well: which of them holds, it does not say.
    pub(super) is_twice: bool,
    /// Page that publishes it, as stated.
    pub(super) url: Option<&'a str>,
    line: i32,
}

impl RankingList<'_> {
    /// Whether no rank is missing: as many stand before each as its number says, or more where ranks are shared.
    pub(super) fn is_whole(&self) -> bool {
        let before = |rank: i32| self.places.iter().filter(|p| (1..rank).contains(&p.rank)).count();
        let follows = |rank: i32| usize::try_from(rank - 1).is_ok_and(|n| before(rank) >= n);
        self.places.iter().all(|p| p.rank == 0 || (p.name.is_some() && follows(p.rank)))
    }

    fn stated_places(&self) -> Vec<(Option<&str>, i32)> {
        self.places.iter().map(|p| (p.name, p.rank)).collect()
    }

    /// A finding about the list as a whole, or the line of one place.
    pub(super) fn list_finding(
        &self,
        place: Option<&RankedPlace<'_>>,
        kind: FindingKind,
        reason: String,
    ) -> Finding {
        let line = place.or(self.places.first()).map_or(0, |p| p.line);
        record_finding(self.file, line, Severity::Note, kind, reason)
    }
}

/// The newest capture's list of a division and a day wins whole; one that it lacks stays. With the lists, those that
/// a later capture had otherwise.
pub(super) fn merge_lists<'a>(
    captures: &[&'a CaptureFacts],
    told: &mut SourceStatements,
) -> Result<(RankingLists<'a>, Vec<RankingCorrections<'a>>), RowsError> {
    let (mut lists, mut restated) = (RankingLists::new(), Vec::new());
    for capture in captures {
        for (key, mut list) in read_lists(capture, told)? {
            match lists.remove(&key) {
                Some(old) if old.stated_places() == list.stated_places() => list.since = old.since,
                Some(old) => {
                    let reason = format!("{} of {} differs from capture {}", list.label, key.1, old.capture);
                    let finding = list.list_finding(None, FindingKind::Contradiction, reason);
                    told.findings.push((capture.capture.clone(), finding));
                    restated.push(RankingCorrections::new(key, old, &list, capture));
                }
                None => {}
            }
            lists.insert(key, list);
        }
    }
    Ok((lists, restated))
}

/// The lists of one capture.
fn read_lists<'a>(
    capture: &'a CaptureFacts,
    told: &mut SourceStatements,
) -> Result<RankingLists<'a>, RowsError> {
    let rows = capture.read_table::<RankingRowsReader<'_>>()?.all_rows()?;
    let mut aside = RejectedRow { capture, findings: Vec::new(), rows: 0 };
    let mut lists: BTreeMap<(RankingDivision, NaiveDate), BTreeMap<&str, RankingList<'a>>> = BTreeMap::new();
    for row in &rows {
        let Some(division) = RankingDivision::parse(row.division) else {
            aside.reject_row(row, FindingKind::UnreadableValue, format!("`{}` is no division", row.division));
            continue;
        };
        let of_file = lists.entry((division, row.snapshot_date)).or_default().entry(row.file);
        let list = of_file.or_insert_with(|| RankingList {
            capture: &capture.capture,
            captured_at: capture.captured_at,
            since: capture.captured_at,
            label: row.division,
            file: row.file,
            places: Vec::new(),
        });
        list.places.push(RankedPlace {
            name: row.fighter,
            folded: row.fighter.map(fold_name),
            rank: row.rank,
            is_twice: false,
            url: row.source_url,
            line: row.line,
        });
    }
    let lists =
        lists.into_iter().filter_map(|(key, files)| Some((key, choose_list(key, files, &mut aside)?)));
    let lists = lists.collect();
    told.counts.push(TableCount {
        capture: capture.capture.clone(),
        table: RankingRowsRow::TABLE.to_owned(),
        rows_in: rows.len(),
        rows_out: rows.len() - aside.rows,
        set_aside: aside.rows,
    });
    told.findings.extend(aside.findings);
    Ok(lists)
}

/// Rows that become none of the table's.
struct RejectedRow<'a> {
    capture: &'a CaptureFacts,
    findings: Vec<(String, Finding)>,
    rows: usize,
}

impl RejectedRow<'_> {
    fn reject_row(&mut self, row: &RankingRowsRow<'_>, kind: FindingKind, reason: String) {
        self.push_finding(row.file, row.line, 1, kind, Severity::Quarantine, reason);
    }

    fn push_finding(
        &mut self,
        file: &str,
        line: i32,
        rows: usize,
        kind: FindingKind,
        severity: Severity,
        reason: String,
    ) {
        self.rows += rows;
        self.findings
            .push((self.capture.capture.clone(), record_finding(file, line, severity, kind, reason)));
    }
}

/// One list of those that the files of a capture give for one division and day: that of the last file.
fn choose_list<'a>(
    (_, day): (RankingDivision, NaiveDate),
    mut files: BTreeMap<&str, RankingList<'a>>,
    aside: &mut RejectedRow<'_>,
) -> Option<RankingList<'a>> {
    let (_, mut last) = files.pop_last()?;
    for (file, list) in files {
        let is_same = list.stated_places() == last.stated_places();
        let (kind, severity) = if is_same {
            (FindingKind::Duplicate, Severity::Note)
        } else {
            (FindingKind::Contradiction, Severity::Quarantine)
        };
        let reason = format!("{} of {day} stands in `{}` as well, which holds", list.label, last.file);
        let line = list.places.first().map_or(0, |p| p.line);
        aside.push_finding(file, line, list.places.len(), kind, severity, reason);
    }
    set_twice_aside(&mut last, day, aside);
    Some(last)
}

/// Of the ranks at which a list has one fighter the first is kept.
fn set_twice_aside(list: &mut RankingList<'_>, day: NaiveDate, aside: &mut RejectedRow<'_>) {
    let (mut seen, mut twice) = (HashSet::new(), HashSet::new());
    let (kept, again): (Vec<_>, Vec<_>) = std::mem::take(&mut list.places)
        .into_iter()
        .partition(|place| place.folded.as_ref().is_none_or(|name| seen.insert(name.clone())));
    for place in again {
        let reason = format!("{} stands twice in {} of {day}", place.name.unwrap_or_default(), list.label);
        aside.push_finding(
            list.file,
            place.line,
            1,
            FindingKind::Contradiction,
            Severity::Quarantine,
            reason,
        );
        twice.extend(place.folded);
    }
    list.places = kept;
    for place in &mut list.places {
        place.is_twice = place.folded.as_ref().is_some_and(|name| twice.contains(name));
    }
}
