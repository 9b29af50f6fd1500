//! The published tables of properties for `fightdna leads serve`, read as the catalog's are.

use std::path::Path;
use std::sync::Arc;

use fdna_lake::Lake;
use fdna_leads::{
    FileResponse, NamedSnapshot, PublishedTable, RequestHead, SNAPSHOTS, TableFuture, TableRefusal,
    TableSource,
};
use fdna_server::{Clock, DownloadRefusal, LakeSource, LakeTables};

use crate::commands::serving;

/// Tables of a lake of properties.
#[derive(Debug)]
pub(super) struct PropertyTables(LakeTables);

impl PropertyTables {
    /// Those of the lake in this folder, which need not be there yet.
    pub(super) fn open(folder: &Path) -> Self {
        let source = Arc::new(LakeSource::new(Lake::open(folder)));
        Self(LakeTables::new(source, Clock::new(serving::now), ("properties", SNAPSHOTS)))
    }
}

impl TableSource for PropertyTables {
    fn list_tables<'a>(&'a self, snapshot_id: &'a str) -> TableFuture<'a, Vec<PublishedTable>> {
        Box::pin(async { self.0.list_tables(snapshot_id).await.map_err(|failure| refusal(failure.into())) })
    }

    fn send_file<'a>(
        &'a self,
        snapshot: &'a NamedSnapshot,
        file: &'a str,
        client: &'a str,
        head: &'a RequestHead,
    ) -> TableFuture<'a, FileResponse> {
        Box::pin(async move {
            let named = (snapshot.id.as_str(), snapshot.is_current);
            self.0.send_file(named, file, client, head).await.map_err(refusal)
        })
    }
}

fn refusal(DownloadRefusal { failure, headers }: DownloadRefusal) -> TableRefusal {
    TableRefusal { failure, headers }
}
