//! Texts of which the six-file layout glues the parts together: finishing details, and names of judges.

/// Words that end the first part, as all captures have them.
const ENDS: [&str; 14] = [
    "to", "Other", "Injury", "Choke", "Triangle", "Distance", "Clinch", "Ground", "Guard", "Control",
    "Mount", "Bottom", "Standing", "Headlock",
];

/// `Kick to Head FactPosition DistanceWheel Kick` with the space between its parts: a word of [`ENDS`], whole, with a
/// capital right behind it. Names with capitals inside stay as they are.
pub(super) fn restore_spaces(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 1);
    for (i, word) in text.split_whitespace().enumerate() {
        if i > 0 {
            out.push(' ');
        }
        match ENDS.iter().find(|end| is_glued(word, end)) {
            Some(end) => out.extend([end, " ", &word[end.len()..]]),
            None => out.push_str(word),
        }
    }
    out
}

/// `MichaelTate` with the space that was lost; a name such as `McCarthy` has its second capital by right.
pub(super) fn split_name(word: &str) -> String {
    let mut out = String::with_capacity(word.len() + 1);
    let (mut from, mut before) = (0, ' ');
    for (i, c) in word.char_indices() {
        if c.is_uppercase() && before.is_lowercase() && !PARTICLES.contains(&&word[from..i]) {
            out.extend([&word[from..i], " "]);
            from = i;
        }
        before = c;
    }
    out + &word[from..]
}

/// Beginnings of one name that a capital follows.
const PARTICLES: [&str; 9] = ["Mc", "Mac", "De", "Di", "Du", "La", "Le", "Van", "Fitz"];

fn is_glued(word: &str, end: &str) -> bool {
    word.strip_prefix(end).is_some_and(|rest| rest.starts_with(char::is_uppercase))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parts_glued_together_come_apart_and_names_do_not() {
        for (glued, apart) in [
            ("Kick to Head At DistanceWheel Kick", "Kick to Head At Distance Wheel Kick"),
            ("toCorner Stoppage", "to Corner Stoppage"),
            ("Rear Naked ChokeTechnical Submission", "Rear Naked Choke Technical Submission"),
            ("D'Arce Choke On Ground", "D'Arce Choke On Ground"),
            ("Eye Poke by McGregor", "Eye Poke by McGregor"),
            ("Chokeholds", "Chokeholds"),
        ] {
            assert_eq!(restore_spaces(glued), apart);
        }
    }

    #[test]
    fn names_glued_together_come_apart_and_particles_do_not() {
        for (glued, expected) in [
            ("MichaelTate", "Michael Tate"),
            ("McCarthy", "McCarthy"),
            ("HardyMcCarthy", "Hardy McCarthy"),
            ("D'amato", "D'amato"),
        ] {
            assert_eq!(split_name(glued), expected);
        }
    }

    proptest! {
        #[test]
        fn no_text_panics_or_changes_but_for_spaces(text in "\\PC{0,40}") {
            let squeeze = |t: &str| t.split_whitespace().collect::<String>();
            prop_assert_eq!(squeeze(&restore_spaces(&text)), squeeze(&text));
            prop_assert_eq!(squeeze(&split_name(&text)), squeeze(&text));
        }
    }
}
