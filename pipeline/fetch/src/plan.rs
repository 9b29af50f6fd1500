//! The operator's file: which addresses of which source, how often, and under which name.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::Deserialize;
use url::Url;

/// The plan of all sources; `sources.example.toml` explains every option.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FetchPlan {
    #[serde(rename = "source", default)]
    pub sources: Vec<SourcePlan>,
}

/// One source: its files make one capture.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourcePlan {
    /// Name of a source of this build.
    pub name: String,
    /// Least time from one turn to the next, where only what is due is asked.
    pub every_minutes: u32,
    /// The user agent, with a way to reach its owner.
    pub user_agent: String,
    /// The operator's statement of the terms that allow this.
    pub terms: String,
    /// The operator's statement of what robots.txt says of these addresses.
    pub robots: String,
    /// From one request to a host to the next.
    #[serde(default = "defaults::min_interval_ms")]
    pub min_interval_ms: u64,
    #[serde(default = "defaults::connect_timeout_ms")]
    pub connect_timeout_ms: u64,
    /// For one request as a whole, its body included.
    #[serde(default = "defaults::total_timeout_ms")]
    pub total_timeout_ms: u64,
    /// Of one body, unpacked.
    #[serde(default = "defaults::max_bytes")]
    pub max_bytes: u64,
    /// After the first attempt.
    #[serde(default = "defaults::retries")]
    pub retries: u32,
    /// Before the first retry; it doubles from one to the next.
    #[serde(default = "defaults::backoff_ms")]
    pub backoff_ms: u64,
    /// No single wait is longer; a host that asks for a longer one is left alone.
    #[serde(default = "defaults::longest_wait_ms")]
    pub longest_wait_ms: u64,
    #[serde(default = "defaults::redirects")]
    pub redirects: u32,
    /// Hosts besides its own that an address may redirect to, on any port. On its own the port stays, unless the host is
    /// named here.
    #[serde(default)]
    pub redirect_hosts: Vec<String>,
    #[serde(default)]
    pub proxy: ProxyRule,
    #[serde(rename = "file")]
    pub files: Vec<FilePlan>,
}

/// One address and what becomes of it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FilePlan {
    pub url: Url,
    /// Name of the file in the capture.
    pub file: String,
    /// Types that the body may be of; any where empty.
    #[serde(default)]
    pub content_types: Vec<String>,
}

/// Whether requests go through a proxy.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProxyRule {
    #[default]
    None,
    /// As `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` say.
    Environment,
}

mod defaults {
    pub(super) fn min_interval_ms() -> u64 {
        2_000
    }
    pub(super) fn connect_timeout_ms() -> u64 {
        10_000
    }
    pub(super) fn total_timeout_ms() -> u64 {
        120_000
    }
    pub(super) fn max_bytes() -> u64 {
        32 * 1024 * 1024
    }
    pub(super) fn retries() -> u32 {
        4
    }
    pub(super) fn backoff_ms() -> u64 {
        2_000
    }
    pub(super) fn longest_wait_ms() -> u64 {
        300_000
    }
    pub(super) fn redirects() -> u32 {
        3
    }
}

/// Errors of a plan: nothing is fetched at all.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    #[error("cannot read the plan")]
    Toml(#[from] toml::de::Error),
    #[error("the plan of source `{origin}` is not valid: {why}")]
    Refused { origin: String, why: String },
}

impl FetchPlan {
    /// Reads a plan, and holds it to what every source must state.
    ///
    /// # Errors
    /// The text is no plan, or a source lacks something; nothing is asked then.
    pub fn parse(text: &str) -> Result<Self, PlanError> {
        let plan: Self = toml::from_str(text)?;
        let mut names = BTreeSet::new();
        for source in &plan.sources {
            let refused = |why| PlanError::Refused { origin: source.name.clone(), why };
            if !names.insert(&source.name) {
                return Err(refused("it is there twice".to_owned()));
            }
            source.check_plan().map_err(refused)?;
        }
        Ok(plan)
    }
}

impl SourcePlan {
    pub(crate) fn longest_wait(&self) -> Duration {
        Duration::from_millis(self.longest_wait_ms)
    }

    fn check_plan(&self) -> Result<(), String> {
        self.check_agent()?;
        for (name, statement) in [("terms", &self.terms), ("robots", &self.robots)] {
            if statement.trim().len() < 10 {
                return Err(format!("`{name}` must state in a sentence why these addresses may be asked"));
            }
        }
        for (name, number) in [
            ("every_minutes", u64::from(self.every_minutes)),
            ("connect_timeout_ms", self.connect_timeout_ms),
            ("total_timeout_ms", self.total_timeout_ms),
            ("max_bytes", self.max_bytes),
        ] {
            if number == 0 {
                return Err(format!("`{name}` is 0"));
            }
        }
        self.check_files()
    }

    /// The name that a library or browser goes by says nothing of who asks.
    fn check_agent(&self) -> Result<(), String> {
        let agent = self.user_agent.trim();
        let has_contact = agent.contains('@') || agent.contains("http://") || agent.contains("https://");
        let usual = ["ureq", "curl", "wget", "python", "mozilla", "go-http-client", "okhttp", "java/"];
        let folded = agent.to_ascii_lowercase();
        if !has_contact || agent.len() < 12 || agent.contains(char::is_control) || !agent.is_ascii() {
            return Err("`user_agent` must say who asks, with an address to reach him".to_owned());
        }
        match usual.iter().find(|usual| folded.starts_with(*usual)) {
            Some(usual) => Err(format!("`user_agent` begins as that of others does: `{usual}`")),
            None => Ok(()),
        }
    }

    fn check_files(&self) -> Result<(), String> {
        let mut names = BTreeSet::new();
        for file in &self.files {
            let name = &file.file;
            if name.is_empty() || name.starts_with('.') || name.contains(['/', '\\', ':']) {
                return Err(format!("`{name}` is no name of a file"));
            }
            if !names.insert(name.to_ascii_lowercase()) {
                return Err(format!("two addresses become `{name}`"));
            }
            check_address(&file.url).map_err(|why| format!("the address of `{name}` {why}"))?;
        }
        if names.is_empty() { Err("it has no file".to_owned()) } else { Ok(()) }
    }
}

fn check_address(url: &Url) -> Result<(), &'static str> {
    match url {
        _ if !matches!(url.scheme(), "http" | "https") => Err("is not of HTTP"),
        _ if url.host_str().is_none() => Err("has no host"),
        _ if !url.username().is_empty() || url.password().is_some() => Err("holds a name or password"),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
        [[source]]
        name = "wire"
        every_minutes = 60
        user_agent = "example-newsroom (+mailto:desk@example.org)"
        terms = "the outlet offers this feed to readers"
        robots = "robots.txt of example.org allows /feed"
        [[source.file]]
        url = "https://example.org/feed"
        file = "outlet.xml"
    "#;

    fn refused(from: &str, to: &str) -> String {
        assert!(GOOD.contains(from), "{from}");
        let error = FetchPlan::parse(&GOOD.replacen(from, to, 1)).unwrap_err();
        match std::error::Error::source(&error) {
            Some(source) => source.to_string(),
            None => error.to_string(),
        }
    }

    #[test]
    fn a_plan_states_little_and_the_rest_is_polite() {
        let plan = FetchPlan::parse(GOOD).unwrap();
        let source = &plan.sources[0];
        assert_eq!((source.min_interval_ms, source.retries, source.redirects), (2_000, 4, 3));
        assert_eq!(source.files[0].url.as_str(), "https://example.org/feed");
        assert_eq!(source.proxy, ProxyRule::None);
        assert_eq!(FetchPlan::parse("").unwrap().sources, []);
    }

    #[test]
    fn who_asks_must_be_said() {
        let agent = "example-newsroom (+mailto:desk@example.org)";
        for (other, why) in [
            ("", "who asks"),
            ("newsroom", "who asks"),
            ("a@b", "who asks"),
            ("ureq/3.5 (+mailto:desk@example.org)", "of others"),
            ("Mozilla/5.0 (compatible; https://example.org)", "of others"),
        ] {
            assert!(refused(agent, other).contains(why), "{other}");
        }
        assert!(refused("user_agent", "agent").contains("unknown field"));
    }

    #[test]
    fn terms_and_robots_must_be_stated() {
        assert!(refused("the outlet offers this feed to readers", " yes ").contains("`terms` must state"));
        assert!(refused("robots.txt of example.org allows /feed", "").contains("`robots` must state"));
        assert!(refused("terms = ", "# terms = ").contains("missing field `terms`"));
    }

    #[test]
    fn addresses_and_names_that_cannot_be_are_refused() {
        for (url, why) in [
            ("ftp://example.org/feed", "is not of HTTP"),
            ("https://me:secret@example.org/feed", "name or password"),
            ("feed", "relative URL"),
        ] {
            assert!(refused("https://example.org/feed", url).contains(why), "{url}");
        }
        for name in ["../x", "a/b", ".hidden", ""] {
            assert!(refused("outlet.xml", name).contains("no name of a file"), "{name}");
        }
        let twice =
            "file = \"outlet.xml\"\n[[source.file]]\nurl = \"http://a.example/\"\nfile = \"Outlet.xml\"";
        assert!(refused("file = \"outlet.xml\"", twice).contains("two addresses"));
        assert!(refused("every_minutes = 60", "every_minutes = 0").contains("is 0"));
        assert!(refused("every_minutes = 60", "every_minutes = 60\nhosts = 1").contains("unknown field"));
    }
}
