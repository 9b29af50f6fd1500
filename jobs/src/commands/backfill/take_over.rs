//! Shards of a backfill: panels that other machines made, in folders or in their copies of the lake.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use fdna_lake::{Lake, LakeWriter, PanelManifest};
use fdna_run::exit::{ExitCode, error_with_code};
use fdna_run::progress::RunProgress;
use rayon::prelude::*;

use super::Backfill;
use super::report::{DateReport, DateState};

/// Dates that an error names.
const MAX_SHOWN: usize = 5;

/// The panel of a date that is to be taken over.
enum FoundPanel<'l> {
    /// It is in this lake already, or there is none of such a date.
    Told(DateReport),
    /// It is in a copy.
    Of(&'l Lake, PanelManifest),
}

/// Panels elsewhere.
pub(super) struct PanelCopies {
    lakes: Vec<Lake>,
    /// What those who made them say of each date, where they are asked: only such panels are taken.
    answers: Option<BTreeMap<NaiveDate, DateReport>>,
}

impl PanelCopies {
    pub(super) fn of_lakes(lakes: Vec<Lake>) -> Self {
        Self { lakes, answers: None }
    }

    pub(super) fn with_answers(self, dates: impl IntoIterator<Item = DateReport>) -> anyhow::Result<Self> {
        let by_date = dates.into_iter().map(|date| Ok((date.as_of.parse()?, date)));
        Ok(Self { answers: Some(by_date.collect::<anyhow::Result<_>>()?), ..self })
    }
}

impl Backfill<'_> {
    /// Outcome of each date, with the panels of others. Nothing is written unless all are there.
    pub(super) fn take_over(
        &self,
        asked: &[NaiveDate],
        from: &PanelCopies,
        writer: Option<&LakeWriter>,
        progress: &RunProgress,
    ) -> anyhow::Result<Vec<DateReport>> {
        progress.show_message("look at the panels of the other lakes");
        let found = asked.par_iter().map(|&as_of| match self.up_to_date_panel(as_of)? {
            Some(kept) => Ok(Ok(FoundPanel::Told(kept))),
            None => self.find_copy(as_of, from),
        });
        let mut found = found.collect::<anyhow::Result<Vec<Result<FoundPanel<'_>, String>>>>()?;
        if found.iter().any(Result::is_err) {
            let first = self.read_versions()?.first_day();
            for (found, &as_of) in found.iter_mut().zip(asked) {
                if first.is_none_or(|first| as_of < first) {
                    *found = Ok(FoundPanel::Told(self.date_report(as_of, DateState::BeforeFirst, None)));
                }
            }
        }
        let missing: Vec<&str> =
            found.iter().filter_map(|found| found.as_ref().err()).map(String::as_str).collect();
        if !missing.is_empty() {
            let shown = missing[..missing.len().min(MAX_SHOWN)].join("; ");
            let message = format!("cannot take over {} of {} panels: {shown}", missing.len(), asked.len());
            return Err(error_with_code(ExitCode::BadData, message));
        }
        let found: Vec<FoundPanel<'_>> = found.into_iter().flatten().collect();
        let all = asked.par_iter().zip(found).map(|(&as_of, found)| {
            progress.advance();
            match found {
                FoundPanel::Of(copy, panel) => self.copy_panel(as_of, copy, &panel, writer),
                FoundPanel::Told(report) => Ok(report),
            }
        });
        all.collect()
    }

    /// A panel of the date in one of these lakes, made of the same versions by the same build; else why there is none.
    fn find_copy<'l>(
        &self,
        as_of: NaiveDate,
        from: &'l PanelCopies,
    ) -> anyhow::Result<Result<FoundPanel<'l>, String>> {
        let answer = from.answers.as_ref().map(|answers| answers.get(&as_of));
        let tables = match answer {
            None => None,
            Some(Some(date)) if date.state == DateState::BeforeFirst => {
                return Ok(Ok(FoundPanel::Told(self.date_report(as_of, DateState::BeforeFirst, None))));
            }
            Some(Some(date)) => Some(&date.tables),
            Some(None) => return Ok(Err(format!("nobody answered for {as_of}"))),
        };
        let mut other = None;
        for copy in &from.lakes {
            match copy.whole_panel(self.set, as_of)? {
                Some(panel) if panel.fingerprint == self.panel_fingerprint(as_of) => {
                    if tables.is_some_and(|tables| *tables != panel.tables) {
                        let folder = copy.root().display();
                        return Ok(Err(format!("{as_of} in {folder} is not what its worker made")));
                    }
                    return Ok(Ok(FoundPanel::Of(copy, panel)));
                }
                Some(_) => other = Some(copy),
                None => {}
            }
        }
        Ok(Err(match other {
            Some(copy) => {
                format!("{as_of} in {} is of other versions or another build", copy.root().display())
            }
            None => format!("{as_of} is in none of the lakes"),
        }))
    }

    fn copy_panel(
        &self,
        as_of: NaiveDate,
        copy: &Lake,
        panel: &PanelManifest,
        writer: Option<&LakeWriter>,
    ) -> anyhow::Result<DateReport> {
        let Some(writer) = writer else { return Ok(self.date_report(as_of, DateState::ToMake, None)) };
        let tables = self.set.tables().iter().map(|name| Ok(copy.read_panel_table(panel, name)?));
        self.commit_panel(as_of, writer, tables.collect::<anyhow::Result<Vec<_>>>()?)
    }
}
