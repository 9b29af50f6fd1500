//! Names in ASCII: slugs for addresses, and folded names for comparing spellings.

use uuid::Uuid;

fn ascii_lower(name: &str) -> String {
    if name.is_ascii() { name.to_ascii_lowercase() } else { any_ascii::any_ascii(name).to_lowercase() }
}

/// A name for comparing spellings: Latin letters, lower case, no marks, letters and digits only, without a trailing
/// `Jr.`, `Sr.` or number of generation. `Waldo Cortes-Acosta` and `Waldo Cortes Acosta` fold alike.
#[must_use]
pub fn fold_name(name: &str) -> String {
    let lower = ascii_lower(name);
    let mut words: Vec<&str> =
        lower.split(|c: char| !c.is_ascii_alphanumeric() && c != '\'').filter(|w| !w.is_empty()).collect();
    if words.len() > 2 && matches!(words.last(), Some(&("jr" | "sr" | "ii" | "iii" | "iv"))) {
        words.pop();
    }
    words.concat().replace('\'', "")
}

/// Name in ASCII with hyphens, and the first 8 hex digits of the id: `zorvik-quandle-1f0c9a3e`.
#[must_use]
pub fn slug_id(name: &str, id: Uuid) -> String {
    let lower = ascii_lower(name).replace('\'', "");
    let mut words: Vec<&str> =
        lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
    let id = id.simple().to_string();
    words.push(&id[..8]);
    words.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_name_fold_alike() {
        for (a, b) in [
            ("Waldo Cortes-Acosta", "Waldo Cortes Acosta"),
            ("Michael Aswell Jr.", "Michael Aswell"),
            ("Jiří Procházka", "Jiri Prochazka"),
            ("JunYong Park", "Junyong Park"),
            ("Sean O'Malley", "Sean OMalley"),
            ("Хабиб Нурмагомедов", "Khabib Nurmagomedov"),
            ("Sean O’Malley", "Sean O'Malley"),
        ] {
            assert_eq!(fold_name(a), fold_name(b));
        }
        assert_ne!(fold_name("Bobby Green"), fold_name("King Green"));
    }

    #[test]
    fn a_slug_is_ascii_and_ends_in_the_id() {
        let id = Uuid::from_u128(0x1f0c_9a3e_0000_0000_0000_0000_0000_0001);
        assert_eq!(slug_id("Jan Błachowicz", id), "jan-blachowicz-1f0c9a3e");
        assert_eq!(slug_id("Sean O'Malley", id), "sean-omalley-1f0c9a3e");
        assert_eq!(slug_id("李", id), "li-1f0c9a3e");
    }
}
