//! Fetching from a site on the loopback that answers as sites do: well, late, too much, half, or not at all.
//! No test waits for real but for the timeouts of one fifth of a second: waits are noted, and time jumps.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use fdna_fetch::{
    CacheValidators, Environment, FetchFailure, FetchPlan, FetchedBody, HostRates, SourcePlan, fetch_source,
};
use fdna_kit::{Asked, Reply, Site};

/// A world in which waiting takes no time.
struct Patient {
    now: Cell<DateTime<Utc>>,
    waits: RefCell<Vec<Duration>>,
}

impl Patient {
    fn new() -> Self {
        let now = "2026-03-01T12:00:00Z".parse().unwrap();
        Self { now: Cell::new(now), waits: RefCell::default() }
    }

    fn waits_ms(&self) -> Vec<u128> {
        self.waits.borrow().iter().map(Duration::as_millis).collect()
    }
}

impl Environment for Patient {
    fn now(&self) -> DateTime<Utc> {
        self.now.get()
    }

    fn wait_for(&self, time: Duration) {
        self.waits.borrow_mut().push(time);
        self.now.set(self.now.get() + TimeDelta::from_std(time).unwrap());
    }

    fn random_number(&self) -> u64 {
        0
    }
}

/// A plan for these addresses, without waits between requests; `more` is put into the source's part.
fn plan(addresses: &[String], more: &str) -> SourcePlan {
    let mut text = format!(
        "[[source]]\nname = \"wire\"\nevery_minutes = 60\nuser_agent = \"tests (+mailto:desk@example.org)\"\n\
         terms = \"it is our own site\"\nrobots = \"it has no robots.txt\"\n{more}\n"
    );
    for (option, value) in
        [("min_interval_ms", 0), ("retries", 2), ("backoff_ms", 1000), ("total_timeout_ms", 2000)]
    {
        if !more.contains(option) {
            text += &format!("{option} = {value}\n");
        }
    }
    for (n, address) in addresses.iter().enumerate() {
        text += &format!("[[source.file]]\nurl = \"{address}\"\nfile = \"file-{n}\"\n");
    }
    FetchPlan::parse(&text).unwrap().sources.remove(0)
}

fn ask(plan: &SourcePlan, world: &Patient) -> Result<Vec<FetchedBody>, FetchFailure> {
    fetch_source(plan, &|_| CacheValidators::default(), &mut HostRates::default(), world)
}

/// What a site that answers so gives for one address, with the number of requests and the waits.
struct Turn {
    site: Site,
    result: Result<Vec<FetchedBody>, FetchFailure>,
    waits: Vec<u128>,
}

fn turn(more: &str, answer: impl Fn(&Asked, usize) -> Reply + Send + Sync + 'static) -> Turn {
    let site = Site::new(answer);
    let world = Patient::new();
    let result = ask(&plan(&[site.url("/feed")], more), &world);
    Turn { site, result, waits: world.waits_ms() }
}

impl Turn {
    fn body(&self) -> &[u8] {
        self.result.as_ref().unwrap()[0].body.as_deref().unwrap()
    }

    fn reason(&self) -> &str {
        &self.result.as_ref().unwrap_err().reason
    }

    fn requests(&self) -> usize {
        self.site.asked().len()
    }
}

#[test]
fn a_file_comes_whole_with_what_the_address_says_of_it() {
    let headers = [("etag", "\"v1\""), ("last-modified", "Sun, 01 Mar 2026 11:00:00 GMT")];
    let turn = turn("", move |_, _| Reply::status(200, &headers, "<rss/>"));
    let validators = CacheValidators {
        etag: Some("\"v1\"".to_owned()),
        last_modified: Some("Sun, 01 Mar 2026 11:00:00 GMT".to_owned()),
    };
    let expected = FetchedBody {
        file: "file-0".to_owned(),
        body: Some("<rss/>".into()),
        validators,
        status: 200,
        attempts: 1,
    };
    assert_eq!(turn.result, Ok(vec![expected]));
    let asked = &turn.site.asked()[0];
    assert_eq!(asked.header("user-agent"), Some("tests (+mailto:desk@example.org)"));
    assert_eq!(asked.header("if-none-match"), None);
    assert!(turn.waits.is_empty());
}

#[test]
fn what_is_known_is_asked_for_only_if_it_is_another_by_now() {
    let site = Site::new(|asked, _| match asked.header("if-none-match") {
        Some("\"v1\"") => Reply::status(304, &[("etag", "\"v1\"")], ""),
        _ => Reply::status(200, &[("etag", "\"v2\"")], "new"),
    });
    let world = Patient::new();
    let plan = plan(&[site.url("/feed")], "");
    let known = |etag: &str| CacheValidators { etag: Some(etag.to_owned()), last_modified: None };
    let ask = |etag: &str| {
        fetch_source(&plan, &|_| known(etag), &mut HostRates::default(), &world).unwrap().remove(0)
    };
    let same = ask("\"v1\"");
    assert_eq!((same.status, same.body, same.validators), (304, None, known("\"v1\"")));
    let other = ask("\"v0\"");
    assert_eq!(
        (other.status, other.body.as_deref(), other.validators),
        (200, Some(&b"new"[..]), known("\"v2\""))
    );
}

#[test]
fn a_304_to_a_question_without_condition_is_no_answer() {
    let turn = turn("", |_, _| Reply::status(304, &[], ""));
    assert_eq!((turn.reason(), turn.requests()), ("status 304", 1));
}

#[test]
fn what_fails_for_now_is_asked_for_again_with_longer_waits() {
    for status in [500, 502, 503, 429, 408] {
        let turn =
            turn(
                "",
                move |_, before| {
                    if before < 2 { Reply::status(status, &[], "sorry") } else { Reply::ok("there") }
                },
            );
        assert_eq!((turn.body(), turn.requests()), (&b"there"[..], 3), "{status}");
        assert_eq!(turn.waits, [500, 1_000], "{status}");
        assert_eq!(turn.result.unwrap()[0].attempts, 3);
    }
}

#[test]
fn what_keeps_failing_is_given_up() {
    let turn = turn("", |_, _| Reply::status(503, &[], ""));
    assert_eq!(turn.requests(), 3);
    let failure = turn.result.unwrap_err();
    assert_eq!((failure.reason.as_str(), failure.attempts), ("status 503", 3));
    assert!(failure.to_string().ends_with("/feed: status 503 (3 attempts)"), "{failure}");
}

#[test]
fn what_is_not_there_is_not_asked_for_again() {
    for status in [404, 410, 401, 403, 204, 206] {
        let turn = turn("", move |_, _| Reply::status(status, &[], ""));
        assert_eq!((turn.reason().to_owned(), turn.requests()), (format!("status {status}"), 1));
    }
}

#[test]
fn a_host_that_says_when_to_come_back_is_left_alone_until_then() {
    for (after, wait) in [("7", 7_000), ("Sun, 01 Mar 2026 12:00:09 GMT", 9_000), ("0", 500), ("soon", 500)] {
        let turn = turn("", move |_, before| match before {
            0 => Reply::status(429, &[("retry-after", after)], ""),
            _ => Reply::ok("there"),
        });
        assert_eq!((turn.body(), &turn.waits[..]), (&b"there"[..], &[wait][..]), "{after}");
    }
    let turn = turn("longest_wait_ms = 60000", |_, _| Reply::status(503, &[("retry-after", "3600")], ""));
    assert_eq!((turn.requests(), turn.waits.len()), (1, 0));
    assert_eq!(turn.reason(), "status 503, and asks to be left alone for 3600 s");
    assert_eq!(turn.result.unwrap_err().not_before, "2026-03-01T13:00:00Z".parse().ok());
}

#[test]
fn a_body_that_did_not_come_whole_is_no_file() {
    let cut: [fn() -> Reply; 4] = [
        // Fewer bytes than told.
        || Reply::cut(200, &[], 100, b"<rss>half"),
        // A chunk that breaks off, and chunks without an end.
        || Reply::raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10\r\nshort"),
        || Reply::raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nwhole\r\n"),
        // No header at all.
        || Reply::raw(""),
    ];
    for (n, reply) in cut.into_iter().enumerate() {
        let whole = turn("", move |_, before| if before == 0 { reply() } else { Reply::ok("<rss/>") });
        assert_eq!((whole.body(), whole.requests()), (&b"<rss/>"[..], 2), "{n}");
        let never = turn("", move |_, _| reply());
        assert_eq!(never.requests(), 3, "{n}: {:?}", never.result);
    }
}

#[test]
fn packed_bodies_are_unpacked_and_wrongly_packed_ones_refused() {
    // `gzip -n` of "whole\n".
    const PACKED: [u8; 26] = [
        0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x2b, 0xcf, 0xc8, 0xcf, 0x49, 0xe5, 2, 0, 0xbb, 0x03, 0x70, 0xd4,
        6, 0, 0, 0,
    ];
    let gzip = [("content-encoding", "gzip")];
    let whole = turn("", move |_, _| Reply::status(200, &gzip, PACKED));
    assert_eq!(whole.body(), b"whole\n");
    assert!(whole.site.asked()[0].header("accept-encoding").is_some_and(|e| e.contains("gzip")));
    for wrong in [&b"<rss/>"[..], &PACKED[..15], &PACKED[..22]] {
        let turn = turn("", move |_, _| Reply::status(200, &gzip, wrong));
        assert_eq!(turn.requests(), 3);
        assert!(turn.reason().contains("did not come whole"), "{}", turn.reason());
    }
}

#[test]
fn a_body_without_a_length_ends_with_its_connection() {
    let turn = turn("", |_, _| Reply::raw("HTTP/1.0 200 OK\r\n\r\nold but whole"));
    assert_eq!(turn.body(), b"old but whole");
}

#[test]
fn a_body_that_is_too_large_is_not_taken_in() {
    let told = turn("max_bytes = 10", |_, _| Reply::ok("12345678901"));
    let untold = turn("max_bytes = 10", |_, _| Reply::raw("HTTP/1.0 200 OK\r\n\r\n12345678901"));
    for turn in [told, untold] {
        assert_eq!((turn.reason(), turn.requests()), ("the body is larger than 10 bytes", 1));
    }
    assert_eq!(turn("max_bytes = 10", |_, _| Reply::ok("1234567890")).body(), b"1234567890");
}

#[test]
fn a_slow_site_is_not_waited_for_longer_than_the_plan_says() {
    let late = Duration::from_secs(2);
    let slow_head = turn("total_timeout_ms = 200\nretries = 0", move |_, _| Reply::default().then(late, "x"));
    let slow_body = turn("total_timeout_ms = 200\nretries = 1", move |_, before| match before {
        0 => Reply::cut(200, &[], 6, b"<r").then(late, "ss/>"),
        _ => Reply::ok("<rss/>"),
    });
    assert!(slow_head.reason().contains("timeout"), "{}", slow_head.reason());
    assert_eq!((slow_body.body(), slow_body.requests()), (&b"<rss/>"[..], 2));
}

#[test]
fn nobody_at_the_address_is_a_failure_like_others() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/feed", listener.local_addr().unwrap());
    drop(listener);
    let failure = ask(&plan(&[address], ""), &Patient::new()).unwrap_err();
    assert_eq!(failure.attempts, 3, "{failure}");
}

#[test]
fn redirects_are_followed_on_the_same_host_as_often_as_the_plan_says() {
    let answer = |asked: &Asked, _: usize| match asked.path.as_str() {
        "/feed" => Reply::status(301, &[("location", "/feed/")], ""),
        "/feed/" => Reply::status(302, &[("location", "new?x=1")], ""),
        "/feed/new?x=1" => Reply::ok("there"),
        _ => Reply::status(404, &[], ""),
    };
    assert_eq!(turn("", answer).body(), b"there");
    let few = turn("redirects = 1", answer);
    assert_eq!((few.reason(), few.requests()), ("more than 1 redirects", 2));
    let circle = turn("", |_, _| Reply::status(302, &[("location", "/feed")], ""));
    assert_eq!((circle.reason(), circle.requests()), ("more than 3 redirects", 4));
    let nowhere = turn("", |_, _| Reply::status(302, &[], ""));
    assert_eq!(nowhere.reason(), "a redirect without an address");
    let file = turn("", |_, _| Reply::status(302, &[("location", "file:///etc/hosts")], ""));
    assert!(file.reason().contains("redirected to"), "{}", file.reason());
}

#[test]
fn another_host_is_asked_only_if_the_plan_allows_it() {
    let other = Site::new(|_, _| Reply::ok("there"));
    let to = other.url_of_localhost("/feed");
    let answer = move |_: &Asked, _: usize| Reply::status(302, &[("location", &to)], "");
    let refused = turn("", answer.clone());
    assert_eq!(refused.reason(), "redirected to another host, `localhost`");
    assert!(other.asked().is_empty());
    assert_eq!(turn("redirect_hosts = [\"localhost\"]", answer).body(), b"there");
}

#[test]
fn another_port_of_the_host_is_asked_only_if_the_plan_names_the_host() {
    let other = Site::new(|_, _| Reply::ok("there"));
    let to = other.url("/internal");
    let host = to.strip_prefix("http://").and_then(|rest| rest.split(':').next()).unwrap().to_owned();
    let answer = move |_: &Asked, _: usize| Reply::status(302, &[("location", &to)], "");
    let refused = turn("", answer.clone());
    assert!(refused.reason().starts_with("redirected to another port of the host"), "{}", refused.reason());
    assert!(other.asked().is_empty());
    assert_eq!(turn(&format!("redirect_hosts = [\"{host}\"]"), answer).body(), b"there");
}

#[test]
fn bodies_of_another_type_than_expected_are_refused() {
    let site =
        Site::new(|_, _| Reply::status(200, &[("content-type", "text/html; charset=utf-8")], "<html>"));
    let mut plan = plan(&[site.url("/feed")], "");
    plan.files[0].content_types = vec!["application/rss+xml".to_owned()];
    let failure = ask(&plan, &Patient::new()).unwrap_err();
    assert_eq!(failure.reason, "the type is `text/html`, which the plan does not expect");
    plan.files[0].content_types.push("Text/HTML".to_owned());
    assert!(ask(&plan, &Patient::new()).is_ok());
}

#[test]
fn requests_to_one_host_are_apart_and_those_to_several_are_not() {
    let (one, world) = (Site::new(|_, _| Reply::ok("x")), Patient::new());
    let more = "min_interval_ms = 2000";
    let mut hosts = HostRates::default();
    let ask = |addresses: &[String], hosts: &mut HostRates| {
        fetch_source(&plan(addresses, more), &|_| CacheValidators::default(), hosts, &world).unwrap();
    };
    ask(&[one.url("/a"), one.url("/b"), one.url_of_localhost("/c")], &mut hosts);
    assert_eq!(world.waits_ms(), [2_000]);
    // The next source begins where this one stopped.
    ask(&[one.url("/d")], &mut hosts);
    assert_eq!(world.waits_ms(), [2_000, 2_000]);
}

#[test]
fn one_file_that_fails_fails_the_source_and_the_rest_is_not_asked_for() {
    let site = Site::new(|asked, _| match asked.path.as_str() {
        "/b?key=secret" => Reply::status(404, &[], ""),
        _ => Reply::ok("x"),
    });
    let plan = plan(&["/a", "/b?key=secret", "/c"].map(|path| site.url(path)), "");
    let failure = ask(&plan, &Patient::new()).unwrap_err();
    assert_eq!((failure.file.as_str(), failure.origin.as_str()), ("file-1", "wire"));
    assert!(!failure.to_string().contains("secret"), "{failure}");
    assert_eq!(site.asked().len(), 2);
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

    /// Whatever a site says, it is told from a file that came whole, and nothing panics.
    #[test]
    fn no_bytes_on_the_wire_are_more_than_a_failure(
        bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..200),
        keep in 0..90_usize,
    ) {
        let good = b"HTTP/1.1 200 OK\r\ncontent-length: 6\r\netag: \"a\"\r\nconnection: close\r\n\r\n<rss/>";
        let sent = [&good[..keep.min(good.len())], &bytes[..]].concat();
        let told = sent.clone();
        let turn = turn("retries = 0\ntotal_timeout_ms = 1000", move |_, _| Reply::raw(told.clone()));
        if let Ok(fetched) = &turn.result {
            let body = fetched[0].body.as_deref().unwrap_or_default();
            proptest::prop_assert!(sent.windows(body.len().max(1)).any(|w| w == body) || body.is_empty());
        }
    }
}
