//! A key of the server's own: whoever reaches its address must have it, such as a gateway.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use fdna_http::EventCounter;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

/// Between two looks at the file.
const EVERY: Duration = Duration::from_secs(5);

/// Bytes of the file, at most.
const MAX_FILE: u64 = 4096;

/// Characters of a key, at least: one that is guessed is none.
const MIN_KEY: usize = 16;

/// Why a file gives no key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// It cannot be read.
    #[error("cannot read {}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    /// It holds no key.
    #[error(
        "no key in {}: {why}; a key is a line of at least {MIN_KEY} visible ASCII characters without spaces",
        path.display()
    )]
    NoKey { path: PathBuf, why: &'static str },
}

/// The keys of a file, one a line: of two, the newer can be given out before the older is taken away. Only their
/// digests are kept.
#[derive(Debug)]
pub struct KeyFile {
    path: PathBuf,
    digests: ArcSwap<Vec<[u8; 32]>>,
    failed: EventCounter,
}

impl KeyFile {
    /// Reads the file.
    ///
    /// # Errors
    /// It cannot be read, or holds no key.
    pub fn load(path: &Path) -> Result<Self, KeyError> {
        let digests = ArcSwap::from_pointee(read(path)?);
        Ok(Self { path: path.to_owned(), digests, failed: EventCounter::default() })
    }

    /// Takes the keys as the file has them now. One that cannot be used leaves those that are known. Blocks.
    pub fn reload(&self) {
        match read(&self.path) {
            Ok(digests) if digests == **self.digests.load() => {}
            Ok(digests) => {
                tracing::info!(keys = digests.len(), "the key file changed");
                self.digests.store(Arc::new(digests));
            }
            Err(error) => {
                if self.failed.get() == 0 {
                    tracing::error!(error = &error as &dyn std::error::Error, "the keys known before stay");
                }
                self.failed.inc();
            }
        }
    }

    /// Times that the file could not be used.
    #[must_use]
    pub fn failed(&self) -> u64 {
        self.failed.get()
    }

    /// Whether a request has one of the keys. In the same time whichever it has, and however much of one.
    #[must_use]
    pub fn admits(&self, headers: &HeaderMap) -> bool {
        let Some(given) = bearer(headers) else { return false };
        let given: [u8; 32] = Sha256::digest(given).into();
        let digests = self.digests.load();
        digests.iter().fold(0, |found, known| found | known.ct_eq(&given).unwrap_u8()) == 1
    }

    /// Follows the file for ever.
    pub async fn follow(self: Arc<Self>) {
        loop {
            tokio::time::sleep(EVERY).await;
            let key = Arc::clone(&self);
            let _ = tokio::task::spawn_blocking(move || key.reload()).await;
        }
    }
}

/// What `Authorization: Bearer …` gives. A second one is refused before.
fn bearer(headers: &HeaderMap) -> Option<&[u8]> {
    let (scheme, rest) = headers.get(AUTHORIZATION)?.as_bytes().split_at_checked("Bearer ".len())?;
    scheme.eq_ignore_ascii_case(b"Bearer ").then(|| rest.trim_ascii())
}

fn read(path: &Path) -> Result<Vec<[u8; 32]>, KeyError> {
    let failed = |source| KeyError::Read { path: path.to_owned(), source };
    let none = |why| KeyError::NoKey { path: path.to_owned(), why };
    // Looked at first: reading a pipe might have no end.
    if !std::fs::metadata(path).map_err(failed)?.is_file() {
        return Err(none("it is no regular file"));
    }
    let mut text = Vec::new();
    let file = std::fs::File::open(path).map_err(failed)?;
    file.take(MAX_FILE + 1).read_to_end(&mut text).map_err(failed)?;
    if text.len() as u64 > MAX_FILE {
        return Err(none("it is longer than 4096 bytes"));
    }
    let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    let keys: Vec<&[u8]> = lines.collect();
    if keys.is_empty() {
        return Err(none("it is empty"));
    }
    if !keys.iter().all(|key| key.len() >= MIN_KEY && key.iter().all(u8::is_ascii_graphic)) {
        return Err(none("a line of it is too short, or has other characters"));
    }
    Ok(keys.into_iter().map(|key| Sha256::digest(key).into()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "an-old-key-of-ours";
    const NEW: &str = "a-newer-key-of-ours";

    #[expect(clippy::disallowed_methods, reason = "plays the operator who writes the file")]
    fn put(path: &Path, text: &str) {
        std::fs::write(path, text).unwrap();
    }

    fn is_admitted(key: &KeyFile, value: &str) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, value.parse().unwrap());
        key.admits(&headers)
    }

    #[test]
    fn the_whole_key_is_needed_as_a_bearers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        put(&path, &format!("{OLD}\n"));
        let key = KeyFile::load(&path).unwrap();
        assert!(is_admitted(&key, &format!("Bearer {OLD}")) && is_admitted(&key, &format!("bearer {OLD}")));
        for value in [OLD, "", "Bearer", "Bearer ", "Bearer an-old-key-of-our", &format!("Basic {OLD}")] {
            assert!(!is_admitted(&key, value), "{value}");
        }
        assert!(!is_admitted(&key, &format!("Bearer {OLD}s")));
        assert!(!key.admits(&HeaderMap::new()));
    }

    #[test]
    fn a_changed_file_is_taken_and_one_that_cannot_be_used_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        put(&path, OLD);
        let key = KeyFile::load(&path).unwrap();
        put(&path, &format!("{OLD}\n{NEW}\n"));
        key.reload();
        let admitted = || [OLD, NEW].map(|text| is_admitted(&key, &format!("Bearer {text}")));
        assert_eq!(admitted(), [true, true]);
        put(&path, NEW);
        key.reload();
        assert_eq!(admitted(), [false, true]);
        for bad in ["", "\n\n", "short", "a key with spaces in it", &"x".repeat(5000)] {
            put(&path, bad);
            key.reload();
            assert!(matches!(KeyFile::load(&path), Err(KeyError::NoKey { .. })), "{bad}");
        }
        std::fs::remove_file(&path).unwrap();
        key.reload();
        assert_eq!((admitted(), key.failed()), ([false, true], 6));
        assert!(matches!(KeyFile::load(&path), Err(KeyError::Read { .. })));
        assert!(matches!(KeyFile::load(folder.path()), Err(KeyError::NoKey { .. })));
    }
}
