//! A lineage as text for a terminal.

use fdna_lineage::{EntityNames, key_text, shown};
use fdna_run::lineage::{Cells, RowLineage, SourceStatement};
use fdna_schemas::Table;
use serde_json::Value;

use super::ChosenColumn;

/// Cells of a row that are shown where no column is named.
const CELLS: usize = 40;
/// Bouts of a metric that are named.
const BOUTS: usize = 12;

pub(super) fn describe(
    lineage: &RowLineage,
    table: &Table,
    column: Option<&ChosenColumn>,
    (metric, names): (Option<&Value>, &EntityNames),
) -> String {
    let mut named = table.key.iter().filter_map(|column| names.get(lineage.key.get(column)?.as_str()?));
    let name = named.next().map(|name| format!(" ({name})")).unwrap_or_default();
    let key = key_text(&table.key, &lineage.key);
    let mut text = format!("{} {key}{name} of snapshot {}\n", lineage.table, lineage.snapshot);
    text += &values(lineage, table, column);
    text += &metric.map(|metric| describe_metric(metric, names)).unwrap_or_default();
    text += &rows("before, by corrections", &lineage.before, correction);
    text += &rows("later corrections", &lineage.later, correction);
    text += &changed_since(lineage, column);
    let name = column.map(|column| column.name.as_str());
    // Where some state the column, those alone; else all of each, of which it is made.
    let states = |one: &&SourceStatement| name.is_none_or(|name| one.cells.contains_key(name));
    let any = lineage.statements.iter().any(|one| states(&one));
    let stated = lineage.statements.iter().filter(|one| !any || states(one));
    text += &section("stated by", stated.map(|one| statement(one, name)));
    text += &rows("one entity, by these links", &lineage.links, link);
    text += &rows("ids that were given up", &lineage.aliases, alias);
    text += &section("decisions of people", lineage.decisions.iter().map(ToString::to_string));
    text += &rows("links that were not made", &lineage.doubts, doubt);
    text += &section(
        "others of the name, kept apart",
        lineage.namesakes.iter().map(|cells| namesake(lineage, cells)),
    );
    text + &rows("rows that were set aside", &lineage.set_aside, set_aside)
}

fn section(title: &str, lines: impl Iterator<Item = String>) -> String {
    let lines: String = lines.map(|line| format!("  {line}\n")).collect();
    if lines.is_empty() { lines } else { format!("\n{title}\n{lines}") }
}

fn rows(title: &str, rows: &[Cells], line: fn(&Cells) -> String) -> String {
    section(title, rows.iter().map(line))
}

fn cell(cells: &Cells, column: &str) -> String {
    cells.get(column).map_or_else(String::new, shown)
}

fn values(lineage: &RowLineage, table: &Table, column: Option<&ChosenColumn>) -> String {
    let Some(column) = column else {
        let known = lineage.cells.iter().filter(|(_, value)| !value.is_null());
        let lines: String =
            known.clone().take(CELLS).map(|(name, value)| format!("  {name} {}\n", shown(value))).collect();
        let more = known.count().saturating_sub(CELLS);
        return if more > 0 { format!("{lines}  and {more} more columns; name one\n") } else { lines };
    };
    if column.is_metric {
        let prefix = format!("{}__", column.name);
        let of = lineage.cells.iter().filter(|(name, _)| name.starts_with(&prefix));
        return of.map(|(name, value)| format!("  {name} {}\n", shown(value))).collect();
    }
    let value = lineage.cells.get(&column.name).map_or_else(String::new, shown);
    let contract = column.contract.as_ref();
    let unit =
        contract.and_then(|column| column.unit.clone()).map(|unit| format!(" {unit}")).unwrap_or_default();
    let null = contract.and_then(|column| column.null_means.clone()).filter(|_| value == "null");
    let null = null.map(|meaning| format!(" ({meaning})")).unwrap_or_default();
    let meaning = contract.map(|column| format!("  {}\n", column.meaning)).unwrap_or_default();
    let grain = &table.grain;
    format!("  {} {value}{unit}{null}\n{meaning}  {grain}\n", column.name)
}

fn describe_metric(metric: &Value, names: &EntityNames) -> String {
    let number = |pointer: &str| metric.pointer(pointer).filter(|value| !value.is_null()).map(shown);
    let mut lines = vec![format!("as of {}: {}", cell_at(metric, "/as_of"), cell_at(metric, "/value"))];
    if let (Some(numerator), Some(denominator)) = (number("/sample/numerator"), number("/sample/denominator"))
    {
        let units = ["/sample/numerator_unit", "/sample/denominator_unit"].map(|at| cell_at(metric, at));
        let bouts = cell_at(metric, "/sample/bouts");
        lines.push(format!("{numerator} {} over {denominator} {}, in {bouts} bouts", units[0], units[1]));
    }
    if let (Some(raw), Some(weight), Some(mean)) =
        (number("/raw_value"), number("/shrinkage/weight"), number("/shrinkage/prior_mean"))
    {
        let population = cell_at(metric, "/shrinkage/prior_population");
        lines.push(format!("raw {raw} with weight {weight}, mean {mean} of {population} with the rest"));
    }
    lines.push(format!("confidence {}", cell_at(metric, "/confidence")));
    let bouts = metric.pointer("/provenance/bout_ids").and_then(Value::as_array);
    let bout = |id: &str| names.get(id).map_or_else(|| id.to_owned(), |name| format!("{id} {name}"));
    let summed: Vec<String> = bouts.map_or_else(Vec::new, |bouts| bouts.iter().map(shown).collect());
    lines.extend(summed.iter().take(BOUTS).map(|id| format!("summed: bout {}", bout(id))));
    if summed.len() > BOUTS {
        lines.push(format!("and {} more bouts", summed.len() - BOUTS));
    }
    let excluded = metric.pointer("/provenance/excluded").and_then(Value::as_array);
    let excluded = excluded.into_iter().flatten();
    let left_out = |one: &Value| {
        format!("left out: bout {}, {}", bout(&cell_at(one, "/bout_id")), cell_at(one, "/reason"))
    };
    lines.extend(excluded.map(left_out));
    lines.push(
        "`fightdna explain round_stats BOUT,ROUND,FIGHTER` leads on to the lines of the captures".to_owned(),
    );
    section("how it is made", lines.into_iter())
}

fn cell_at(value: &Value, pointer: &str) -> String {
    value.pointer(pointer).map_or_else(|| "null".to_owned(), shown)
}

fn correction(cells: &Cells) -> String {
    let of = |column: &str| cell(cells, column);
    let part =
        Some(of("part")).filter(|part| !part.is_empty()).map(|part| format!(" ({part})")).unwrap_or_default();
    format!(
        "{}{part}: {} from {} to {}; {} by capture {}: {}",
        of("field"),
        of("old"),
        of("old_first_seen_at"),
        of("old_last_seen_at"),
        of("change"),
        of("replaced_by"),
        of("new")
    )
}

fn changed_since(lineage: &RowLineage, column: Option<&ChosenColumn>) -> String {
    let Some(now) = &lineage.now else { return String::new() };
    let is_chosen = |name: &str| {
        column.is_none_or(|column| name == column.name || name.starts_with(&format!("{}__", column.name)))
    };
    let differing =
        now.iter().filter(|(name, value)| is_chosen(name) && lineage.cells.get(*name) != Some(value));
    section("in the current snapshot", differing.map(|(name, value)| format!("{name} {}", shown(value))))
}

fn statement(one: &SourceStatement, column: Option<&str>) -> String {
    let chosen = column.and_then(|name| one.cells.get(name).map(|value| format!("{name} {}", shown(value))));
    let all = || {
        one.cells
            .iter()
            .map(|(name, value)| format!("{name} {}", shown(value)))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let word = match (&one.word, one.is_active) {
        (Some(word), _) => format!(" ({} by {}: {})", word.action, word.by, word.reason),
        (None, false) => " (does not count)".to_owned(),
        _ => String::new(),
    };
    format!(
        "{} {} {}:{}{word}  {}",
        one.captured_at,
        one.capture,
        one.file,
        one.line,
        chosen.unwrap_or_else(all)
    )
}

fn link(cells: &Cells) -> String {
    let of = |column: &str| cell(cells, column);
    let name = cells.get("name").and_then(Value::as_str).unwrap_or_default();
    format!(
        "{} {} by {} ({}), since capture {}  {name}",
        of("source"),
        of("source_id"),
        of("rule"),
        of("score"),
        of("first_seen_capture")
    )
}

fn alias(cells: &Cells) -> String {
    let of = |column: &str| cell(cells, column);
    format!(
        "{} stands for {} by {}, since capture {} ({})",
        of("alias_id"),
        of("entity_id"),
        of("rule"),
        of("since_capture"),
        of("since_at")
    )
}

fn doubt(cells: &Cells) -> String {
    let of = |column: &str| cell(cells, column);
    let (name, candidate) = (of("name"), of("candidate_name"));
    format!(
        "{} {} ({name}) and {candidate} {}: {} (rule {}, score {})",
        of("source"),
        of("source_id"),
        of("candidate"),
        of("reason"),
        of("rule"),
        of("score")
    )
}

fn namesake(lineage: &RowLineage, cells: &Cells) -> String {
    let id = cell(cells, "fighter_id");
    let born = cells
        .get("date_of_birth")
        .filter(|born| !born.is_null())
        .map(|born| format!(", born {}", shown(born)));
    let doubted = lineage.doubts.iter().any(|doubt| cell(doubt, "candidate") == id);
    let why = if doubted { "a link in doubt, see above" } else { "no rule ties the two, and no decision" };
    format!("{id} {}{}: {why}", cell(cells, "name"), born.unwrap_or_default())
}

fn set_aside(cells: &Cells) -> String {
    let of = |column: &str| cell(cells, column);
    format!("{} {}:{} {}: {}", of("capture"), of("file"), of("line"), of("kind"), of("reason"))
}
