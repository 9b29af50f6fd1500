//! Closed lists of words that parameters and fields hold.

/// What a bout is fought at: [`WEIGHT_CLASSES`] first, then what is no class.
pub const BOUT_CLASSES: &[&str] = &[
    "STRAWWEIGHT",
    "FLYWEIGHT",
    "BANTAMWEIGHT",
    "FEATHERWEIGHT",
    "LIGHTWEIGHT",
    "WELTERWEIGHT",
    "MIDDLEWEIGHT",
    "LIGHT_HEAVYWEIGHT",
    "HEAVYWEIGHT",
    "SUPER_HEAVYWEIGHT",
    "WOMENS_STRAWWEIGHT",
    "WOMENS_FLYWEIGHT",
    "WOMENS_BANTAMWEIGHT",
    "WOMENS_FEATHERWEIGHT",
    "CATCH_WEIGHT",
    "OPEN_WEIGHT",
];

/// Classes of bouts and fighters, as `weight_class` writes them.
pub const WEIGHT_CLASSES: &[&str] = BOUT_CLASSES.split_at(BOUT_CLASSES.len() - 2).0;

/// Codes of promotions.
pub const PROMOTIONS: &[&str] = &[
    "UFC",
    "DWCS",
    "ROAD_TO_UFC",
    "PRIDE",
    "STRIKEFORCE",
    "WEC",
    "DREAM",
    "K1",
    "ELITE_XC",
    "INVICTA",
    "SENGOKU",
    "AFFLICTION",
    "IFL",
    "BELLATOR",
    "PFL",
    "ONE",
    "RIZIN",
    "CAGE_WARRIORS",
    "KOTC",
    "SHOOTO",
    "PANCRASE",
    "DEEP",
    "M1",
    "LFA",
    "TITAN_FC",
    "FURY_FC",
    "MECA",
    "UCC",
    "TKO",
    "CAGE_RAGE",
    "RUMBLE_ON_THE_ROCK",
    "WFA",
    "JUNGLE_FIGHT",
    "BODOGFIGHT",
    "GLADIATOR_CHALLENGE",
    "IFC",
    "INOKI_BOM_BA_YE",
    "SUPERBRAWL",
    "HCF",
    "ULTIMATE_GLORY",
];

/// Ways in which bouts end, as `method` writes them.
pub const METHODS: &[&str] = &[
    "ko_tko",
    "doctor_stoppage",
    "submission",
    "decision_unanimous",
    "decision_split",
    "decision_majority",
    "decision",
    "disqualification",
    "could_not_continue",
    "overturned",
    "other",
];

/// Stances, as `stance` writes them.
pub const STANCES: &[&str] = &["ORTHODOX", "SOUTHPAW", "SWITCH", "OPEN_STANCE", "SIDEWAYS"];

/// Names of checkpoints, in order.
pub const CHECKPOINTS: &[&str] = &[
    "ANNOUNCED",
    "T-7D",
    "T-6D",
    "T-5D",
    "T-4D",
    "T-3D",
    "T-2D",
    "T-1D",
    "T-0",
    "RESULT",
    "RESULT+24H",
    "CORRECTION",
];

/// Divisions, as `division` writes them, in the order in which they are listed.
pub const RANKING_DIVISIONS: &[&str] = &[
    "P4P",
    "FLYWEIGHT",
    "BANTAMWEIGHT",
    "FEATHERWEIGHT",
    "LIGHTWEIGHT",
    "WELTERWEIGHT",
    "MIDDLEWEIGHT",
    "LIGHT_HEAVYWEIGHT",
    "HEAVYWEIGHT",
    "WOMENS_P4P",
    "WOMENS_STRAWWEIGHT",
    "WOMENS_FLYWEIGHT",
    "WOMENS_BANTAMWEIGHT",
    "WOMENS_FEATHERWEIGHT",
];

/// What can be found, as `kind` writes it.
pub const SEARCH_KINDS: &[&str] = &["fighter", "event", "bout", "article"];

/// What a video shows, in the order of a fight week.
pub const VIDEO_TYPES: &[&str] = &[
    "fight_preview",
    "countdown",
    "embedded_episode",
    "interview",
    "analysis",
    "press_conference",
    "media_day",
    "weigh_in",
    "faceoff",
    "full_fight",
    "highlights",
    "post_fight",
    "other",
];

/// The types in words, in the same order.
pub const VIDEO_LABELS: [&str; 13] = [
    "Fight preview",
    "Countdown",
    "Embedded episode",
    "Interview",
    "Analysis",
    "Press conference",
    "Media day",
    "Weigh-in",
    "Face-off",
    "Full fight",
    "Highlights",
    "Post-fight",
    "Other",
];
