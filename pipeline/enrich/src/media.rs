//! Images: whose they are, and whether they may be shown.
//!
//! The newest record of an address says all about it: a licence that it no longer states is none. An image is served
//! if it has a licence and a credit, and its rights had not ended when the newest capture of images was made. Who
//! shows it judges the end of the rights again, by the clock.

mod rights;

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use fdna_model::{FindingKind, Severity, address_id};
use fdna_rows::{CaptureFacts, CellValue, RowsError, TableLayout, TableRow};
use uuid::Uuid;

use self::rights::{ImageRights, attribution};
use super::SourceStatements;
use super::directory::EntityDirectory;
use super::facts::{counts, finding, reader};

const TABLE: &str = "image_records";

/// Kinds that the tables know.
const KINDS: [&str; 2] = ["portrait", "action"];

/// The newest record of an image.
struct ImageRecord<'a> {
    id: Uuid,
    record: MediaRecord<'a>,
    fighter: Option<Uuid>,
    first_captured_at: DateTime<Utc>,
    rights: ImageRights,
}

/// A row of the facts.
struct MediaRecord<'a> {
    file: &'a str,
    line: i32,
    digest: &'a str,
    url: &'a str,
    /// Texts by the names of [`TEXTS`].
    texts: [Option<&'a str>; TEXTS.len()],
    expires_at: Option<DateTime<Utc>>,
    created_at: Option<DateTime<Utc>>,
    stored_first_party: bool,
    pixels: i64,
}

const TEXTS: [&str; 12] = [
    "subject_name",
    "subject_id",
    "kind",
    "r2_key",
    "license",
    "author",
    "attribution_text",
    "source_url",
    "source_family",
    "rights_label",
    "card_url",
    "thumb_url",
];

impl<'a> MediaRecord<'a> {
    fn text(&self, name: &str) -> Option<&'a str> {
        TEXTS.iter().position(|known| *known == name).and_then(|i| self.texts[i])
    }

    fn kind(&self) -> &'static str {
        let stated = self.text("kind").unwrap_or_default();
        KINDS.into_iter().find(|kind| stated.eq_ignore_ascii_case(kind)).unwrap_or("other")
    }
}

pub(super) fn statements(
    captures: &[&CaptureFacts],
    directory: &EntityDirectory,
    _: &BTreeMap<&str, Vec<TableRow>>,
) -> Result<SourceStatements, RowsError> {
    let mut told = SourceStatements::default();
    let mut set_aside: HashMap<String, usize> = HashMap::new();
    let mut images: BTreeMap<Uuid, (MediaRecord<'_>, DateTime<Utc>)> = BTreeMap::new();
    for capture in captures {
        let mut seen: HashMap<&str, (&str, String)> = HashMap::new();
        for record in records(capture)? {
            if let Some((digest, place)) = seen.get(record.url) {
                told.findings.push((capture.capture.clone(), once_more(&record, digest, place)));
                *set_aside.entry(capture.capture.clone()).or_default() += 1;
                continue;
            }
            seen.insert(record.url, (record.digest, format!("`{}`, {}", record.file, record.line)));
            let id = address_id("image", record.url);
            let first = images.get(&id).map_or(capture.captured_at, |(_, first)| *first);
            images.insert(id, (record, first));
        }
    }
    let newest = captures.last().map(|capture| capture.captured_at);
    let mut all = Vec::new();
    for (id, (record, first_captured_at)) in images {
        let fighter = subject(&record, directory, first_captured_at);
        let rights = ImageRights::of(&record, newest);
        all.push(ImageRecord { id, record, fighter, first_captured_at, rights });
    }
    told.counts = counts(captures, TABLE, |capture| set_aside.get(capture).copied().unwrap_or(0));
    told.tables.push(("images", rows(&all)?));
    Ok(told)
}

/// One capture says one thing of an address: the first record stands.
fn once_more(record: &MediaRecord<'_>, digest: &str, place: &str) -> fdna_model::Finding {
    let severity = if record.digest == digest { Severity::Note } else { Severity::Quarantine };
    let reason = format!("`{}` is also the image of {place}", record.url);
    finding(record.file, record.line, severity, FindingKind::Duplicate, reason)
}

fn records<'a>(capture: &'a CaptureFacts) -> Result<Vec<MediaRecord<'a>>, RowsError> {
    let facts = reader(capture, TABLE)?;
    let (files, lines, digests) = (facts.texts("file")?, facts.counts("line")?, facts.texts("row_digest")?);
    let urls = facts.texts("image_url")?;
    let texts = TEXTS.iter().map(|name| facts.strings(name)).collect::<Result<Vec<_>, _>>()?;
    let (expires, created) = (facts.instants("rights_expires_at")?, facts.instants("created_at")?);
    let (stored, widths, heights) =
        (facts.bools("stored_first_party")?, facts.int32s("width")?, facts.int32s("height")?);
    let pixels = |i: usize| Some(i64::from(widths[i]?) * i64::from(heights[i]?));
    let record = |i: usize| MediaRecord {
        file: files[i],
        line: lines[i],
        digest: digests[i],
        url: urls[i],
        texts: std::array::from_fn(|text| texts[text][i]),
        expires_at: expires[i],
        created_at: created[i],
        stored_first_party: stored[i].unwrap_or(false),
        pixels: pixels(i).unwrap_or(0),
    };
    Ok((0..facts.rows()).map(record).collect())
}

/// Whom it shows: the fighter of the stated id, else of the stated name.
fn subject(record: &MediaRecord<'_>, directory: &EntityDirectory, on: DateTime<Utc>) -> Option<Uuid> {
    if let Some(id) = record.text("subject_id") {
        return directory.by_id("fighter", id);
    }
    let name = record.text("subject_name")?;
    let named = directory.fighter(name);
    named.or_else(|| directory.named(&fdna_model::fold_name(name), on.date_naive())).map(|found| found.id)
}

/// The picture of each fighter: of those served a portrait before others, the larger, the newest, the lower id.
fn primary(images: &[ImageRecord<'_>]) -> BTreeMap<Uuid, Uuid> {
    let rank = |image: &ImageRecord<'_>| {
        let is_other = image.record.kind() != "portrait";
        (is_other, -image.record.pixels, std::cmp::Reverse(image.created_at()), image.id)
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

fn rows(images: &[ImageRecord<'_>]) -> Result<Vec<TableRow>, RowsError> {
    let same = [
        "r2_key",
        "license",
        "author",
        "source_url",
        "source_family",
        "rights_label",
        "card_url",
        "thumb_url",
        "subject_name",
    ];
    let made = [
        "image_id",
        "fighter_id",
        "kind",
        "attribution_text",
        "rights_expires_at",
        "stored_first_party",
        "image_url",
        "created_at",
        "is_served",
        "not_served_reason",
        "is_primary",
    ];
    let layout = TableLayout::new("images", &[&same[..], &made[..]].concat())?;
    let primary = primary(images);
    let row = |image: &ImageRecord<'_>| {
        let record = &image.record;
        let is_primary = image.fighter.is_some_and(|fighter| primary.get(&fighter) == Some(&image.id));
        let made: [CellValue; 11] = [
            image.id.into(),
            image.fighter.into(),
            record.kind().into(),
            attribution(record).as_deref().into(),
            record.expires_at.into(),
            record.stored_first_party.into(),
            record.url.into(),
            image.created_at().into(),
            image.rights.not_served.is_none().into(),
            image.rights.not_served.into(),
            is_primary.into(),
        ];
        layout.row(same.iter().map(|name| record.text(name).into()).chain(made))
    };
    Ok(images.iter().map(row).collect())
}
