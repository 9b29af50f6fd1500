//! Rights to show an image.

use chrono::{DateTime, Utc};
use fdna_schemas::tables::ImageRecordsRow;

/// Texts in the place of a licence that grant nothing.
const NO_LICENCE: [&str; 6] = ["none", "unknown", "n/a", "all rights reserved", "copyrighted", "fair use"];

/// Why an image is not served.
pub(super) struct ImageRights {
    pub(super) not_served: Option<&'static str>,
}

impl ImageRights {
    /// As of the newest capture of images.
    pub(super) fn from_record(record: &ImageRecordsRow<'_>, newest: Option<DateTime<Utc>>) -> Self {
        let is_over = record.rights_expires_at.zip(newest).is_some_and(|(end, now)| end <= now);
        let not_served = match (has_licence(record), attribution_text(record)) {
            (false, _) => Some("no_licence"),
            (true, None) => Some("no_attribution"),
            (true, Some(_)) if is_over => Some("rights_expired"),
            (true, Some(_)) => None,
        };
        Self { not_served }
    }
}

fn has_licence(record: &ImageRecordsRow<'_>) -> bool {
    record.license.is_some_and(|text| !NO_LICENCE.contains(&text.trim().to_lowercase().as_str()))
}

/// The credit as stated, else `author, licence` where both are known: neither may stand alone.
pub(super) fn attribution_text(record: &ImageRecordsRow<'_>) -> Option<String> {
    let made = || Some(format!("{}, {}", record.author?, record.license.filter(|_| has_licence(record))?));
    record.attribution_text.map(str::to_owned).or_else(made)
}
