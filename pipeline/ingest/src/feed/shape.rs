//! Recognises the payload of a document, and makes each a list of events of the scoreboard's form.

use serde_json::{Map, Value, json};

/// The events of a document.
pub(super) fn events(document: Value) -> Result<Vec<Value>, String> {
    let Value::Object(mut fields) = document else {
        return Err("it is no object: no payload of the feed".to_owned());
    };
    if let Some(Value::Array(events)) = fields.remove("events") {
        return Ok(events);
    }
    let is_fight_centre = |event: &Value| event.get("event").is_some() && event.get("cards").is_some();
    if !fields.is_empty() && fields.values().all(is_fight_centre) {
        return Ok(fields.into_iter().map(|(_, event)| of_fight_centre(event)).collect());
    }
    Err("it has neither `events` nor events by id: no payload of the feed".to_owned())
}

/// Bouts of the main card first, as the cards are numbered.
const CARDS: [&str; 3] = ["main", "prelims1", "prelims2"];

fn of_fight_centre(mut from: Value) -> Value {
    let mut take = |name: &str| from.get_mut(name).map(Value::take).unwrap_or_default();
    let mut event = match take("event") {
        Value::Object(fields) => fields,
        other => Map::from_iter([("event".to_owned(), other)]),
    };
    let cards = take("cards");
    event.insert("venues".to_owned(), json!([take("venue")]));
    event.insert("season".to_owned(), take("season"));
    event.insert("meta".to_owned(), take("meta"));
    event.insert("competitions".to_owned(), competitions(cards).into());
    Value::Object(event)
}

fn competitions(cards: Value) -> Vec<Value> {
    let Value::Object(mut cards) = cards else { return Vec::new() };
    // A card of another name comes after those that are known.
    let known = CARDS.iter().filter_map(|name| cards.remove(*name)).collect::<Vec<_>>();
    let cards = known.into_iter().chain(cards.into_iter().map(|(_, card)| card));
    cards.flat_map(of_card).collect()
}

fn of_card(mut card: Value) -> Vec<Value> {
    let Some(Value::Array(mut bouts)) = card.get_mut("competitions").map(Value::take) else {
        return Vec::new();
    };
    for bout in bouts.iter_mut().filter_map(Value::as_object_mut) {
        bout.entry("broadcasts").or_insert_with(|| card["broadcasts"].clone());
        let segment = json!({ "name": card["cardSegment"], "description": card["displayName"] });
        bout.entry("cardSegment").or_insert(segment);
    }
    bouts
}
