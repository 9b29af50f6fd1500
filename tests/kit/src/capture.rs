//! Captures of the statistics source, written in a test: rows in, the six files out.

use std::fmt::Write as _;

use chrono::NaiveDate;

/// The six files, row by row.
#[derive(Debug, Clone, Default)]
pub struct CaptureFiles {
    events: String,
    details: String,
    results: String,
    stats: String,
    index: String,
    tape: String,
}

/// A row of the results file; the rest is as in most bouts.
#[derive(Debug, Clone, Copy)]
pub struct BoutRow<'a> {
    pub id: u64,
    pub event: &'a str,
    /// `A vs. B`, as listed.
    pub bout: &'a str,
    pub outcome: &'a str,
    pub weight: &'a str,
    pub method: &'a str,
    pub round: i32,
    pub time: &'a str,
    pub format: &'a str,
    pub details: &'a str,
}

impl Default for BoutRow<'_> {
    fn default() -> Self {
        Self {
            id: 1,
            event: "Event 1",
            bout: "A One vs. B Two",
            outcome: "W/L",
            weight: "Lightweight Bout",
            method: "KO/TKO",
            round: 1,
            time: "2:00",
            format: "3 Rnd (5-5-5)",
            details: "Punch",
        }
    }
}

impl CaptureFiles {
    /// A fighter in the index and the tale of the tape: weight in pounds, date of birth in ISO form; empty
    /// for unknown.
    #[must_use]
    pub fn fighter(self, id: u64, name: &str, weight: &str, born: &str) -> Self {
        self.index_row(id, name).tape_row(id, name, weight, "--", born)
    }

    #[must_use]
    pub fn index_row(mut self, id: u64, name: &str) -> Self {
        let (first, last) = name.split_once(' ').unwrap_or((name, ""));
        let _ = writeln!(self.index, "{first},{last},,http://x.example/fighter-details/{id:016x}");
        self
    }

    /// Reach as the source writes it: `72"` or `--`.
    #[must_use]
    pub fn tape_row(mut self, id: u64, name: &str, weight: &str, reach: &str, born: &str) -> Self {
        let weight = if weight.is_empty() { "--".to_owned() } else { format!("{weight} lbs.") };
        let born = if born.is_empty() { "--".to_owned() } else { in_words(born, "%b %d, %Y") };
        let reach = reach.replace('"', "\"\"");
        let _ = writeln!(
            self.tape,
            "{name},--,{weight},\"{reach}\",,\"{born}\",http://x.example/fighter-details/{id:016x}"
        );
        self
    }

    #[must_use]
    pub fn event(mut self, id: u64, name: &str, date: &str) -> Self {
        let date = in_words(date, "%B %d, %Y");
        let address = format!("http://x.example/event-details/{id:016x}");
        let _ = writeln!(self.events, "{name},{address},\"{date}\",\"Exampleville, Samplonia\"");
        self
    }

    #[must_use]
    pub fn bout(mut self, row: BoutRow<'_>) -> Self {
        let BoutRow { id, event, bout, outcome, weight, method, round, time, format, details } = row;
        let address = format!("http://x.example/fight-details/{id:016x}");
        let listed = bout.replace(" vs. ", "  vs. ");
        let _ = writeln!(self.details, "{event},{bout},{address}");
        let _ = writeln!(
            self.results,
            "{event} ,{listed} ,{outcome},{weight},{method} ,{round},{time},{format},Ref Eree,{details},{address}"
        );
        self
    }

    /// One fighter's round: significant strikes, all to the head and at distance.
    #[must_use]
    pub fn round(
        self,
        event: &str,
        bout: &str,
        round: i32,
        fighter: &str,
        sig: (i32, i32),
        ctrl: &str,
    ) -> Self {
        let (landed, attempted) = sig;
        let strikes = format!("{landed} of {attempted}");
        self.raw_round(&format!(
            "{event},{bout},Round {round},{fighter},0.0,{strikes},--,{strikes},0 of 0,---,0.0,0.0,{ctrl},\
             {strikes},0 of 0,0 of 0,{strikes},0 of 0,0 of 0"
        ))
    }

    /// Both fighters' first round of a bout that ended in it.
    #[must_use]
    pub fn rounds(self, event: &str, bout: &str, sig: [(i32, i32); 2]) -> Self {
        let (first, second) = bout.split_once(" vs. ").unwrap_or((bout, ""));
        self.round(event, bout, 1, first, sig[0], "0:10").round(event, bout, 1, second, sig[1], "0:00")
    }

    #[must_use]
    pub fn raw_round(mut self, row: &str) -> Self {
        self.stats.push_str(row);
        self.stats.push('\n');
        self
    }

    /// Names and contents.
    #[must_use]
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let file = |name: &str, header: &str, rows: &str| {
            (name.to_owned(), format!("{header}\n{rows}").into_bytes())
        };
        vec![
            file("ufc_event_details.csv", "EVENT,URL,DATE,LOCATION", &self.events),
            file("ufc_fight_details.csv", "EVENT,BOUT,URL", &self.details),
            file("ufc_fight_results.csv", RESULTS, &self.results),
            file("ufc_fight_stats.csv", STATS, &self.stats),
            file("ufc_fighter_details.csv", "FIRST,LAST,NICKNAME,URL", &self.index),
            file("ufc_fighter_tott.csv", "FIGHTER,HEIGHT,WEIGHT,REACH,STANCE,DOB,URL", &self.tape),
        ]
    }
}

const RESULTS: &str = "EVENT,BOUT,OUTCOME,WEIGHTCLASS,METHOD,ROUND,TIME,TIME FORMAT,REFEREE,DETAILS,URL";
const STATS: &str = "EVENT,BOUT,ROUND,FIGHTER,KD,SIG.STR.,SIG.STR. %,TOTAL STR.,TD,TD %,SUB.ATT,REV.,CTRL,HEAD,BODY,LEG,\
                     DISTANCE,CLINCH,GROUND";

fn in_words(date: &str, format: &str) -> String {
    let date: NaiveDate = date.parse().unwrap_or_else(|_| panic!("`{date}` is no date"));
    date.format(format).to_string()
}
