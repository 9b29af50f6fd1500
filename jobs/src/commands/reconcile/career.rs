//! Published career numbers as public scrapes keep them: a JSON list, or a CSV table, of names and the eight.

use std::path::Path;

use anyhow::{Context as _, bail};
use serde_json::Value;

use super::statistic::{self, CareerStatistic, CareerValues};

/// A fighter's published numbers.
pub(super) struct PublishedCareer {
    pub(super) name: String,
    pub(super) values: CareerValues,
}

/// Reads what a file holds; the ending of its name says the format.
pub(super) fn read_careers(file: &Path, bytes: &[u8]) -> anyhow::Result<Vec<PublishedCareer>> {
    match file.extension().and_then(|e| e.to_str()) {
        Some("json") => from_json(bytes),
        Some("csv") => from_csv(bytes),
        _ => bail!("unknown format: career numbers are `.json` or `.csv`"),
    }
}

const JSON_FIELDS: [&str; 8] = ["slpm", "strAcc", "sapm", "strDef", "tdAvg", "tdAcc", "tdDef", "subAvg"];
const CSV_COLUMNS: [&str; 8] =
    ["SLpM", "Str_Acc", "SApM", "Str_Def", "TD_Avg", "TD_Acc", "TD_Def", "Sub_Avg"];

fn from_json(bytes: &[u8]) -> anyhow::Result<Vec<PublishedCareer>> {
    let list: Vec<Value> = serde_json::from_slice(bytes).context("it is no JSON list")?;
    let fighter = |(i, fighter): (usize, &Value)| {
        let name = ["firstName", "lastName"].map(|part| fighter["name"][part].as_str().unwrap_or(""));
        let stats = &fighter["careerStats"];
        let value = |field: &str| match &stats[field] {
            Value::Number(number) => Some(number.to_string()),
            // The scrape leaves out a block of zeros, and never a single value.
            Value::Null if stats.is_null() => Some("0".to_owned()),
            _ => None,
        };
        let values =
            parse_values(JSON_FIELDS, value, 2).with_context(|| format!("cannot read entry {}", i + 1))?;
        Ok(PublishedCareer { name: one_space(&name.join(" ")), values })
    };
    list.iter().enumerate().map(fighter).collect()
}

fn from_csv(bytes: &[u8]) -> anyhow::Result<Vec<PublishedCareer>> {
    let mut reader = csv::Reader::from_reader(bytes);
    let headers = reader.headers().context("it is no CSV table")?.clone();
    let place = |name: &str| headers.iter().position(|h| h == name);
    let name_at = place("fighter_name").context("no column `fighter_name`")?;
    let mut published = Vec::new();
    for (i, record) in reader.records().enumerate() {
        let record = record.with_context(|| format!("cannot read row {}", i + 1))?;
        let value = |column: &str| Some(record.get(place(column)?)?.trim_end_matches('%').to_owned());
        let values =
            parse_values(CSV_COLUMNS, value, 0).with_context(|| format!("cannot read row {}", i + 1))?;
        published.push(PublishedCareer { name: one_space(&record[name_at]), values });
    }
    Ok(published)
}

/// The eight in units of their last places; shares have `share_decimals` in this format.
fn parse_values(
    names: [&str; 8],
    value: impl Fn(&str) -> Option<String>,
    share_decimals: usize,
) -> anyhow::Result<CareerValues> {
    let mut values = CareerValues::default();
    for ((slot, name), statistic) in values.iter_mut().zip(names).zip(statistic::ALL) {
        let text = value(name).with_context(|| format!("no `{name}`"))?;
        *slot = parse_units(&text, decimals_of(statistic, share_decimals))
            .with_context(|| format!("`{name}` cannot be `{text}`"))?;
    }
    Ok(values)
}

fn decimals_of(statistic: CareerStatistic, share_decimals: usize) -> usize {
    if statistic.is_share() { share_decimals } else { statistic.decimals() }
}

/// A decimal number in units of its last place, without a float between; `None` if it has more places.
fn parse_units(text: &str, decimals: usize) -> Option<i64> {
    let (whole, fraction) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
    let fraction = fraction.trim_end_matches('0');
    let is_digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let fits = !whole.is_empty() && whole.len() <= 6 && fraction.len() <= decimals;
    let digits = format!("{whole}{fraction:0<decimals$}");
    (fits && is_digits(&digits)).then(|| digits.parse().ok()).flatten()
}

fn one_space(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_formats_give_the_same_values() {
        let json = br#"[{"name": {"firstName": "A", "lastName": "One"}, "careerStats": {"slpm": 3.29,
            "strAcc": 0.38, "sapm": 4.0, "strDef": 0.57, "tdAvg": 0.0, "tdAcc": 1.0, "tdDef": 0.77,
            "subAvg": 0.5}}, {"name": {"firstName": "Two"}}]"#;
        let csv = b"fighter_name,SLpM,Str_Acc,SApM,Str_Def,TD_Avg,TD_Acc,TD_Def,Sub_Avg\n\
                    A  One,3.29,38%,4.00,57%,0.00,100%,77%,0.5\nTwo,0.00,0%,0.00,0%,0.00,0%,0%,0.0\n";
        for read in [from_json(json), from_csv(csv)] {
            let read = read.unwrap();
            assert_eq!((read[0].name.as_str(), read[1].name.as_str()), ("A One", "Two"));
            assert_eq!(read[0].values, [329, 38, 400, 57, 0, 100, 77, 5]);
            assert_eq!(read[1].values, [0; 8]);
        }
    }

    #[test]
    fn a_value_that_is_missing_or_too_fine_is_an_error_with_its_place() {
        let json = br#"[{"name": {"lastName": "One"}, "careerStats": {"slpm": 3.295}}]"#;
        let message = |error: anyhow::Error| format!("{error:#}");
        assert_eq!(message(from_json(json).err().unwrap()), "cannot read entry 1: `slpm` cannot be `3.295`");
        let csv = b"fighter_name,SLpM\nA,3.29\n";
        assert_eq!(message(from_csv(csv).err().unwrap()), "cannot read row 1: no `Str_Acc`");
    }
}
