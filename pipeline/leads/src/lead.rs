//! A lead, what makes one and what changes one.

use std::collections::BTreeMap;
use std::fmt;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Serialize, Serializer};
use unicode_normalization::UnicodeNormalization as _;
use uuid::{Builder, Uuid};

/// Texts that come with a lead and are never in an answer.
pub type Metadata = BTreeMap<String, String>;

/// The status of every new lead.
pub const FIRST_STATUS: &str = "new";

/// A lead as clients see it. `Debug` prints no personal data.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct Lead {
    /// UUID version 7.
    #[serde(serialize_with = "serialize_hyphenated")]
    pub id: Uuid,
    pub name: String,
    /// `None` if it was not given.
    pub email: Option<String>,
    /// E.164; `None` if it was not given.
    pub phone: Option<String>,
    pub status: String,
    /// `None` if it was not given.
    pub source: Option<String>,
    /// RFC 3339 in UTC, to the microsecond.
    #[serde(serialize_with = "serialize_rfc3339")]
    pub created_at: DateTime<Utc>,
    /// Of the last change; `created_at` before one.
    #[serde(serialize_with = "serialize_rfc3339")]
    pub updated_at: DateTime<Utc>,
}

/// A lead with what clients do not see.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredLead {
    pub lead: Lead,
    pub metadata: Metadata,
    /// 1 when it was made, and one more with every change.
    pub version: i64,
}

/// A lead to be made; its fields were checked.
#[derive(Clone, PartialEq, Eq)]
pub struct NewLead {
    pub name: String,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub source: Option<String>,
    pub metadata: Metadata,
}

/// A merge patch (RFC 7396) of a lead; its fields were checked. `None` leaves a field as it is, `Some(None)` removes it.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct LeadPatch {
    pub name: Option<String>,
    pub email: Option<Option<String>>,
    pub phone: Option<Option<String>>,
    pub status: Option<String>,
    pub source: Option<Option<String>>,
    /// `Some(None)` empties it; an entry of `None` removes that key.
    pub metadata: Option<Option<BTreeMap<String, Option<String>>>>,
}

/// Why a patch leaves no lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PatchProblem {
    /// Neither email nor phone would remain.
    NoContact,
    /// More metadata than [`crate::fields::MAX_METADATA`].
    TooMuchMetadata,
}

impl LeadPatch {
    /// The lead after the patch, in the same version.
    ///
    /// # Errors
    /// What it leaves is no lead.
    pub fn apply_to(&self, before: &StoredLead) -> Result<StoredLead, PatchProblem> {
        let mut after = before.clone();
        let lead = &mut after.lead;
        self.name.iter().for_each(|name| lead.name.clone_from(name));
        self.email.iter().for_each(|email| lead.email.clone_from(email));
        self.phone.iter().for_each(|phone| lead.phone.clone_from(phone));
        self.status.iter().for_each(|status| lead.status.clone_from(status));
        self.source.iter().for_each(|source| lead.source.clone_from(source));
        match &self.metadata {
            None => {}
            Some(None) => after.metadata.clear(),
            Some(Some(entries)) => {
                for (key, value) in entries {
                    match value {
                        Some(value) => drop(after.metadata.insert(key.clone(), value.clone())),
                        None => drop(after.metadata.remove(key)),
                    }
                }
            }
        }
        if after.lead.email.is_none() && after.lead.phone.is_none() {
            return Err(PatchProblem::NoContact);
        }
        if after.metadata.len() > crate::fields::MAX_METADATA {
            return Err(PatchProblem::TooMuchMetadata);
        }
        Ok(after)
    }
}

/// An id that sorts by time.
///
/// # Errors
/// The operating system gives no random bytes.
pub(crate) fn new_id(now: DateTime<Utc>) -> Result<Uuid, getrandom::Error> {
    let mut random = [0; 10];
    getrandom::fill(&mut random)?;
    let millis = u64::try_from(now.timestamp_millis()).unwrap_or_default();
    Ok(Builder::from_unix_timestamp_millis(millis, &random).into_uuid())
}

/// The last bits of an id, which tell leads of one request apart.
const PLACE_BITS: u128 = 0x7f;

/// The id that stands for a request which makes several leads: that of its first.
pub(crate) fn first_id(id: Uuid) -> Uuid {
    Uuid::from_u128(id.as_u128() & !PLACE_BITS)
}

/// The id of the lead in this place of a request.
pub(crate) fn id_in_place(first: Uuid, place: usize) -> Uuid {
    Uuid::from_u128(first.as_u128() | u128::try_from(place).unwrap_or_default() & PLACE_BITS)
}

/// Equal for names that differ in case alone.
#[must_use]
pub fn fold_name(name: &str) -> String {
    // Letter by letter: what a prefix becomes, the whole name begins with.
    name.nfc().flat_map(char::to_lowercase).collect()
}

/// Equal for addresses that differ in case alone.
#[must_use]
pub fn fold_email(email: &str) -> String {
    email.to_lowercase()
}

fn serialize_hyphenated<S: Serializer>(id: &Uuid, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(id)
}

fn serialize_rfc3339<S: Serializer>(at: &DateTime<Utc>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&at.to_rfc3339_opts(SecondsFormat::Micros, true))
}

impl fmt::Debug for Lead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lead").field("id", &self.id).field("status", &self.status).finish_non_exhaustive()
    }
}

impl fmt::Debug for StoredLead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredLead")
            .field("lead", &self.lead)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for NewLead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewLead").finish_non_exhaustive()
    }
}

impl fmt::Debug for LeadPatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LeadPatch").field("status", &self.status).finish_non_exhaustive()
    }
}
