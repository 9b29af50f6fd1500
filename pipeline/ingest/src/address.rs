//! Addresses: which may be kept, which two are one, and which are videos.

use url::Url;

/// Parameters that say where a reader came from, not what is read.
const TRACKING: [&str; 16] = [
    "fbclid", "gclid", "dclid", "msclkid", "yclid", "twclid", "igshid", "mc_cid", "mc_eid", "_ga", "_gl",
    "ocid", "cmpid", "ncid", "ftag", "smid",
];

/// An address of a page or file on the web.
pub(crate) fn web(text: &str) -> Option<Url> {
    let url = Url::parse(text.trim()).ok()?;
    (matches!(url.scheme(), "http" | "https") && url.host_str().is_some_and(|host| !host.is_empty()))
        .then_some(url)
}

/// The address without tracking parameters, fragment and trailing slash.
pub(crate) fn canonical(url: &Url) -> String {
    let mut url = url.clone();
    url.set_fragment(None);
    let is_tracking = |name: &str| name.starts_with("utm_") || TRACKING.contains(&name);
    let kept: Vec<(String, String)> = url
        .query_pairs()
        .filter(|(name, _)| !is_tracking(&name.to_ascii_lowercase()))
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect();
    url.set_query(None);
    if !kept.is_empty() {
        url.query_pairs_mut().extend_pairs(kept);
    }
    let path = url.path().trim_end_matches('/').to_owned();
    url.set_path(&path);
    // An address without a path keeps its slash.
    let text = String::from(url);
    text.strip_suffix('/').map_or(text.clone(), str::to_owned)
}

/// The video that an address of the platform shows, in any of its forms.
pub(crate) fn video_id(url: &Url) -> Option<String> {
    let host = url.host_str()?;
    let host = host.strip_prefix("www.").or_else(|| host.strip_prefix("m.")).unwrap_or(host);
    let mut path = url.path_segments()?;
    let id = match (host, path.next()?) {
        ("youtu.be", id) => id.to_owned(),
        ("youtube.com" | "music.youtube.com", "watch") => {
            url.query_pairs().find(|(name, _)| name == "v")?.1.into_owned()
        }
        ("youtube.com", "shorts" | "live" | "embed") => path.next()?.to_owned(),
        _ => return None,
    };
    is_video_id(&id).then_some(id)
}

/// Eleven letters, digits, hyphens and underscores.
pub(crate) fn is_video_id(text: &str) -> bool {
    text.len() == 11 && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}

/// Whether the address is one of the video platform at all.
pub(crate) fn is_of_video_platform(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    host == "youtu.be" || host == "youtube.com" || host.ends_with(".youtube.com")
}

/// The platform's own address of a video.
pub(crate) fn watch(video_id: &str) -> String {
    format!("https://www.youtube.com/watch?v={video_id}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn one(text: &str) -> String {
        canonical(&web(text).unwrap())
    }

    #[test]
    fn tracking_fragment_and_trailing_slash_make_no_other_address() {
        let story = "https://outlet.example/a/story";
        for same in [
            "https://outlet.example/a/story/",
            "https://OUTLET.example/a/story?utm_source=rss&utm_medium=rss",
            "https://outlet.example/a/story/?fbclid=x#comments",
        ] {
            assert_eq!(one(same), story, "{same}");
        }
        assert_eq!(one("https://outlet.example/?p=12&utm_campaign=x"), "https://outlet.example/?p=12");
        assert_eq!(one("https://outlet.example/"), "https://outlet.example");
        assert_ne!(one("https://outlet.example/a/other"), story);
    }

    #[test]
    fn a_video_has_one_id_in_every_form_of_its_address() {
        for text in [
            "https://www.youtube.com/watch?v=aB3-_567890",
            "https://m.youtube.com/watch?t=3&v=aB3-_567890",
            "https://youtu.be/aB3-_567890?si=x",
            "https://www.youtube.com/shorts/aB3-_567890",
            "https://youtube.com/live/aB3-_567890/",
        ] {
            assert_eq!(video_id(&web(text).unwrap()).as_deref(), Some("aB3-_567890"), "{text}");
        }
        for none in [
            "https://www.youtube.com/@channel",
            "https://youtu.be/short",
            "https://x.example/watch?v=aB3-_567890",
        ] {
            assert_eq!(video_id(&web(none).unwrap()), None, "{none}");
        }
    }

    #[test]
    fn only_addresses_on_the_web_are_addresses() {
        for bad in [
            "",
            "outlet.example/a",
            "ftp://x.example/a",
            "javascript:alert(1)",
            "data:image/png;base64,AA",
            "file:///etc/x",
        ] {
            assert!(web(bad).is_none(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn canonical_once_is_canonical_for_ever(path in "[a-z/]{0,12}", query in "[a-z_=&%0-9]{0,20}") {
            let text = format!("https://x.example/{path}?{query}");
            if let Some(url) = web(&text) {
                let once = canonical(&url);
                prop_assert_eq!(canonical(&web(&once).unwrap()), once);
            }
        }

        #[test]
        fn no_text_makes_an_address_panic(text in "\\PC{0,60}") {
            if let Some(url) = web(&text) {
                let _ = (canonical(&url), video_id(&url));
            }
        }
    }
}
