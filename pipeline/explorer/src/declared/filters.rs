//! Filters of a page's texts, by name. A filter is given null too.

use fdna_api::LedgerChange;
use serde_json::{Value, json};

use crate::ask::read_part;
use crate::shown::{
    average, capital, class, clock, describe_result, ending, family_name, formula, ledger_change, minute,
    name_method, name_parties, order_parties, sentence, signed, slug_words, words, words_of,
};
use crate::suggest::{describe_found, find_page, name_found};

pub(crate) type Filter = fn(&Value) -> Value;

pub(crate) fn filter(name: &str) -> Option<Filter> {
    FILTERS.iter().find(|(known, _)| *known == name).map(|(_, filter)| *filter)
}

const FILTERS: &[(&str, Filter)] = &[
    ("average", |value| value.as_f64().map_or(Value::Null, |value| average(value).into())),
    ("capital", |value| of_text(value, capital)),
    ("changed", changed),
    ("changed_in_full", changed_in_full),
    ("class", |value| of_text(value, class)),
    ("clock", |value| value.as_f64().map_or(Value::Null, |seconds| clock(seconds).into())),
    ("count", |value| value.as_array().map_or(Value::Null, |items| items.len().into())),
    ("ending", |value| of_object(value, ending)),
    ("entity_page", entity_page),
    ("family", |value| of_text(value, family_name)),
    ("fighter_ids", fighter_ids),
    ("first_id", |bout| order_parties(bout)[0]["id"].clone()),
    ("first_name", |bout| order_parties(bout)[0]["name"].clone()),
    ("formula", |value| of_object(value, formula_of)),
    ("found_name", |found| of_object(found, name_found)),
    ("found_note", |found| describe_found(found).map_or(Value::Null, Value::from)),
    ("found_page", |found| find_page(found).map_or(Value::Null, Value::from)),
    ("given", |value| if value == "" || value == &json!([]) { Value::Null } else { value.clone() }),
    ("home_or_away", |is_home| {
        is_home.as_bool().map_or(Value::Null, |is| if is { "Home" } else { "Away" }.into())
    }),
    ("how_met", how_met),
    ("how_reckoned", |record| of_object(record, how_reckoned)),
    ("if_all_untimed", if_all_untimed),
    ("if_any", |value| if value == 0 { Value::Null } else { value.clone() }),
    ("if_doubtful", |is_certain| if is_certain == false { ", in doubt".into() } else { Value::Null }),
    ("if_interim", |kind| if kind == "interim" { kind.clone() } else { Value::Null }),
    ("if_not", |is| if is == false { "".into() } else { Value::Null }),
    ("if_title", |is_title| if is_title == true { "title".into() } else { Value::Null }),
    ("if_known", |value| if value.is_null() { Value::Null } else { "".into() }),
    // Thirds of an inning stand behind the point.
    ("innings", |outs| outs.as_i64().map_or(Value::Null, |outs| format!("{}.{}", outs / 3, outs % 3).into())),
    ("last", |items| items.as_array().and_then(|items| items.last()).cloned().unwrap_or_default()),
    ("met", met),
    // Early versions have few percentiles to compare with.
    ("middle", |items| {
        items.as_array().and_then(|items| items.get(items.len() / 2)).cloned().unwrap_or_default()
    }),
    ("minute", |value| of_text(value, minute)),
    ("percent", |value| value.as_f64().map_or(Value::Null, |value| format!("{:.1}", value * 100.0).into())),
    ("parties", |bout| of_object(bout, |bout| name_parties(bout).join(" vs. "))),
    ("places", places),
    ("reasons", |value| {
        joined(&value.as_array().into_iter().flatten().map(|one| of_text(one, words)).collect(), ", ")
    }),
    ("records", describe_records),
    ("result", |bout| if bout["result"].is_null() { Value::Null } else { of_object(bout, describe_result) }),
    ("second_id", |bout| order_parties(bout)[1]["id"].clone()),
    ("second_name", |bout| order_parties(bout)[1]["name"].clone()),
    ("sentence", |value| of_text(value, sentence)),
    ("shrunk_or_none", |value| if value.is_null() { "none" } else { "not shrunk" }.into()),
    ("signed", |value| value.as_i64().map_or(Value::Null, |value| signed(value).into())),
    ("side", |side| if side == "a" || side == "b" { side.clone() } else { Value::Null }),
    ("since", |version| version["valid_from"].clone()),
    ("slug_words", |slug| of_text(slug, slug_words)),
    ("streak", |streak| of_object(streak, describe_streak)),
    ("summed_bouts", summed_bouts),
    ("tenth", |value| value.as_f64().map_or(Value::Null, |value| format!("{value:.1}").into())),
    ("thousandth", |value| value.as_f64().map_or(Value::Null, |value| format!("{value:.3}").into())),
    ("unavailable", |row| unavailable(&row["sources"])),
    ("unless_held", |status| if status == "completed" { Value::Null } else { of_text(status, words) }),
    ("upper", |value| of_text(value, str::to_uppercase)),
    ("venue", |event| joined(&json!([event["venue"], event["city"], event["country"]]), ", ")),
    ("whose_day", whose_day),
    ("words", |value| of_text(value, words)),
];

fn of_text(value: &Value, write: impl Fn(&str) -> String) -> Value {
    words_of(value).map_or(Value::Null, |text| write(&text).into())
}

fn of_object(value: &Value, write: impl Fn(&Value) -> String) -> Value {
    if value.is_object() { write(value).into() } else { Value::Null }
}

/// The texts of a list that are there as one text; null where none is.
fn joined(values: &Value, between: &str) -> Value {
    let texts: Vec<String> = values.as_array().into_iter().flatten().filter_map(words_of).collect();
    if texts.is_empty() { Value::Null } else { texts.join(between).into() }
}

/// What a row of the fight week has otherwise than the one before.
fn changed(changes: &Value) -> Value {
    let change = |change: &Value| {
        let path = change["path"].as_str()?.trim_start_matches('/');
        Some(format!("{} ({})", words(path), words(change["cause"].as_str()?)))
    };
    joined(&changes.as_array().into_iter().flatten().filter_map(change).collect(), ", ")
}

/// The same with values, and who told.
fn changed_in_full(changes: &Value) -> Value {
    let changes: Vec<LedgerChange> = read_part(changes).unwrap_or_default();
    joined(&changes.iter().map(ledger_change).map(Value::from).collect(), "; ")
}

/// Empty where no row of the fight week has hours to the start.
fn if_all_untimed(rows: &Value) -> Value {
    let rows = rows.as_array().map_or(&[][..], Vec::as_slice);
    let is_so = !rows.is_empty() && rows.iter().all(|row| row["hours_to_start"].is_null());
    if is_so { "".into() } else { Value::Null }
}

/// Sources of the fight week that could not be read, and why.
fn unavailable(sources: &Value) -> Value {
    let missing = sources.as_array().into_iter().flatten().filter(|source| source["status"] != "available");
    let name = |source: &Value| {
        let why = source["reason"].as_str().or_else(|| source["status"].as_str())?;
        Some(format!("{} ({})", words(source["name"].as_str()?), words(why)))
    };
    joined(&missing.filter_map(name).collect(), ", ")
}

/// Both of each bout of a card.
fn fighter_ids(bouts: &Value) -> Value {
    let sides = bouts.as_array().into_iter().flatten();
    sides.flat_map(|bout| [bout["fighter_a"]["id"].clone(), bout["fighter_b"]["id"].clone()]).collect()
}

/// Ids of the bouts that the first of these metrics sums.
fn summed_bouts(metrics: &Value) -> Value {
    metrics[0]["provenance"]["bout_ids"].clone()
}

fn whose_day(rule: &Value) -> Value {
    match rule.as_str() {
        Some("venue" | "public_record") => "at the venue".into(),
        _ => "as the source states it".into(),
    }
}

/// The page of what a change is about, if it has one.
fn entity_page(change: &Value) -> Value {
    let folder = match change["kind"].as_str() {
        Some("event") => "events",
        Some("fighter") => "fighters",
        Some("bout" | "result" | "round_stats" | "scorecard") => "bouts",
        _ => return Value::Null,
    };
    words_of(&change["entity_id"]).map_or(Value::Null, |id| format!("/{folder}/{id}").into())
}

/// A fighter's places in the rankings.
fn places(positions: &Value) -> Value {
    let place = |position: &Value| {
        let label = position["label"].as_str()?;
        Some(match position["is_champion"] == true {
            true => format!("{label}: champion"),
            false => format!("{label}: {}", position["rank"]),
        })
    };
    let places: Value = positions.as_array().into_iter().flatten().filter_map(place).collect();
    if places == json!([]) { "not ranked".into() } else { joined(&places, ", ") }
}

/// What a record was reckoned from.
fn how_reckoned(record: &Value) -> String {
    let text = |name: &str| record[name].as_str().unwrap_or_default();
    let bouts = match record["bouts_since"].as_i64().unwrap_or_default() {
        0 => String::new(),
        n @ 1.. => format!(" and {n} since then"),
        n => format!(" without {} up to then", -n),
    };
    format!("{} of {}{bouts}", text("source"), text("stated_on"))
}

/// Equal outcomes in a row.
fn describe_streak(streak: &Value) -> String {
    let (kind, length) = (streak["kind"].as_str().unwrap_or_default(), &streak["length"]);
    let at_least = if streak["is_at_least"] == true { "at least " } else { "" };
    match (kind, length.as_u64()) {
        (kind, Some(1)) => format!("Newest of the bouts held, no contests aside: a {kind}."),
        ("loss", _) => {
            format!("Newest of the bouts held, no contests aside: {at_least}{length} losses in a row.")
        }
        (kind, _) => {
            format!("Newest of the bouts held, no contests aside: {at_least}{length} {kind}s in a row.")
        }
    }
}

/// Records by promotion.
fn describe_records(records: &Value) -> Value {
    let record = |record: &Value| {
        let name = record["promotion"].as_str().map_or_else(|| "promotion not known".to_owned(), words);
        let [wins, losses, draws] = ["wins", "losses", "draws"].map(|field| &record[field]);
        let no_contests = match record["no_contests"].as_u64() {
            Some(n @ 1..) => format!(" ({n} NC)"),
            _ => String::new(),
        };
        Value::from(format!("{name} {wins}-{losses}-{draws}{no_contests}"))
    };
    joined(&records.as_array().into_iter().flatten().map(record).collect(), ", ")
}

/// Bouts against a common opponent.
fn met(bouts: &Value) -> Value {
    let bout = |bout: &Value| {
        let outcome = bout["outcome"].as_str().map_or_else(|| "not known".to_owned(), words);
        let how =
            bout["method"].as_str().map_or_else(String::new, |code| format!(" ({})", name_method(code)));
        Some(format!("{}: {outcome}{how}", bout["date"].as_str()?))
    };
    joined(&bouts.as_array().into_iter().flatten().filter_map(bout).collect(), "; ")
}

/// How an earlier bout of two fighters ended.
fn how_met(meeting: &Value) -> Value {
    let round = meeting["round"].as_i64().map(|round| format!("round {round}"));
    joined(&json!([of_text(&meeting["method"], name_method), round, meeting["time"]]), ", ")
}

/// How a metric is computed: numerator over denominator, as columns.
fn formula_of(metric: &Value) -> String {
    read_part(metric).map_or_else(|_| String::new(), |metric| formula(&metric))
}
