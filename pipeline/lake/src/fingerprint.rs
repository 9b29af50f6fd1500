//! Digest of a stage's inputs as one short text: the name of the folder with its output.

use crate::DATA_FORMAT;
use crate::digest::{DigestParts, hex_id};

hex_id! {
    /// The first 32 hex digits of a SHA-256 over everything that a stage's output depends on.
    Fingerprint
}

impl Fingerprint {
    /// Starts a fingerprint for the stage of this name. The lake's own [`DATA_FORMAT`] is part of every one.
    pub fn builder(stage: &str) -> FingerprintBuilder {
        FingerprintBuilder(DigestParts::default().add_number(DATA_FORMAT).add_part("stage").add_part(stage))
    }
}

/// Collects what a stage's output depends on; the order of the calls counts.
#[derive(Clone, Debug)]
#[must_use]
pub struct FingerprintBuilder(DigestParts);

impl FingerprintBuilder {
    /// Adds a definition version or a parameter.
    pub fn with_text(self, name: &str, value: impl AsRef<str>) -> Self {
        Self(self.0.add_part("text").add_part(name).add_part(value.as_ref()))
    }

    /// Adds an input by its digest or fingerprint, in hex.
    pub fn with_digest(self, name: &str, digest: impl AsRef<str>) -> Self {
        Self(self.0.add_part("digest").add_part(name).add_part(digest.as_ref()))
    }

    /// The fingerprint of what was added.
    #[must_use]
    pub fn build(self) -> Fingerprint {
        Fingerprint(self.0.finish_short())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_a_fingerprint_counts() {
        let base = || Fingerprint::builder("derive").with_text("definition", "1");
        let all = [
            Fingerprint::builder("derive").build(),
            base().build(),
            base().with_digest("capture", "ab").build(),
            base().with_text("capture", "ab").build(),
            Fingerprint::builder("derived").with_text("efinition", "1").build(),
        ];
        for (i, a) in all.iter().enumerate() {
            assert!(all[i + 1..].iter().all(|b| a != b));
        }
        assert_eq!(base().build(), base().build());
    }

    #[test]
    fn a_fingerprint_survives_json_and_a_bad_one_does_not() {
        let fingerprint = Fingerprint::builder("x").build();
        let text = serde_json::to_string(&fingerprint).unwrap();
        assert_eq!(serde_json::from_str::<Fingerprint>(&text).unwrap(), fingerprint);
        assert!(serde_json::from_str::<Fingerprint>("\"../../etc\"").is_err());
    }
}
