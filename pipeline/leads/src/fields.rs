//! The rules of a lead's fields: what is refused, and how what is taken is written down.

mod email;
mod phone;

use std::collections::BTreeMap;

use phonenumber::country::Id as Country;

use crate::json_body::{JsonObject, JsonValue};
use crate::lead::{FIRST_STATUS, LeadPatch, Metadata, NewLead};
use crate::refusal::{Code, Refusal};

/// Characters of a name.
pub const MAX_NAME: usize = 200;
/// Characters of a source or a status.
pub const MAX_SOURCE: usize = 100;
/// Bytes of an email address, as SMTP bounds it.
pub const MAX_EMAIL: usize = 254;
/// Characters of a telephone number as it is given.
pub const MAX_PHONE: usize = 64;
/// Entries of metadata.
pub const MAX_METADATA: usize = 50;
/// Characters of a name in metadata.
pub const MAX_METADATA_KEY: usize = 64;
/// Characters of a value in metadata.
pub const MAX_METADATA_VALUE: usize = 1000;

/// Leads of a request, at most.
pub const MAX_BATCH: usize = 100;

/// The country whose national numbers are read as such, by its ISO 3166 code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhoneRegion(Country);

impl PhoneRegion {
    /// A telephone number as it is stored, in E.164; `None` if it is none.
    #[must_use]
    pub fn written_down(&self, number: &str) -> Option<String> {
        phone::to_e164(number, self.0)
    }
}

/// No telephone region has this code.
#[derive(Debug, thiserror::Error)]
#[error("no region of telephone numbers has this code: use one of two letters, such as US")]
pub struct UnknownRegion;

impl std::str::FromStr for PhoneRegion {
    type Err = UnknownRegion;

    fn from_str(code: &str) -> Result<Self, UnknownRegion> {
        code.parse().map(Self).map_err(|_| UnknownRegion)
    }
}

/// A field that is wrong. Its text has no value.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct WrongField(String);

/// Statuses that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error(
    "statuses must have `{FIRST_STATUS}`, each once, of 1 to {MAX_SOURCE} lower-case letters, digits, `_` and `-`"
)]
pub struct UnusableStatuses;

/// Rules for fields that an operator sets.
#[derive(Debug, Clone)]
pub struct FieldRules {
    statuses: Vec<String>,
    region: PhoneRegion,
}

impl FieldRules {
    /// # Errors
    /// The statuses cannot be used.
    pub fn new(statuses: &[String], region: PhoneRegion) -> Result<Self, UnusableStatuses> {
        let is_name = |status: &String| {
            let allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'-');
            (1..=MAX_SOURCE).contains(&status.len()) && status.bytes().all(allowed)
        };
        let distinct: std::collections::BTreeSet<&String> = statuses.iter().collect();
        let is_usable = statuses.iter().all(is_name)
            && distinct.len() == statuses.len()
            && statuses.iter().any(|status| status == FIRST_STATUS);
        is_usable.then(|| Self { statuses: statuses.to_vec(), region }).ok_or(UnusableStatuses)
    }

    /// Whose national telephone numbers are read as such.
    pub(crate) fn region(&self) -> PhoneRegion {
        self.region
    }

    /// The statuses that a lead may have.
    #[must_use]
    pub fn statuses(&self) -> &[String] {
        &self.statuses
    }

    /// A lead to be made.
    pub(crate) fn new_lead(&self, body: JsonObject) -> Result<NewLead, Refusal> {
        let (mut name, mut email, mut phone, mut source, mut metadata) = Default::default();
        for (field, value) in body.0 {
            match field.as_str() {
                "name" => name = parse_optional(value, |v| parse_text("name", v, MAX_NAME))?,
                "email" => email = parse_optional(value, email_text)?,
                "phone" => phone = parse_optional(value, |v| self.parse_phone(v))?,
                "source" => source = parse_optional(value, |v| parse_text("source", v, MAX_SOURCE))?,
                "metadata" => metadata = parse_optional(value, new_metadata)?,
                _ => return Err(unknown_field(&field, "name, email, phone, source, metadata")),
            }
        }
        let name = name.ok_or_else(|| Refusal::of_field("name", "is required"))?;
        if email.is_none() && phone.is_none() {
            return Err(Refusal::of_field("email", "is required where there is no `phone`"));
        }
        Ok(NewLead { name, email, phone, source, metadata: metadata.unwrap_or_default() })
    }

    /// A lead of fields as texts, such as a line of a file has; an empty one was not given. What is wrong is told without a value.
    ///
    /// # Errors
    /// What is wrong, and with which field.
    pub fn read_lead(
        &self,
        fields: impl IntoIterator<Item = (String, String)>,
        metadata: Metadata,
    ) -> Result<NewLead, WrongField> {
        let given = fields.into_iter().filter(|(_, text)| !text.trim().is_empty());
        let mut all: Vec<(String, JsonValue)> =
            given.map(|(name, text)| (name, JsonValue::Text(text))).collect();
        let entries = metadata.into_iter().map(|(key, text)| (key, JsonValue::Text(text)));
        all.push(("metadata".to_owned(), JsonValue::Object(JsonObject(entries.collect()))));
        self.new_lead(JsonObject(all)).map_err(|refusal| WrongField(refusal.message))
    }

    /// A status, if leads may have it.
    ///
    /// # Errors
    /// They may not.
    pub fn read_status(&self, status: &str) -> Result<String, WrongField> {
        self.parse_status(JsonValue::Text(status.to_owned())).map_err(|refusal| WrongField(refusal.message))
    }

    /// Leads to be made, each read by itself.
    pub(crate) fn new_leads(&self, body: JsonObject) -> Result<Vec<Result<NewLead, Refusal>>, Refusal> {
        let mut leads = None;
        for (field, value) in body.0 {
            match (field.as_str(), value) {
                ("leads", JsonValue::List(all)) => leads = Some(all),
                ("leads", _) => return Err(Refusal::of_field("leads", "must be a list of leads")),
                _ => return Err(unknown_field(&field, "leads")),
            }
        }
        let leads = leads.ok_or_else(|| Refusal::of_field("leads", "is required"))?;
        if !(1..=MAX_BATCH).contains(&leads.len()) {
            return Err(Refusal::of_field("leads", &format!("must have 1 to {MAX_BATCH} leads")));
        }
        let read = |lead| match lead {
            JsonValue::Object(lead) => self.new_lead(lead),
            _ => Err(Refusal::new(Code::InvalidBody, "A lead must be a JSON object")),
        };
        Ok(leads.into_iter().map(read).collect())
    }

    /// A merge patch.
    pub(crate) fn parse_patch(&self, body: JsonObject) -> Result<LeadPatch, Refusal> {
        let mut patch = LeadPatch::default();
        for (field, value) in body.0 {
            match field.as_str() {
                "name" => patch.name = Some(parse_text("name", value, MAX_NAME)?),
                "email" => patch.email = Some(parse_optional(value, email_text)?),
                "phone" => patch.phone = Some(parse_optional(value, |v| self.parse_phone(v))?),
                "status" => patch.status = Some(self.parse_status(value)?),
                "source" => {
                    patch.source = Some(parse_optional(value, |v| parse_text("source", v, MAX_SOURCE))?)
                }
                "metadata" => patch.metadata = Some(parse_optional(value, metadata_entries)?),
                _ => return Err(unknown_field(&field, "name, email, phone, status, source, metadata")),
            }
        }
        Ok(patch)
    }

    fn parse_status(&self, value: JsonValue) -> Result<String, Refusal> {
        let status = parse_text("status", value, MAX_SOURCE)?;
        if self.statuses.contains(&status) {
            return Ok(status);
        }
        Err(Refusal::of_field("status", &format!("must be one of {}", self.statuses.join(", "))))
    }

    /// A valid number in E.164.
    fn parse_phone(&self, value: JsonValue) -> Result<String, Refusal> {
        let given = parse_text("phone", value, MAX_PHONE)?;
        let wrong = || match phone::has_extension(&given, self.region.0) {
            true => "must have no extension, for which E.164 has no place: send the number without it",
            false => "must be a telephone number, such as +14155552671",
        };
        self.region.written_down(&given).ok_or_else(|| Refusal::of_field("phone", wrong()))
    }
}

/// An email address.
pub(crate) fn email_text(value: JsonValue) -> Result<String, Refusal> {
    let email = parse_text("email", value, MAX_EMAIL)?;
    let is_usable = email::is_email(&email);
    is_usable.then_some(email).ok_or_else(|| Refusal::of_field("email", "must be an email address"))
}

/// `None` for null.
pub(crate) fn parse_optional<T>(
    value: JsonValue,
    read: impl FnOnce(JsonValue) -> Result<T, Refusal>,
) -> Result<Option<T>, Refusal> {
    match value {
        JsonValue::Null => Ok(None),
        value => read(value).map(Some),
    }
}

/// A text without white space around it, of 1 to `max` characters.
pub(crate) fn parse_text(field: &str, value: JsonValue, max: usize) -> Result<String, Refusal> {
    let JsonValue::Text(text) = value else { return Err(Refusal::of_field(field, "must be a text")) };
    check_length(field, &text, 1, max)
}

fn check_length(field: &str, text: &str, min: usize, max: usize) -> Result<String, Refusal> {
    if text.chars().any(is_control) {
        return Err(Refusal::of_field(field, "must not have control characters"));
    }
    let text = text.trim();
    let length = text.chars().take(max + 1).count();
    if (min..=max).contains(&length) {
        return Ok(text.to_owned());
    }
    Err(Refusal::of_field(field, &format!("must have {min} to {max} characters")))
}

/// Control characters, and those that change the order or the lines of a text unseen.
pub(crate) fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

fn new_metadata(value: JsonValue) -> Result<Metadata, Refusal> {
    let entries = metadata_entries(value)?;
    let without = || Refusal::of_field("metadata", "must be an object of texts");
    entries.into_iter().map(|(key, value)| Ok((key, value.ok_or_else(without)?))).collect()
}

fn metadata_entries(value: JsonValue) -> Result<BTreeMap<String, Option<String>>, Refusal> {
    let wrong = || Refusal::of_field("metadata", "must be an object of texts");
    let JsonValue::Object(JsonObject(entries)) = value else { return Err(wrong()) };
    if entries.len() > MAX_METADATA {
        return Err(Refusal::of_field("metadata", &format!("must have at most {MAX_METADATA} entries")));
    }
    let entry = |(key, value): (String, JsonValue)| {
        let key = check_length("metadata", &key, 1, MAX_METADATA_KEY)?;
        let value = match value {
            JsonValue::Null => None,
            JsonValue::Text(text) => Some(check_length("metadata", &text, 0, MAX_METADATA_VALUE)?),
            _ => return Err(wrong()),
        };
        Ok((key, value))
    };
    let count = entries.len();
    let read: BTreeMap<_, _> = entries.into_iter().map(entry).collect::<Result<_, Refusal>>()?;
    // Two names that are the same without white space.
    if read.len() == count { Ok(read) } else { Err(Refusal::of_field("metadata", "repeats a name")) }
}

pub(crate) fn unknown_field(field: &str, known: &str) -> Refusal {
    Refusal::of_field(field, &format!("is unknown: the fields are {known}"))
}

#[cfg(test)]
mod tests;
