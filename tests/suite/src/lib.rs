//! What the acceptance tests share: running the program in a folder of its own, and reading what it left.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use arrow::array::RecordBatch;
use fdna_lake::{Lake, SnapshotManifest};

/// A lake in a temporary folder, and the program to run on it.
pub struct Bench {
    program: PathBuf,
    folder: tempfile::TempDir,
}

impl Bench {
    /// `program` is `env!("CARGO_BIN_EXE_fightdna-under-test")`.
    ///
    /// # Panics
    /// No temporary folder can be made.
    #[must_use]
    pub fn new(program: &str) -> Self {
        Self { program: program.into(), folder: tempfile::tempdir().expect("a temporary folder") }
    }

    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    #[must_use]
    pub fn lake(&self) -> Lake {
        Lake::open(self.folder.path().join("lake"))
    }

    /// The program, in its folder, on the lake `lake` in it.
    #[must_use]
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(self.folder.path()).args(args).args(["--lake", "lake"]);
        command.env_remove("FIGHTDNA_LAKE").env("RUST_LOG", "warn");
        command
    }

    /// Runs it to its end.
    ///
    /// # Panics
    /// It cannot be started.
    #[must_use]
    pub fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("the program starts")
    }

    /// Runs it and gives its standard output.
    ///
    /// # Panics
    /// It fails.
    #[must_use]
    pub fn ok(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// The current snapshot.
    ///
    /// # Panics
    /// There is none.
    #[must_use]
    pub fn snapshot(&self) -> SnapshotManifest {
        let lake = self.lake();
        let current = lake.current().expect("a readable pointer").expect("a current snapshot");
        lake.snapshot(&current).expect("a whole snapshot")
    }

    /// All tables of the current snapshot.
    ///
    /// # Panics
    /// One cannot be read.
    #[must_use]
    pub fn tables(&self) -> BTreeMap<String, RecordBatch> {
        let (lake, manifest) = (self.lake(), self.snapshot());
        let read = |name: &str| lake.read_snapshot_table(&manifest, name).expect("a readable table");
        manifest.tables.iter().map(|t| (t.name.clone(), read(&t.name))).collect()
    }
}
