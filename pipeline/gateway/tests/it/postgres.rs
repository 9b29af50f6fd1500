//! PostgreSQL: a server of Debian's package, started here in a folder of its own.
//!
//! Without the package these tests pass over themselves and say so, except on CI (`CI=true`), where they fail.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fdna_gateway::store;

use crate::common::{Keys, Running, eventually};
use crate::counting::{count, flood};
use crate::stores;
use crate::upstream::{Host, ok};

/// A server on a socket in a temporary folder; it ends with the value.
struct Server {
    folder: tempfile::TempDir,
    programs: PathBuf,
    process: Option<Child>,
}

/// Debian keeps each version's programs in a folder of its own.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    let folders = versions.filter_map(|version| Some(version.ok()?.path().join("bin")));
    folders.filter(|folder| folder.join("initdb").exists()).max()
}

impl Server {
    fn start() -> Option<Self> {
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
        let mut server = Self { folder, programs, process: None };
        let data = server.folder.path().join("data");
        run(server.program("initdb").args(["-A", "trust", "-U", "postgres", "--no-sync", "-D"]).arg(&data));
        server.launch();
        Some(server)
    }

    fn launch(&mut self) {
        let (socket, data) = (self.folder.path().to_owned(), self.folder.path().join("data"));
        let mut command = self.program("postgres");
        command.args([
            "-c",
            "listen_addresses=",
            "-c",
            "max_connections=20",
            "-c",
            "shared_buffers=16MB",
            "-k",
        ]);
        command.arg(&socket).arg("-D").arg(&data).stdout(Stdio::null()).stderr(Stdio::null());
        self.process = Some(command.spawn().unwrap());
        let is_up = || store::open(&self.address()).is_ok();
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
        let folder = self.folder.path().display().to_string().replace('/', "%2F");
        format!("postgres://postgres@{folder}/postgres")
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
    stores::check(&|| store::open(&server.address()).unwrap());
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
        gateways.push(Running::start(&keys, &[host.url()]).await);
    }
    let all: Vec<&Running> = gateways.iter().collect();
    let statuses = flood(&all, 60, 40, &rate).await;
    assert_eq!((count(&statuses, 200), count(&statuses, 429)), (700, 60 * 40 - 700));
    let statuses = flood(&all, 60, 40, &quota).await;
    assert_eq!((count(&statuses, 200), count(&statuses, 429)), (900, 60 * 40 - 900));
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
    let gateway = Running::start(&keys, &[host.url()]).await;
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
    assert!(gateway.operator("/metrics").await.text().contains("fightdna_gateway_store_up 0"));
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
