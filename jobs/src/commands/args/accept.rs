//! Arguments by which a person accepts exceptions for a run: captures that look cut, and gates that do not hold.

use fdna_run::accept::{CaptureName, is_source};
use fdna_run::exit::{ExitCode, error_with_code};
use fdna_schemas::{Table, Tables};

/// What a person accepts for a run.
#[derive(Debug, clap::Args)]
pub(crate) struct AcceptArgs {
    /// Publish although this gate does not hold, such as ids, freshness, volume:bouts or 'volume:nhl_*'; or believe this capture,
    /// which looks cut and is held, from now on; may be repeated.
    #[arg(long, value_name = "GATE or SOURCE/CAPTURE")]
    accept: Vec<String>,
}

impl AcceptArgs {
    /// The captures, and the gates.
    ///
    /// # Errors
    /// There is no such source or gate.
    pub(crate) fn parse_names(self) -> anyhow::Result<(Vec<CaptureName>, Vec<String>)> {
        let (captures, gates): (Vec<String>, Vec<String>) =
            self.accept.into_iter().partition(|name| name.contains('/'));
        let names =
            captures.iter().map(|name| name.parse().map_err(|e: String| error_with_code(ExitCode::Usage, e)));
        let names = names.collect::<anyhow::Result<_>>()?;
        match gates.iter().find(|gate| !is_gate(gate)) {
            Some(unknown) => Err(error_with_code(ExitCode::Usage, unknown_gate(unknown))),
            None => Ok((names, gates)),
        }
    }
}

/// Whether there can be a gate of this name; a `*` at its end stands for any end.
fn is_gate(name: &str) -> bool {
    let (kind, of) = name.split_once(':').map_or((name, None), |(kind, of)| (kind, Some(of)));
    let is_table = |name: &str| match name.strip_suffix('*') {
        Some(begin) => published_tables().any(|table| table.name.starts_with(begin)),
        None => published_tables().any(|table| table.name == name),
    };
    match (kind, of) {
        ("ids" | "freshness" | "decisions", None) => true,
        ("freshness", Some(source)) => is_source(source),
        ("volume", Some(table)) => is_table(table),
        ("audit", Some(audit)) => !audit.is_empty(),
        _ => false,
    }
}

fn published_tables() -> impl Iterator<Item = &'static Table> {
    Tables::get().iter().chain(Tables::get().published_by_catalog())
}

fn unknown_gate(name: &str) -> String {
    format!(
        "no gate `{name}`: gates are ids, freshness, freshness:SOURCE, volume:TABLE, audit:NAME and decisions; a run that a \
         gate holds names it"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_that_there_are_are_accepted_and_no_others() {
        for gate in
            ["ids", "freshness", "freshness:statsdb", "volume:bouts", "volume:nhl_*", "audit:x", "decisions"]
        {
            assert!(is_gate(gate), "{gate}");
        }
        for gate in [
            "",
            "id",
            "nonsense",
            "volume",
            "volume:boutz",
            "volume:curling_*",
            "freshness:nobody",
            "audit:",
            "ids:x",
        ] {
            assert!(!is_gate(gate), "{gate}");
        }
    }
}
