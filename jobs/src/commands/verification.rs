//! Report of a check, for every command that checks something.

use fdna_run::exit::ExitCode;
use serde::Serialize;
use serde_json::{Value, json};

use crate::output::CommandReport;

/// A problem that was found.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct PrintedProblem {
    /// A path below the lake, or a row of the ledger.
    pub(crate) place: String,
    pub(crate) what: String,
}

impl PrintedProblem {
    pub(crate) fn to_line(&self) -> String {
        format!("BROKEN {}: {}", self.place, self.what)
    }
}

/// Report of a check, in words and as fields, with its problems.
pub(crate) fn verification_report(
    checked: String,
    fields: Value,
    problems: Vec<PrintedProblem>,
) -> CommandReport {
    let lines: Vec<String> = std::iter::once(checked)
        .chain(problems.iter().map(PrintedProblem::to_line))
        .chain([if problems.len() == 1 {
            "1 problem".to_owned()
        } else {
            format!("{} problems", problems.len())
        }])
        .collect();
    let code = if problems.is_empty() { ExitCode::Done } else { ExitCode::BadData };
    let mut json = fields;
    json["problems"] = json!(problems);
    CommandReport::new(lines.join("\n") + "\n", &json, code)
}

/// The same of a database of keys or leads.
pub(crate) fn checked_store(what: &str, problems: Vec<String>) -> CommandReport {
    let problem = |problem| PrintedProblem { place: what.to_owned(), what: problem };
    verification_report(format!("{what} checked"), json!({}), problems.into_iter().map(problem).collect())
}
