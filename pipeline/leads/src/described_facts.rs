//! Facts of a dwelling in a request for its value, beside those that a capture has.

use fdna_valuation::{DwellingType, Facts, GivenFacts, PropertyFacts};
use serde_json::{Value, json};

use crate::fields::{parse_text, unknown_field};
use crate::json_body::JsonValue;
use crate::query::MAX_PLACE;
use crate::refusal::Refusal;

/// Facts that a request gives.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct RequestedFacts {
    pub(crate) given: GivenFacts,
    /// Tax block.
    pub(crate) block: Option<String>,
}

const FIELDS: &str = "type, floor_area_sqft, lot_area_sqft, year_built, beds, baths, stories, block";

/// Reads `facts`.
///
/// # Errors
/// 400: it is no object, or a field is unknown, of another kind or out of bounds.
pub(crate) fn parse_facts(value: JsonValue) -> Result<RequestedFacts, Refusal> {
    let JsonValue::Object(fields) = value else {
        return Err(Refusal::of_field("facts", "must be an object"));
    };
    let mut facts = RequestedFacts::default();
    let given = &mut facts.given;
    for (field, value) in fields.0 {
        let path = format!("facts.{field}");
        if matches!(value, JsonValue::Null) {
            continue;
        }
        match field.as_str() {
            "type" => given.kind = Some(parse_type(&path, value)?),
            "floor_area_sqft" => given.floor_sqft = Some(parse_number(&path, value, 200.0, 50_000.0)?),
            "lot_area_sqft" => given.lot_sqft = Some(parse_number(&path, value, 200.0, 5_000_000.0)?),
            "year_built" => given.year_built = Some(parse_year(&path, value)?),
            "beds" => given.beds = Some(parse_number(&path, value, 0.0, 50.0)?),
            "baths" => given.baths = Some(parse_number(&path, value, 0.0, 50.0)?),
            "stories" => given.stories = Some(parse_number(&path, value, 0.5, 100.0)?),
            "block" => facts.block = Some(parse_text(&path, value, MAX_PLACE)?),
            _ => return Err(unknown_field(&path, FIELDS)),
        }
    }
    Ok(facts)
}

fn parse_type(path: &str, value: JsonValue) -> Result<DwellingType, Refusal> {
    let name = parse_text(path, value, MAX_PLACE)?;
    DwellingType::of_name(&name).ok_or_else(|| {
        let names = DwellingType::ALL.map(DwellingType::name).join(", ");
        Refusal::of_field(path, &format!("must be one of {names}: other dwellings have no value"))
    })
}

fn parse_number(path: &str, value: JsonValue, min: f64, max: f64) -> Result<f64, Refusal> {
    match value {
        JsonValue::Number(number) if (min..=max).contains(&number) => Ok(number),
        _ => Err(Refusal::of_field(path, &format!("must be a number from {min} to {max}"))),
    }
}

fn parse_year(path: &str, value: JsonValue) -> Result<i32, Refusal> {
    let year = parse_number(path, value, 1600.0, 2200.0)?;
    #[expect(clippy::cast_possible_truncation, reason = "a year within bounds")]
    let whole = year as i32;
    if f64::from(whole).total_cmp(&year).is_ne() {
        return Err(Refusal::of_field(path, "must be a whole number"));
    }
    Ok(whole)
}

/// What was given, what the capture has, and what counted: they stand apart.
pub(crate) fn facts_record(
    requested: Option<&RequestedFacts>,
    captured: Option<&PropertyFacts>,
    used: Option<&Facts>,
) -> Value {
    let given = requested.map(|RequestedFacts { given, block }| {
        json!({
            "type": given.kind.map(DwellingType::name), "floor_area_sqft": given.floor_sqft,
            "lot_area_sqft": given.lot_sqft, "year_built": given.year_built, "beds": given.beds, "baths": given.baths,
            "stories": given.stories, "block": block,
        })
    });
    let captured = captured.map(|own| {
        json!({
            "type": own.kind, "floor_area_sqft": own.floor_sqft, "lot_area_sqft": own.lot_sqft,
            "year_built": own.year_built, "beds": own.beds, "baths": own.baths, "stories": own.stories, "block": own.block,
        })
    });
    let used = used.map(|own| {
        json!({
            "type": own.kind.name(), "floor_area_sqft": own.floor_area, "lot_area_sqft": own.lot_area,
            "year_built": own.year_built, "beds": own.beds, "baths": own.baths, "stories": own.stories,
        })
    });
    json!({"given": given, "captured": captured, "used": used})
}
