//! Lists by person, name and time, duplicates and batches, on both databases.

use fdna_gateway::key::KeyProduct;
use fdna_gateway::scope::KeyScope;
use serde_json::{Value, json};

use crate::common::{Client, Served, issue_with, serve, serve_store};
use crate::postgres_server::Server;

/// A check on a server of each database there is.
fn on_both(check: impl Fn(&Served, &std::path::Path)) {
    let folder = tempfile::tempdir().unwrap();
    check(&serve(folder.path(), |_| {}), folder.path());
    let Some(postgres) = Server::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    check(&serve_store(folder.path(), postgres.address(), |_| {}), folder.path());
}

fn client(server: &Served, folder: &std::path::Path, account: &str, scopes: &[KeyScope]) -> Client {
    let key = issue_with(folder, KeyProduct::Leads, account, scopes.iter().copied().collect());
    let client = Client::new(server.url.clone(), key);
    // The server reads keys every second.
    while client.call("GET", "/v1/leads", &[], None).status == 401 {
        std::thread::park_timeout(std::time::Duration::from_millis(50));
    }
    client
}

fn make(client: &Client, name: &str, email: Option<&str>, phone: Option<&str>) -> Value {
    let body = json!({"name": name, "email": email, "phone": phone}).to_string();
    let made = client.call("POST", "/v1/leads", &[], Some(&body));
    assert_eq!(made.status, 201, "{}", made.text);
    made.json()
}

fn names(client: &Client, query: &str) -> Vec<String> {
    let answer = client.call("GET", &format!("/v1/leads?{query}"), &[], None);
    assert_eq!(answer.status, 200, "{}", answer.text);
    let list = answer.json();
    let names: Vec<String> = list["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|lead| lead["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(list["meta"]["total"], names.len(), "{query}");
    names
}

#[test]
fn leads_are_found_by_person_name_and_time_within_their_account() {
    on_both(|server, folder| {
        let own = server.client();
        let other = client(server, folder, "other", &KeyScope::ALL);
        make(&own, "Ann Dee", Some("Ann.Dee@Example.com"), None);
        let bob = make(&own, "Éva Bob", Some("bob@example.com"), Some("(415) 555-2671"));
        make(&own, "ANNE O'Hara", None, Some("+442079460958"));
        make(&other, "Ann Other", Some("ann.dee@example.com"), Some("+14155552671"));
        assert_eq!(names(&own, "email=ANN.DEE@example.COM"), ["Ann Dee"]);
        for phone in ["415-555-2671", "%2B14155552671", "+1%20415%20555%202671", "0111%20415%20555%202671"] {
            let found = own.call("GET", &format!("/v1/leads?phone={phone}"), &[], None);
            if phone.starts_with("0111") {
                assert!([200, 400].contains(&found.status));
                continue;
            }
            assert_eq!(names(&own, &format!("phone={phone}")), ["Éva Bob"], "{phone}");
        }
        assert_eq!(names(&own, "phone=+442079460958"), ["ANNE O'Hara"]);
        assert_eq!(names(&own, "name_prefix=ann&order=created_at"), ["Ann Dee", "ANNE O'Hara"]);
        assert_eq!(names(&own, "name_prefix=%C3%89VA"), ["Éva Bob"]);
        assert_eq!(names(&own, "name_prefix=nn"), [""; 0]);
        assert_eq!(names(&own, "name_prefix=%25"), [""; 0]);
        assert_eq!(names(&own, "email=nobody@example.com"), [""; 0]);
        assert_eq!(names(&other, "email=ann.dee@example.com"), ["Ann Other"]);

        // A lead that is changed goes to the end of the order, and its time after all others'.
        let id = bob["data"]["id"].as_str().unwrap();
        assert_eq!(bob["data"]["updated_at"], bob["data"]["created_at"]);
        let path = format!("/v1/leads/{id}");
        let changed = own.call("PATCH", &path, &[], Some(r#"{"status":"won"}"#)).json()["data"].clone();
        assert!(changed["updated_at"].as_str() > changed["created_at"].as_str(), "{changed}");
        let same = own.call("PATCH", &path, &[], Some(r#"{"status":"won"}"#)).json()["data"].clone();
        assert_eq!(same, changed);
        assert_eq!(names(&own, "order=updated_at"), ["Ann Dee", "ANNE O'Hara", "Éva Bob"]);
        assert_eq!(names(&own, "order=-updated_at"), ["Éva Bob", "ANNE O'Hara", "Ann Dee"]);
        assert_eq!(names(&own, "order=created_at"), ["Ann Dee", "Éva Bob", "ANNE O'Hara"]);
        let since = changed["updated_at"].as_str().unwrap();
        assert_eq!(names(&own, &format!("updated_since={since}")), ["Éva Bob"]);
        assert_eq!(names(&own, &format!("updated_before={since}")), ["ANNE O'Hara", "Ann Dee"]);
        let made = changed["created_at"].as_str().unwrap();
        assert_eq!(names(&own, &format!("created_since={made}")), ["ANNE O'Hara", "Éva Bob"]);
        assert_eq!(names(&own, &format!("created_before={made}")), ["Ann Dee"]);
        assert_eq!(names(&own, &format!("created_since={made}&name_prefix=a&status=new")), ["ANNE O'Hara"]);
        // In another offset, and to a nanosecond behind it.
        assert_eq!(names(&own, "updated_since=2000-01-01T00:00:00+02:00").len(), 3);
        let behind = since.replace('Z', "001Z");
        assert_eq!(names(&own, &format!("updated_since={behind}")), [""; 0]);
    });
}

/// A reader that goes by time sees every lead of writers that are at work.
#[test]
fn who_pages_by_time_misses_no_lead_that_is_written_meanwhile() {
    on_both(|server, _| {
        let done = std::sync::atomic::AtomicBool::new(false);
        let mut seen = std::collections::BTreeMap::new();
        std::thread::scope(|scope| {
            let writers: Vec<_> = (0..4)
                .map(|writer| {
                    let client = server.client();
                    scope.spawn(move || {
                        let mut last = String::new();
                        for n in 0..40 {
                            if n % 4 == 3 {
                                let patch = format!(r#"{{"name":"{writer} {n}"}}"#);
                                client.call("PATCH", &format!("/v1/leads/{last}"), &[], Some(&patch));
                                continue;
                            }
                            let made = make(&client, &format!("{writer} {n}"), Some("a@b.example"), None);
                            last = made["data"]["id"].as_str().unwrap().to_owned();
                        }
                    })
                })
                .collect();
            let reader = scope.spawn(|| {
                let (client, mut since, mut seen) =
                    (server.client(), "2000-01-01T00:00:00Z".to_owned(), std::collections::BTreeMap::new());
                loop {
                    let is_last = done.load(std::sync::atomic::Ordering::Acquire);
                    let path = format!("/v1/leads?order=updated_at&limit=7&updated_since={since}");
                    let page = client.call("GET", &path, &[], None).json();
                    let leads = page["data"].as_array().unwrap().clone();
                    for lead in &leads {
                        seen.insert(lead["id"].to_string(), lead.clone());
                        since = lead["updated_at"].as_str().unwrap().to_owned();
                    }
                    if is_last && leads.len() < 7 {
                        return seen;
                    }
                }
            });
            writers.into_iter().for_each(|writer| writer.join().unwrap());
            done.store(true, std::sync::atomic::Ordering::Release);
            seen = reader.join().unwrap();
        });
        let mut offset = 0;
        while offset < 120 {
            let path = format!("/v1/leads?limit=100&offset={offset}");
            for lead in server.call("GET", &path, &[], None).json()["data"].as_array().unwrap() {
                assert_eq!(seen.get(&lead["id"].to_string()), Some(lead));
                offset += 1;
            }
        }
        assert_eq!((seen.len(), offset), (120, 120));
    });
}

#[test]
fn duplicates_are_told_to_who_may_read() {
    on_both(|server, folder| {
        let own = server.client();
        let form = client(server, folder, "crm", &[KeyScope::Create]);
        let other = client(server, folder, "other", &KeyScope::ALL);
        let id = |made: &Value| made["data"]["id"].clone();
        let first = make(&own, "A", Some("a@example.com"), None);
        assert_eq!(first["duplicates"], json!([]));
        let second = make(&own, "B", None, Some("+14155552671"));
        let both = make(&own, "C", Some("A@Example.com"), Some("(415) 555-2671"));
        assert_eq!(both["duplicates"], json!([id(&first), id(&second)]));
        assert_eq!(make(&other, "D", Some("a@example.com"), None)["duplicates"], json!([]));
        let silent = make(&form, "E", Some("a@example.com"), Some("+14155552671"));
        assert_eq!(silent.as_object().unwrap().keys().collect::<Vec<_>>(), ["data"]);
        // Told anew where a request is replayed.
        let body = r#"{"name":"F","email":"f@example.com"}"#;
        let key = [("idempotency-key", "f")];
        let made = own.call("POST", "/v1/leads", &key, Some(body)).json();
        let later = make(&own, "G", Some("f@example.com"), None);
        assert_eq!(later["duplicates"], json!([id(&made)]));
        let again = own.call("POST", "/v1/leads", &key, Some(body));
        assert_eq!(again.header("idempotency-replayed"), "true");
        assert_eq!(
            (&again.json()["data"], &again.json()["duplicates"]),
            (&made["data"], &json!([id(&later)]))
        );
        for _ in 0..22 {
            make(&own, "H", Some("h@example.com"), None);
        }
        assert_eq!(make(&own, "H", Some("h@example.com"), None)["duplicates"].as_array().unwrap().len(), 20);
    });
}

#[test]
fn a_batch_makes_all_that_can_be_made_once() {
    on_both(|server, folder| {
        let own = server.client();
        let form = client(server, folder, "crm", &[KeyScope::Create]);
        let body = json!({"leads": [
            {"name": "A", "email": "a@example.com"},
            {"name": "", "email": "b@example.com"},
            {"name": "C", "email": "A@example.com", "metadata": {"utm_source": "x"}},
            7,
            {"name": "E", "email": "e@example.com", "admin": true},
            {"name": "F", "phone": "415 555 2671"},
        ]})
        .to_string();
        let key = [("idempotency-key", "batch-1")];
        let made = own.call("POST", "/v1/leads:batch", &key, Some(&body));
        assert_eq!((made.status, made.header("idempotency-replayed")), (200, ""), "{}", made.text);
        let told = made.json();
        assert_eq!(told["meta"], json!({"created": 3, "refused": 3}));
        let results = told["data"].as_array().unwrap();
        let statuses: Vec<u64> = results.iter().map(|result| result["status"].as_u64().unwrap()).collect();
        assert_eq!(statuses, [201, 400, 201, 400, 400, 201]);
        assert!((0..6).all(|index| results[index]["index"] == index));
        assert_eq!(results[1]["error"]["details"]["field"], "name");
        assert_eq!(results[2]["duplicates"], json!([results[0]["lead"]["id"]]));
        assert_eq!(results[5]["lead"]["phone"], "+14155552671");
        assert_eq!(names(&own, "order=created_at"), ["A", "C", "F"]);
        let again = own.call("POST", "/v1/leads:batch", &key, Some(&body));
        assert_eq!((again.status, again.header("idempotency-replayed")), (200, "true"));
        for (result, first) in again.json()["data"].as_array().unwrap().iter().zip(results) {
            assert_eq!((&result["lead"], &result["error"]), (&first["lead"], &first["error"]));
        }
        assert_eq!(own.call("POST", "/v1/leads:batch", &key, Some(r#"{"leads":[{}]}"#)).status, 409);
        assert_eq!(names(&own, "").len(), 3);
        // Of all that it made, one is erased.
        let path = format!("/v1/leads/{}", results[5]["lead"]["id"].as_str().unwrap());
        assert_eq!(own.call("DELETE", &path, &[], None).status, 204);
        assert_eq!(own.call("POST", "/v1/leads:batch", &key, Some(&body)).code(), "idempotency_conflict");
        assert_eq!(names(&own, "").len(), 2);

        let silent = form.call("POST", "/v1/leads:batch", &[], Some(&body)).json();
        assert!(silent["data"].as_array().unwrap().iter().all(|result| result.get("duplicates").is_none()));
        let lead = |n: usize| json!({"name": "Many", "email": format!("many{n}@example.com"), "source": "x".repeat(100)});
        let many = |count: usize| json!({"leads": (0..count).map(lead).collect::<Vec<_>>()}).to_string();
        let hundred = own.call("POST", "/v1/leads:batch", &[], Some(&many(100))).json();
        assert_eq!(hundred["meta"]["created"], 100);
        let ids: std::collections::BTreeSet<String> = hundred["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|result| result["lead"]["id"].to_string())
            .collect();
        assert_eq!(ids.len(), 100);
        for (refused, status) in [
            (many(101), 400),
            (many(0), 400),
            (r#"{"leads":{}}"#.to_owned(), 400),
            ("{}".to_owned(), 400),
            ("[]".to_owned(), 400),
            (format!(r#"{{"leads":[{{"name":"{}"}}]}}"#, "x".repeat(1 << 20)), 413),
        ] {
            assert_eq!(own.call("POST", "/v1/leads:batch", &[], Some(&refused)).status, status);
        }
    });
}

#[test]
fn a_batch_counts_as_so_many_requests_of_its_key() {
    let folder = tempfile::tempdir().unwrap();
    let frozen = "2026-11-24T10:00:15Z".parse().unwrap();
    let server = serve(folder.path(), move |options| {
        options.clock = fdna_http::Clock::new(move || frozen);
        options.requests_per_key = 4;
    });
    let body = r#"{"leads":[{"name":"A","email":"a@example.com"},{"name":"B"},{"name":"C"}]}"#;
    assert_eq!(server.call("POST", "/v1/leads:batch", &[], Some(body)).status, 200);
    assert_eq!(server.call("GET", "/v1/leads", &[], None).status, 200);
    assert_eq!(server.call("GET", "/v1/leads", &[], None).code(), "rate_limited");
}
