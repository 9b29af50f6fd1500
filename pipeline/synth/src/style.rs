//! Style behind a fighter's numbers: pace, aim, wrestling, power.
//!
//! Derived metrics of the sample would all look alike if every round were drawn from one
//! distribution. So a fighter has a latent style, an archetype with a personal deviation, and the
//! rounds follow from both styles in the cage.

use super::random::Rng;

/// A fighter's tendencies. Rates are per minute or per quarter of an hour, chances in thousandths.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// How good overall, 0 to 100; decides who wins.
    pub(super) skill: u32,
    /// Significant strikes attempted in ten minutes on the feet.
    pub(super) pace: u32,
    /// Chance that a strike to the head at distance lands.
    pub(super) aim: u32,
    /// Weights of head, body, leg.
    pub(super) targets: [u32; 3],
    /// Share of standing strikes thrown in the clinch.
    pub(super) clinch: u32,
    /// Chance that a landed head strike knocks the opponent down, before the chin.
    pub(super) power: u32,
    /// Takedowns attempted in a quarter of an hour, in thousandths.
    pub(super) takedowns: u32,
    /// Chance that an attempted takedown lands against a neutral opponent.
    pub(super) takedown_skill: u32,
    /// Reduction of the opponent's chance.
    pub(super) takedown_defence: u32,
    /// Seconds of control that a landed takedown brings, at most.
    pub(super) hold: u32,
    /// Significant strikes attempted in ten minutes of control.
    pub(super) ground_pace: u32,
    /// Submission attempts in a quarter of an hour of control, in thousandths.
    pub(super) submissions: u32,
}

/// The archetypes: boxer, kicker, brawler, wrestler, submission artist, clincher, all-rounder.
const ARCHETYPES: [Style; 7] = [
    archetype(112, 300, [72, 20, 8], 50, [14, 1200, 250, 320], [110, 90, 500]),
    archetype(98, 330, [48, 22, 30], 40, [10, 900, 250, 200], [90, 80, 700]),
    archetype(128, 270, [88, 8, 4], 110, [26, 1500, 280, 80], [110, 180, 600]),
    archetype(68, 310, [76, 14, 10], 120, [8, 8200, 470, 280], [210, 110, 1500]),
    archetype(62, 290, [66, 16, 18], 90, [6, 6000, 400, 130], [200, 50, 6000]),
    archetype(80, 330, [64, 26, 10], 360, [8, 4600, 380, 200], [150, 90, 1200]),
    archetype(92, 320, [68, 16, 16], 100, [11, 3800, 400, 200], [160, 80, 2000]),
];

const fn archetype(
    pace: u32,
    aim: u32,
    targets: [u32; 3],
    clinch: u32,
    [power, takedowns, takedown_skill, takedown_defence]: [u32; 4],
    [hold, ground_pace, submissions]: [u32; 3],
) -> Style {
    Style {
        skill: 50,
        pace,
        aim,
        targets,
        clinch,
        power,
        takedowns,
        takedown_skill,
        takedown_defence,
        hold,
        ground_pace,
        submissions,
    }
}

/// A new fighter's style. Regulars are better, or they would not be regulars.
pub(super) fn draw_style(rng: &mut Rng, is_regular: bool) -> Style {
    let mut style = rng.pick(&ARCHETYPES);
    style.skill = rng.between(25, 65) + if is_regular { 22 } else { 0 };
    for value in [
        &mut style.pace,
        &mut style.aim,
        &mut style.clinch,
        &mut style.power,
        &mut style.takedowns,
        &mut style.takedown_skill,
        &mut style.takedown_defence,
        &mut style.hold,
        &mut style.ground_pace,
        &mut style.submissions,
    ] {
        *value = *value * rng.between(82, 120) / 100;
    }
    for weight in &mut style.targets {
        *weight += rng.below(8);
    }
    style
}
