//! Digests of contract files.

/// SHA-256 over names and texts, in hex.
pub(crate) fn digest_of<'t>(files: impl IntoIterator<Item = (&'t str, &'t str)>) -> String {
    use sha2::{Digest as _, Sha256};
    use std::fmt::Write as _;
    let hash = files.into_iter().fold(Sha256::new(), |hash, (name, text)| {
        hash.chain_update(name.len().to_le_bytes()).chain_update(name).chain_update(text)
    });
    hash.finalize().iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
