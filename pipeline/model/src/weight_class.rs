//! Weight classes, and the source's texts that name them together with titles and tournaments.

/// A weight class. Women's classes are separate; catch weight and open weight are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WeightClass {
    Strawweight,
    Flyweight,
    Bantamweight,
    Featherweight,
    Lightweight,
    Welterweight,
    Middleweight,
    LightHeavyweight,
    Heavyweight,
    SuperHeavyweight,
    WomensStrawweight,
    WomensFlyweight,
    WomensBantamweight,
    WomensFeatherweight,
}

impl WeightClass {
    pub const ALL: [Self; 14] = [
        Self::Strawweight,
        Self::Flyweight,
        Self::Bantamweight,
        Self::Featherweight,
        Self::Lightweight,
        Self::Welterweight,
        Self::Middleweight,
        Self::LightHeavyweight,
        Self::Heavyweight,
        Self::SuperHeavyweight,
        Self::WomensStrawweight,
        Self::WomensFlyweight,
        Self::WomensBantamweight,
        Self::WomensFeatherweight,
    ];

    /// Upper case, as the API writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Strawweight => "STRAWWEIGHT",
            Self::Flyweight => "FLYWEIGHT",
            Self::Bantamweight => "BANTAMWEIGHT",
            Self::Featherweight => "FEATHERWEIGHT",
            Self::Lightweight => "LIGHTWEIGHT",
            Self::Welterweight => "WELTERWEIGHT",
            Self::Middleweight => "MIDDLEWEIGHT",
            Self::LightHeavyweight => "LIGHT_HEAVYWEIGHT",
            Self::Heavyweight => "HEAVYWEIGHT",
            Self::SuperHeavyweight => "SUPER_HEAVYWEIGHT",
            Self::WomensStrawweight => "WOMENS_STRAWWEIGHT",
            Self::WomensFlyweight => "WOMENS_FLYWEIGHT",
            Self::WomensBantamweight => "WOMENS_BANTAMWEIGHT",
            Self::WomensFeatherweight => "WOMENS_FEATHERWEIGHT",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|c| c.name() == name)
    }

    /// Upper limit in pounds; none for super heavyweight.
    #[must_use]
    pub fn limit_lbs(self) -> Option<i32> {
        Some(match self {
            Self::Strawweight | Self::WomensStrawweight => 115,
            Self::Flyweight | Self::WomensFlyweight => 125,
            Self::Bantamweight | Self::WomensBantamweight => 135,
            Self::Featherweight | Self::WomensFeatherweight => 145,
            Self::Lightweight => 155,
            Self::Welterweight => 170,
            Self::Middleweight => 185,
            Self::LightHeavyweight => 205,
            Self::Heavyweight => 265,
            Self::SuperHeavyweight => return None,
        })
    }

    #[must_use]
    pub fn is_womens(self) -> bool {
        self.name().starts_with("WOMENS_")
    }
}

/// Weight of a bout that is of no class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherWeight {
    /// A weight agreed on for the bout.
    Catch,
    /// No limit at all.
    Open,
}

impl OtherWeight {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Catch, Self::Open];

    /// Upper case, beside the names of the classes.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Catch => "CATCH_WEIGHT",
            Self::Open => "OPEN_WEIGHT",
        }
    }
}

/// Title at stake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TitleKind {
    Undisputed,
    Interim,
    Superfight,
    /// The final of a tournament or reality season: no championship.
    Tournament,
}

impl TitleKind {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Undisputed => "undisputed",
            Self::Interim => "interim",
            Self::Superfight => "superfight",
            Self::Tournament => "tournament",
        }
    }
}

/// A weight class text of the statistics source, such as `UFC Interim Lightweight Title Bout`.
#[derive(Debug, Clone, Default, Copy, PartialEq, Eq)]
pub struct WeightText {
    pub class: Option<WeightClass>,
    /// A weight that is no class's.
    pub open: Option<OtherWeight>,
    pub is_womens: bool,
    pub title: Option<TitleKind>,
}

/// Longer words first: `Light Heavyweight` and `Super Heavyweight` contain `Heavyweight`.
const WORDS: [(&str, WeightClass); 10] = [
    ("super heavyweight", WeightClass::SuperHeavyweight),
    ("light heavyweight", WeightClass::LightHeavyweight),
    ("heavyweight", WeightClass::Heavyweight),
    ("middleweight", WeightClass::Middleweight),
    ("welterweight", WeightClass::Welterweight),
    ("lightweight", WeightClass::Lightweight),
    ("featherweight", WeightClass::Featherweight),
    ("bantamweight", WeightClass::Bantamweight),
    ("flyweight", WeightClass::Flyweight),
    ("strawweight", WeightClass::Strawweight),
];

impl WeightText {
    /// Never fails: a text that names no class has none.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let text = text.to_lowercase();
        // The feed writes `W Strawweight` as well.
        let is_womens = text.contains("women's") || text.starts_with("w ");
        let open = WORDS.iter().find(|(word, _)| text.contains(word)).map(|(_, class)| *class);
        Self {
            class: open.map(|class| if is_womens { womens_class(class) } else { class }),
            open: other_weight(&text),
            is_womens,
            title: parse_title(&text),
        }
    }

    /// Name of the class, or of what it is fought at instead.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        self.class.map(WeightClass::name).or(self.open.map(OtherWeight::name))
    }

    /// Whether a belt is at stake; a tournament final is no title bout.
    #[must_use]
    pub fn is_title(&self) -> bool {
        matches!(self.title, Some(kind) if kind != TitleKind::Tournament)
    }
}

fn other_weight(text: &str) -> Option<OtherWeight> {
    let text = text.replace([' ', '-'], "");
    // Calendars write `@CW`.
    if text.contains("catchweight") || text == "@cw" {
        Some(OtherWeight::Catch)
    } else if text.contains("openweight") {
        Some(OtherWeight::Open)
    } else {
        None
    }
}

fn womens_class(class: WeightClass) -> WeightClass {
    match class {
        WeightClass::Strawweight => WeightClass::WomensStrawweight,
        WeightClass::Flyweight => WeightClass::WomensFlyweight,
        WeightClass::Bantamweight => WeightClass::WomensBantamweight,
        WeightClass::Featherweight => WeightClass::WomensFeatherweight,
        other => other,
    }
}

/// The source writes `Title Bout`, once `TitleBout`, and `Superfight Championship Bout`.
fn parse_title(text: &str) -> Option<TitleKind> {
    if text.contains("tournament title") {
        Some(TitleKind::Tournament)
    } else if text.contains("superfight championship") {
        Some(TitleKind::Superfight)
    } else if !text.contains("title") {
        None
    } else if text.contains("interim") {
        Some(TitleKind::Interim)
    } else {
        Some(TitleKind::Undisputed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;
    use std::fmt::Write as _;

    #[test]
    fn texts_of_the_source_give_class_and_title() {
        let mut seen = String::new();
        for text in [
            "Lightweight Bout",
            "UFC Light Heavyweight Title Bout",
            "UFC Interim Women's Flyweight Title Bout",
            "Road to UFC 3 Women's Strawweight Tournament TitleBout",
            "Ultimate Fighter 28 Heavyweight Tournament Title Bout",
            "UFC Superfight Championship Bout",
            "UFC 10 Tournament Title Bout",
            "Super Heavyweight Bout",
            "Catch Weight Bout",
            "Open Weight Bout",
            "W Strawweight",
        ] {
            let read = WeightText::parse(text);
            let class = read.name().unwrap_or("-");
            let kind = read.title.map_or("-", TitleKind::name);
            let _ = writeln!(seen, "{text}: {class} {kind} {}", read.is_title());
        }
        expect![[r#"
            Lightweight Bout: LIGHTWEIGHT - false
            UFC Light Heavyweight Title Bout: LIGHT_HEAVYWEIGHT undisputed true
            UFC Interim Women's Flyweight Title Bout: WOMENS_FLYWEIGHT interim true
            Road to UFC 3 Women's Strawweight Tournament TitleBout: WOMENS_STRAWWEIGHT tournament false
            Ultimate Fighter 28 Heavyweight Tournament Title Bout: HEAVYWEIGHT tournament false
            UFC Superfight Championship Bout: - superfight true
            UFC 10 Tournament Title Bout: - tournament false
            Super Heavyweight Bout: SUPER_HEAVYWEIGHT - false
            Catch Weight Bout: CATCH_WEIGHT - false
            Open Weight Bout: OPEN_WEIGHT - false
            W Strawweight: WOMENS_STRAWWEIGHT - false
        "#]]
        .assert_eq(&seen);
    }

    #[test]
    fn a_class_is_found_by_its_name() {
        for class in WeightClass::ALL {
            assert_eq!(WeightClass::from_name(class.name()), Some(class));
        }
    }
}
