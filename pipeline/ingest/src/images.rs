//! Image metadata as JSON: whose image, where, under which licence, by whom.
//!
//! Our own shape is a list of records, or `{"images": [...]}`:
//!
//! ```json
//! [{"subject_name": "Zorvik Quandle", "subject_id": "statsdb:07f72a2a7591b409", "kind": "portrait",
//!   "image_url": "https://images.example/a.jpg", "card_url": null, "thumb_url": null, "r2_key": "a.jpg",
//!   "license": "CC BY-SA 4.0", "author": "A. Photographer", "attribution_text": "A. Photographer, CC BY-SA 4.0",
//!   "source_url": "https://commons.example/a", "source_family": "commons", "rights_label": "free licence",
//!   "rights_expires_at": "2030-01-01", "stored_first_party": true, "created_at": "2026-01-01T00:00:00Z",
//!   "width": 800, "height": 1000}]
//! ```
//!
//! Also read: an object from names to addresses, and an object from any key to records; keys that begin with an
//! underscore are remarks. A record that says that nobody has a usable image (`media` is null) is noted.

mod json;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use fdna_model::FindingKind;
use fdna_schemas::tables::{ContractRow as _, ImageRecordsRow};

use crate::fact_rows::RowPlace;
use crate::record::{FactRecord, missing};
use crate::record_rows;
use crate::row::RowError;
use crate::{IngestError, IngestedCapture};
use fdna_schemas::RowBuilder;

/// Name of the source in captures and contracts.
pub const SOURCE: &str = "images";

struct ImageFile {
    image_url: String,
    card_url: Option<String>,
    thumb_url: Option<String>,
    source_url: Option<String>,
    /// Texts that are kept as they are, in the order of [`TEXTS`].
    texts: [Option<String>; TEXTS.len()],
    subject_name: Option<String>,
    rights_expires_at: Option<DateTime<Utc>>,
    created_at: Option<DateTime<Utc>>,
    stored_first_party: Option<bool>,
    width: Option<i32>,
    height: Option<i32>,
    unknown: Option<String>,
}

const TEXTS: [&str; 8] = [
    "subject_id",
    "kind",
    "r2_key",
    "license",
    "author",
    "attribution_text",
    "source_family",
    "rights_label",
];

/// Reads every file of the capture.
///
/// # Errors
/// The facts table cannot be built. A file of no known shape is a fatal finding.
pub fn ingest(files: &[(String, Bytes)]) -> Result<IngestedCapture, IngestError> {
    let items = record_rows::read(SOURCE, files, json::parse_records, read)?;
    let table = items.table(ImageRecordsRow::TABLE, record_rows::every, push)?;
    Ok(items.ingested(vec![table]))
}

fn read(record: &Result<FactRecord, String>) -> Result<ImageFile, RowError> {
    let record = record.as_ref().map_err(|e| RowError::new(FindingKind::UnreadableValue, e))?;
    let first = |a: Option<String>, b: Option<String>| a.or(b);
    let image_url = first(record.address("image_url")?, record.address("url")?);
    if image_url.is_none() && record.0.get("media").is_some_and(serde_json::Value::is_null) {
        return Err(RowError::note(FindingKind::MissingValue, "no usable image was found"));
    }
    let mut texts = [const { None }; TEXTS.len()];
    for (text, name) in texts.iter_mut().zip(TEXTS) {
        *text = record.text(name)?;
    }
    Ok(ImageFile {
        image_url: image_url.ok_or_else(|| missing("image_url"))?,
        card_url: record.address("card_url")?,
        thumb_url: record.address("thumb_url")?,
        source_url: first(record.address("source_url")?, record.address("sourcePage")?),
        texts,
        subject_name: first(record.text("subject_name")?, record.text("slug")?),
        rights_expires_at: record.instant("rights_expires_at")?,
        created_at: record.instant("created_at")?,
        stored_first_party: record.flag("stored_first_party")?,
        width: record.whole("width")?,
        height: record.whole("height")?,
        unknown: record.unknown(SOURCE),
    })
}

fn push(to: &mut RowBuilder, at: RowPlace<'_>, image: &ImageFile) {
    let [subject_id, kind, r2_key, license, author, attribution_text, source_family, rights_label] =
        image.texts.each_ref().map(Option::as_deref);
    to.push(&ImageRecordsRow {
        file: at.file,
        line: at.line,
        row_digest: at.digest,
        subject_name: image.subject_name.as_deref(),
        subject_id,
        kind,
        image_url: &image.image_url,
        card_url: image.card_url.as_deref(),
        thumb_url: image.thumb_url.as_deref(),
        r2_key,
        license,
        author,
        attribution_text,
        source_url: image.source_url.as_deref(),
        source_family,
        rights_label,
        rights_expires_at: image.rights_expires_at,
        stored_first_party: image.stored_first_party,
        created_at: image.created_at,
        width: image.width,
        height: image.height,
        unknown: image.unknown.as_deref(),
    });
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use proptest::prelude::*;

    use super::SOURCE;
    use crate::mutate::{broken, check, column, findings, ingest};

    const FIXTURES: [&[u8]; 4] = [
        include_bytes!("../../../tests/fixtures/images/every-field-stated/images.json").as_slice(),
        include_bytes!("../../../tests/fixtures/images/names-to-addresses-without-licence/photos.json")
            .as_slice(),
        include_bytes!("../../../tests/fixtures/images/one-licensed-one-without-image/licences.json")
            .as_slice(),
        include_bytes!("../../../tests/fixtures/images/rows-that-cannot-be-used/images.json").as_slice(),
    ];

    #[test]
    fn every_stated_field_is_kept() {
        let ingested = ingest(SOURCE, "images.json", FIXTURES[0]);
        let (_, batch) = &ingested.tables[0];
        let names = batch.schema().fields().iter().map(|f| f.name().clone()).collect::<Vec<_>>();
        let values =
            names.iter().map(|name| format!("{name}: {}\n", column(&ingested, "image_records", name)[0]));
        expect![[r#"
            file: images.json
            line: 1
            row_digest: aa9445266a3d2cfb
            subject_name: Zorvik Quandle
            subject_id: statsdb:00000000000000a1
            kind: portrait
            image_url: https://images.example/zorvik.jpg
            card_url: https://images.example/zorvik-card.jpg
            thumb_url: https://images.example/zorvik-thumb.jpg
            r2_key: fighters/zorvik.jpg
            license: CC BY-SA 4.0
            author: Ana Lens
            attribution_text: Photo: Ana Lens (CC BY-SA 4.0)
            source_url: https://commons.example/wiki/File:Zorvik.jpg
            source_family: commons
            rights_label: free licence
            rights_expires_at: 2030-01-01T00:00:00Z
            stored_first_party: true
            created_at: 2026-01-05T10:00:00Z
            width: 800
            height: 1000
            unknown: {"mood":"stern"}
        "#]]
        .assert_eq(&values.collect::<String>());
    }

    #[test]
    fn names_with_addresses_are_records_without_a_licence_in_their_order() {
        let ingested = ingest(SOURCE, "photos.json", FIXTURES[1]);
        assert_eq!(column(&ingested, "image_records", "subject_name"), ["Mirela Tand", "Abel Quoss"]);
        assert_eq!(column(&ingested, "image_records", "license"), ["-", "-"]);
    }

    #[test]
    fn a_search_without_result_is_a_note_and_what_is_not_named_is_kept() {
        let ingested = ingest(SOURCE, "licences.json", FIXTURES[2]);
        assert_eq!(column(&ingested, "image_records", "subject_name"), ["zorvik-quandle"]);
        assert_eq!(column(&ingested, "image_records", "source_url"), ["https://commons.example/z"]);
        assert_eq!(column(&ingested, "image_records", "unknown"), [r#"{"_from":"a list"}"#]);
        expect![[r#"
            licences.json 2 missing_value: no usable image was found
        "#]]
        .assert_eq(&findings(&ingested));
        assert_eq!(ingested.findings[0].severity, fdna_model::Severity::Note);
    }

    #[test]
    fn a_record_that_cannot_be_used_says_why() {
        let ingested = ingest(SOURCE, "images.json", FIXTURES[3]);
        assert_eq!(column(&ingested, "image_records", "image_url"), ["https://images.example/good.jpg"]);
        expect![[r#"
            images.json 1 unreadable_value: `image_url` is no address on the web: `ftp://images.example/z.jpg`
            images.json 2 unreadable_value: `image_url` is no address on the web: `javascript:alert(1)`
            images.json 3 missing_value: `image_url` has no value
            images.json 4 unreadable_value: `subject_name` is `12`
            images.json 5 unreadable_value: `source_url` is no address on the web: `not an address`
            images.json 6 unreadable_value: `rights_expires_at` is `"soon"`
            images.json 7 unreadable_value: `width` is `1e+20`
            images.json 8 unreadable_value: the record is no object
        "#]]
        .assert_eq(&findings(&ingested));
    }

    #[test]
    fn deep_nesting_is_refused_not_followed() {
        let bytes = "[".repeat(200_000);
        check(SOURCE, "images.json", bytes.as_bytes());
    }

    proptest! {
        #[test]
        fn no_broken_file_loses_a_record(bytes in broken(&FIXTURES)) {
            check(SOURCE, "images.json", &bytes);
        }
    }
}
