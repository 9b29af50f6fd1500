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
        let _ = write!(text, "{date} F{a} {verb} F{b} {}s in {class}", 60 + draw(840));
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
    script::facts(&text)
}
