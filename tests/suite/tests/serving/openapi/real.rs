//! The same on the real captures: odd names, missing values, old rules. Passed over where there are none.

use crate::openapi::app::{App, list, text};
use crate::openapi::strict::Contract;
use crate::openapi::{asked, bare};
use fdna_suite::TestLake;

const NOW: &str = "2026-01-01T00:00:00Z";

/// Runs on every capture of the README's "Five minutes on real data".
fn real() -> Option<App> {
    let real = fdna_kit::real_data()?;
    let bench = TestLake::new(env!("CARGO_BIN_EXE_fightdna-under-test"));
    let captures = [
        "--captures statsdb=statsdb-csv",
        "--captures statsdb-ids=statsdb-ids",
        "--captures scorecards=scorecards",
        "--captures late-notice=late-notice",
        "--captures feed-captures=feed-captures",
        "--captures cards=cards-ics",
        "--captures news=news",
        "--source feed-tables=feed-tables/2024-12-14",
        "--source feed-history=feed-tables/2025-08-23",
        "--source rankings=rankings",
        "--source feed=feed-json",
        "--source images=images",
    ];
    let mut args = vec!["run".to_owned(), "--quiet".to_owned()];
    for capture in captures {
        let (option, source) = capture.split_once(' ').unwrap();
        let (name, folder) = source.split_once('=').unwrap();
        args.extend([option.to_owned(), format!("{name}={}", real.join(folder).display())]);
    }
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let output = bench.command(&args).env("FIGHTDNA_NOW", NOW).output().unwrap();
    // Some captures cannot be read, which a run tells with a code of its own.
    assert!(
        [Some(0), Some(65)].contains(&output.status.code()),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Some(App::over(bench, NOW))
}

#[test]
fn every_answer_on_the_real_captures_is_as_documented() {
    let Some(app) = real() else { return };
    let contract = Contract::of(bare());
    let (mut ids, mut faults) = (app.ids(), Vec::new());
    let events = list(&app.data("/v1/mma/events?limit=1000"));
    assert!(events.len() > 500);
    for event in events.iter().step_by(40) {
        ids.take_card(&app.data(&format!("/v1/mma/events/{}/card", text(&event["id"]))));
    }
    for (n, (operation, path)) in asked::paths(&ids).into_iter().enumerate() {
        // Each question about a fighter or a bout is asked of some of them.
        if n % 3 == 0 {
            faults.extend(contract.faults(operation, &path, &app.get(&path)));
        }
    }
    let whole = [
        ("events", "events?limit=1000"),
        ("fighters", "fighters?limit=250"),
        ("results", "results?limit=250&offset=4000"),
        ("changes", "changes?limit=1000"),
        ("wire", "wire?limit=100"),
        ("videos", "videos?limit=200"),
        ("dna_query", "dna/query?metric=td_accuracy&limit=250"),
    ];
    for (operation, path) in whole {
        let path = format!("/v1/mma/{path}");
        faults.extend(contract.faults(operation, &path, &app.get(&path)));
    }
    faults.truncate(20);
    assert_eq!(faults, [""; 0]);
}
