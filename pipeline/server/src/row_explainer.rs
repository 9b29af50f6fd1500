//! Explanations of published rows. The facts that it rests on are read by another crate, which is given here: the read
//! path reaches none.

use std::fmt::Debug;
use std::sync::Arc;

use fdna_api::{ErrorCode, Failure, RowExplanation};
use fdna_http::upstream_timeouts::HOST_ANSWER_WAIT;

/// Until when who found no room may ask again.
const RETRY_AFTER_SECS: u32 = 5;

/// Explains rows of tables. A call blocks, for a second or so.
pub trait RowExplainer: Debug + Send + Sync {
    /// What the row rests on.
    ///
    /// # Errors
    /// 404: there is no such snapshot, table, row or column, or several rows have the key. 503: the lake cannot be read.
    fn explain_row(&self, row: &PublishedRow) -> Result<RowExplanation, Failure>;
}

/// A row, and perhaps one of its columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedRow {
    pub snapshot_id: String,
    pub table: String,
    /// As a person writes it.
    pub key: String,
    pub column: Option<String>,
}

/// Explains one row at a time.
#[derive(Debug)]
pub(crate) struct SharedExplainer {
    explainer: Arc<dyn RowExplainer>,
    turn: Arc<tokio::sync::Mutex<()>>,
}

impl SharedExplainer {
    pub(crate) fn new(explainer: Arc<dyn RowExplainer>) -> Self {
        Self { explainer, turn: Arc::default() }
    }

    /// What the row rests on, once it is its turn.
    pub(crate) async fn explain_row(&self, row: PublishedRow) -> Result<RowExplanation, Failure> {
        let explaining = async {
            let turn = Arc::clone(&self.turn).lock_owned().await;
            let explainer = Arc::clone(&self.explainer);
            // The turn ends with the work, whether or not anybody waits for it.
            let explained = tokio::task::spawn_blocking(move || {
                let explained = explainer.explain_row(&row);
                drop(turn);
                explained
            });
            explained
                .await
                .unwrap_or_else(|_| Err(Failure::new(ErrorCode::Internal, "the row could not be explained")))
        };
        tokio::time::timeout(HOST_ANSWER_WAIT, explaining).await.unwrap_or_else(|_| {
            let why = format!("other rows are being explained; ask again in {RETRY_AFTER_SECS} s");
            Err(Failure::new(ErrorCode::Busy, why).after(RETRY_AFTER_SECS))
        })
    }
}
