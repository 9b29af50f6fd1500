//! The operations over sockets: what is answered, what is refused, what is never told.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use fdna_gateway::key::KeyProduct;
use fdna_gateway::scope::KeyScope;
use fdna_http::{AccessLog, LogTarget};
use serde_json::{Value, json};

use crate::common::{Answer, issue, issue_with, serve};

const PERSON: &str = r#"{"name":"Zoe Hidden","email":"zoe.hidden@example.com","phone":"(415) 555-2671",
    "source":"web","metadata":{"utm_source":"hidden-campaign"}}"#;

fn id(answer: &Answer) -> String {
    answer.json()["data"]["id"].as_str().unwrap().to_owned()
}

#[test]
fn a_lead_is_made_read_changed_listed_and_erased() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(folder.path(), |_| {});
    let made = server.call("POST", "/v1/leads", &[], Some(PERSON));
    assert_eq!((made.status, made.header("etag")), (201, "\"1\""));
    let lead = made.json()["data"].clone();
    let fields: Vec<&String> = lead.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["created_at", "email", "id", "name", "phone", "source", "status", "updated_at"]);
    assert_eq!((&lead["status"], &lead["phone"]), (&json!("new"), &json!("+14155552671")));
    let path = format!("/v1/leads/{}", id(&made));
    let read = server.call("GET", &path, &[], None);
    assert_eq!((read.status, read.header("etag"), &read.json()["data"]), (200, "\"1\"", &lead));
    assert!(server.call("HEAD", &path, &[], None).text.is_empty());

    let patch = r#"{"status":"won","phone":null,"metadata":{"landing_page":"/x"}}"#;
    let changed = server.call("PATCH", &path, &[("if-match", "\"1\"")], Some(patch));
    assert_eq!((changed.status, changed.header("etag")), (200, "\"2\""));
    assert_eq!(changed.json()["data"]["phone"], Value::Null);
    let late = server.call("PATCH", &path, &[("if-match", "\"1\"")], Some(r#"{"status":"lost"}"#));
    assert_eq!((late.status, late.code().as_str()), (412, "precondition_failed"));
    assert_eq!(server.call("DELETE", &path, &[("if-match", "\"1\"")], None).status, 412);
    let nobody = server.call("PATCH", &path, &[], Some(r#"{"email":null}"#));
    assert_eq!((nobody.status, nobody.code().as_str()), (400, "invalid_field"));

    let other = server.call("POST", "/v1/leads", &[], Some(r#"{"name":"B","phone":"+442079460018"}"#));
    let list = server.call("GET", "/v1/leads?limit=1", &[], None).json();
    assert_eq!(list["meta"], json!({"total": 2, "limit": 1, "offset": 0}));
    assert_eq!(list["data"][0]["id"], id(&other));
    let won = server.call("GET", "/v1/leads?status=won&source=web&offset=0", &[], None).json();
    assert_eq!((won["meta"]["total"].as_i64(), won["data"][0]["status"].as_str()), (Some(1), Some("won")));

    for _ in 0..2 {
        let erased = server.call("DELETE", &path, &[], None);
        assert_eq!((erased.status, erased.text.as_str()), (204, ""));
    }
    for (method, body) in [("GET", None), ("PATCH", Some("{}"))] {
        let gone = server.call(method, &path, &[], body);
        assert_eq!((gone.status, gone.code().as_str()), (404, "lead_not_found"));
    }
    assert_eq!(server.call("GET", "/v1/leads", &[], None).json()["meta"]["total"], 1);
}

#[test]
fn a_request_that_comes_again_makes_one_lead() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(folder.path(), |_| {});
    let key = [("idempotency-key", "order-7")];
    let first = server.call("POST", "/v1/leads", &key, Some(PERSON));
    let again = server.call("POST", "/v1/leads", &key, Some(PERSON));
    assert_eq!((again.status, &again.text, again.header("etag")), (201, &first.text, "\"1\""));
    assert_eq!(first.header("location"), format!("/v1/leads/{}", id(&first)));
    assert_eq!(again.header("location"), first.header("location"));
    assert_eq!((first.header("idempotency-replayed"), again.header("idempotency-replayed")), ("", "true"));
    let other = server.call("POST", "/v1/leads", &key, Some(r#"{"name":"B","phone":"+442079460018"}"#));
    assert_eq!((other.status, other.code().as_str()), (409, "idempotency_conflict"));
    assert_eq!(server.call("GET", "/v1/leads", &[], None).json()["meta"]["total"], 1);
    server.call("DELETE", &format!("/v1/leads/{}", id(&first)), &[], None);
    let erased = server.call("POST", "/v1/leads", &key, Some(PERSON));
    assert_eq!((erased.status, erased.code().as_str()), (409, "idempotency_conflict"));
    for bad in ["", "a b", &"x".repeat(256)] {
        let refused = server.call("POST", "/v1/leads", &[("idempotency-key", bad)], Some(PERSON));
        assert_eq!(refused.status, 400, "{bad}");
    }
}

#[test]
fn hostile_requests_are_refused_each_with_its_code() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(folder.path(), |_| {});
    let deep = format!("{{\"metadata\":{}", "[".repeat(5_000));
    let large = format!("{{\"name\":\"{}\"}}", "x".repeat(70_000));
    for (body, status, code) in [
        ("", 400, "invalid_body"),
        ("[]", 400, "invalid_body"),
        (r#"{"name":"a","name":"b","email":"a@b.example"}"#, 400, "invalid_body"),
        (r#"{"name":"a","email":"a@b.example","admin":true}"#, 400, "invalid_field"),
        (r#"{"name":"a\u0000b","email":"a@b.example"}"#, 400, "invalid_field"),
        (r#"{"name":"a","email":"a@b.example' OR 1=1 --"}"#, 400, "invalid_field"),
        (&deep, 400, "invalid_body"),
        (&large, 413, "body_too_large"),
    ] {
        let refused = server.call("POST", "/v1/leads", &[], Some(body));
        assert_eq!((refused.status, refused.code().as_str()), (status, code), "{:.40}", body);
    }
    for kind in ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1", ""] {
        let refused = server.call("POST", "/v1/leads", &[("content-type", kind)], Some(PERSON));
        assert_eq!(refused.code(), "unsupported_media_type", "{kind}");
    }
    let sql = r#"{"name":"Robert'); DROP TABLE leads;-- 𝔘𝔫𝔦 ‰ \"x\"","email":"a@b.example","source":"' OR '1'='1"}"#;
    let made = server.call("POST", "/v1/leads", &[], Some(sql));
    assert_eq!(made.json()["data"]["name"], "Robert'); DROP TABLE leads;-- 𝔘𝔫𝔦 ‰ \"x\"");
    let list = server.call("GET", "/v1/leads?source=%27%20OR%20%271%27%3D%271", &[], None).json();
    assert_eq!(list["meta"]["total"], 1);
    for (method, path, status, allow) in [
        ("PUT", "/v1/leads", 405, "GET, HEAD, POST"),
        ("POST", "/v1/leads/01890000-0000-7000-8000-000000000000", 405, "GET, HEAD, PATCH, DELETE"),
        ("POST", "/docs", 405, "GET, HEAD"),
        ("GET", "/v1/leads/01890000-0000-7000-8000-000000000000", 404, ""),
        ("GET", "/v1/leads/not-an-id", 404, ""),
        ("GET", "/v1/leads/01890000000070008000000000000000", 404, ""),
        ("GET", "/v1/leads/", 404, ""),
        ("GET", "/v1/other", 404, ""),
        ("GET", "/v1/leads?limit=101", 400, ""),
        ("GET", "/v1/leads/%2e%2e", 400, ""),
        ("GET", "/v1/leads?key=fdk_leads_live_x", 400, ""),
    ] {
        let body = (method != "GET").then_some("{}");
        let refused = server.call(method, path, &[], body);
        assert_eq!((refused.status, refused.header("allow")), (status, allow), "{method} {path}");
        refused.code();
    }
}

#[test]
fn chunked_bodies_and_bodies_that_break_off_make_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(folder.path(), |_| {});
    let host = server.url.trim_start_matches("http://");
    let head = format!(
        "POST /v1/leads HTTP/1.1\r\nhost: {host}\r\nx-api-key: {}\r\ncontent-type: application/json\r\n",
        server.key
    );
    let send = |rest: &str| {
        let mut stream = TcpStream::connect(host).unwrap();
        stream.write_all(format!("{head}{rest}").as_bytes()).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        answer
    };
    let chunked = send("transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n");
    assert!(chunked.starts_with("HTTP/1.1 400") && chunked.contains("Transfer-Encoding"), "{chunked}");
    let broken = send("content-length: 500\r\n\r\n{\"name\":");
    assert!(!broken.contains("201"), "{broken}");
    assert_eq!(server.call("GET", "/v1/leads", &[], None).json()["meta"]["total"], 0);
}

#[test]
fn only_a_key_of_this_product_opens_anything() {
    let folder = tempfile::tempdir().unwrap();
    let (mma, catalog) = (issue(folder.path(), KeyProduct::Mma), issue(folder.path(), KeyProduct::Catalog));
    let server = serve(folder.path(), |_| {});
    for path in ["/v1/leads", "/v1/leads/x", "/v1/other"] {
        for headers in [
            vec![],
            vec![("x-api-key", mma.as_str())],
            vec![("x-api-key", catalog.as_str())],
            vec![("x-api-key", "fdk_leads_live_wrong")],
            vec![("authorization", "Basic abc")],
        ] {
            let refused = server.ask("GET", path, &headers, None).unwrap();
            assert_eq!(
                (refused.status, refused.code().as_str()),
                (401, "unauthorized"),
                "{path} {headers:?}"
            );
        }
    }
    let bearer = format!("Bearer {}", server.key);
    assert_eq!(server.ask("GET", "/v1/leads", &[("authorization", &bearer)], None).unwrap().status, 200);
    for path in ["/healthz", "/readyz", "/docs", "/openapi.json"] {
        assert_eq!(server.ask("GET", path, &[], None).unwrap().status, 200, "{path}");
    }
}

#[test]
fn a_key_may_do_what_its_scopes_say_with_leads_of_its_account() {
    let folder = tempfile::tempdir().unwrap();
    let key = |account, scopes: &[KeyScope]| {
        issue_with(folder.path(), KeyProduct::Leads, account, scopes.iter().copied().collect())
    };
    let form = key("crm", &[KeyScope::Create]);
    let reader = key("crm", &[KeyScope::Read, KeyScope::Write]);
    let eraser = key("crm", &[KeyScope::Erase]);
    let other = key("other", &KeyScope::ALL);
    let server = serve(folder.path(), |_| {});
    let call = |key: &str, method: &str, path: &str, body: Option<&str>| {
        crate::common::Client::new(server.url.clone(), key.to_owned()).call(method, path, &[], body)
    };
    let made = call(&form, "POST", "/v1/leads", Some(PERSON));
    assert_eq!(made.status, 201);
    let path = format!("/v1/leads/{}", id(&made));
    let path = path.as_str();
    let change = Some(r#"{"status":"won"}"#);
    for (key, method, path, body, code) in [
        (&form, "GET", "/v1/leads", None, "read_scope_required"),
        (&form, "GET", path, None, "read_scope_required"),
        (&form, "PATCH", path, change, "write_scope_required"),
        (&form, "DELETE", path, None, "erase_scope_required"),
        (&reader, "POST", "/v1/leads", Some(PERSON), "create_scope_required"),
        (&reader, "DELETE", path, None, "erase_scope_required"),
        (&eraser, "GET", path, None, "read_scope_required"),
    ] {
        let refused = call(key, method, path, body);
        assert_eq!((refused.status, refused.code().as_str()), (403, code), "{method} {path}");
    }
    for (method, body) in [("GET", None), ("PATCH", change), ("DELETE", None)] {
        let refused = call(&other, method, path, body);
        assert_eq!((refused.status, refused.code().as_str()), (404, "lead_not_found"), "{method}");
    }
    assert_eq!(call(&other, "GET", "/v1/leads", None).json()["meta"]["total"], 0);
    assert_eq!(call(&reader, "GET", "/v1/leads", None).json()["meta"]["total"], 1);
    assert_eq!(call(&reader, "PATCH", path, change).status, 200);
    assert_eq!(call(&form, "GET", "/v1/properties", None).status, 503, "of no scope");
    assert_eq!(
        [call(&eraser, "DELETE", path, None).status, call(&eraser, "DELETE", path, None).status],
        [204, 204]
    );
    assert_eq!(call(&other, "DELETE", path, None).status, 404, "nor is it told what was");
    // A key of before there were scopes has all.
    assert_eq!(server.call("GET", "/v1/leads", &[], None).json()["meta"]["total"], 0);
}

#[test]
fn readiness_tells_when_nothing_can_be_written() {
    use sqlx::{ConnectOptions as _, Connection as _};
    let folder = tempfile::tempdir().unwrap();
    let server = serve(folder.path(), |_| {});
    let sql = |sql: &'static str| {
        crate::common::runtime().block_on(async {
            sqlx::any::install_default_drivers();
            let url = format!("sqlite:{}", folder.path().join("leads.db").display());
            let options: sqlx::any::AnyConnectOptions = url.parse().unwrap();
            let mut connection = options.connect().await.unwrap();
            sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
            connection.close().await.unwrap();
        });
    };
    let ready = || server.ask("GET", "/readyz", &[], None).unwrap();
    assert_eq!(ready().status, 200);
    sql("CREATE TRIGGER is_full BEFORE INSERT ON leads BEGIN SELECT RAISE(ROLLBACK, 'full'); END;
         CREATE TRIGGER is_full_too BEFORE UPDATE ON lead_meta BEGIN SELECT RAISE(ROLLBACK, 'full'); END");
    let refused = server.call("POST", "/v1/leads", &[], Some(PERSON));
    assert_eq!((refused.status, refused.code().as_str()), (503, "store_not_available"));
    assert_eq!((ready().status, ready().text.as_str()), (503, r#"{"status":"unready"}"#));
    sql("DROP TRIGGER is_full; DROP TRIGGER is_full_too");
    assert_eq!(server.call("POST", "/v1/leads", &[], Some(PERSON)).status, 201);
    let begun = std::time::Instant::now();
    while ready().status != 200 {
        assert!(begun.elapsed() < std::time::Duration::from_secs(10));
        std::thread::park_timeout(std::time::Duration::from_millis(50));
    }
}

#[test]
fn what_was_erased_is_wiped_once_its_reader_is_gone() {
    use sqlx::{ConnectOptions as _, Connection as _};
    let folder = tempfile::tempdir().unwrap();
    let server = serve(folder.path(), |_| {});
    let metrics = || {
        let client = crate::common::Client::new(server.admin.clone(), String::new());
        client.call("GET", "/metrics", &[], None).text
    };
    let made = server.call("POST", "/v1/leads", &[], Some(PERSON));
    let has = || {
        let files = std::fs::read_dir(folder.path())
            .unwrap()
            .filter_map(|file| std::fs::read(file.unwrap().path()).ok());
        files.into_iter().any(|bytes| bytes.windows(10).any(|part| part == b"zoe.hidden"))
    };
    let runtime = crate::common::runtime();
    let mut reader = runtime.block_on(async {
        sqlx::any::install_default_drivers();
        let url = format!("sqlite:{}", folder.path().join("leads.db").display());
        let mut reader = url.parse::<sqlx::any::AnyConnectOptions>().unwrap().connect().await.unwrap();
        sqlx::raw_sql("BEGIN; SELECT count(*) FROM leads").execute(&mut reader).await.unwrap();
        reader
    });
    let begun = std::time::Instant::now();
    assert_eq!(server.call("DELETE", &format!("/v1/leads/{}", id(&made)), &[], None).status, 204);
    assert!(begun.elapsed() < std::time::Duration::from_secs(3), "{:?}", begun.elapsed());
    assert_eq!(
        server.call("POST", "/v1/leads", &[], Some(r#"{"name":"B","phone":"+442079460018"}"#)).status,
        201
    );
    assert!(metrics().contains("fightdna_leads_erasures_not_wiped 1\n") && has(), "{}", metrics());
    runtime.block_on(async {
        sqlx::raw_sql("ROLLBACK").execute(&mut reader).await.unwrap();
        reader.close().await.unwrap();
    });
    let begun = std::time::Instant::now();
    while has() || !metrics().contains("fightdna_leads_erasures_not_wiped 0\n") {
        assert!(begun.elapsed() < std::time::Duration::from_secs(20), "{}", metrics());
        std::thread::park_timeout(std::time::Duration::from_millis(50));
    }
}

#[test]
fn keys_and_addresses_have_so_many_requests_in_a_minute() {
    let folder = tempfile::tempdir().unwrap();
    let frozen = "2026-11-24T10:00:15Z".parse().unwrap();
    let server = serve(folder.path(), move |options| {
        options.clock = fdna_http::Clock::new(move || frozen);
        options.requests_per_key = 2;
        options.requests_per_address = 4;
    });
    let ask = || server.call("GET", "/v1/leads", &[], None);
    assert_eq!([ask().status, ask().status], [200, 200]);
    let refused = ask();
    assert_eq!((refused.status, refused.header("retry-after")), (429, "45"));
    assert!(refused.json()["error"]["message"].as_str().unwrap().contains("of this key"));
    let message = |answer: Answer| answer.json()["error"]["message"].as_str().unwrap().to_owned();
    assert!(message(ask()).contains("of this key"));
    assert!(message(ask()).contains("of this address"));
    assert_eq!(server.ask("GET", "/healthz", &[], None).unwrap().status, 200);
}

#[test]
fn no_personal_data_is_in_logs_metrics_or_errors() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("access.log");
    let target = LogTarget::File(log.clone());
    let server = serve(folder.path(), |options| {
        let clock = || "2026-11-24T10:00:00Z".parse().unwrap();
        options.access_log = Some(std::sync::Arc::new(AccessLog::open_log(target, clock).unwrap()));
    });
    server.call("POST", "/v1/leads", &[("user-agent", "zoe.hidden@example.com")], Some(PERSON));
    for search in ["email=zoe.hidden@example.com", "name_prefix=zoe%20hidden", "source=hidden"] {
        assert_eq!(server.call("GET", &format!("/v1/leads?{search}"), &[], None).status, 200);
    }
    let mut told = String::new();
    for (method, path, body) in [
        ("GET", "/v1/leads?mail=zoe.hidden@example.com", None),
        ("GET", "/v1/leads?phone=hidden", None),
        ("GET", "/v1/leads/changes?after=hidden", None),
        ("GET", "/v1/leads/zoe.hidden@example.com", None),
        ("GET", "/zoe.hidden@example.com", None),
        ("POST", "/v1/leads", Some(r#"{"name":"Zoe Hidden","email":"zoe.hidden@"}"#)),
        ("POST", "/v1/leads", Some(r#"{"name":"Zoe Hidden","phone":"555-hidden"}"#)),
        ("POST", "/v1/leads", Some(r#"{"name":"Zoe Hidden" hidden"#)),
        ("POST", "/v1/leads", Some(r#"["Zoe Hidden"]"#)),
    ] {
        let refused = server.call(method, path, &[], body);
        assert!((400..500).contains(&refused.status), "{path}");
        told += &refused.text;
    }
    let client = crate::common::Client::new(server.admin.clone(), String::new());
    let metrics = client.call("GET", "/metrics", &[], None).text;
    assert!(
        metrics.contains(r#"fightdna_leads_requests_total{operation="create_lead",status="2xx"} 1"#),
        "{metrics}"
    );
    drop(server);
    let logged = std::fs::read_to_string(log).unwrap();
    assert!(logged.lines().count() >= 8 && logged.contains("create_lead"), "{logged}");
    for text in [told, metrics, logged] {
        assert!(!text.to_lowercase().contains("hidden"), "{text}");
    }
}
