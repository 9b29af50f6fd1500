//! Throughput of writes and reads, beside what the store itself can do with one insert in each transaction:
//! a loop of SQLite's, `pgbench` of PostgreSQL's.

use std::time::{Duration, Instant};

use sqlx::{ConnectOptions as _, Connection as _};

use crate::common::{Served, runtime, serve, serve_store};
use crate::postgres_server::Server;

const SPAN: Duration = Duration::from_secs(3);

const CLIENTS: usize = 8;

#[test]
#[ignore = "measures: requests in a second on standard error"]
fn leads_in_a_second() {
    let folder = tempfile::tempdir().unwrap();
    let bare = runtime().block_on(inserts(folder.path().join("bare.db").to_str().unwrap()));
    let told = rates(&serve(folder.path(), |_| {}));
    eprintln!("SQLite: {bare:.0} inserts/s; {told}");
    let Some(postgres) = Server::start() else { return };
    let bare = pgbench(&postgres);
    let told = rates(&serve_store(folder.path(), postgres.address(), |_| {}));
    eprintln!("PostgreSQL: {bare:.0} inserts/s of pgbench; {told}");
}

/// Leads written, and lists and searches read, in a second, by clients that keep their connections.
fn rates(server: &Served) -> String {
    let rate = |method: &'static str, path: &'static str, body: Option<&'static str>| {
        let begun = Instant::now();
        let clients: Vec<_> = (0..CLIENTS)
            .map(|_| {
                let client = server.client();
                std::thread::spawn(move || {
                    let mut done = 0;
                    while begun.elapsed() < SPAN {
                        assert!(client.call(method, path, &[], body).status < 300);
                        done += 1;
                    }
                    done
                })
            })
            .collect();
        let done: u32 = clients.into_iter().map(|client| client.join().unwrap()).sum();
        f64::from(done) / begun.elapsed().as_secs_f64()
    };
    let written =
        rate("POST", "/v1/leads", Some(r#"{"name":"Zoe","email":"zoe@example.com","source":"web"}"#));
    let listed = rate("GET", "/v1/leads?limit=50", None);
    let one = r#"{"name":"Ann","email":"ann@example.com","phone":"+14155552671"}"#;
    assert_eq!(server.call("POST", "/v1/leads", &[], Some(one)).status, 201);
    let by_email = rate("GET", "/v1/leads?email=ANN@example.com", None);
    let by_phone = rate("GET", "/v1/leads?phone=415-555-2671", None);
    let by_name = rate("GET", "/v1/leads?name_prefix=an", None);
    format!(
        "{written:.0} leads/s written; {listed:.0} lists of 50/s read; {by_email:.0}, {by_phone:.0} and {by_name:.0} searches/s \
         by email, telephone number and name"
    )
}

/// Inserts in a second of as many clients, as `pgbench` counts them.
#[expect(clippy::disallowed_methods, reason = "a script of a test")]
fn pgbench(server: &Server) -> f64 {
    let run = |program: &str, arguments: &[&str]| {
        let output = server.program(program).args(arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let address = server.address();
    run("psql", &["-c", "CREATE TABLE t (id BIGSERIAL PRIMARY KEY, text TEXT)", &address]);
    let script = server.folder.path().join("insert.sql");
    std::fs::write(&script, "INSERT INTO t (text) VALUES (repeat('x', 200));").unwrap();
    let (clients, seconds) = (CLIENTS.to_string(), SPAN.as_secs().to_string());
    let script = script.to_str().unwrap();
    let told = run("pgbench", &["-n", "-c", &clients, "-T", &seconds, "-f", script, &address]);
    let line = told.lines().find_map(|line| line.strip_prefix("tps = ")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

/// Inserts in a second, with the settings of the store.
async fn inserts(path: &str) -> f64 {
    sqlx::any::install_default_drivers();
    let url: sqlx::any::AnyConnectOptions = format!("sqlite:{path}?mode=rwc").parse().unwrap();
    let mut connection = url.connect().await.unwrap();
    let set = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)";
    sqlx::raw_sql(set).execute(&mut connection).await.unwrap();
    let (begun, mut done) = (Instant::now(), 0);
    while begun.elapsed() < SPAN {
        let text = "x".repeat(200);
        sqlx::query("INSERT INTO t (text) VALUES ($1)").bind(text).execute(&mut connection).await.unwrap();
        done += 1;
    }
    connection.close().await.unwrap();
    f64::from(done) / begun.elapsed().as_secs_f64()
}

#[test]
#[ignore = "measures: values in a second on standard error"]
fn values_in_a_second() {
    let folder = tempfile::tempdir().unwrap();
    let server = crate::properties::served(folder.path());
    let client = server.client();
    let body = |n: usize| {
        crate::properties::asked(&format!("{} Bay Street", 1 + 3 * (n % 200)), "2023-06-01".into())
    };
    let value =
        |n: usize| assert_eq!(client.call("POST", "/v1/properties/valuate", &[], Some(&body(n))).status, 200);
    let first = Instant::now();
    value(0);
    let (first, begun) = (first.elapsed(), Instant::now());
    let mut done = 0;
    while begun.elapsed() < SPAN {
        value(done);
        done += 1;
    }
    let rate = done as f64 / begun.elapsed().as_secs_f64();
    eprintln!(
        "the first value of a market in a month in {first:?}, then {rate:.0} in a second to one client"
    );
}
