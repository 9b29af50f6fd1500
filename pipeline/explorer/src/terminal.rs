//! The same profile on a terminal: bars of block characters where it shows them, `#` elsewhere.

use std::fmt::Write as _;

use fdna_api::{DnaHead, MatchupMetric, MetricCatalogue, MetricDefinition, MetricObject};
use fdna_server::{LocalApi, write_query};
use serde_json::Value;

use crate::ask::{ApiClient, Refusal, read_part, text_at};
use crate::shown::{class, format_number, missing_reason, quantity, words};

/// Cells of a whole bar.
const BAR: usize = 20;

/// How a text is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextStyle {
    /// Block characters, for a terminal.
    Blocks,
    /// ASCII, for files and pipes.
    Plain,
}

/// Why there is no text.
#[derive(Debug)]
pub enum TerminalError {
    /// No fighter, or no DNA, as the API says it.
    NotFound(String),
    /// Several fighters have the name: their names and ids.
    Ambiguous(Vec<String>),
    /// Anything else, as the API says it.
    Refused(String),
}

impl From<Refusal> for TerminalError {
    fn from(refusal: Refusal) -> Self {
        match refusal.status {
            404 => Self::NotFound(refusal.message),
            _ => Self::Refused(refusal.message),
        }
    }
}

/// A fighter's DNA, family by family.
///
/// # Errors
/// There is no such fighter, several, or no DNA on that day.
pub async fn fighter_text(
    api: LocalApi,
    name: &str,
    as_of: Option<&str>,
    style: TextStyle,
) -> Result<String, TerminalError> {
    let api = ApiClient::new(api);
    let id = find_fighter(&api, name).await?;
    let dna = api.get_data(&format!("/v1/mma/fighters/{id}/dna{}", write_query(&[("as_of", as_of)]))).await?;
    let definitions = api.get_definitions().await?;
    let definitions: MetricCatalogue<'_> = read_part(&definitions["data"])?;
    let (head, metrics): (DnaHead<'_>, Vec<MetricObject<'_>>) =
        (read_part(&dna)?, read_part(&dna["metrics"])?);
    let mut text = format!(
        "{} · {} · as of {} · version {} · {} eligible bouts\n",
        text_at(&dna, "/fighter/name"),
        head.weight_class.map_or_else(|| "no class".to_owned(), class),
        head.as_of,
        head.version,
        head.eligible_bouts
    );
    for family in &definitions.families {
        let of: Vec<&MetricObject<'_>> =
            metrics.iter().filter(|metric| metric.family == family.family).collect();
        if of.is_empty() {
            continue;
        }
        let _ = writeln!(text, "\n{}", words(family.family));
        for metric in of {
            let Some(definition) = find_metric(&definitions, metric.metric) else { continue };
            let _ =
                writeln!(text, "  {:<38} {}", clipped(definition.label, 38), line(definition, metric, style));
        }
    }
    text.push_str("\nBar: percentile in the pool of active fighters of the class; then value, 90 % interval, raw ratio, bouts, confidence.\n");
    Ok(in_style(text, style))
}

/// Two fighters beside each other.
///
/// # Errors
/// There is no such fighter, several, or no DNA on that day.
pub async fn matchup_text(
    api: LocalApi,
    a: &str,
    b: &str,
    as_of: Option<&str>,
    style: TextStyle,
) -> Result<String, TerminalError> {
    let api = ApiClient::new(api);
    let (a, b) = (find_fighter(&api, a).await?, find_fighter(&api, b).await?);
    let matchup =
        api.get_data(&format!("/v1/mma/matchups/{a}/{b}/dna{}", write_query(&[("as_of", as_of)]))).await?;
    let definitions = api.get_definitions().await?;
    let definitions: MetricCatalogue<'_> = read_part(&definitions["data"])?;
    let metrics: Vec<MatchupMetric<'_>> = read_part(&matchup["metrics"])?;
    let (first, second) = (text_at(&matchup, "/a/fighter/name"), text_at(&matchup, "/b/fighter/name"));
    let mut text = format!("{first} and {second} · as of {}\n", text_at(&matchup, "/as_of"));
    let _ = writeln!(
        text,
        "\n  {:<38} {:>14} {:>14} {:>6}  higher, beyond the gate",
        "",
        clipped(first, 14),
        clipped(second, 14),
        "z"
    );
    for metric in &metrics {
        let Some(definition) = find_metric(&definitions, metric.metric) else { continue };
        text += &difference_line(definition, metric, [first, second]);
    }
    text.push_str("\nStated, beyond every gate:\n");
    let [insights, withheld] =
        ["insights", "withheld"].map(|name| matchup[name].as_array().map_or(&[][..], Vec::as_slice));
    for insight in insights {
        let _ = writeln!(text, "  {}", text_at(insight, "/text"));
    }
    if insights.is_empty() {
        text.push_str("  none\n");
    }
    let _ = writeln!(
        text,
        "{} differences are withheld. No picks, no odds, no probability of winning.",
        withheld.len()
    );
    Ok(in_style(text, style))
}

/// A metric of both fighters, and who has the edge.
fn difference_line(
    definition: &MetricDefinition<'_>,
    metric: &MatchupMetric<'_>,
    [first, second]: [&str; 2],
) -> String {
    let shown =
        |value: Option<f64>| value.map_or_else(|| "no value".to_owned(), |value| quantity(definition, value));
    let z = metric.z.map_or_else(|| "-".to_owned(), |z| format!("{z:.2}"));
    let edge = match metric.edge {
        "a" => first.to_owned(),
        "b" => second.to_owned(),
        _ => metric.edge_reason.map_or_else(|| "none".to_owned(), |why| format!("none: {}", words(why))),
    };
    format!(
        "  {:<38} {:>14} {:>14} {z:>6}  {edge}\n",
        clipped(definition.label, 38),
        shown(metric.a.value),
        shown(metric.b.value)
    )
}

/// The id of a fighter: what is asked, if it is one, else the only one of that name.
async fn find_fighter(api: &ApiClient, name: &str) -> Result<String, TerminalError> {
    let is_id =
        !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
    if is_id && let Ok(fighter) = api.get_data(&format!("/v1/mma/fighters/{name}")).await {
        return Ok(text_at(&fighter, "/id").to_owned());
    }
    let found = api
        .get_data(&format!("/v1/mma/fighters{}", write_query(&[("q", Some(name)), ("limit", Some("25"))])))
        .await?;
    let found: Vec<(&str, &str)> = found
        .as_array()
        .into_iter()
        .flatten()
        .map(|fighter: &Value| (text_at(fighter, "/id"), text_at(fighter, "/name")))
        .collect();
    let exact: Vec<&(&str, &str)> =
        found.iter().filter(|(_, found)| found.eq_ignore_ascii_case(name)).collect();
    match (exact.as_slice(), found.as_slice()) {
        ([(id, _)], _) | ([], [(id, _)]) => Ok((*id).to_owned()),
        (_, []) => Err(TerminalError::NotFound(format!("no fighter is named `{name}`"))),
        _ => Err(TerminalError::Ambiguous(found.iter().map(|(id, name)| format!("{id}  {name}")).collect())),
    }
}

fn find_metric<'c, 'a>(definitions: &'c MetricCatalogue<'a>, name: &str) -> Option<&'c MetricDefinition<'a>> {
    definitions.metrics.iter().find(|metric| metric.metric == name)
}

fn line(definition: &MetricDefinition<'_>, metric: &MetricObject<'_>, style: TextStyle) -> String {
    let Some(value) = metric.value else {
        return missing_reason(definition, metric).unwrap_or_else(|| words(metric.status));
    };
    let place = metric.percentile.as_ref().map_or_else(
        || format!("{:<BAR$} {:<11}", "", "no pool"),
        |percentile| {
            format!(
                "{} P{:<3.0} of {:<4}",
                bar(percentile.value, style),
                percentile.value,
                percentile.pool_size
            )
        },
    );
    let interval = metric.interval.as_ref().map_or_else(
        || "fact".to_owned(),
        |interval| {
            format!(
                "{} to {}",
                format_number(definition, interval.low),
                format_number(definition, interval.high)
            )
        },
    );
    let raw = metric.raw_value.map_or_else(|| "none".to_owned(), |raw| format_number(definition, raw));
    format!(
        "{place} {:>14}  [{interval}] raw {raw}, {} bouts, {}",
        quantity(definition, value),
        metric.sample.bouts,
        metric.confidence
    )
}

/// A percentile as so many cells; in blocks to an eighth of one.
fn bar(percentile: f64, style: TextStyle) -> String {
    const PARTS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and 8 times the cells"
    )]
    let eighths = (percentile.clamp(0.0, 100.0) / 100.0 * 8.0 * 20.0).round() as usize;
    let (whole, part) = (eighths / 8, eighths % 8);
    let mut text: String = match style {
        TextStyle::Blocks => "█".repeat(whole),
        TextStyle::Plain => "#".repeat(whole),
    };
    if style == TextStyle::Blocks && part > 0 {
        text.push(PARTS[part]);
    }
    let cells = text.chars().count();
    let rest = if style == TextStyle::Blocks { " " } else { "." };
    text + &rest.repeat(BAR - cells)
}

fn clipped(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

fn in_style(text: String, style: TextStyle) -> String {
    match style {
        TextStyle::Blocks => text,
        TextStyle::Plain => text.replace(" · ", ", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_has_its_cells_whatever_it_shows() {
        for (percentile, blocks, plain) in [
            (0.0, "                    ", "...................."),
            (50.0, "██████████          ", "##########.........."),
            (53.0, "██████████▋         ", "##########.........."),
            (100.0, "████████████████████", "####################"),
        ] {
            assert_eq!(
                (bar(percentile, TextStyle::Blocks).as_str(), bar(percentile, TextStyle::Plain).as_str()),
                (blocks, plain)
            );
        }
    }
}
