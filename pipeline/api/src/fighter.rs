//! Fighters and their images on the wire.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::{CountedRecord, Id, PreparedJson, PromotionRecord, StatedRecord, enums, formats, prepared};

/// A fighter, as in lists and bouts.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Fighter<'a> {
    #[serde(flatten, serialize_with = "prepared::fields")]
    pub facts: PreparedJson<'a, FighterFacts<'a>>,
    /// Null where none may be shown: rights run out, so it is looked up for each answer.
    pub primary_image: Option<PreparedJson<'a, PrimaryImage<'a>>>,
}

/// What a snapshot says of a fighter, images aside.
#[derive(Debug, Clone, Default, JsonSchema, Serialize)]
pub struct FighterFacts<'a> {
    pub id: Id,
    pub statsdb_id: Option<&'a str>,
    pub feed_athlete_id: Option<&'a str>,
    pub name: &'a str,
    pub nickname: Option<&'a str>,
    /// `YYYY-MM-DD`.
    #[schemars(with = "Option<formats::Date>")]
    pub dob: Option<String>,
    /// Inches.
    pub height_in: Option<i32>,
    /// Inches.
    pub reach_in: Option<i32>,
    /// Pounds.
    pub weight_lbs: Option<i32>,
    /// ORTHODOX, SOUTHPAW, SWITCH, OPEN_STANCE or SIDEWAYS.
    #[schemars(with = "Option<enums::Stance>")]
    pub stance: Option<&'a str>,
    /// The record of all promotions on the snapshot's newest day: the newest that a source states, and the bouts that
    /// we hold since. Null where no source states one; what our bouts alone say is `record_counted`.
    pub record_w: Option<i32>,
    pub record_l: Option<i32>,
    pub record_d: Option<i32>,
    pub record_nc: Option<i32>,
    /// Who states the record that it is reckoned from; null where nobody does.
    pub record_source: Option<&'a str>,
    /// Day on which that was stated.
    #[schemars(with = "Option<formats::Date>")]
    pub record_date: Option<String>,
    /// Bouts since that day that were added to it. Bouts that we do not hold are missing.
    pub record_bouts_since: Option<i32>,
    /// A bout in the 36 calendar months before the snapshot's facts end, or one to come.
    pub is_active: bool,
    /// Display-only career figures, where a source states them: not to be used as features for bouts before
    /// `career_date`. Shares are 0 to 1.
    pub career_slpm: Option<f64>,
    pub career_str_acc: Option<f64>,
    pub career_sapm: Option<f64>,
    pub career_str_def: Option<f64>,
    pub career_td_avg: Option<f64>,
    pub career_td_acc: Option<f64>,
    pub career_td_def: Option<f64>,
    pub career_sub_avg: Option<f64>,
    /// Who states the career figures; null where nobody does.
    pub career_source: Option<&'a str>,
    /// Day on which they were stated: later bouts are not in them.
    #[schemars(with = "Option<formats::Date>")]
    pub career_date: Option<String>,
    /// Fought bouts of the fighter that we hold.
    pub fight_history_count: usize,
    /// RFC 3339 with offset.
    #[schemars(with = "Option<formats::Instant>")]
    pub updated_at: Option<String>,
}

/// A fighter, asked for alone.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FighterDetail<'a> {
    #[serde(flatten)]
    pub fighter: Fighter<'a>,
    /// Name in ASCII with hyphens, and the first 8 hex digits of the id.
    pub slug_id: &'a str,
    /// Those that may be shown, the primary image first.
    pub images: Vec<PreparedJson<'a, Image<'a>>>,
    /// The newest record that a source states, as it was stated; null where none does.
    pub record_stated: Option<StatedRecord<'a>>,
    /// The bouts of this snapshot by promotion, that with most bouts first.
    pub by_promotion: Vec<PromotionRecord<'a>>,
    /// Counted from the bouts of this snapshot alone.
    pub record_counted: CountedRecord<'a>,
}

/// A fighter inside another record.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FighterCompact<'a> {
    #[serde(flatten, serialize_with = "prepared::fields")]
    pub names: PreparedJson<'a, FighterNames<'a>>,
    /// Null where none may be shown, and in answers as of a date, which stay the same for ever.
    pub primary_image: Option<PreparedJson<'a, PrimaryImage<'a>>>,
}

/// Who a fighter is.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FighterNames<'a> {
    pub id: Id,
    pub statsdb_id: Option<&'a str>,
    pub feed_athlete_id: Option<&'a str>,
    pub name: &'a str,
    pub nickname: Option<&'a str>,
    pub slug_id: &'a str,
}

/// `data` of the bulk lookup of primary images.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FightersMedia<'a> {
    /// By every requested id; null where no image may be shown.
    pub media: BTreeMap<Id, Option<PreparedJson<'a, PrimaryImage<'a>>>>,
}

/// The image to show. Whoever shows it must render `attribution_text`.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct PrimaryImage<'a> {
    pub id: Id,
    pub image_url: Option<&'a str>,
    pub card_url: Option<&'a str>,
    pub thumb_url: Option<&'a str>,
    pub author: Option<&'a str>,
    pub license: Option<&'a str>,
    pub source_url: Option<&'a str>,
    #[schemars(with = "Option<enums::ImageKind>")]
    pub kind: Option<&'a str>,
    pub attribution_text: Option<&'a str>,
    pub rights_label: Option<&'a str>,
}

/// An image with all that is known of its rights.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct Image<'a> {
    pub id: Id,
    /// portrait, action or other.
    #[schemars(with = "Option<enums::ImageKind>")]
    pub kind: Option<&'a str>,
    /// Key in the media store; null where it is not stored.
    pub r2_key: Option<&'a str>,
    pub license: Option<&'a str>,
    pub author: Option<&'a str>,
    pub source_url: Option<&'a str>,
    pub fighter_id: Id,
    /// RFC 3339 with offset.
    #[schemars(with = "Option<formats::Instant>")]
    pub created_at: Option<String>,
    pub source_family: Option<&'a str>,
    pub attribution_text: Option<&'a str>,
    pub rights_label: Option<&'a str>,
    /// RFC 3339 with offset; null where no end is stated.
    #[schemars(with = "Option<formats::Instant>")]
    pub rights_expires_at: Option<String>,
    pub stored_first_party: Option<bool>,
    pub image_url: Option<&'a str>,
    pub card_url: Option<&'a str>,
    pub thumb_url: Option<&'a str>,
}
