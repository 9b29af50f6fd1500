//! A small fight week of written captures, all of it made up: calendars of one card, results of its night, and the
//! program run on them at times that the test gives.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::{Command, Output};

use fdna_kit::{BoutRow, CaptureFiles};
use fdna_ledger::{LedgerEntry, StateField, StateValue, from_table};
use fdna_suite::{TestLake, rows};
use uuid::Uuid;

pub(crate) struct Week {
    pub(crate) bench: TestLake,
}

/// The night, and its start in UTC: the evening of the 29th where it is held.
const NIGHT: &str = "Sample Night 7: Vorbnork vs. Glornork";
/// As announced, the main event first.
pub(crate) const ANNOUNCED: [&str; 3] = [
    "Hoxquo Vorbnork vs. Ekkdrim Glornork",
    "Ekkzu Kwezwobble vs. Zorbix Urklop",
    "Mozbix Nibwump vs. Drulunk Plon",
];
/// Another opponent in the second bout.
pub(crate) const REPLACED: [&str; 3] = [
    "Hoxquo Vorbnork vs. Ekkdrim Glornork",
    "Ekkzu Kwezwobble vs. Skrenbix Truzz",
    "Mozbix Nibwump vs. Drulunk Plon",
];

impl Week {
    pub(crate) fn new() -> Self {
        let week = Self { bench: TestLake::new(env!("CARGO_BIN_EXE_fightdna-under-test")) };
        week.write("cards/SYNTHETIC.txt", b"made up\n");
        week
    }

    pub(crate) fn copy(&self) -> Self {
        Self { bench: self.bench.copy() }
    }

    pub(crate) fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.bench.folder().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::io::Write::write_all(&mut std::fs::File::create(path).unwrap(), bytes).unwrap();
    }

    /// A calendar captured then.
    pub(crate) fn card(&self, at: &str, bouts: &[&str]) {
        let bouts: Vec<String> = bouts.iter().map(|bout| format!("• {bout} @155")).collect();
        let text = format!(
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:https://cards.example/event/night-7\r\n\
             SUMMARY:{NIGHT}\r\nDTSTAMP:20250320T000000Z\r\nDTSTART:20250330T020000Z\r\n\
             DESCRIPTION:Main Card\\n--------------------\\n{}\r\nLOCATION:Hall\\, Fixture Falls Samplonia\r\n\
             END:VEVENT\r\nEND:VCALENDAR\r\n",
            bouts.join("\\n")
        );
        self.write(&format!("cards/{at}.ics"), text.as_bytes());
    }

    /// The statistics captured then: an earlier night, and these bouts of ours with outcome and method.
    pub(crate) fn results(&self, at: &str, bouts: &[(&str, &str, &str)]) {
        let earlier = "Sample Night 1: Vorbnork vs. Urklop";
        let bout = "Hoxquo Vorbnork vs. Zorbix Urklop";
        let mut files = CaptureFiles::default().event(1, earlier, "2024-11-02").bout(BoutRow {
            id: 1,
            event: earlier,
            bout,
            ..BoutRow::default()
        });
        files = files.rounds(earlier, bout, [(10, 20), (5, 9)]);
        let mut names: Vec<&str> = vec!["Hoxquo Vorbnork", "Zorbix Urklop"];
        if !bouts.is_empty() {
            files = files.event(7, NIGHT, "2025-03-29");
        }
        for ((bout, outcome, method), id) in bouts.iter().zip(70..) {
            files = files.bout(BoutRow { id, event: NIGHT, bout, outcome, method, ..BoutRow::default() });
            files = files.rounds(NIGHT, bout, [(12, 30), (7, 21)]);
            names.extend(bout.split(" vs. "));
        }
        let mut seen: Vec<&str> = Vec::new();
        for name in names {
            if !seen.contains(&name) {
                seen.push(name);
                let id = 100 + name.bytes().map(u64::from).sum::<u64>();
                files = files.fighter(id, name, "155", "1995-01-01");
            }
        }
        for (name, bytes) in files.files() {
            self.write(&format!("stats/{at}/{name}"), &bytes);
        }
        self.write(&format!("stats/{at}/SYNTHETIC.txt"), b"made up\n");
    }

    pub(crate) fn command(&self, now: &str, args: &[&str]) -> Command {
        let mut command = self.bench.command(args);
        command.env("FIGHTDNA_NOW", now);
        command
    }

    pub(crate) fn output(&self, now: &str, args: &[&str]) -> Output {
        self.command(now, args).output().unwrap()
    }

    pub(crate) fn ok(&self, now: &str, args: &[&str]) -> String {
        let output = self.output(now, args);
        assert!(output.status.success(), "{now} {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// What cron calls: all captures that are there.
    pub(crate) fn run(&self, now: &str) -> String {
        self.ok(now, &self.run_args())
    }

    pub(crate) fn run_args(&self) -> Vec<&'static str> {
        let mut args = vec!["run", "--quiet", "--captures", "cards=cards"];
        if self.bench.folder().join("stats").is_dir() {
            args.extend(["--captures", "statsdb=stats"]);
        }
        args
    }

    /// What a run printed of the ledger.
    pub(crate) fn report(&self) -> Vec<String> {
        let lake = self.bench.lake();
        let report = lake.read_run(lake.list_runs().unwrap().last().unwrap()).unwrap();
        let jobs = report["jobs"].as_array().unwrap().clone();
        let ledger = jobs.into_iter().find(|job| job["job"] == "ledger").unwrap();
        ledger["lines"].as_array().unwrap().iter().map(|line| line.as_str().unwrap().to_owned()).collect()
    }

    pub(crate) fn rows(&self) -> Vec<LedgerEntry> {
        let lake = self.bench.lake();
        let parts = lake.ledger_parts().unwrap();
        parts.iter().flat_map(|part| from_table(&lake.read_ledger_part(part).unwrap()).unwrap()).collect()
    }

    /// Digests seal all of a row and all rows before it, but for `recorded_at`.
    pub(crate) fn digests(&self) -> Vec<String> {
        self.rows().into_iter().map(|row| row.row_digest).collect()
    }

    pub(crate) fn verifies(&self) {
        self.ok("2026-01-01T00:00:00Z", &["verify"]);
        self.ok("2026-01-01T00:00:00Z", &["verify", "--ledger"]);
    }

    pub(crate) fn names(&self) -> BTreeMap<String, String> {
        let fighters = rows(&self.bench.tables()["fighters"]);
        fighters.into_iter().map(|row| (row["fighter_id"].clone(), row["name"].clone())).collect()
    }

    /// A bout by both names.
    pub(crate) fn bout(&self, pair: &str) -> Uuid {
        let names = self.names();
        let found = self.rows().into_iter().find(|row| pair_of(&names, row) == sorted(pair));
        found.unwrap_or_else(|| panic!("no row of {pair}")).bout_id
    }

    /// Rows in their order: when valid, checkpoint, sequence, status, last names, and what changed.
    pub(crate) fn text(&self) -> String {
        let names = self.names();
        let mut out = String::new();
        for row in self.rows() {
            let status = row.state.get(StateField::BoutStatus);
            let last: Vec<String> = pair_of(&names, &row).into_iter().map(|name| last_of(&name)).collect();
            let valid = row.valid_at.format("%m-%d %H:%M");
            let _ = write!(out, "{valid} {} {} {} {status}", row.checkpoint, row.sequence, last.join("-"));
            if row.is_baseline && !row.state.get(StateField::ReplacedBout).is_null() {
                let _ = write!(out, ", {} days' notice", row.state.get(StateField::ShortNotice));
            }
            out.push('\n');
            for change in &row.diff {
                let named =
                    |id: Uuid| names.get(&id.to_string()).map_or("a bout".to_owned(), |name| last_of(name));
                let value = |value: &StateValue| value.as_id().map_or(value.to_string(), named);
                let (from, to) = (value(&change.from), value(&change.to));
                let _ = writeln!(out, "    {}: {from} -> {to} ({})", change.path.path(), change.cause);
            }
        }
        out
    }
}

fn last_of(name: &str) -> String {
    name.split(' ').next_back().unwrap_or(name).to_owned()
}

fn sorted(pair: &str) -> Vec<String> {
    let mut names: Vec<String> = pair.split(" vs. ").map(str::to_owned).collect();
    names.sort();
    names
}

fn pair_of(names: &BTreeMap<String, String>, row: &LedgerEntry) -> Vec<String> {
    let ids = [StateField::FighterA, StateField::FighterB].map(|field| row.state.get(field).to_string());
    let mut pair: Vec<String> = ids.iter().map(|id| names.get(id).unwrap_or(id).clone()).collect();
    pair.sort();
    pair
}

/// A text with ids and digests replaced: they say nothing to a reader.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::new();
    let is_of_id = |c: char| c.is_ascii_hexdigit() || c == '-';
    for piece in text.split_inclusive(|c| !is_of_id(c)) {
        let word = piece.trim_end_matches(|c| !is_of_id(c));
        match word.len() {
            36 if word.matches('-').count() == 4 => out += &piece.replace(word, "[ID]"),
            64 => out += &piece.replace(word, "[DIGEST]"),
            32 if word.chars().all(|c| c.is_ascii_hexdigit()) => out += &piece.replace(word, "[SNAPSHOT]"),
            _ => out += piece,
        }
    }
    out
}
