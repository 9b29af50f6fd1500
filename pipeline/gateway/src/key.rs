//! API keys: `fdk_<live|test>_<30 random characters>_<6 characters of checksum>`, all in base 62; those of the
//! multi-sport catalog begin with `fdk_catalog_`, those of leads with `fdk_leads_`.
//!
//! By the checksum an operator detects a typing error, and a scanner of leaked secrets detects keys. Authentication does
//! not use it: it looks up the digest. Only the digest is stored; the secret is shown once, and `Debug` does not print it.

use std::fmt;
use std::hash::{Hash, Hasher};

use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_CHARS: usize = 30;
const CHECK_CHARS: usize = 6;

/// Random characters that are shown to people, to distinguish keys.
const SHOWN_CHARS: usize = 4;

/// The purpose of a key. Usage counts in both environments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Environment {
    Live,
    Test,
}

impl Environment {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Test => "test",
        }
    }

    /// The environment of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Live, Self::Test].into_iter().find(|e| e.name() == name)
    }
}

/// API that a key opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyProduct {
    /// The MMA API.
    Mma,
    /// The multi-sport catalog.
    Catalog,
    /// Leads and properties, which no gateway stands before: their server knows the keys.
    Leads,
}

impl KeyProduct {
    fn prefix(self) -> &'static str {
        match self {
            Self::Mma => "fdk_",
            Self::Catalog => "fdk_catalog_",
            Self::Leads => "fdk_leads_",
        }
    }

    /// As stores, messages and metrics name it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Mma => "mma",
            Self::Catalog => "catalog",
            Self::Leads => "leads",
        }
    }

    /// The product of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Mma, Self::Catalog, Self::Leads].into_iter().find(|product| product.name() == name)
    }

    /// The product of a key, by its first characters.
    #[must_use]
    pub fn of_key(key: &str) -> Self {
        let own = [Self::Catalog, Self::Leads];
        own.into_iter().find(|product| key.starts_with(product.prefix())).unwrap_or(Self::Mma)
    }
}

/// SHA-256 of a key, as it is stored.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct KeyDigest(pub [u8; 32]);

impl KeyDigest {
    /// Of any text, key or not.
    #[must_use]
    pub fn of_text(text: &[u8]) -> Self {
        Self(Sha256::digest(text).into())
    }

    /// Compares in constant time.
    #[must_use]
    pub fn equals(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Hash for KeyDigest {
    /// A part of the digest is random enough.
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write(&self.0[..8]);
    }
}

impl fmt::Debug for KeyDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyDigest(…)")
    }
}

/// The operating system returned no random bytes.
#[derive(Debug, thiserror::Error)]
#[error("cannot generate a key")]
pub struct RandomError(#[source] pub(crate) getrandom::Error);

/// A whole key.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A new key of the MMA API, from the operating system's random numbers.
    ///
    /// # Errors
    /// The operating system returns none.
    pub fn generate_key(environment: Environment) -> Result<Self, RandomError> {
        Self::generate_for(KeyProduct::Mma, environment)
    }

    /// A new key of an API.
    ///
    /// # Errors
    /// As for [`Self::generate_key`].
    pub fn generate_for(product: KeyProduct, environment: Environment) -> Result<Self, RandomError> {
        let mut text = format!("{}{}_", product.prefix(), environment.name());
        let full_length = text.len() + RANDOM_CHARS;
        while text.len() < full_length {
            let mut bytes = [0; RANDOM_CHARS];
            getrandom::fill(&mut bytes).map_err(RandomError)?;
            // 248 is the largest multiple of 62 in a byte: above it, characters would not be equally likely.
            let generated = bytes.into_iter().filter(|byte| *byte < 248);
            let missing = full_length - text.len();
            text.extend(generated.map(|byte| char::from(ALPHABET[usize::from(byte % 62)])).take(missing));
        }
        let check = checksum(text.as_bytes());
        text.push('_');
        text.extend(check.map(char::from));
        Ok(Self(text))
    }

    /// Parses a key, without knowing whether it was issued.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        is_well_formed(text.as_bytes()).then(|| Self(text.to_owned()))
    }

    /// The secret, which is shown once.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    #[must_use]
    pub fn digest(&self) -> KeyDigest {
        KeyDigest::of_text(self.0.as_bytes())
    }

    /// The first characters of the key, for people.
    #[must_use]
    pub fn shown_prefix(&self) -> String {
        let prefix = KeyProduct::of_key(&self.0).prefix();
        self.0[..prefix.len() + "live_".len() + SHOWN_CHARS].to_owned()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secret({}…)", self.shown_prefix())
    }
}

/// Whether the format and the checksum are right.
fn is_well_formed(text: &[u8]) -> bool {
    let Some((text, check)) = text.split_last_chunk() else { return false };
    let Some(signed) = text.strip_suffix(b"_") else { return false };
    let mut products = [KeyProduct::Catalog, KeyProduct::Leads, KeyProduct::Mma].into_iter();
    let rest = products.find_map(|product| signed.strip_prefix(product.prefix().as_bytes()));
    let Some(rest) = rest else { return false };
    let names = [Environment::Live, Environment::Test].map(Environment::name);
    let random = names.iter().find_map(|name| rest.strip_prefix(name.as_bytes())?.strip_prefix(b"_"));
    let is_random =
        |random: &[u8]| random.len() == RANDOM_CHARS && random.iter().all(u8::is_ascii_alphanumeric);
    random.is_some_and(is_random) && checksum(signed) == *check
}

/// CRC-32 of the text before it, in base 62.
fn checksum(text: &[u8]) -> [u8; CHECK_CHARS] {
    let mut rest = crc32fast::hash(text);
    let mut digits = [b'0'; CHECK_CHARS];
    for digit in digits.iter_mut().rev() {
        *digit = ALPHABET[usize::try_from(rest % 62).unwrap_or_default()];
        rest /= 62;
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_key_is_read_as_it_was_drawn() {
        let of = |product, prefix| {
            [Environment::Live, Environment::Test].map(|environment| (product, prefix, environment))
        };
        let own =
            of(KeyProduct::Catalog, "fdk_catalog_").into_iter().chain(of(KeyProduct::Leads, "fdk_leads_"));
        let kinds = of(KeyProduct::Mma, "fdk_").into_iter().chain(own);
        for (product, prefix, environment) in kinds {
            let secret = Secret::generate_for(product, environment).unwrap();
            assert_eq!(secret.reveal().len(), 42 + prefix.len());
            assert!(secret.reveal().starts_with(&format!("{prefix}{}_", environment.name())));
            assert_eq!(secret.shown_prefix(), secret.reveal()[..prefix.len() + 9]);
            assert_eq!(KeyProduct::of_key(&secret.shown_prefix()), product);
            assert_eq!(Secret::parse(secret.reveal()), Some(secret));
        }
    }

    #[test]
    fn keys_differ_and_use_the_whole_alphabet() {
        let keys: Vec<Secret> = (0..300).map(|_| Secret::generate_key(Environment::Live).unwrap()).collect();
        let texts: BTreeSet<&str> = keys.iter().map(Secret::reveal).collect();
        assert_eq!(texts.len(), 300);
        let letters: BTreeSet<char> = texts.iter().flat_map(|text| text[9..39].chars()).collect();
        assert_eq!(letters.len(), 62);
    }

    #[test]
    fn the_checksum_is_that_of_the_published_algorithm() {
        // CRC-32 of "123456789" is 0xcbf43926 by the algorithm's own check value: 3421780262 in base 62.
        assert_eq!(&checksum(b"123456789"), b"3jZRME");
        assert_eq!(&checksum(b""), b"000000");
    }

    #[test]
    fn every_single_typing_error_is_told() {
        let secret = Secret::generate_key(Environment::Live).unwrap();
        let text = secret.reveal();
        for place in 0..text.len() {
            for other in ['0', 'a', 'Z', '_', '-', ' '] {
                let mut chars: Vec<char> = text.chars().collect();
                if chars[place] != other {
                    chars[place] = other;
                    let wrong: String = chars.into_iter().collect();
                    assert!(!is_well_formed(wrong.as_bytes()), "{place} {other}");
                }
            }
        }
        let swapped: Vec<u8> = [&text.as_bytes()[..10], b"xy", &text.as_bytes()[12..]].concat();
        assert!(!is_well_formed(&swapped) || swapped == text.as_bytes());
    }

    #[test]
    fn debug_shows_no_secret() {
        let secret = Secret::generate_key(Environment::Live).unwrap();
        let shown = format!("{secret:?} {:?}", secret.digest());
        assert!(!shown.contains(&secret.reveal()[13..]), "{shown}");
        assert!(shown.starts_with("Secret(fdk_live_"));
        assert_eq!(secret.shown_prefix(), secret.reveal()[..13]);
    }

    #[test]
    fn a_digest_is_of_the_whole_key() {
        let secret = Secret::generate_key(Environment::Test).unwrap();
        assert!(secret.digest().equals(&KeyDigest::of_text(secret.reveal().as_bytes())));
        assert!(!secret.digest().equals(&KeyDigest::of_text(&secret.reveal().as_bytes()[..45])));
    }

    proptest! {
        #[test]
        fn no_other_text_is_a_key(text in "(fdk_)?(catalog_|leads_)?(live_|test_)?[0-9A-Za-z_]{0,40}") {
            prop_assert_eq!(Secret::parse(&text), None);
        }

        #[test]
        fn any_bytes_are_judged(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = is_well_formed(&bytes);
        }
    }
}
