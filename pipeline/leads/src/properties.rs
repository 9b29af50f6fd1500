//! The list of properties, and their values, as they are answered.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arc_swap::ArcSwapOption;
use chrono::{NaiveDate, SecondsFormat};
use fdna_valuation::address::{Address, is_zip_of_state, without_place};
use fdna_valuation::{
    AddressMatches, BookedProperty, Comparable, DescribedPlace, FactShare, Facts, NotValued, PropertyBook,
    Valuation,
};
use serde_json::{Map, Value, json};

use crate::described_facts::{RequestedFacts, facts_record, parse_facts};
use crate::fields::{parse_optional, parse_text, unknown_field};
use crate::json_body::JsonObject;
use crate::query::{MAX_PLACE, PropertyQuery, ValidityQuery, is_state, is_zip};
use crate::refusal::{Code, Refusal};

/// Characters of an address.
const MAX_ADDRESS: usize = 200;

/// Properties of an address that a refusal names, at most.
const MAX_NAMED: usize = 50;

/// The properties that are served now; the follower of the lake puts newer ones here.
pub type PropertyShelf = Arc<ArcSwapOption<ServedProperties>>;

/// The properties of one snapshot.
#[derive(Debug)]
pub struct ServedProperties {
    pub book: PropertyBook,
    /// As it was measured when the snapshot was made.
    pub validity: Vec<ServedValidity>,
    /// Notices that must stand beside facts of a source, by its name.
    pub notices: BTreeMap<String, String>,
    pub snapshot_id: String,
}

/// Validity of values on a slice of sales, by the columns of its table.
pub type ServedValidity = Map<String, Value>;

/// Property whose value is requested.
#[derive(Debug)]
pub(crate) struct ValuationRequest {
    /// May be missing where facts are given.
    address: Option<String>,
    city: String,
    state: String,
    /// Of the request, else of the line of the address.
    zip: Option<String>,
    as_of: Option<NaiveDate>,
    facts: Option<RequestedFacts>,
}

/// Reads the body of a request for a value.
pub(crate) fn parse_request(body: JsonObject) -> Result<ValuationRequest, Refusal> {
    let (mut address, mut city, mut state, mut zip, mut as_of, mut facts) = Default::default();
    for (field, value) in body.0 {
        match field.as_str() {
            "address" => address = parse_optional(value, |value| parse_text("address", value, MAX_ADDRESS))?,
            "city" => city = Some(parse_text("city", value, MAX_PLACE)?),
            "state" => state = Some(parse_text("state", value, MAX_PLACE)?),
            "zip" => zip = parse_optional(value, |value| parse_text("zip", value, MAX_PLACE))?,
            "as_of" => as_of = parse_optional(value, |value| parse_text("as_of", value, MAX_PLACE))?,
            // Without a fact nothing is described.
            "facts" => {
                facts =
                    parse_optional(value, parse_facts)?.filter(|facts| *facts != RequestedFacts::default())
            }
            _ => return Err(unknown_field(&field, "address, city, state, zip, as_of, facts")),
        }
    }
    let required =
        |name: &str, value: Option<String>| value.ok_or_else(|| Refusal::of_field(name, "is required"));
    if facts.is_none() {
        address = Some(required("address", address)?);
    }
    let city = required("city", city)?;
    let state = required("state", state)?;
    if !is_state(&state) {
        return Err(Refusal::of_field("state", "must have two letters"));
    }
    let is_with_four = |(zip, four): (&str, &str)| {
        is_zip(zip) && four.len() == 4 && four.bytes().all(|b| b.is_ascii_digit())
    };
    let is_form = |zip: &String| is_zip(zip) || zip.split_once('-').is_some_and(is_with_four);
    if !zip.as_ref().is_none_or(is_form) {
        return Err(Refusal::of_field("zip", "must have five digits, or five and four"));
    }
    let in_line = address.as_ref().and_then(|line| without_place(line, &city, &state).1).map(str::to_owned);
    if let Some((zip, in_line)) = zip.as_ref().zip(in_line.as_ref())
        && zip.get(..5) != Some(in_line.as_str())
    {
        return Err(Refusal::of_field("address", &format!("ends with the zip {in_line}, and zip is {zip}")));
    }
    let zip = zip.or(in_line);
    let as_of = as_of.map(|day| day_of(&day)).transpose()?;
    Ok(ValuationRequest { address, city, state, zip, as_of, facts })
}

fn day_of(text: &str) -> Result<NaiveDate, Refusal> {
    // chrono takes signs, too.
    let is_form = text.len() == 10
        && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
        && !text.starts_with('-');
    let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok().filter(|_| is_form);
    day.ok_or_else(|| Refusal::of_field("as_of", "must be a day such as 2023-07-01"))
}

/// Properties as a list.
pub(crate) fn list_properties(served: &ServedProperties, query: &PropertyQuery) -> Value {
    let (limit, offset) = (query.limit as usize, query.offset as usize);
    let (page, total) = served.book.list_properties(&query.filter, limit, offset);
    let data: Vec<Value> = page.into_iter().map(|own| property_record(served, own)).collect();
    json!({"data": data, "meta": {"total": total, "limit": query.limit, "offset": query.offset}})
}

/// Validity of values, of one market or kind of slice if the query names it.
pub(crate) fn validity_report(served: &ServedProperties, query: &ValidityQuery) -> Value {
    let constants = &served.book.constants;
    let is_asked = |row: &&ServedValidity| {
        let is = |column: &str, asked: &Option<String>| {
            asked.as_ref().is_none_or(|asked| row.get(column) == Some(&json!(asked)))
        };
        is("market", &query.market) && is("dimension", &query.dimension)
    };
    let data: Vec<&ServedValidity> = served.validity.iter().filter(is_asked).collect();
    let total = data.len();
    json!({"data": data, "meta": {"total": total, "definition_version": constants.version, "snapshot_id": served.snapshot_id}})
}

fn property_record(served: &ServedProperties, own: &BookedProperty) -> Value {
    let (record, facts) = (&own.record, &own.record.facts);
    let last_sale = record.last_sale.map(|(date, price)| json!({"date": date, "price": price}));
    json!({
        "id": record.id,
        "address": {
            "line": own.address.to_string(), "number": own.address.number, "street": own.address.street,
            "unit": own.address.unit, "city": record.city, "state": record.state, "zip": record.zip,
        },
        "address_stated": record.address_stated,
        "unit_stated": record.unit,
        "parcel": record.parcel,
        "type": facts.kind,
        "type_stated": record.type_stated,
        "units": facts.units,
        "beds": facts.beds,
        "baths": facts.baths,
        "floor_area_sqft": facts.floor_sqft,
        "lot_area_sqft": facts.lot_sqft,
        "year_built": facts.year_built,
        "last_sale": last_sale,
        "latitude": facts.latitude,
        "longitude": facts.longitude,
        "source": record.source,
        "notice": served.notices.get(&record.source),
        "captured_at": record.captured_at.to_rfc3339_opts(SecondsFormat::Secs, true),
    })
}

/// A property without what it was sold for on the day or later.
fn property_record_as_of(served: &ServedProperties, own: &BookedProperty, as_of: NaiveDate) -> Value {
    let last_sale = served.book.last_sale_before(own, as_of);
    let mut record = property_record(served, own);
    record["last_sale"] = last_sale.map(|(date, price)| json!({"date": date, "price": price})).into();
    record
}

/// The value of the one property that a request means.
pub(crate) fn valuate_property(
    served: &ServedProperties,
    request: &ValuationRequest,
    today: NaiveDate,
) -> Result<Value, Refusal> {
    let as_of = request.as_of.unwrap_or(today);
    if as_of > today {
        return Err(Refusal::of_field("as_of", "must not be later than today"));
    }
    let found = find_property(served, request)?;
    let not_valued = |why: NotValued| {
        let message = format!("The property has no value as of {as_of}: {why}");
        Refusal::new(Code::ValuationNotAvailable, message)
    };
    let (facts, valued) = match (found, &request.facts) {
        (Some(own), None) => (None, served.book.value_property(own, as_of).map_err(not_valued)?),
        (Some(_), Some(RequestedFacts { block: Some(_), .. })) => {
            let why = "says where a property is that no capture has: this one is known";
            return Err(Refusal::of_field("facts.block", why));
        }
        (Some(own), Some(facts)) => {
            let (used, valued) = served.book.value_corrected(own, &facts.given, as_of).map_err(not_valued)?;
            (Some(used), valued)
        }
        (None, facts) => {
            let (used, valued) = value_described(served, request, facts.as_ref(), as_of, not_valued)?;
            (Some(used), valued)
        }
    };
    let mut data = valuation_record(served, &valued);
    data["property"] = found.map(|own| property_record_as_of(served, own, as_of)).into();
    let captured = found.map(|own| &own.record.facts);
    data["facts"] = facts_record(request.facts.as_ref(), captured, facts.as_ref());
    // A record has the newest facts; those of a day before a capture may have been others.
    let is_later = found.map(|own| own.record.captured_at.date_naive() >= as_of);
    data["facts"]["captured_after_as_of"] = is_later.into();
    Ok(json!({ "data": data }))
}

fn value_described(
    served: &ServedProperties,
    request: &ValuationRequest,
    facts: Option<&RequestedFacts>,
    as_of: NaiveDate,
    not_valued: impl Fn(NotValued) -> Refusal,
) -> Result<(Facts, Valuation), Refusal> {
    let RequestedFacts { given, block } = facts.cloned().unwrap_or_default();
    let Some(kind) = given.kind else {
        let why = "is required of a property that no capture has: one_family, two_family, three_family or condominium";
        return Err(Refusal::of_field("facts.type", why));
    };
    let place = DescribedPlace {
        city: &request.city,
        state: &request.state,
        block: block.as_deref(),
        address: request.address.as_ref().map(|line| without_place(line, &request.city, &request.state).0),
        zip: request.zip.as_ref().and_then(|zip| zip.get(..5)),
    };
    served.book.value_described(&place, kind, &given, as_of).map_err(not_valued)
}

fn is_nobodys(found: AddressMatches<'_>) -> bool {
    matches!(found, AddressMatches::None | AddressMatches::Like(_))
}

/// The one property that a request means; `None` if no capture has it and the request describes it.
fn find_property<'s>(
    served: &'s ServedProperties,
    request: &ValuationRequest,
) -> Result<Option<&'s BookedProperty>, Refusal> {
    let ValuationRequest { address, city, state, zip, facts, .. } = request;
    let not_found = |message: String| Refusal::new(Code::PropertyNotFound, message);
    let Some(zips) = served.book.city_zips(city, state) else {
        return Err(not_found(format!("No property of {city}, {state} is known")));
    };
    match zip.as_ref().and_then(|zip| zip.get(..5)) {
        None if !zips.is_empty() && facts.is_none() => {
            return Err(Refusal::of_field("zip", &format!("is required: properties of {city} state theirs")));
        }
        Some(zip) if !is_zip_of_state(zip, state) => {
            return Err(Refusal::of_field("zip", &format!("must be one of {state}: {zip} is none")));
        }
        Some(zip) if !zips.is_empty() && !zips.contains(zip) => {
            return Err(Refusal::of_field(
                "zip",
                &format!("{zip} is of no property of {city} that is known"),
            ));
        }
        _ => {}
    }
    let ambiguous = |several: Vec<&BookedProperty>, message: String| {
        let named: Vec<Value> =
            several.iter().take(MAX_NAMED).map(|own| property_record(served, own)).collect();
        let refusal = Refusal::new(Code::AmbiguousAddress, message);
        Refusal { properties: Some(named.into()), ..refusal }
    };
    let Some(address) = address else { return Ok(None) };
    match served.book.find_properties(address, city, state, zip.as_deref()) {
        AddressMatches::One(own) => Ok(Some(own)),
        AddressMatches::None | AddressMatches::Like(_) if facts.is_some() => Ok(None),
        AddressMatches::None => {
            let written = Address::parse(without_place(address, city, state).0, None);
            let message = match (&written.number, written.street.as_str()) {
                (_, "") => "The address has no street: write number and street, such as 12 BAY ST",
                (None, _) => "The address has no house number: write number and street, such as 12 BAY ST",
                _ if zip.is_some()
                    && !is_nobodys(served.book.find_properties(address, city, state, None)) =>
                {
                    "No property that is known has this address in that zip; in another one there is"
                }
                _ => "No property that is known has this address; with `facts` it has a value as described",
            };
            Err(not_found(message.to_owned()))
        }
        AddressMatches::Several(several) => {
            let message = format!("{} properties have this address: name the unit of one", several.len());
            Err(ambiguous(several, message))
        }
        AddressMatches::Like(like) => {
            let message = format!(
                "No property that is known has this address; {} may be meant, as their streets or units are stated: ask by the address of one",
                like.len()
            );
            Err(ambiguous(like, message))
        }
    }
}

fn valuation_record(served: &ServedProperties, valued: &Valuation) -> Value {
    let (low, high) = valued.interval;
    let sources = valued.comparables.iter().filter_map(|own| served.book.property_of(&own.sale));
    let notices: BTreeSet<&String> =
        sources.filter_map(|property| served.notices.get(&property.record.source)).collect();
    let comparables: Vec<Value> =
        valued.comparables.iter().map(|own| comparable_record(served, own)).collect();
    let within = |at: usize| round_to(valued.within[at], 10_000.0);
    let (typical, shares) = whole_dollar_shares(valued);
    json!({
        "value": round_dollars(valued.value),
        "currency": "USD",
        "provenance": "HOUSE_DERIVED",
        "method": "Comparable sales before the day: the price that facts, trend, area and neighbourhood explain, and by how much \
                   comparables sold above or below that, shrunk to zero where they are few or unlike.",
        "definition_version": served.book.constants.version,
        "as_of": valued.as_of,
        "interval": {"low": round_dollars(low), "high": round_dollars(high), "level": valued.level},
        "forecast_standard_deviation": round_to(valued.forecast_deviation, 10_000.0),
        "probability_within": {"5": within(0), "10": within(1), "20": within(2)},
        "breakdown": {"typical_value": typical, "shares": shares},
        "shrinkage": {"explained": round_dollars(valued.explained), "weight": round_to(valued.weight, 1000.0)},
        "confidence": valued.confidence.name(),
        "confidence_reasons": valued.reasons,
        "comparables": {
            "found": valued.comparables_found,
            "captured_after_as_of": valued.captured_later,
            "listed": comparables,
        },
        "sales": {"fitted": valued.sales, "newest": valued.newest_sale},
        "notices": notices,
        "snapshot_id": served.snapshot_id,
    })
}

/// The typical value and the shares of facts in whole dollars, which add up to the value as it is answered: what rounding leaves goes to
/// those that it changed most.
fn whole_dollar_shares(valued: &Valuation) -> (i64, Vec<Value>) {
    let typical = round_dollars(valued.typical_value);
    let floors: Vec<i64> =
        valued.fact_shares.iter().map(|share| round_dollars(share.amount.floor())).collect();
    let left = round_dollars(valued.value) - typical - floors.iter().sum::<i64>();
    let mut by_rest: Vec<usize> = (0..floors.len()).collect();
    let rest = |at: &usize| valued.fact_shares[*at].amount.rem_euclid(1.0);
    by_rest.sort_by(|a, b| rest(b).total_cmp(&rest(a)));
    let mut shares = floors;
    for at in by_rest.into_iter().cycle().take(usize::try_from(left.unsigned_abs()).unwrap_or_default()) {
        shares[at] += left.signum();
    }
    let share = |(share, amount): (&FactShare, i64)| json!({"fact": share.fact, "amount": amount});
    (typical, valued.fact_shares.iter().zip(shares).map(share).collect())
}

fn comparable_record(served: &ServedProperties, own: &Comparable) -> Value {
    let Comparable { sale, weight, share, similarity, adjusted_price, distance, is_same_property } = own;
    let property = served.book.property_of(sale);
    json!({
        "property_id": property.map(|own| &own.record.id),
        "address": property.map(|own| own.address.to_string()),
        "type": sale.facts.kind.name(),
        "sold_on": sale.day,
        "price": round_dollars(sale.price),
        "adjusted_price": round_dollars(*adjusted_price),
        "floor_area_sqft": sale.facts.floor_area.map(round_dollars),
        "distance_m": distance.map(round_dollars),
        "weight": round_to(*weight, 1000.0),
        "share": round_to(*share, 10_000.0),
        "similarity": round_to(*similarity, 1000.0),
        "is_same_property": is_same_property,
        "captured_on": sale.captured,
        "source": property.map(|own| &own.record.source),
    })
}

/// A whole number.
fn round_dollars(amount: f64) -> i64 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "prices, areas and metres are far from the ends of i64"
    )]
    let rounded = amount.round() as i64;
    rounded
}

fn round_to(number: f64, parts: f64) -> f64 {
    (number * parts).round() / parts
}
