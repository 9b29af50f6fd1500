//! A turn of one source: its files one after the other, each as often as it takes, none too fast.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use url::Url;

use crate::backoff::{backoff_delay, retry_after};
use crate::client::{FetchRefusal, FetchResponse, HttpClient};
use crate::{CacheValidators, Environment, FetchFailure, FetchedBody, FilePlan, SourcePlan};

/// When each host may be asked again; one for all sources, since several may have one host.
#[derive(Debug, Default)]
pub struct HostRates(BTreeMap<String, DateTime<Utc>>);

impl HostRates {
    /// Waits for the host's turn, and takes it.
    fn take_turn(&mut self, url: &Url, interval: Duration, world: &dyn Environment) {
        let host = url.host_str().unwrap_or_default().to_owned();
        if let Some(wait) = self.0.get(&host).and_then(|free| (*free - world.now()).to_std().ok()) {
            world.wait_for(wait);
        }
        let interval = TimeDelta::from_std(interval).unwrap_or(TimeDelta::MAX);
        self.0.insert(host, world.now().checked_add_signed(interval).unwrap_or(DateTime::<Utc>::MAX_UTC));
    }
}

/// Asks for every file of a source; `known` has what an address said of the file that is still there.
///
/// # Errors
/// The first file that did not come whole: without it there is no capture, so the others are not asked for.
pub fn fetch_source(
    plan: &SourcePlan,
    known: &dyn Fn(&FilePlan) -> CacheValidators,
    hosts: &mut HostRates,
    world: &dyn Environment,
) -> Result<Vec<FetchedBody>, FetchFailure> {
    let mut turn = FetchSession { plan, client: HttpClient::new(plan), hosts, world };
    plan.files.iter().map(|file| turn.fetch_file(file, &known(file))).collect()
}

struct FetchSession<'a> {
    plan: &'a SourcePlan,
    client: HttpClient<'a>,
    hosts: &'a mut HostRates,
    world: &'a dyn Environment,
}

impl FetchSession<'_> {
    fn fetch_file(&mut self, file: &FilePlan, known: &CacheValidators) -> Result<FetchedBody, FetchFailure> {
        let mut attempts = 0;
        loop {
            attempts += 1;
            let refusal = match self.attempt_fetch(file, known) {
                Ok(FetchResponse { status, body, validators }) => {
                    return Ok(FetchedBody { file: file.file.clone(), body, validators, status, attempts });
                }
                Err(refusal) => refusal,
            };
            tracing::info!(
                source = self.plan.name,
                file = file.file,
                attempts,
                reason = refusal.reason,
                "asked in vain"
            );
            let wait = self.wait_after(&refusal, attempts).map_err(|given_up| FetchFailure {
                origin: self.plan.name.clone(),
                file: file.file.clone(),
                address: without_query(&file.url),
                reason: given_up.reason,
                attempts,
                not_before: given_up.not_before,
            })?;
            self.world.wait_for(wait);
        }
    }

    fn attempt_fetch(
        &mut self,
        file: &FilePlan,
        known: &CacheValidators,
    ) -> Result<FetchResponse, FetchRefusal> {
        let interval = Duration::from_millis(self.plan.min_interval_ms);
        let (hosts, world) = (&mut *self.hosts, self.world);
        self.client.send_request(file, known, |url| hosts.take_turn(url, interval, world))
    }

    /// How long to wait before the next attempt; an error says why there is none.
    fn wait_after(&self, refusal: &FetchRefusal, attempts: u32) -> Result<Duration, GaveUp> {
        let (longest, now) = (self.plan.longest_wait(), self.world.now());
        let retry_wait = refusal.after.as_deref().and_then(|text| retry_after(text, now));
        if !refusal.again || attempts > self.plan.retries {
            let not_before = retry_wait.and_then(|asked| add_wait(now, asked));
            return Err(GaveUp { reason: refusal.reason.clone(), not_before });
        }
        let first = Duration::from_millis(self.plan.backoff_ms);
        let own = backoff_delay(first, attempts - 1, longest, self.world.random_number());
        match retry_wait {
            Some(asked) if asked > longest => {
                let reason =
                    format!("{}, and asks to be left alone for {} s", refusal.reason, asked.as_secs());
                Err(GaveUp { reason, not_before: add_wait(now, asked) })
            }
            Some(asked) => Ok(asked.max(own)),
            None => Ok(own),
        }
    }
}

/// Why there is no further attempt, and until when there is to be none.
struct GaveUp {
    reason: String,
    not_before: Option<DateTime<Utc>>,
}

/// No host is left alone for more than a week on its word: a date of years ahead is a mistake.
fn add_wait(now: DateTime<Utc>, wait: Duration) -> Option<DateTime<Utc>> {
    const WEEK: Duration = Duration::from_secs(7 * 24 * 3600);
    now.checked_add_signed(TimeDelta::from_std(wait.min(WEEK)).ok()?)
}

fn without_query(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    url.to_string()
}
