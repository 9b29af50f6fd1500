//! A league of fighters and bouts from a seed: enough of a population for priors, small enough for many
//! runs of a property test.

use std::fmt::Write as _;

use fdna_model::Facts;

use crate::script;

/// `bouts` bouts of `fighters` fighters, a few a week from 2015 on, in two classes; some without control
/// time, some without statistics, some several on one night.
#[must_use]
pub fn league(seed: u64, fighters: u64, bouts: u64) -> Facts {
    let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1);
    let mut draw = move |below: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % below.max(1)
    };
    let mut text = String::new();
    let start = chrono::NaiveDate::from_ymd_opt(2015, 1, 3).unwrap_or_default();
    for n in 0..bouts {
        let date = start + chrono::Days::new(n / 5 * 7);
        let a = draw(fighters);
        let b = (a + 1 + draw(fighters - 1)) % fighters;
        let verb = ["beats", "beats", "beats", "draws", "nc"][usize::try_from(draw(5)).unwrap_or(0)];
        let class = if a % 2 == 0 { "LIGHTWEIGHT" } else { "FLYWEIGHT" };
        let (secs, method) = ending(&mut draw, verb);
        let _ = write!(text, "{date} F{a} {verb} F{b} {secs}s in {class} by {method}");
        if draw(20) > 0 {
            for name in [a, b] {
                let (landed, td) = (draw(60), draw(4));
                let _ = write!(
                    text,
                    " F{name} {landed}/{} td {td}/{} sub {}",
                    landed + draw(60),
                    td + draw(5),
                    draw(2)
                );
                if draw(6) > 0 {
                    let _ = write!(text, " ctrl {}", draw(30));
                }
            }
        }
        text.push('\n');
    }
    for n in 0..fighters {
        let stance = ["ORTHODOX", "SOUTHPAW", "ORTHODOX", "SWITCH", ""][usize::try_from(n % 5).unwrap_or(0)];
        if !stance.is_empty() {
            let _ = writeln!(text, "stance F{n} {stance}");
        }
    }
    script::facts(&text)
}

/// Fought seconds and method: decisions last three or five rounds.
fn ending(draw: &mut impl FnMut(u64) -> u64, verb: &str) -> (u64, &'static str) {
    let decision = if draw(8) == 0 { 1500 } else { 900 };
    match (verb, draw(6)) {
        ("nc", _) => (60 + draw(840), "overturned"),
        ("draws", _) => (decision, "decision_majority"),
        (_, 0 | 1) => (decision, "decision_unanimous"),
        (_, 2) => (decision, "decision_split"),
        (_, 3) => (60 + draw(840), "submission"),
        (_, 4) => (60 + draw(1440), "ko_tko"),
        _ => (60 + draw(840), "disqualification"),
    }
}
