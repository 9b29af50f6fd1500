//! State that all connections share: the tools, what is served, and turns for what blocks.

use std::sync::Arc;
use std::time::Duration;

use fdna_server::LocalApi;
use rmcp::model::Tool;
use tokio::sync::Semaphore;

use crate::questions::QueryRunner;
use crate::tool_file::ToolEntry;

/// Queries and lineages at a time: each takes a core and some hundred megabytes.
pub(crate) const TURNS: usize = 2;

/// How long one waits for its turn.
pub(crate) const TURN_WAIT: Duration = Duration::from_secs(5);

/// How long a call waits for the first snapshot, which is loaded when the server starts.
const FIRST_SNAPSHOT_WAIT: Duration = Duration::from_secs(60);

/// Between two looks at whether it is there.
const LOOK: Duration = Duration::from_millis(50);

/// The operations of what is served.
#[derive(Debug, Clone)]
pub struct ServedLakes {
    mma: LocalApi,
    catalog: Option<LocalApi>,
}

impl ServedLakes {
    #[must_use]
    pub fn new(mma: LocalApi, catalog: Option<LocalApi>) -> Self {
        Self { mma, catalog }
    }

    /// Once its first snapshot is loaded; later ones come by themselves.
    pub(crate) async fn mma(&self) -> &LocalApi {
        wait_for(|| self.mma.is_complete()).await;
        &self.mma
    }

    pub(crate) async fn catalog(&self) -> Option<&LocalApi> {
        let catalog = self.catalog.as_ref()?;
        wait_for(|| catalog.catalog_snapshot().is_some()).await;
        Some(catalog)
    }
}

/// Waits, but not for ever: what is not there then is answered 503.
async fn wait_for(is_there: impl Fn() -> bool) {
    let looking = async {
        while !is_there() {
            tokio::time::sleep(LOOK).await;
        }
    };
    let _ = tokio::time::timeout(FIRST_SNAPSHOT_WAIT, looking).await;
}

/// What all connections share.
#[derive(Debug)]
pub(crate) struct ToolContext {
    pub(crate) instructions: String,
    pub(crate) entries: Vec<ToolEntry>,
    pub(crate) listed: Vec<Tool>,
    pub(crate) lakes: ServedLakes,
    pub(crate) queries: Arc<dyn QueryRunner>,
    pub(crate) turns: Arc<Semaphore>,
}
