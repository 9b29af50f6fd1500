//! Names in ASCII: slugs for addresses, and folded names for comparing spellings.

use uuid::Uuid;

/// Latin letters with marks to plain ones; what is not here and not ASCII is left out.
fn plain(c: char) -> &'static str {
    match c {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' | 'ą' => "a",
        'ç' | 'ć' | 'č' | 'ĉ' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ė' | 'ę' | 'ě' => "e",
        'ğ' | 'ģ' => "g",
        'ì' | 'í' | 'î' | 'ï' | 'ī' | 'į' | 'ı' => "i",
        'ķ' => "k",
        'ł' | 'ļ' | 'ľ' => "l",
        'ñ' | 'ń' | 'ň' | 'ņ' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ō' | 'ő' => "o",
        'ř' | 'ŕ' => "r",
        'ś' | 'š' | 'ş' | 'ș' => "s",
        'ť' | 'ţ' | 'ț' => "t",
        'ù' | 'ú' | 'û' | 'ü' | 'ū' | 'ů' | 'ű' | 'ų' => "u",
        'ý' | 'ÿ' => "y",
        'ž' | 'ź' | 'ż' => "z",
        'æ' => "ae",
        'œ' => "oe",
        'ß' => "ss",
        'þ' => "th",
        _ => "",
    }
}

fn ascii_lower(name: &str) -> String {
    let lower = name.to_lowercase();
    lower.chars().fold(String::with_capacity(lower.len()), |mut out, c| {
        if c.is_ascii() {
            out.push(c)
        } else {
            out.push_str(plain(c))
        }
        out
    })
}

/// A name for comparing spellings: lower case, no marks, letters and digits only, without a trailing
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
        assert_eq!(slug_id("李", id), "1f0c9a3e");
    }
}
