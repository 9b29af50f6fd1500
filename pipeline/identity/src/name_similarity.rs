//! Similarity of two spellings of a name.

use fdna_model::fold_name;

/// A name, ready to be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoldedName {
    pub(crate) folded: String,
    words: Vec<String>,
    sorted: Vec<String>,
    /// The name beginning at each of its other words.
    pub(crate) turned: Vec<String>,
}

/// Two spellings of one name, beyond marks and spaces.
pub(crate) const REORDERED: f64 = 0.97;
/// One name has words that the other lacks: a middle name, a second surname.
const SHORTENED: f64 = 0.92;
/// A given name in its short form, the same surname.
const SHORT_FORM: f64 = 0.9;
/// Words as like as two typings of one.
const TYPED: f64 = 0.88;
/// Likeness of two transcriptions of one word: `Serghei` and `Sergey`.
const TRANSCRIBED: f64 = 0.9;
/// A surname is shared and the first letter, no more.
const INITIAL: f64 = 0.7;
/// A surname, or a given name: families have these in common, and wives and husbands.
const ONE_WORD: f64 = 0.55;

/// Given names and what they are shortened to, where that is not their beginning.
const SHORT_FORMS: [(&str, &str); 20] = [
    ("michael", "mike"),
    ("william", "bill"),
    ("william", "will"),
    ("robert", "bob"),
    ("robert", "bobby"),
    ("anthony", "tony"),
    ("james", "jim"),
    ("james", "jimmy"),
    ("richard", "rick"),
    ("richard", "dick"),
    ("edward", "ed"),
    ("edward", "ted"),
    ("charles", "chuck"),
    ("charles", "charlie"),
    ("andrew", "drew"),
    ("john", "jack"),
    ("elizabeth", "liz"),
    ("matthew", "matt"),
    ("joseph", "joe"),
    ("thomas", "tom"),
];

impl FoldedName {
    pub(crate) fn new(name: &str) -> Self {
        let words = name.split(|c: char| c.is_whitespace() || c == '-').map(fold_name);
        let words: Vec<String> = words.filter(|word| !word.is_empty() && !is_suffix(word)).collect();
        let turned = (1..words.len()).map(|i| [&words[i..], &words[..i]].concat().concat()).collect();
        let mut sorted = words.clone();
        sorted.sort();
        Self { folded: fold_name(name), words, sorted, turned }
    }

    /// As [`Self::similarity`], of spellings that are one but for marks, order and words left out; 0 for all others.
    pub(crate) fn spelling_similarity(&self, other: &Self) -> f64 {
        if self.folded == other.folded && !self.folded.is_empty() {
            return 1.0;
        }
        if self.is_reordered(other) {
            return REORDERED;
        }
        let (few, many) = if self.words.len() <= other.words.len() { (self, other) } else { (other, self) };
        few.shortened_similarity(many)
    }

    /// 1 for the same name, 0 for names that have nothing in common.
    pub(crate) fn similarity(&self, other: &Self) -> f64 {
        match self.spelling_similarity(other) {
            same if same > 0.0 => same,
            _ => self.by_words(other).max(typing_similarity(&self.folded, &other.folded)),
        }
    }

    /// The same words in another order, or run together: `Zhang Weili`, `JeongYeong Lee` and `Lee Jeong Yeong`.
    fn is_reordered(&self, other: &Self) -> bool {
        !self.words.is_empty()
            && (self.turned.contains(&other.folded)
                || other.turned.contains(&self.folded)
                || self.sorted == other.sorted)
    }

    /// All words of this one in the other, two at least: a middle name or a second surname was left out.
    fn shortened_similarity(&self, many: &Self) -> f64 {
        let is_in = |word: &String| many.words.contains(word);
        if self.words.len() >= 2 && self.words.iter().all(is_in) { SHORTENED } else { 0.0 }
    }

    fn first_and_last(&self) -> Option<(&str, &str)> {
        Some((self.words.first()?, self.words.last()?))
    }

    /// First against first and last against last word.
    fn by_words(&self, other: &Self) -> f64 {
        let (Some((first, last)), Some((other_first, other_last))) =
            (self.first_and_last(), other.first_and_last())
        else {
            return 0.0;
        };
        let (given, family) = (word_similarity(first, other_first), word_similarity(last, other_last));
        match (given, family) {
            (given, family) if given >= TYPED && family >= TYPED => given.min(family).min(SHORT_FORM),
            (given, family) if family >= TYPED && given >= INITIAL => INITIAL,
            (given, family) if given.max(family) >= TYPED => ONE_WORD,
            _ => 0.0,
        }
    }
}

fn is_suffix(word: &str) -> bool {
    matches!(word, "jr" | "sr" | "ii" | "iii" | "iv")
}

fn word_similarity(a: &str, b: &str) -> f64 {
    let is_pair = |x: &str, y: &str| SHORT_FORMS.contains(&(x, y));
    let begins = |x: &str, y: &str| y.len() >= 3 && x.starts_with(y);
    if a == b {
        1.0
    } else if is_pair(a, b) || is_pair(b, a) || begins(a, b) || begins(b, a) {
        SHORT_FORM
    } else if typing_similarity(a, b) > 0.0 || (a.len().min(b.len()) >= 5 && is_transcribed(a, b)) {
        TYPED
    } else if a.chars().next() == b.chars().next() {
        INITIAL
    } else {
        0.0
    }
}

/// Whether one is a typing of the other: a letter in six or more may differ.
fn typing_similarity(a: &str, b: &str) -> f64 {
    let longest = a.len().max(b.len());
    if longest < 4 || a.len().abs_diff(b.len()) * 6 > longest {
        return 0.0;
    }
    if lost_letters(a, b) * 6 <= longest && strsim::osa_distance(a, b) * 6 <= longest { TYPED } else { 0.0 }
}

/// Kinds of letters that the one has and the other lacks: at least as many letters were typed otherwise. Most pairs
/// of names have too many for the distance to be worth measuring.
fn lost_letters(a: &str, b: &str) -> usize {
    let (a, b) = (letter_mask(a), letter_mask(b));
    (a & !b).count_ones().max((b & !a).count_ones()) as usize
}

/// The kinds of letters in a word, each a bit; two kinds may share one.
fn letter_mask(word: &str) -> u64 {
    word.chars().fold(0, |all, letter| all | letter_bit(letter))
}

fn letter_bit(letter: char) -> u64 {
    1 << (u32::from(letter) % u64::BITS)
}

/// Whether two transcriptions are as like as those of one word.
fn is_transcribed(a: &str, b: &str) -> bool {
    most_like(a, b) >= TRANSCRIBED && strsim::jaro_winkler(a, b) >= TRANSCRIBED
}

/// No less than the Jaro-Winkler similarity: as if all letters that both have stood in their places.
fn most_like(a: &str, b: &str) -> f64 {
    let (in_a, in_b) = (letter_mask(a), letter_mask(b));
    let shared =
        |word: &str, others: u64| word.chars().filter(|letter| others & letter_bit(*letter) != 0).count();
    let matches = shared(a, in_b).min(shared(b, in_a)) as f64;
    let share = |word: &str| matches / word.chars().count().max(1) as f64;
    let jaro = (share(a) + share(b) + 1.0) / 3.0;
    let beginning = a.chars().zip(b.chars()).take(4).take_while(|(a, b)| a == b).count() as f64;
    // A hair more, for what rounding may take.
    jaro + 0.1 * beginning * (1.0 - jaro) + 1e-9
}

#[cfg(test)]
mod tests {
    use super::*;

    fn similarity(a: &str, b: &str) -> f64 {
        let (a, b) = (FoldedName::new(a), FoldedName::new(b));
        assert!((a.similarity(&b) - b.similarity(&a)).abs() < 1e-12, "the same from both sides");
        a.similarity(&b)
    }

    proptest::proptest! {
        #[test]
        fn what_is_ruled_out_beforehand_is_not_alike(a in "[a-eé]{1,9}", b in "[a-eé]{1,9}") {
            proptest::prop_assert!(lost_letters(&a, &b) <= strsim::osa_distance(&a, &b));
            proptest::prop_assert!(most_like(&a, &b) >= strsim::jaro_winkler(&a, &b));
        }
    }

    #[test]
    fn spellings_of_one_name_are_alike() {
        for (a, b) in [
            ("Jiří Procházka", "Jiri Prochazka"),
            ("Zhang Weili", "Weili Zhang"),
            ("Lee Jeong Yeong", "JeongYeong Lee"),
            ("Kang Kyung-Ho", "Kyung Ho Kang"),
            ("Ian Garry", "Ian Machado Garry"),
            ("Diego Ferreira", "Carlos Diego Ferreira"),
            ("Alex Volkov", "Alexander Volkov"),
            ("Mike Malott", "Michael Malott"),
            ("Serghei Spivac", "Sergey Spivak"),
            ("Michael Aswell Jr.", "Michael Aswell"),
            ("Халиб Тестов", "Khalib Testov"),
        ] {
            assert!(similarity(a, b) >= 0.85, "{a}, {b}: {}", similarity(a, b));
        }
    }

    #[test]
    fn brothers_and_namesakes_by_surname_are_not() {
        for (a, b) in [
            ("Said Nurmagomedov", "Umar Nurmagomedov"),
            ("Cezary Oleksiejczuk", "Michal Oleksiejczuk"),
            ("Nate Diaz", "Nick Diaz"),
            ("Antonina Shevchenko", "Valentina Shevchenko"),
            ("Bobby Green", "King Green"),
            ("Jean Silva", "Joao Silva"),
            ("", "Jon Jones"),
        ] {
            assert!(similarity(a, b) < 0.85, "{a}, {b}: {}", similarity(a, b));
        }
        assert!(similarity("Bobby Green", "King Green") >= ONE_WORD);
        assert!(similarity("Katlyn Cerminara", "Katlyn Chookagian") >= ONE_WORD);
    }
}
