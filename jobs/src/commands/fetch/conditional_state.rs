//! State for conditional requests: the files that the lake has, and the validators of their addresses.
//!
//! An address is asked "is it another by now?" only if the newest capture has the file whole, as the address
//! spoke of it: then "no" means that file.

use std::collections::BTreeMap;

use anyhow::Context as _;
use bytes::Bytes;
use fdna_fetch::{CacheValidators, FetchedBody, FilePlan, SourcePlan};
use fdna_lake::{Capture, FetchState, FetchedFile, Lake, sha256};

use super::report::FileReport;

pub(super) struct ConditionalState {
    state: Option<FetchState>,
    /// Files of the newest capture that are whole.
    files: BTreeMap<String, Bytes>,
}

impl ConditionalState {
    pub(super) fn read_state(lake: &Lake, plan: &SourcePlan) -> anyhow::Result<Self> {
        let state = lake.fetch_state(&plan.name)?;
        let newest = lake.captures(&plan.name)?.pop();
        let files = newest.map(|capture| whole_files(lake, &capture, plan)).unwrap_or_default();
        Ok(Self { state, files })
    }

    /// Validators of the file that the newest capture has; none if that is another file.
    fn last_fetched(&self, file: &FilePlan) -> Option<&FetchedFile> {
        let said = self.state.as_ref()?.files.get(&file.file)?;
        let bytes = self.files.get(&file.file)?;
        (said.url == file.url.as_str() && said.sha256 == sha256(bytes)).then_some(said)
    }

    pub(super) fn validators(&self, file: &FilePlan) -> CacheValidators {
        let validators_of = |said: &FetchedFile| CacheValidators {
            etag: said.etag.clone(),
            last_modified: said.last_modified.clone(),
        };
        self.last_fetched(file).map(validators_of).unwrap_or_default()
    }

    pub(super) fn would_ask(&self, file: &FilePlan) -> FileReport {
        FileReport::planned(file, !self.validators(file).is_empty())
    }

    /// The file as it is now: as it came, or as it was.
    pub(super) fn complete_body(&self, fetched: FetchedBody) -> anyhow::Result<(String, Bytes)> {
        let there = || self.files.get(&fetched.file).cloned();
        let bytes = fetched.body.or_else(there);
        let bytes = bytes
            .with_context(|| format!("`{}` has not changed, and the lake has no copy of it", fetched.file))?;
        Ok((fetched.file, bytes))
    }

    /// The state to be kept for the next fetch.
    pub(super) fn state_after(
        &self,
        plan: &SourcePlan,
        fetched: &[FetchedBody],
    ) -> anyhow::Result<BTreeMap<String, FetchedFile>> {
        let said = |(file, fetched): (&FilePlan, &FetchedBody)| {
            let (name, bytes) = self.complete_body(fetched.clone())?;
            let CacheValidators { etag, last_modified } = fetched.validators.clone();
            let (url, status) = (file.url.to_string(), fetched.status);
            Ok((name, FetchedFile { url, sha256: sha256(&bytes), status, etag, last_modified }))
        };
        plan.files.iter().zip(fetched).map(said).collect()
    }
}

/// A damaged file is as good as none: it is asked for anew, and the lake mends it.
fn whole_files(lake: &Lake, capture: &Capture, plan: &SourcePlan) -> BTreeMap<String, Bytes> {
    let names = plan.files.iter().map(|file| &file.file);
    let read = |name: &String| Some((name.clone(), lake.capture_file(capture, name).ok()?));
    names.filter_map(read).collect()
}
