//! SQL over the tables of the lakes that are served.

use fdna_lake::Lake;
use fdna_mcp::{ErrorCode, LakeName, QueryRows, QueryRunner, Refusal, SqlQuestion};

use super::run_query::run_query;

/// The lakes that are served.
#[derive(Debug)]
pub(super) struct LakeQueries {
    pub(super) mma: Lake,
    pub(super) catalog: Option<Lake>,
}

impl QueryRunner for LakeQueries {
    fn run_query(&self, question: &SqlQuestion, snapshot: &str) -> Result<QueryRows, Refusal> {
        let lake = match question.lake {
            LakeName::Mma => Some(&self.mma),
            LakeName::Catalog => self.catalog.as_ref(),
        };
        let lake = lake.ok_or_else(|| {
            let message = "No multi-sport catalog is served here: `fightdna mcp --catalog-lake` names one";
            Refusal::new(ErrorCode::SnapshotNotAvailable, message)
        })?;
        run_query(lake.root(), snapshot, question)
    }
}
