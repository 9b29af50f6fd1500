//! Images: whose they are, and whether they may be shown.
//!
//! The newest record of an address says all about it: a licence that it no longer states is none. An image is served
//! if it has a licence and a credit, and its rights had not ended when the newest capture of images was made. Who
//! shows it judges the end of the rights again, by the clock.

mod rights;

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use fdna_model::{FindingKind, Severity, address_id};
use fdna_rows::{CaptureFacts, RowsError, TableRow, row_cells};
use fdna_schemas::tables::{ContractRow as _, ImageRecordsReader, ImageRecordsRow, ImagesRow};
use uuid::Uuid;

use self::rights::{ImageRights, attribution_text};
use super::SourceStatements;
use super::directory::EntityDirectory;
use super::facts::{count_rows, record_finding};

/// Kinds that the tables know.
const KINDS: [&str; 2] = ["portrait", "action"];

/// The newest record of an image.
struct ImageRecord<'a> {
    id: Uuid,
    record: ImageRecordsRow<'a>,
    fighter: Option<Uuid>,
    first_captured_at: DateTime<Utc>,
    rights: ImageRights,
}

fn image_kind(record: &ImageRecordsRow<'_>) -> &'static str {
    let stated = record.kind.unwrap_or_default();
    KINDS.into_iter().find(|kind| stated.eq_ignore_ascii_case(kind)).unwrap_or("other")
}

pub(super) fn image_statements(
    captures: &[&CaptureFacts],
    directory: &EntityDirectory,
    _: &BTreeMap<&str, Vec<TableRow>>,
) -> Result<SourceStatements, RowsError> {
    let mut statements = SourceStatements::default();
    let mut set_aside: HashMap<String, usize> = HashMap::new();
    let mut images: BTreeMap<Uuid, (ImageRecordsRow<'_>, DateTime<Utc>)> = BTreeMap::new();
    for capture in captures {
        let mut seen: HashMap<&str, (&str, String)> = HashMap::new();
        for record in capture.read_table::<ImageRecordsReader<'_>>()?.all_rows()? {
            if let Some((digest, place)) = seen.get(record.image_url) {
                statements.findings.push((capture.capture.clone(), once_more(&record, digest, place)));
                *set_aside.entry(capture.capture.clone()).or_default() += 1;
                continue;
            }
            seen.insert(record.image_url, (record.row_digest, format!("`{}`, {}", record.file, record.line)));
            let id = address_id("image", record.image_url);
            let first = images.get(&id).map_or(capture.captured_at, |(_, first)| *first);
            images.insert(id, (record, first));
        }
    }
    let newest = captures.last().map(|capture| capture.captured_at);
    let mut all = Vec::new();
    for (id, (record, first_captured_at)) in images {
        let fighter = image_subject(&record, directory, first_captured_at);
        let rights = ImageRights::from_record(&record, newest);
        all.push(ImageRecord { id, record, fighter, first_captured_at, rights });
    }
    statements.counts =
        count_rows(captures, ImageRecordsRow::TABLE, |capture| set_aside.get(capture).copied().unwrap_or(0));
    statements.tables.push((ImagesRow::TABLE, image_rows(&all)));
    Ok(statements)
}

/// One capture says one thing of an address: the first record stands.
fn once_more(record: &ImageRecordsRow<'_>, digest: &str, place: &str) -> fdna_model::Finding {
    let severity = if record.row_digest == digest { Severity::Note } else { Severity::Quarantine };
    let reason = format!("`{}` is also the image of {place}", record.image_url);
    record_finding(record.file, record.line, severity, FindingKind::Duplicate, reason)
}

/// 0 where a side is not known.
fn pixel_count(record: &ImageRecordsRow<'_>) -> i64 {
    record.width.zip(record.height).map_or(0, |(width, height)| i64::from(width) * i64::from(height))
}

/// The fighter shown: of the stated id, else of the stated name.
fn image_subject(
    record: &ImageRecordsRow<'_>,
    directory: &EntityDirectory,
    on: DateTime<Utc>,
) -> Option<Uuid> {
    if let Some(id) = record.subject_id {
        return directory.by_id("fighter", id);
    }
    let name = record.subject_name?;
    let named = directory.fighter_named(name);
    named
        .or_else(|| directory.fighter_meant_on(&fdna_model::fold_name(name), on.date_naive()))
        .map(|found| found.id)
}

/// The picture of each fighter: of those served a portrait before others, the larger, the newest, the lower id.
fn primary_images(images: &[ImageRecord<'_>]) -> BTreeMap<Uuid, Uuid> {
    let rank = |image: &ImageRecord<'_>| {
        let is_other = image_kind(&image.record) != "portrait";
        (is_other, -pixel_count(&image.record), std::cmp::Reverse(image.created_at()), image.id)
    };
    let mut best: BTreeMap<Uuid, &ImageRecord<'_>> = BTreeMap::new();
    for image in images.iter().filter(|image| image.rights.not_served.is_none()) {
        let Some(fighter) = image.fighter else { continue };
        let held = best.entry(fighter).or_insert(image);
        if rank(image) < rank(held) {
            *held = image;
        }
    }
    best.into_iter().map(|(fighter, image)| (fighter, image.id)).collect()
}

impl ImageRecord<'_> {
    fn created_at(&self) -> DateTime<Utc> {
        self.record.created_at.unwrap_or(self.first_captured_at)
    }
}

fn image_rows(images: &[ImageRecord<'_>]) -> Vec<TableRow> {
    let primary = primary_images(images);
    let row = |image: &ImageRecord<'_>| {
        let record = &image.record;
        row_cells(&ImagesRow {
            image_id: image.id,
            fighter_id: image.fighter,
            kind: image_kind(record),
            r2_key: record.r2_key,
            license: record.license,
            author: record.author,
            attribution_text: attribution_text(record).as_deref(),
            source_url: record.source_url,
            source_family: record.source_family,
            rights_label: record.rights_label,
            rights_expires_at: record.rights_expires_at,
            stored_first_party: record.stored_first_party.unwrap_or(false),
            image_url: Some(record.image_url),
            card_url: record.card_url,
            thumb_url: record.thumb_url,
            created_at: image.created_at(),
            is_served: image.rights.not_served.is_none(),
            not_served_reason: image.rights.not_served,
            is_primary: image.fighter.is_some_and(|fighter| primary.get(&fighter) == Some(&image.id)),
            subject_name: record.subject_name,
        })
    };
    images.iter().map(row).collect()
}
