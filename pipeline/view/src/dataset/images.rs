//! Images that may be shown, and whom they show.

use std::collections::HashMap;

use arrow::array::RecordBatch;
use chrono::{DateTime, Utc};
use fdna_api::{Id, Image, PreparedJson, PrimaryImage};
use fdna_schemas::tables::{ContractReader as _, ImagesReader, ImagesRow};
use uuid::Uuid;

use super::columns::instant;
use super::ids::IdIndex;
use super::{DatasetError, json};

const TABLE: &str = "images";

/// The time at which an answer looks at images. An answer as of a date is the same for ever, and rights are
/// not: it looks at none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ImageVisibility(Option<DateTime<Utc>>);

impl ImageVisibility {
    pub(crate) fn at(now: DateTime<Utc>) -> Self {
        Self(Some(now))
    }

    /// No images.
    pub(crate) const NONE: Self = Self(None);

    fn allows(self, image: &ImageRow) -> bool {
        self.0.is_some_and(|now| image.expires_at.is_none_or(|end| now < end))
    }
}

/// An image, ready to be sent.
#[derive(Debug)]
struct ImageRow {
    id: Uuid,
    /// From this instant on it may not be shown.
    expires_at: Option<DateTime<Utc>>,
    is_primary: bool,
    /// As an element of `images[]`; none where it shows nobody we know.
    json: Option<Box<[u8]>>,
    /// As a primary image, or at the head of an article.
    compact: Box<[u8]>,
}

/// All images with a licence and a credit that the pipeline lets through.
#[derive(Debug)]
pub(crate) struct ImageTable {
    rows: Vec<ImageRow>,
    by_id: HashMap<Uuid, usize>,
    /// By row of the fighter, the primary one first.
    by_fighter: HashMap<usize, Vec<usize>>,
}

impl ImageTable {
    pub(crate) fn read(batch: &RecordBatch, fighters: &IdIndex) -> Result<Self, DatasetError> {
        let mut images = Self { rows: Vec::new(), by_id: HashMap::new(), by_fighter: HashMap::new() };
        for row in ImagesReader::of(batch).all_rows()?.iter().filter(|row| may_be_shown(row)) {
            let fighter = row.fighter_id.map(|id| fighters.row_of("fighter", TABLE, id));
            images.add(ImageRow::of(row)?, fighter.transpose()?);
        }
        for rows in images.by_fighter.values_mut() {
            rows.sort_by_key(|&row| (!images.rows[row].is_primary, images.rows[row].id));
        }
        Ok(images)
    }

    fn add(&mut self, image: ImageRow, fighter: Option<usize>) {
        let row = self.rows.len();
        self.by_id.insert(image.id, row);
        if let Some(fighter) = fighter {
            self.by_fighter.entry(fighter).or_default().push(row);
        }
        self.rows.push(image);
    }

    /// The portrait that was chosen for the fighter. Where its rights have run out there is none: the next
    /// snapshot chooses again.
    pub(crate) fn primary(
        &self,
        fighter: usize,
        shown: ImageVisibility,
    ) -> Option<PreparedJson<'_, PrimaryImage<'_>>> {
        let primary = self.of(fighter).next().filter(|image| image.is_primary && shown.allows(image))?;
        Some(PreparedJson::new(&*primary.compact))
    }

    /// Images of the fighter, the primary one first.
    pub(crate) fn all(&self, fighter: usize, shown: ImageVisibility) -> Vec<PreparedJson<'_, Image<'_>>> {
        let allowed = self.of(fighter).filter(|image| shown.allows(image));
        allowed.filter_map(|image| image.json.as_deref().map(PreparedJson::new)).collect()
    }

    /// An image by its id.
    pub(crate) fn by_id(
        &self,
        id: Uuid,
        shown: ImageVisibility,
    ) -> Option<PreparedJson<'_, PrimaryImage<'_>>> {
        let image = self.by_id.get(&id).map(|&row| &self.rows[row])?;
        shown.allows(image).then(|| PreparedJson::new(&*image.compact))
    }

    /// When rights run out.
    pub(crate) fn ends(&self) -> impl Iterator<Item = DateTime<Utc>> {
        self.rows.iter().filter_map(|image| image.expires_at)
    }

    fn of(&self, fighter: usize) -> impl Iterator<Item = &ImageRow> {
        self.by_fighter.get(&fighter).into_iter().flatten().map(|&row| &self.rows[row])
    }
}

/// The pipeline decides; that nothing is shown without a licence and a credit is looked at here again.
fn may_be_shown(row: &ImagesRow<'_>) -> bool {
    let is_stated = |text: Option<&str>| text.is_some_and(|text| !text.trim().is_empty());
    row.is_served && is_stated(row.license) && is_stated(row.attribution_text)
}

impl ImageRow {
    fn of(row: &ImagesRow<'_>) -> Result<Self, serde_json::Error> {
        Ok(Self {
            id: row.image_id,
            expires_at: row.rights_expires_at,
            is_primary: row.is_primary,
            json: row.fighter_id.map(|fighter| json(&wire(row, fighter))).transpose()?,
            compact: json(&compact(row))?,
        })
    }
}

fn wire<'a>(row: &ImagesRow<'a>, fighter: Uuid) -> Image<'a> {
    Image {
        id: Id(row.image_id),
        kind: Some(row.kind),
        r2_key: row.r2_key,
        license: row.license,
        author: row.author,
        source_url: row.source_url,
        fighter_id: Id(fighter),
        created_at: Some(instant(row.created_at)),
        source_family: row.source_family,
        attribution_text: row.attribution_text,
        rights_label: row.rights_label,
        rights_expires_at: row.rights_expires_at.map(instant),
        stored_first_party: Some(row.stored_first_party),
        image_url: row.image_url,
        card_url: row.card_url,
        thumb_url: row.thumb_url,
    }
}

fn compact<'a>(row: &ImagesRow<'a>) -> PrimaryImage<'a> {
    PrimaryImage {
        id: Id(row.image_id),
        image_url: row.image_url,
        card_url: row.card_url,
        thumb_url: row.thumb_url,
        author: row.author,
        license: row.license,
        source_url: row.source_url,
        kind: Some(row.kind),
        attribution_text: row.attribution_text,
        rights_label: row.rights_label,
    }
}
