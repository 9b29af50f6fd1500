//! The source's oddities that the sample reproduces, and the rows that are wrong on purpose.
//!
//! A list in code rather than in prose alone: the tests hold a check for every entry, so that an
//! oddity cannot silently drop out of the sample.

/// An oddity: a short name, and what a reader has to cope with.
pub type Quirk = (&'static str, &'static str);

/// Quirks of the source that the sample repeats.
pub const QUIRKS: &[Quirk] = &[
    ("trailing spaces", "EVENT, BOUT and METHOD of the results end in a space"),
    ("double space", "two spaces before `vs.` in the results, one elsewhere"),
    ("reversed bout", "details list the winner first, results the order of the card"),
    ("all outcomes", "`W/L`, `L/W`, `D/D`, `NC/NC`"),
    ("all methods", "ten methods, from `KO/TKO ` to `Overturned ` and `Other `"),
    ("loser's score first", "judges' totals name the loser's first, whichever way the bout is listed"),
    ("glued deduction", "`Point Deducted: … by X` runs into the first judge's name"),
    ("judges' names", "two words, three words, one `Jr.`, an apostrophe"),
    ("nameless judges", "a decision with totals and no names"),
    ("decision without scores", "decisions of the nineties with empty DETAILS"),
    ("all formats", "eight time formats, from `3 Rnd (5-5-5)` to `No Time Limit`"),
    ("long rounds", "TIME over ten minutes in the one-round formats"),
    ("control unknown", "CTRL is `--` before 2000, `m:ss` after"),
    ("no attempts", "`---` for a percentage of nothing"),
    ("decimal counts", "KD, SUB.ATT and REV. as `1.0`"),
    ("no statistics", "two bouts with two rows of EVENT and BOUT and nothing else"),
    ("namesakes", "two fighters of one name, in different divisions, twenty years apart"),
    ("rename", "one address, the new name in index, details and results, the old one elsewhere"),
    ("no first name", "an empty FIRST, and a second space where it would be in the results"),
    ("two-word last name", "a last name with a space"),
    ("unknown body", "`--` for height, weight, reach, date of birth"),
    ("all stances", "Orthodox, Southpaw, Switch, Open Stance, empty"),
    ("no nickname", "empty for most"),
    ("quoted fields", "heights, reaches and dates in quotes"),
    ("places", "locations of two and of three parts"),
    ("women's divisions", "with an apostrophe in the text"),
    ("class texts", "title, interim, tournament, catch weight, open weight, `TitleBout`"),
    ("index only", "fighters without any bout"),
    ("twice in one night", "a pair that meets twice at an early event"),
    ("no referee", "an empty REFEREE"),
];

/// The rows that are wrong, and what is wrong with them. The same in both captures.
pub const BAD_ROWS: &[Quirk] = &[
    ("targets", "head, body and leg of one round do not sum to its significant strikes"),
    ("time", "a result's TIME is `x:59`"),
    ("duplicate", "one fighter stands in the index twice"),
    ("stray", "a round under the name of a fighter who is not in the bout, whose rounds are thus incomplete"),
];
