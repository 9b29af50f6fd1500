//! Images that may be shown, and whom they show.

use std::collections::HashMap;

use arrow::array::RecordBatch;
use chrono::{DateTime, Utc};
use fdna_api::{Id, Image, PreparedJson, PrimaryImage};
use fdna_schemas::TableReader;
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
        let table = ImageColumns::read(batch)?;
        let mut images = Self { rows: Vec::new(), by_id: HashMap::new(), by_fighter: HashMap::new() };
        for i in (0..table.ids.len()).filter(|&i| table.may_be_shown(i)) {
            let fighter = table.fighters[i].map(|id| {
                fighters.row(id).ok_or(DatasetError::Dangling { table: TABLE, what: "fighter", id })
            });
            images.add(table.row(i)?, fighter.transpose()?);
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

struct ImageColumns<'a> {
    ids: Vec<Uuid>,
    fighters: Vec<Option<Uuid>>,
    texts: HashMap<&'static str, Vec<Option<&'a str>>>,
    expires: Vec<Option<DateTime<Utc>>>,
    created: Vec<Option<DateTime<Utc>>>,
    is_stored: Vec<Option<bool>>,
    is_served: Vec<Option<bool>>,
    is_primary: Vec<Option<bool>>,
}

const TEXTS: [&str; 11] = [
    "kind",
    "r2_key",
    "license",
    "author",
    "attribution_text",
    "source_url",
    "source_family",
    "rights_label",
    "image_url",
    "card_url",
    "thumb_url",
];

impl<'a> ImageColumns<'a> {
    fn read(batch: &'a RecordBatch) -> Result<Self, DatasetError> {
        let table = TableReader::new(TABLE, batch);
        let mut texts = HashMap::new();
        for name in TEXTS {
            texts.insert(name, table.strings(name)?);
        }
        Ok(Self {
            ids: table.ids("image_id")?,
            fighters: table.uuids("fighter_id")?,
            texts,
            expires: table.instants("rights_expires_at")?,
            created: table.instants("created_at")?,
            is_stored: table.bools("stored_first_party")?,
            is_served: table.bools("is_served")?,
            is_primary: table.bools("is_primary")?,
        })
    }

    /// The pipeline decides; that nothing is shown without a licence and a credit is looked at here again.
    fn may_be_shown(&self, i: usize) -> bool {
        let is_stated = |name| self.text(name, i).is_some_and(|text| !text.trim().is_empty());
        self.is_served[i] == Some(true) && is_stated("license") && is_stated("attribution_text")
    }

    fn text(&self, name: &'static str, i: usize) -> Option<&'a str> {
        self.texts.get(name).and_then(|column| column[i])
    }

    fn row(&self, i: usize) -> Result<ImageRow, DatasetError> {
        Ok(ImageRow {
            id: self.ids[i],
            expires_at: self.expires[i],
            is_primary: self.is_primary[i] == Some(true),
            json: self.fighters[i].map(|fighter| json(&self.wire(i, fighter))).transpose()?,
            compact: json(&self.compact(i))?,
        })
    }

    fn wire(&self, i: usize, fighter: Uuid) -> Image<'a> {
        Image {
            id: Id(self.ids[i]),
            kind: self.text("kind", i),
            r2_key: self.text("r2_key", i),
            license: self.text("license", i),
            author: self.text("author", i),
            source_url: self.text("source_url", i),
            fighter_id: Id(fighter),
            created_at: self.created[i].map(instant),
            source_family: self.text("source_family", i),
            attribution_text: self.text("attribution_text", i),
            rights_label: self.text("rights_label", i),
            rights_expires_at: self.expires[i].map(instant),
            stored_first_party: self.is_stored[i],
            image_url: self.text("image_url", i),
            card_url: self.text("card_url", i),
            thumb_url: self.text("thumb_url", i),
        }
    }

    fn compact(&self, i: usize) -> PrimaryImage<'a> {
        PrimaryImage {
            id: Id(self.ids[i]),
            image_url: self.text("image_url", i),
            card_url: self.text("card_url", i),
            thumb_url: self.text("thumb_url", i),
            author: self.text("author", i),
            license: self.text("license", i),
            source_url: self.text("source_url", i),
            kind: self.text("kind", i),
            attribution_text: self.text("attribution_text", i),
            rights_label: self.text("rights_label", i),
        }
    }
}
