//! The event code of a play, such as `64(1)3/GDP` or `D7/L.1-H;B-3(E6/TH)`: what it is, and where it says that the batter
//! and the runners end. Bases are 1 to 3; 0 is the batter and 4 is home.

use serde::Serialize;

/// What a play is, by the first part of its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum EventKind {
    NoPlay,
    FieldOut,
    /// A runner is out and the batter stands on first base.
    ForceOut,
    Strikeout,
    Walk,
    IntentionalWalk,
    HitByPitch,
    CatcherInterference,
    Single,
    Double,
    Triple,
    HomeRun,
    Error,
    FieldersChoice,
    FoulError,
    StolenBase,
    CaughtStealing,
    Pickoff,
    WildPitch,
    PassedBall,
    Balk,
    DefensiveIndifference,
    OtherAdvance,
}

impl EventKind {
    /// Whether the batter's turn ends with it.
    pub(super) fn ends_turn(self) -> bool {
        self.batter_base().is_some() || matches!(self, Self::FieldOut | Self::Strikeout)
    }

    pub(super) fn is_hit(self) -> bool {
        matches!(self, Self::Single | Self::Double | Self::Triple | Self::HomeRun)
    }

    pub(super) fn is_walk(self) -> bool {
        matches!(self, Self::Walk | Self::IntentionalWalk)
    }

    /// Whether another runner's out is what lets the batter stand on base.
    pub(super) fn is_choice(self) -> bool {
        matches!(self, Self::ForceOut | Self::FieldersChoice)
    }

    /// Where the batter ends unless the code says otherwise.
    fn batter_base(self) -> Option<u8> {
        match self {
            Self::ForceOut
            | Self::Walk
            | Self::IntentionalWalk
            | Self::HitByPitch
            | Self::CatcherInterference
            | Self::Single
            | Self::Error
            | Self::FieldersChoice => Some(1),
            Self::Double => Some(2),
            Self::Triple => Some(3),
            Self::HomeRun => Some(4),
            _ => None,
        }
    }
}

/// Where a batter or runner ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Landing {
    Out,
    Base(u8),
}

/// How a batter or runner moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Advance {
    pub(super) landing: Landing,
    /// Whether the code itself says that the batter drove him in, or did not.
    pub(super) is_driven_in: Option<bool>,
}

impl Advance {
    pub(super) fn to(base: u8) -> Self {
        Self { landing: Landing::Base(base), is_driven_in: None }
    }
}

/// The code of a play, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlayEvent {
    pub(super) kind: EventKind,
    /// By the base at which each begins.
    pub(super) advances: [Option<Advance>; 4],
    /// Bases that were stolen, and at which somebody was caught stealing, by the base from which they were tried.
    pub(super) stolen_from: Vec<usize>,
    pub(super) caught_from: Vec<usize>,
    pub(super) errors: u8,
    pub(super) is_sacrifice_bunt: bool,
    pub(super) is_sacrifice_fly: bool,
    pub(super) is_double_play_grounder: bool,
    pub(super) is_wild_pitch: bool,
    pub(super) is_balk: bool,
}

/// Splits where a separator stands outside parentheses.
fn split_outside(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut depth, mut from) = (Vec::new(), 0_usize, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if letter == separator && depth == 0 => {
                parts.push(&text[from..at]);
                from = at + separator.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

/// Texts in parentheses, in order.
fn groups(text: &str) -> impl Iterator<Item = &str> {
    text.split('(').skip(1).filter_map(|part| part.split_once(')')).map(|(group, _)| group)
}

/// Whether a text in parentheses names fielders and no error: that is an out.
fn is_out(group: &str) -> bool {
    group.starts_with(|first: char| first.is_ascii_digit()) && !group.contains('E')
}

fn is_error(group: &str) -> bool {
    let fielders = group.trim_start_matches(|letter: char| letter.is_ascii_digit());
    fielders.strip_prefix('E').is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
}

/// Number of errors that a code charges: an `E` before a fielder, wherever it stands.
fn errors(text: &str) -> u8 {
    let charged = text.as_bytes().windows(2).filter(|pair| pair[0] == b'E' && pair[1].is_ascii_digit());
    u8::try_from(charged.count()).unwrap_or(u8::MAX)
}

fn base(letter: char) -> Option<u8> {
    match letter {
        'B' => Some(0),
        'H' => Some(4),
        '1'..='3' => letter.to_digit(10).and_then(|digit| u8::try_from(digit).ok()),
        _ => None,
    }
}

fn is_fielders(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

impl PlayEvent {
    /// # Errors
    /// What of the code cannot be read.
    pub(super) fn parse(code: &str) -> Result<Self, String> {
        // Marks of doubt and of fine plays say nothing of runners.
        let code: String = code.chars().filter(|letter| !matches!(letter, '!' | '?' | '#' | ' ')).collect();
        let mut parts = split_outside(&code, '.').into_iter();
        let description = parts.next().unwrap_or_default();
        let mut modifiers = split_outside(description, '/').into_iter();
        let basic = modifiers.next().unwrap_or_default().trim_end_matches(['+', '-']);
        let modifiers: Vec<&str> = modifiers.collect();
        let has = |name: &str| modifiers.iter().any(|own| own.trim_end_matches(['+', '-']) == name);
        let mut event = Self {
            kind: EventKind::NoPlay,
            advances: [None; 4],
            stolen_from: Vec::new(),
            caught_from: Vec::new(),
            errors: errors(&code),
            is_sacrifice_bunt: has("SH"),
            is_sacrifice_fly: has("SF"),
            is_double_play_grounder: has("GDP"),
            is_wild_pitch: false,
            is_balk: false,
        };
        for advance in parts.flat_map(|part| part.split(';')).filter(|part| !part.is_empty()) {
            event.advance(advance)?;
        }
        event.kind = event.basic(basic).ok_or_else(|| format!("no event is `{basic}`"))?;
        let batter = match event.kind {
            EventKind::FieldOut | EventKind::Strikeout => Some(Landing::Out),
            kind => kind.batter_base().map(Landing::Base),
        };
        if let Some(batter) = batter {
            event.stand(0, batter);
        }
        if event.advances[0].is_some() && !event.kind.ends_turn() {
            return Err("the batter moves and his turn does not end".to_owned());
        }
        Ok(event)
    }

    /// Notes where the code's first part puts somebody, unless its advances said so before.
    fn stand(&mut self, from: usize, landing: Landing) {
        self.advances[from].get_or_insert(Advance { landing, is_driven_in: None });
    }

    /// `1-3`, `BX2(84)`, `3-H(NR)`. An out with an error is none, unless fielders beside it made one.
    fn advance(&mut self, text: &str) -> Result<(), String> {
        let unreadable = || format!("no advance is `{text}`");
        let mut letters = text.chars();
        let (Some(from), Some(how), Some(to)) = (letters.next(), letters.next(), letters.next()) else {
            return Err(unreadable());
        };
        let (from, to) = (base(from).ok_or_else(unreadable)?, base(to).ok_or_else(unreadable)?);
        let rest = letters.as_str();
        let is_whole = rest.is_empty() || rest.starts_with('(');
        if from == 4 || to == 0 || to < from || !is_whole {
            return Err(unreadable());
        }
        let landing = match how {
            '-' => Landing::Base(to),
            'X' if groups(rest).any(is_out) || !groups(rest).any(is_error) => Landing::Out,
            'X' => Landing::Base(to),
            _ => return Err(unreadable()),
        };
        let is_driven_in = groups(rest).find_map(|group| match group {
            "RBI" => Some(true),
            "NR" | "NORBI" => Some(false),
            _ => None,
        });
        if self.advances[usize::from(from)].replace(Advance { landing, is_driven_in }).is_some() {
            return Err(format!("one runner moves twice in `{text}`"));
        }
        Ok(())
    }

    fn basic(&mut self, text: &str) -> Option<EventKind> {
        let of = |prefix: &str| text.strip_prefix(prefix).filter(|rest| is_fielders(rest)).is_some();
        Some(match text {
            "NP" => EventKind::NoPlay,
            "HP" => EventKind::HitByPitch,
            "C" => EventKind::CatcherInterference,
            "DGR" => EventKind::Double,
            _ if text.starts_with('K') => {
                let (fielders, extra) = text[1..].split_once('+').unwrap_or((&text[1..], ""));
                self.extra(extra).filter(|()| is_fielders(fielders))?;
                EventKind::Strikeout
            }
            _ if text.starts_with('W') && !text.starts_with("WP") => {
                self.extra(text[1..].strip_prefix('+').unwrap_or(&text[1..]))?;
                EventKind::Walk
            }
            _ if text.starts_with('I') => {
                let rest = text[1..].trim_start_matches('W');
                self.extra(rest.strip_prefix('+').unwrap_or(rest))?;
                EventKind::IntentionalWalk
            }
            _ if of("HR") || of("H") => EventKind::HomeRun,
            _ if of("S") => EventKind::Single,
            _ if of("D") => EventKind::Double,
            _ if of("T") => EventKind::Triple,
            _ if of("FC") => EventKind::FieldersChoice,
            _ if text.len() > 3 && of("FLE") => EventKind::FoulError,
            _ if text.starts_with(|first: char| first.is_ascii_digit() || first == 'E') => {
                self.fielded(text)?
            }
            _ => {
                let mut kinds = split_outside(text, ';').into_iter().map(|part| self.running(part));
                let first = kinds.next()??;
                kinds.collect::<Option<Vec<_>>>()?;
                first
            }
        })
    }

    /// What happens with a walk or a strikeout, behind the `+`.
    fn extra(&mut self, text: &str) -> Option<()> {
        let mut parts = split_outside(text, ';').into_iter().filter(|part| !part.is_empty());
        parts.try_for_each(|part| match part.strip_prefix('E') {
            Some(fielder) => is_fielders(fielder).then_some(()),
            None => self.running(part).map(drop),
        })
    }

    /// A play on the bases.
    fn running(&mut self, text: &str) -> Option<EventKind> {
        let name = text.split('(').next().unwrap_or_default();
        let is_safe = groups(text).any(is_error) && !groups(text).any(is_out);
        // The base that was tried is the last letter: the runner came from the one before.
        let tried = |prefix: &str| {
            let mut rest = name.strip_prefix(prefix)?.chars();
            let to = rest.next().and_then(base).filter(|to| *to > 1)?;
            rest.next().is_none().then_some((usize::from(to) - 1, to))
        };
        match name {
            "WP" => {
                self.is_wild_pitch = true;
                return Some(EventKind::WildPitch);
            }
            "PB" => return Some(EventKind::PassedBall),
            "BK" => {
                self.is_balk = true;
                return Some(EventKind::Balk);
            }
            "DI" => return Some(EventKind::DefensiveIndifference),
            "OA" => return Some(EventKind::OtherAdvance),
            _ => {}
        }
        if let Some((from, to)) = tried("SB") {
            self.stolen_from.push(from);
            self.stand(from, Landing::Base(to));
            return Some(EventKind::StolenBase);
        }
        if let Some((from, to)) = tried("CS").or_else(|| tried("POCS")) {
            self.caught_from.push(from);
            self.stand(from, if is_safe { Landing::Base(to) } else { Landing::Out });
            return Some(EventKind::CaughtStealing);
        }
        let from = name.strip_prefix("PO")?.parse::<u8>().ok().filter(|from| (1..=3).contains(from))?;
        if !is_safe {
            self.stand(usize::from(from), Landing::Out);
        }
        Some(EventKind::Pickoff)
    }

    /// Fielders in the order in which they had the ball; in parentheses who is out by the one before them.
    fn fielded(&mut self, text: &str) -> Option<EventKind> {
        let mut rest = text;
        let (mut is_batter_out, mut is_error) = (None, false);
        while let Some(first) = rest.chars().next() {
            match first {
                '0'..='9' => rest = &rest[1..],
                'E' if rest[1..].starts_with(|next: char| next.is_ascii_digit()) => {
                    is_error = true;
                    rest = &rest[2..];
                }
                '(' => {
                    let (group, behind) = rest[1..].split_once(')')?;
                    match group.chars().next().and_then(base).filter(|_| group.len() == 1)? {
                        0 => is_batter_out = Some(true),
                        4 => return None,
                        from => {
                            self.stand(usize::from(from), Landing::Out);
                            is_batter_out.get_or_insert(false);
                        }
                    }
                    rest = behind;
                }
                _ => return None,
            }
        }
        let ends_with_fielder = text.ends_with(|last: char| last.is_ascii_digit());
        Some(match is_batter_out {
            _ if is_error && is_batter_out != Some(true) => EventKind::Error,
            Some(false) if !ends_with_fielder => EventKind::ForceOut,
            _ => EventKind::FieldOut,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Kind, and where everybody ends: `B-1 1X`.
    fn told(code: &str) -> String {
        let event = match PlayEvent::parse(code) {
            Ok(event) => event,
            Err(why) => return why,
        };
        let moves = event.advances.iter().enumerate().filter_map(|(from, advance)| {
            let from = ["B", "1", "2", "3"][from];
            Some(match advance.as_ref()?.landing {
                Landing::Out => format!(" {from}X"),
                Landing::Base(to) => format!(" {from}-{to}"),
            })
        });
        format!("{:?}{}", event.kind, moves.collect::<String>())
    }

    #[test]
    fn a_code_says_where_the_batter_and_the_runners_end() {
        for (code, said) in [
            ("63/G", "FieldOut BX"),
            ("64(1)3/GDP.3-H(NR)", "FieldOut BX 1X 3-4"),
            ("54(1)/FO/G+", "ForceOut B-1 1X"),
            ("8(B)84(2)/LDP", "FieldOut BX 2X"),
            ("5(2)4(1)3/GTP", "FieldOut BX 1X 2X"),
            ("6E3/TH.1-3", "Error B-1 1-3"),
            ("E6", "Error B-1"),
            ("D7/L.1-H;B-3(E6/TH)", "Double B-3 1-4"),
            ("S8.2XH(82/TH);B-2(TH)", "Single B-2 2X"),
            ("S9.BX3(E9)(95/TH)", "Single BX"),
            ("S7.1X3(7E5)", "Single B-1 1-3"),
            ("DGR/L9.1-3", "Double B-2 1-3"),
            ("HR/8/F.2-H;1-H", "HomeRun B-4 1-4 2-4"),
            ("K", "Strikeout BX"),
            ("K+WP.B-1", "Strikeout B-1"),
            ("K+CS2(26)/DP", "Strikeout BX 1X"),
            ("K23", "Strikeout BX"),
            ("W+SB2", "Walk B-1 1-2"),
            ("IW", "IntentionalWalk B-1"),
            ("C/E2.1-2", "CatcherInterference B-1 1-2"),
            ("FC5.3XH(52);B-1", "FieldersChoice B-1 3X"),
            ("FLE5/P5F", "FoulError"),
            ("SB2;SB3", "StolenBase 1-2 2-3"),
            ("SBH(UR);SB2.2-3", "StolenBase 1-2 2-3 3-4"),
            ("CS2(2E6).1-3", "CaughtStealing 1-3"),
            ("POCS2(1361)", "CaughtStealing 1X"),
            ("PO1(E1).1-2", "Pickoff 1-2"),
            ("PO2(16)", "Pickoff 2X"),
            ("BK.3-H;1-2", "Balk 1-2 3-4"),
            ("NP", "NoPlay"),
            ("Q7", "no event is `Q7`"),
            ("S8.1-", "no advance is `1-`"),
            ("S8.3-1", "no advance is `3-1`"),
            ("S8.1-2;1-3", "one runner moves twice in `1-3`"),
            ("WP.B-1", "the batter moves and his turn does not end"),
        ] {
            assert_eq!(told(code), said, "{code}");
        }
    }

    #[test]
    fn errors_and_what_the_batter_drove_in_are_read() {
        let event = PlayEvent::parse("S8/L.3-H;2-H(NR)(E8/TH);1X3(8E5)").unwrap();
        assert_eq!(event.errors, 2);
        let driven = event.advances.map(|advance| advance.and_then(|advance| advance.is_driven_in));
        assert_eq!(driven, [None, None, Some(false), None]);
        let event = PlayEvent::parse("8/SF.3-H").unwrap();
        assert!(event.is_sacrifice_fly && !event.is_sacrifice_bunt);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "(SB|CS|PO|FLE|HR|[BKWISDTEFH123456789()/.;X+éß-]){0,16}") {
            drop(PlayEvent::parse(&text));
        }
    }
}
