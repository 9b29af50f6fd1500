//! `fightdna verify`: hashes every byte of the lake again, and follows the ledger's chain.

use fdna_lake::{Lake, LakeProblem, LakeVerification};
use fdna_ledger::ChainFault;
use fdna_run::ledger::{find_faults, read_entries};
use serde_json::json;

use super::verification::{PrintedProblem, verification_report};
use crate::output::CommandReport;

/// Hashes every byte that a manifest names, and follows the ledger from row to row.
pub(crate) fn verify_lake(lake: &Lake) -> anyhow::Result<CommandReport> {
    let (verification, problems) = find_problems(lake)?;
    let (files, bytes) = (verification.files, verification.bytes);
    let fields = json!({ "files": files, "bytes": bytes });
    Ok(verification_report(format!("{files} files, {bytes} bytes hashed"), fields, problems))
}

/// Problems of the lake.
pub(crate) fn find_problems(lake: &Lake) -> anyhow::Result<(LakeVerification, Vec<PrintedProblem>)> {
    let verification = lake.verify()?;
    let of_file =
        |p: &LakeProblem| PrintedProblem { place: p.path.display().to_string(), what: p.what.to_string() };
    let mut problems: Vec<PrintedProblem> = verification.problems.iter().map(of_file).collect();
    // The bytes of a damaged part are told above; its rows cannot be read.
    if let Ok(entries) = read_entries(lake) {
        let of_row = |fault: ChainFault| PrintedProblem {
            place: format!("ledger row {}", fault.row),
            what: fault.what.to_string(),
        };
        problems.extend(find_faults(lake, &entries)?.into_iter().map(of_row));
    }
    Ok((verification, problems))
}

/// `fightdna verify --ledger`: every part against its digest, every row against the chain.
pub(crate) fn verify_ledger(lake: &Lake) -> anyhow::Result<CommandReport> {
    let of_ledger = |what: String| PrintedProblem { place: "ledger".to_owned(), what };
    let read = match read_entries(lake) {
        Ok(read) => read,
        Err(error) => {
            let problems = vec![of_ledger(format!("{error:#}"))];
            return Ok(verification_report(
                "the ledger cannot be read".to_owned(),
                json!({ "rows": null }),
                problems,
            ));
        }
    };
    let of_row = |fault: ChainFault| PrintedProblem { place: format!("row {}", fault.row), what: fault.what };
    let mut problems: Vec<PrintedProblem> = find_faults(lake, &read)?.into_iter().map(of_row).collect();
    // Rows that are missing at the end leave a chain that is whole.
    problems.extend(lake.check_ledger().err().map(|error| of_ledger(error.to_string())));
    let rows = read.len();
    Ok(verification_report(format!("{rows} rows of the ledger checked"), json!({ "rows": rows }), problems))
}
