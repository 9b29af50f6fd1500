//! Records of a file that become leads: each of them once, however often the file is imported under one name.

use std::time::Instant;

use fdna_gateway::database::{BoxError, DatabaseKind};
use sqlx::{AnyConnection, Row as _};
use uuid::Uuid;

use super::insertion::{find_duplicates, insert_lead};
use super::leads::made_of;
use super::write_times::time_of;
use super::{Author, LeadStore, StoreError, id_text, query_failed, to_micros};
use crate::fields::MAX_BATCH;
use crate::lead::{FIRST_STATUS, NewLead, first_id, id_in_place, new_id};

/// A record of a file.
#[derive(Clone, PartialEq, Eq)]
pub struct ImportRecord {
    /// Its place in the file, from 1.
    pub record: i64,
    /// SHA-256 of its fields.
    pub digest: [u8; 32],
    pub new: NewLead,
    /// `None` for that of every new lead.
    pub status: Option<String>,
}

/// What became of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportOutcome {
    /// With the ids of duplicates, if any.
    Made(Uuid, Vec<Uuid>),
    /// There are these duplicates, and nothing was made.
    Skipped(Vec<Uuid>),
    /// The lead was made when the file was imported before.
    Known(Uuid),
    /// So it was, and the lead was erased since.
    Erased,
    /// The record in this place was another when the file was imported before.
    Other,
}

/// How records are imported.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ImportRules {
    /// By this name a record is known.
    pub batch: Option<String>,
    pub skips_duplicates: bool,
    /// Everything is undone in the end.
    pub is_trial: bool,
}

impl LeadStore {
    /// Makes leads of records, in one transaction, for the author's account. An outcome each, in order.
    ///
    /// # Errors
    /// The database failed: then nothing was made, unless it failed in the commit.
    pub async fn import_leads(
        &self,
        records: Vec<ImportRecord>,
        rules: ImportRules,
        by: Author,
    ) -> Result<Vec<ImportOutcome>, StoreError> {
        let (kind, is_trial) = (self.kind, rules.is_trial);
        let failed = |error: getrandom::Error| query_failed("make an id", &error.to_string().into());
        let firsts = records.chunks(MAX_BATCH).map(|_| new_id(by.at).map(first_id));
        let firsts: Vec<Uuid> = firsts.collect::<Result<_, _>>().map_err(failed)?;
        // Within a millisecond, too, ids are in the order of the file.
        let ids: Vec<Uuid> = (0..records.len())
            .map(|place| id_in_place(firsts[place / MAX_BATCH], place % MAX_BATCH))
            .collect();
        let imported = self.write_transaction("import leads", move |connection| {
            Box::pin(async move {
                if rules.is_trial {
                    sqlx::raw_sql("SAVEPOINT trial").execute(&mut *connection).await?;
                }
                let mut outcomes = Vec::with_capacity(records.len());
                for (place, (record, id)) in records.into_iter().zip(ids).enumerate() {
                    let own = Author { at: time_of(by.at, place), ..by.clone() };
                    outcomes.push(import_one(connection, kind, record, id, &rules, &own).await?);
                }
                if rules.is_trial {
                    sqlx::raw_sql("ROLLBACK TO SAVEPOINT trial").execute(connection).await?;
                }
                Ok(outcomes)
            })
        });
        let imported = imported.await?;
        if imported.iter().any(|outcome| matches!(outcome, ImportOutcome::Made(..))) && !is_trial {
            self.note_written(Some(Instant::now()));
            self.state.changed.notify_one();
        }
        Ok(imported)
    }
}

async fn import_one(
    connection: &mut AnyConnection,
    kind: DatabaseKind,
    record: ImportRecord,
    id: Uuid,
    rules: &ImportRules,
    by: &Author,
) -> Result<ImportOutcome, BoxError> {
    let account = by.account.as_deref();
    let place = (account.unwrap_or_default(), rules.batch.as_deref(), record.record);
    if let (account, Some(batch), number) = place {
        let known = sqlx::query(
            "SELECT digest, lead_id FROM lead_imports WHERE account = $1 AND batch = $2 AND record = $3",
        );
        let known = known.bind(account.to_owned()).bind(batch.to_owned()).bind(number);
        if let Some(row) = known.fetch_optional(&mut *connection).await? {
            let (digest, lead): (Option<Vec<u8>>, String) = (row.try_get(0)?, row.try_get(1)?);
            return Ok(match digest {
                None => ImportOutcome::Erased,
                Some(digest) if digest != record.digest => ImportOutcome::Other,
                Some(_) => ImportOutcome::Known(lead.parse()?),
            });
        }
    }
    let mut stored = made_of(record.new, id, by.at);
    stored.lead.status = record.status.unwrap_or_else(|| FIRST_STATUS.to_owned());
    let duplicates = find_duplicates(connection, &stored.lead, account).await?;
    if rules.skips_duplicates && !duplicates.is_empty() {
        return Ok(ImportOutcome::Skipped(duplicates));
    }
    insert_lead(connection, kind, &stored, by, false).await?;
    if let (account, Some(batch), number) = place {
        let remember = sqlx::query(
            "INSERT INTO lead_imports (account, batch, record, digest, lead_id, at) VALUES ($1, $2, $3, $4, $5, $6)",
        );
        let remember = remember.bind(account.to_owned()).bind(batch.to_owned()).bind(number);
        let remember = remember.bind(record.digest.to_vec()).bind(id_text(id)).bind(to_micros(by.at));
        remember.execute(connection).await?;
    }
    Ok(ImportOutcome::Made(id, duplicates))
}
