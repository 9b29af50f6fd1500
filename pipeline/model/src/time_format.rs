//! Time formats: `3 Rnd (5-5-5)`, `1 Rnd + 2OT (15-3-3)`, `Unlimited Rnd (15)`, `No Time Limit`.

/// Rounds and their lengths, as agreed before the bout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeFormat {
    /// Rounds without overtime; `None` without a time limit.
    scheduled_rounds: Option<u8>,
    /// Lengths in seconds, overtime rounds last; empty without a time limit. Of rounds without number, as many
    /// as any fight may have.
    round_secs: Vec<i32>,
}

/// A round of an hour or more, or more than 12 rounds, is no format but a broken text.
const MAX_ROUND_MINS: i32 = 60;
const MAX_ROUNDS: usize = 12;

impl TimeFormat {
    /// Reads the source's text; `None` if it is of no known form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text == "No Time Limit" {
            return Some(Self { scheduled_rounds: None, round_secs: Vec::new() });
        }
        let (head, lengths) = text.strip_suffix(')')?.split_once('(')?;
        if head.trim() == "Unlimited Rnd" {
            return Some(Self {
                scheduled_rounds: None,
                round_secs: vec![round_length(lengths)?; MAX_ROUNDS],
            });
        }
        let (rounds, overtime) = match head.trim().split_once('+') {
            Some((rounds, overtime)) => (rounds, overtime_rounds(overtime)?),
            None => (head, 0),
        };
        let rounds: usize = rounds.trim().strip_suffix("Rnd")?.trim().parse().ok()?;
        let round_secs = lengths.split('-').map(round_length).collect::<Option<Vec<_>>>()?;
        let is_complete = rounds >= 1 && round_secs.len() == rounds.checked_add(overtime)?;
        (is_complete && round_secs.len() <= MAX_ROUNDS)
            .then_some(Self { scheduled_rounds: u8::try_from(rounds).ok(), round_secs })
    }

    /// Rounds without overtime; `None` without a time limit.
    #[must_use]
    pub fn scheduled_rounds(&self) -> Option<u8> {
        self.scheduled_rounds
    }

    /// Length of a round in seconds, from 1; `None` beyond the format or without a time limit.
    #[must_use]
    pub fn round_secs(&self, round: i32) -> Option<i32> {
        let index = usize::try_from(round).ok()?.checked_sub(1)?;
        self.round_secs.get(index).copied()
    }

    /// Fought time in seconds of a bout that ended in `round` at `clock_secs` of it: the finished rounds
    /// by the format, and the clock. `None` if the format has no such round or the clock exceeds it.
    #[must_use]
    pub fn total_secs(&self, round: i32, clock_secs: i32) -> Option<i32> {
        if self.round_secs.is_empty() {
            return (round == 1).then_some(clock_secs);
        }
        if clock_secs > self.round_secs(round)? {
            return None;
        }
        let finished = usize::try_from(round).ok()?.checked_sub(1)?;
        Some(self.round_secs[..finished].iter().sum::<i32>() + clock_secs)
    }

    /// Fought seconds of `round` in a bout that ended in `last_round` at `clock_secs`.
    #[must_use]
    pub fn fought_secs(&self, round: i32, last_round: i32, clock_secs: i32) -> Option<i32> {
        if round == last_round { Some(clock_secs) } else { self.round_secs(round) }
    }
}

fn overtime_rounds(text: &str) -> Option<usize> {
    match text.trim().strip_suffix("OT")?.trim() {
        "" => Some(1),
        count => count.parse().ok(),
    }
}

fn round_length(text: &str) -> Option<i32> {
    let minutes: i32 = text.trim().parse().ok()?;
    (1..MAX_ROUND_MINS).contains(&minutes).then(|| minutes * 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The 19 formats of the real history with the fought time of a bout that ended in the last round
    /// at 1:00 of it.
    const KNOWN: [(&str, i32, i32); 19] = [
        ("3 Rnd (5-5-5)", 3, 660),
        ("5 Rnd (5-5-5-5-5)", 5, 1260),
        ("1 Rnd + OT (12-3)", 2, 780),
        ("3 Rnd + OT (5-5-5-5)", 4, 960),
        ("No Time Limit", 1, 60),
        ("1 Rnd (20)", 1, 60),
        ("1 Rnd + 2OT (15-3-3)", 3, 1140),
        ("2 Rnd (5-5)", 2, 360),
        ("1 Rnd (15)", 1, 60),
        ("1 Rnd (10)", 1, 60),
        ("1 Rnd (12)", 1, 60),
        ("1 Rnd + OT (30-5)", 2, 1860),
        ("1 Rnd + OT (15-3)", 2, 960),
        ("1 Rnd (18)", 1, 60),
        ("1 Rnd + 2OT (24-3-3)", 3, 1680),
        ("1 Rnd + OT (27-3)", 2, 1680),
        ("1 Rnd + OT (30-3)", 2, 1860),
        ("1 Rnd (30)", 1, 60),
        ("1 Rnd + OT (31-5)", 2, 1920),
    ];

    #[test]
    fn every_format_of_the_history_is_read() {
        for (text, last, total) in KNOWN {
            let format = TimeFormat::parse(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(format.total_secs(last, 60), Some(total), "{text}");
            assert_eq!(format.total_secs(last + 1, 60), None, "{text}");
        }
    }

    #[test]
    fn rounds_without_number_have_a_length_and_no_schedule() {
        let format = TimeFormat::parse("Unlimited Rnd (15)").unwrap();
        assert_eq!((format.scheduled_rounds(), format.round_secs(6)), (None, Some(900)));
        assert_eq!((format.total_secs(6, 900), format.total_secs(2, 901)), (Some(5400), None));
        assert_eq!(TimeFormat::parse("Unlimited Rnd (15-5)"), None);
    }

    #[test]
    fn a_clock_beyond_its_round_has_no_total() {
        let format = TimeFormat::parse("3 Rnd (5-5-5)").unwrap();
        assert_eq!(format.total_secs(2, 300), Some(600));
        assert_eq!(format.total_secs(2, 301), None);
        assert_eq!(format.total_secs(0, 10), None);
    }

    #[test]
    fn broken_formats_are_none() {
        for text in [
            "",
            "3 Rnd",
            "3 Rnd (5-5)",
            "0 Rnd ()",
            "3 Rnd (5-5-5",
            "1 Rnd + XOT (5-5)",
            "1 Rnd (40000000)",
            "1 Rnd (99)",
        ] {
            assert_eq!(TimeFormat::parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC*", round in any::<i32>(), clock in any::<i32>()) {
            if let Some(format) = TimeFormat::parse(&text) {
                let _ = format.total_secs(round, clock);
            }
        }

        #[test]
        fn no_near_format_makes_it_panic(text in "[0-9]{1,3} Rnd( \\+ [0-9]?OT)? \\([0-9-]{0,12}\\)") {
            let _ = TimeFormat::parse(&text);
        }
    }
}
