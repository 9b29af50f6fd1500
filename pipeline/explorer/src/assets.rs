//! The style sheet, the script and the icon, under names with their digests: they never change under a name.

use std::fmt::Write as _;
use std::sync::LazyLock;

use sha2::{Digest as _, Sha256};

const STYLE: &str = include_str!("../assets/style.css");
const SCRIPT: &str = include_str!("../assets/script.js");
const ICON: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M2 13h12M4 11V7M8 11V3M12 11V5" stroke="#2b6cb0" stroke-width="2" fill="none"/></svg>"##;

/// Addresses of what a page loads.
#[derive(Debug)]
pub(crate) struct AssetPaths {
    pub(crate) style: String,
    pub(crate) script: String,
    pub(crate) icon: String,
}

pub(crate) static ASSETS: LazyLock<AssetPaths> = LazyLock::new(|| AssetPaths {
    style: named("style", "css", STYLE),
    script: named("script", "js", SCRIPT),
    icon: named("icon", "svg", ICON),
});

/// Type and text of an asset.
pub(crate) fn asset(path: &str) -> Option<(&'static str, &'static str)> {
    let assets: &AssetPaths = &ASSETS;
    [
        (&assets.style, "text/css; charset=utf-8", STYLE),
        (&assets.script, "text/javascript; charset=utf-8", SCRIPT),
        (&assets.icon, "image/svg+xml", ICON),
    ]
    .into_iter()
    .find(|(name, _, _)| *name == path)
    .map(|(_, kind, text)| (kind, text))
}

/// The first bytes of SHA-256, in hexadecimal.
pub(crate) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(8).fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

fn named(name: &str, ending: &str, text: &str) -> String {
    format!("/assets/{name}.{}.{ending}", digest(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_is_small_and_names_say_what_is_in_them() {
        assert!(SCRIPT.len() <= 6 * 1024, "{} bytes", SCRIPT.len());
        assert_eq!(asset(&ASSETS.style).unwrap().1, STYLE);
        assert!(asset("/assets/style.css").is_none());
        assert_ne!(named("a", "css", "x"), named("a", "css", "y"));
    }
}
