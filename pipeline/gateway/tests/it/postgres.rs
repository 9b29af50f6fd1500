//! PostgreSQL: a server of Debian's package, started here in a folder of its own.
//!
//! Without the package these tests pass over themselves and say so, except on CI (`CI=true`), where they fail.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fdna_gateway::store;

use crate::common::{Keys, TestGateway, eventually};
use crate::counting::{count, flood};
use crate::stores;
use crate::upstream::{Host, ok};

/// A server on a socket in a temporary folder; it ends with the value.
struct Server {
    folder: tempfile::TempDir,
    programs: PathBuf,
    process: Option<Child>,
    /// More of its settings.
    settings: Vec<String>,
}

/// Debian keeps each version's programs in a folder of its own.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    let folders = versions.filter_map(|version| Some(version.ok()?.path().join("bin")));
    folders.filter(|folder| folder.join("initdb").exists()).max()
}

impl Server {
    fn start() -> Option<Self> {
        Self::start_with(|_| Vec::new())
    }

    /// With settings that are made when its data folder is there.
    fn start_with(settings: impl FnOnce(&Path) -> Vec<String>) -> Option<Self> {
        let Some(programs) = programs() else {
            assert!(std::env::var("CI").as_deref() != Ok("true"), "CI needs Debian's package `postgresql`");
            eprintln!(
                "PASSED OVER: no PostgreSQL in /usr/lib/postgresql; Debian's package `postgresql` has it"
            );
            return None;
        };
        let folder = tempfile::Builder::new().prefix("fdna-pg").tempdir_in("/tmp").unwrap();
        if is_root() {
            run(Command::new("chown").arg("postgres:").arg(folder.path()));
        }
        let mut server = Self { folder, programs, process: None, settings: Vec::new() };
        let data = server.folder.path().join("data");
        run(server.program("initdb").args(["-A", "trust", "-U", "postgres", "--no-sync", "-D"]).arg(&data));
        server.settings = settings(&data);
        if is_root() {
            run(Command::new("chown").arg("-R").arg("postgres:").arg(server.folder.path()));
        }
        server.launch();
        Some(server)
    }

    fn launch(&mut self) {
        let (socket, data) = (self.folder.path().to_owned(), self.folder.path().join("data"));
        let mut command = self.program("postgres");
        let own = self.settings.iter().map(String::as_str);
        for setting in
            ["listen_addresses=", "max_connections=20", "shared_buffers=16MB"].into_iter().chain(own)
        {
            command.args(["-c", setting]);
        }
        command.arg("-k").arg(&socket).arg("-D").arg(&data).stdout(Stdio::null()).stderr(Stdio::null());
        self.process = Some(command.spawn().unwrap());
        let is_up = || self.execute("SELECT 1").is_ok();
        let began = std::time::Instant::now();
        while !is_up() {
            assert!(began.elapsed() < Duration::from_secs(20), "the server does not start");
            std::thread::park_timeout(Duration::from_millis(50));
        }
    }

    /// A program of the package, as a user who is not root, whom it would refuse.
    fn program(&self, name: &str) -> Command {
        let program = self.programs.join(name);
        let mut command = if is_root() {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        command.current_dir("/");
        command
    }

    fn address(&self) -> String {
        self.address_as("postgres", "postgres")
    }

    fn address_as(&self, user: &str, database: &str) -> String {
        let folder = self.folder.path().display().to_string().replace('/', "%2F");
        format!("postgres://{user}@{folder}:{}/{database}", self.port())
    }

    /// Also of the socket.
    fn port(&self) -> u16 {
        let own = self.settings.iter().find_map(|setting| setting.strip_prefix("port="));
        own.map_or(5432, |port| port.parse().unwrap())
    }

    /// As the owner of the database, past the store.
    fn execute(&self, sql: &str) -> Result<(), sqlx::Error> {
        stores::execute(&self.address(), sql)
    }

    /// At once, as a machine that loses its power.
    fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    fn wait_gone(&self) {
        let lock = self.folder.path().join("data/postmaster.pid");
        // Its children hold the memory until they have noticed.
        std::thread::park_timeout(Duration::from_millis(500));
        remove(&lock);
    }
}

fn remove(path: &Path) {
    let _ = std::fs::remove_file(path);
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().unwrap();
    output.stdout.starts_with(b"0")
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn postgres_keeps_what_it_is_given() {
    let Some(server) = Server::start() else { return };
    stores::check(&|| store::open(&server.address()).unwrap(), &server.address());
}

#[test]
fn a_postgres_store_of_the_first_version_is_taken_over() {
    let Some(server) = Server::start() else { return };
    let id = "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY";
    let open = || store::open(&server.address()).unwrap();
    stores::check_migration(&server.address(), &open, id, "BYTEA");
}

#[test]
fn a_gateways_role_needs_no_right_to_make_tables() {
    let Some(server) = Server::start() else { return };
    server.execute("CREATE ROLE gateway LOGIN").unwrap();
    let address = server.address_as("gateway", "postgres");
    let error = store::open(&address).err().unwrap();
    assert!(error.to_string().contains("with `fightdna keys migrate`"), "{error}");
    drop(store::open(&server.address()).unwrap());
    server
        .execute(
            "GRANT SELECT ON ALL TABLES IN SCHEMA public TO gateway;
             GRANT INSERT, UPDATE, DELETE ON windows, key_usage_by_day, flushes TO gateway",
        )
        .unwrap();
    let mut store = store::open(&address).unwrap();
    assert_eq!(store.key_registry().unwrap().keys.len(), 0);
    stores::reserve_and_flush(store.as_mut());
}

#[test]
fn what_a_connection_remembers_of_tables_that_changed_is_forgotten() {
    let Some(server) = Server::start() else { return };
    let mut store = store::open(&server.address()).unwrap();
    assert_eq!(store.generation().unwrap(), 0);
    server.execute("ALTER TABLE meta ALTER COLUMN value TYPE INTEGER").unwrap();
    // What was prepared is of the type before: one call may fail, and no other.
    let _ = store.generation();
    assert_eq!(store.generation().unwrap(), 0);
}

#[test]
fn a_connection_that_broke_leaves_nothing_half_done() {
    let Some(server) = Server::start() else { return };
    let mut store = store::open(&server.address()).unwrap();
    for n in 0..5 {
        let ended = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE application_name = 'fightdna' AND pid <> pg_backend_pid()";
        server.execute(ended).unwrap();
        let name = format!("account {n}");
        let opened = stores::open_account(store.as_mut(), &name);
        let registry = store::open(&server.address()).unwrap().key_registry().unwrap();
        assert_eq!(
            registry.accounts.iter().any(|account| account.name == name),
            opened.is_ok(),
            "{opened:?}"
        );
    }
    assert!(stores::open_account(store.as_mut(), "at last").is_ok());
}

/// A certificate for `localhost` and what vouches for it, in a server's data folder.
#[expect(clippy::disallowed_methods, reason = "plays the certificate client")]
fn certified(data: &Path) -> Vec<String> {
    use std::os::unix::fs::PermissionsExt as _;
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let key = data.join("server.key");
    std::fs::write(data.join("server.crt"), made.cert.pem()).unwrap();
    std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o600)).unwrap();
    // Over TCP, nobody without TLS.
    std::fs::write(data.join("pg_hba.conf"), "local all all trust\nhostssl all all 127.0.0.1/32 trust\n")
        .unwrap();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let port = format!("port={port}");
    vec!["ssl=on".to_owned(), "listen_addresses=127.0.0.1".to_owned(), port]
}

#[test]
#[expect(clippy::disallowed_methods, reason = "plays the certificate client")]
fn sslmode_is_obeyed() {
    let Some(server) = Server::start_with(certified) else { return };
    let port = server.port();
    let public = server.folder.path().join("public.crt");
    std::fs::copy(server.folder.path().join("data/server.crt"), &public).unwrap();
    let stranger = server.folder.path().join("stranger.crt");
    let other = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    std::fs::write(&stranger, other.cert.pem()).unwrap();
    let (public, stranger) = (public.display(), stranger.display());
    for (host, parameters, is_open) in [
        ("localhost", "sslmode=disable".to_owned(), false),
        ("localhost", "sslmode=prefer".to_owned(), true),
        ("localhost", String::new(), true),
        ("localhost", "sslmode=require".to_owned(), true),
        ("localhost", "sslmode=verify-ca".to_owned(), false),
        ("localhost", format!("sslmode=verify-ca&sslrootcert={public}"), true),
        ("127.0.0.1", format!("sslmode=verify-ca&sslrootcert={public}"), true),
        ("localhost", format!("sslmode=verify-full&sslrootcert={public}"), true),
        ("127.0.0.1", format!("sslmode=verify-full&sslrootcert={public}"), false),
        ("localhost", format!("sslmode=verify-full&sslrootcert={stranger}"), false),
        ("localhost", "sslmode=sometimes".to_owned(), false),
    ] {
        let opened = store::open(&format!("postgres://postgres@{host}:{port}/postgres?{parameters}"));
        let error = opened.as_ref().err().map(|error| format!("{error:?}"));
        assert_eq!(opened.is_ok(), is_open, "{host} {parameters}: {error:?}");
    }
}

#[test]
fn a_server_without_tls_is_refused_where_tls_is_required() {
    let port = || std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let settings = |_: &Path| vec!["listen_addresses=127.0.0.1".to_owned(), format!("port={}", port())];
    let Some(server) = Server::start_with(settings) else { return };
    for (mode, is_open) in [("disable", true), ("prefer", true), ("require", false), ("verify-full", false)] {
        let address = format!("postgres://postgres@127.0.0.1:{}/postgres?sslmode={mode}", server.port());
        assert_eq!(store::open(&address).is_ok(), is_open, "{mode}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_gateways_share_one_keys_limits() {
    let Some(server) = tokio::task::spawn_blocking(Server::start).await.unwrap() else { return };
    let host = Host::start(|_| ok("{}")).await;
    let keys = Keys::at(&server.address());
    let made = move || {
        let rate = keys.limited("by minute", 700, 1_000_000);
        let quota = keys.limited("by month", 1_000_000, 900);
        (keys, rate, quota)
    };
    let (keys, (rate, _), (quota, issued)) = tokio::task::spawn_blocking(made).await.unwrap();
    let mut gateways = Vec::new();
    for _ in 0..3 {
        gateways.push(TestGateway::start(&keys, &[host.url()]).await);
    }
    let all: Vec<&TestGateway> = gateways.iter().collect();
    for (key, limit) in [(&rate, 700), (&quota, 900)] {
        let statuses = flood(&all, 60, 40, key).await;
        let [answered, limited, not_counted] = [200, 429, 503].map(|status| count(&statuses, status));
        // On a busy machine the database may be slower than a gateway waits for it: that is a 503, and counts for nothing.
        assert_eq!((answered, limited + not_counted), (limit, 60 * 40 - limit), "{not_counted} not counted");
        assert!(not_counted < 60, "{not_counted} of 2400 requests found no database");
    }
    for gateway in gateways {
        gateway.stop().await;
    }
    let used = move || {
        let month = fdna_gateway::window::Window::month(keys.time().now());
        keys.store().usage(issued.account_id, month).unwrap()
    };
    let used = tokio::task::spawn_blocking(used).await.unwrap();
    assert_eq!((used.reserved, used.requests), (900, vec![(issued.id, 900)]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_gone_is_told_and_found_again() {
    let Some(mut server) = tokio::task::spawn_blocking(Server::start).await.unwrap() else { return };
    let host = Host::start(|_| ok("{}")).await;
    let keys = Keys::at(&server.address());
    let made = move || {
        let issued = keys.limited("acme", 10_000, 1000);
        (keys, issued)
    };
    let (keys, (key, _)) = tokio::task::spawn_blocking(made).await.unwrap();
    let gateway = TestGateway::start(&keys, &[host.url()]).await;
    assert_eq!(gateway.get("/v1/mma", &key).await.status, 200);
    server.kill();
    let is_refused = || async {
        // A new minute has no portion yet, and nobody to ask for one.
        keys.time().set("2026-09-07T12:01:00Z");
        gateway.get("/v1/mma", &key).await.status == 503
    };
    assert!(eventually(is_refused).await);
    let reply = gateway.get("/v1/mma", &key).await;
    assert_eq!(reply.refusal(), (503, "accounting_not_available".into()));
    assert_eq!((reply.number("retry-after"), reply.header("x-plan")), (1, "enterprise"));
    let is_unready = || async { gateway.get_with("/readyz", &[]).await.status == 503 };
    assert!(eventually(is_unready).await);
    assert!(gateway.admin("/metrics").await.text().contains("fightdna_gateway_store_up 0"));
    let again = move || {
        server.wait_gone();
        server.launch();
        server
    };
    let _server = tokio::task::spawn_blocking(again).await.unwrap();
    assert!(eventually(|| async { gateway.get("/v1/mma", &key).await.status == 200 }).await);
    let is_ready = || async { gateway.get_with("/readyz", &[]).await.status == 200 };
    assert!(eventually(is_ready).await);
}
