//! A server of Debian's package `postgresql`, started in a folder of its own; the tests of leads have it too.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A server on a socket in a temporary folder; it ends with the value.
pub(crate) struct Server {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) programs: PathBuf,
    pub(crate) process: Option<Child>,
    /// More of its settings.
    pub(crate) settings: Vec<String>,
}

/// Debian keeps each version's programs in a folder of its own.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    let folders = versions.filter_map(|version| Some(version.ok()?.path().join("bin")));
    folders.filter(|folder| folder.join("initdb").exists()).max()
}

impl Server {
    pub(crate) fn start() -> Option<Self> {
        Self::start_with(|_| Vec::new())
    }

    /// With settings that are made when its data folder is there.
    pub(crate) fn start_with(settings: impl FnOnce(&Path) -> Vec<String>) -> Option<Self> {
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

    pub(crate) fn launch(&mut self) {
        let (socket, data) = (self.folder.path().to_owned(), self.folder.path().join("data"));
        let mut command = self.program("postgres");
        let own = self.settings.iter().map(String::as_str);
        // A process that is killed loses nothing that it wrote, only a machine that loses its power would.
        let quick = ["listen_addresses=", "max_connections=20", "shared_buffers=16MB", "fsync=off"];
        for setting in quick.into_iter().chain(own) {
            command.args(["-c", setting]);
        }
        command.arg("-k").arg(&socket).arg("-D").arg(&data).stdout(Stdio::null()).stderr(Stdio::null());
        self.process = Some(command.spawn().unwrap());
        let is_up = || {
            let mut asking = self.program("pg_isready");
            let asked = asking.args(["-q", "-p", &self.port().to_string(), "-h"]).arg(&socket).status();
            asked.is_ok_and(|status| status.success())
        };
        let began = std::time::Instant::now();
        while !is_up() {
            assert!(began.elapsed() < Duration::from_secs(20), "the server does not start");
            std::thread::park_timeout(Duration::from_millis(50));
        }
    }

    /// A program of the package, as a user who is not root, whom it would refuse.
    pub(crate) fn program(&self, name: &str) -> Command {
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

    pub(crate) fn address(&self) -> String {
        self.address_as("postgres", "postgres")
    }

    pub(crate) fn address_as(&self, user: &str, database: &str) -> String {
        let folder = self.folder.path().display().to_string().replace('/', "%2F");
        format!("postgres://{user}@{folder}:{}/{database}", self.port())
    }

    /// Also of the socket.
    pub(crate) fn port(&self) -> u16 {
        let own = self.settings.iter().find_map(|setting| setting.strip_prefix("port="));
        own.map_or(5432, |port| port.parse().unwrap())
    }

    /// At once, as a machine that loses its power.
    pub(crate) fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    pub(crate) fn wait_gone(&self) {
        let lock = self.folder.path().join("data/postmaster.pid");
        // Its children hold the memory until they have noticed.
        std::thread::park_timeout(Duration::from_millis(500));
        remove(&lock);
    }
}

pub(crate) fn remove(path: &Path) {
    let _ = std::fs::remove_file(path);
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

pub(crate) fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().unwrap();
    output.stdout.starts_with(b"0")
}

pub(crate) fn run(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}
