//! Captures of the statistics source in the layout keyed by ids, written in a test: rows in, the five files out.

use std::fmt::Write as _;

/// The five files, row by row.
#[derive(Debug, Clone, Default)]
pub struct IdsFiles {
    events: String,
    bouts: String,
    fighters: String,
    rounds: String,
    histories: String,
}

/// A row of the bouts; the rest is as in most bouts.
#[derive(Debug, Clone, Copy)]
pub struct IdsBout<'a> {
    pub id: u64,
    pub event: u64,
    pub order: i32,
    pub red: u64,
    pub blue: u64,
    /// Red first: `W,L`.
    pub outcomes: &'a str,
    pub class: &'a str,
    pub weight: &'a str,
    pub method: &'a str,
    pub details: &'a str,
    pub round: i32,
    pub clock_secs: i32,
    pub format: &'a str,
    pub total_secs: i32,
}

impl Default for IdsBout<'_> {
    fn default() -> Self {
        Self {
            id: 1,
            event: 1,
            order: 1,
            red: 1,
            blue: 2,
            outcomes: "W,L",
            class: "Lightweight",
            weight: "Lightweight Bout",
            method: "KO/TKO",
            details: "Punch",
            round: 1,
            clock_secs: 120,
            format: "3 Rnd (5-5-5)",
            total_secs: 120,
        }
    }
}

impl IdsFiles {
    #[must_use]
    pub fn event(mut self, id: u64, name: &str, date: &str, is_ufc: bool) -> Self {
        let flag = u8::from(is_ufc);
        let _ = writeln!(self.events, "{id:016x},{name},{date},\"Exampleville, Samplonia\",{flag},");
        self
    }

    /// Height and reach as the layout writes them: whole inches, or empty.
    #[must_use]
    pub fn fighter(mut self, id: u64, name: &str, height: &str, reach: &str, born: &str) -> Self {
        let _ = writeln!(self.fighters, "{id:016x},{name},,{height},{reach},,{born}");
        self
    }

    /// A bout, and a line in the history of each of its fighters.
    #[must_use]
    pub fn bout(mut self, row: IdsBout<'_>) -> Self {
        let IdsBout { id, event, order, red, blue, outcomes, class, weight, method, details, .. } = row;
        let IdsBout { round, clock_secs, format, total_secs, .. } = row;
        let _ = writeln!(
            self.bouts,
            "{id:016x},{event:016x},{order},{red:016x},{blue:016x},{outcomes},{class},{weight},0,{method},{details},\
             {round},{clock_secs},{format},{total_secs}"
        );
        self.history(red, 1, id, blue).history(blue, 1, id, red)
    }

    #[must_use]
    pub fn history(mut self, fighter: u64, number: i32, bout: u64, opponent: u64) -> Self {
        let _ = writeln!(self.histories, "{fighter:016x},{number},{bout:016x},{opponent:016x}");
        self
    }

    /// One fighter's round: significant strikes, all to the head and at distance; `control` may be empty.
    #[must_use]
    pub fn round(
        mut self,
        (bout, round, fighter): (u64, i32, u64),
        secs: i32,
        (landed, attempted): (i32, i32),
        control: &str,
    ) -> Self {
        let pair = format!("{landed},{attempted}");
        let _ = writeln!(
            self.rounds,
            "{bout:016x},{round},{fighter:016x},{secs},0,{pair},0,0,0,0,{control},{pair},{pair},0,0,0,0,{pair},0,0,0,0"
        );
        self
    }

    /// Names and contents.
    #[must_use]
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let file = |name: &str, header: &str, rows: &str| {
            (name.to_owned(), format!("{header}\n{rows}").into_bytes())
        };
        vec![
            file("events.csv", "id,name,date,location,is_ufc_event,event_order", &self.events),
            file("bouts.csv", BOUTS, &self.bouts),
            file("fighters.csv", FIGHTERS, &self.fighters),
            file("round_stats.csv", ROUNDS, &self.rounds),
            file("fighter_histories.csv", "fighter_id,order,bout_id,opponent_id", &self.histories),
        ]
    }
}

const BOUTS: &str = "id,event_id,bout_order,red_fighter_id,blue_fighter_id,red_outcome,blue_outcome,weight_class,\
                     type_verbose,performance_bonus,outcome_method,outcome_method_details,end_round,\
                     end_round_time_seconds,round_time_format,total_time_seconds";
const FIGHTERS: &str = "id,name,nickname,height_inches,reach_inches,stance,date_of_birth";
const ROUNDS: &str = "bout_id,round_number,fighter_id,round_time_seconds,knockdowns_scored,total_strikes_landed,\
                      total_strikes_attempted,takedowns_landed,takedowns_attempted,submissions_attempted,\
                      reversals_scored,control_time_seconds,significant_strikes_landed,\
                      significant_strikes_attempted,significant_strikes_head_landed,\
                      significant_strikes_head_attempted,significant_strikes_body_landed,\
                      significant_strikes_body_attempted,significant_strikes_leg_landed,\
                      significant_strikes_leg_attempted,significant_strikes_distance_landed,\
                      significant_strikes_distance_attempted,significant_strikes_clinch_landed,\
                      significant_strikes_clinch_attempted,significant_strikes_ground_landed,\
                      significant_strikes_ground_attempted";
