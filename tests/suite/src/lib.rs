//! What the acceptance tests share: running the program in a folder of its own, and reading what it left.

mod fault_points;
pub mod http;
mod rows;
mod shared_lake;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use arrow::array::RecordBatch;
use fdna_lake::{Lake, SnapshotManifest};

pub use fault_points::{TriedOperations, fault_points, few_events, operation_kind};
pub use rows::{Row, cells, rows};

/// A lake in a temporary folder, and the program to run on it.
pub struct TestLake {
    program: PathBuf,
    folder: PathBuf,
    /// Removes the folder in the end; none where others use it too.
    _temporary: Option<tempfile::TempDir>,
}

impl TestLake {
    /// `program` is `env!("CARGO_BIN_EXE_fightdna-under-test")`.
    ///
    /// # Panics
    /// No temporary folder can be made.
    #[must_use]
    pub fn new(program: &str) -> Self {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let folder = temporary.path().to_owned();
        Self { program: program.into(), folder, _temporary: Some(temporary) }
    }

    /// What lies in a folder.
    fn over(program: impl Into<PathBuf>, folder: PathBuf) -> Self {
        Self { program: program.into(), folder, _temporary: None }
    }

    /// Another folder with a copy of everything in this one.
    ///
    /// # Panics
    /// A file cannot be copied.
    #[must_use]
    pub fn copy(&self) -> Self {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let folder = temporary.path().to_owned();
        let copy = Self { program: self.program.clone(), folder, _temporary: Some(temporary) };
        copy_folder(self.folder(), copy.folder()).expect("a copy");
        copy
    }

    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    #[must_use]
    pub fn lake(&self) -> Lake {
        Lake::open(self.folder.join("lake"))
    }

    /// The program, in its folder, on the lake `lake` in it.
    #[must_use]
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(&self.folder).args(args).args(["--lake", "lake"]);
        command.env_remove("FIGHTDNA_LAKE").env("RUST_LOG", "warn");
        command
    }

    /// Uses a copy of the program in this folder: it looks for other programs beside itself before it looks on the PATH.
    ///
    /// # Panics
    /// The folder cannot be written.
    pub fn move_program(&mut self, folder: &Path) {
        let moved = folder.join("fightdna");
        if !moved.exists() {
            std::fs::copy(&self.program, &moved).expect("the folder takes a copy of the program");
        }
        self.program = moved;
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
    #[expect(clippy::must_use_candidate, reason = "that it does not fail is often all that is asked")]
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
        let current = lake.current_snapshot().expect("a readable pointer").expect("a current snapshot");
        lake.snapshot(&current).expect("a whole snapshot")
    }

    /// All tables of the current snapshot.
    ///
    /// # Panics
    /// One cannot be read.
    #[expect(clippy::must_use_candidate, reason = "that they can be read is sometimes all that is asked")]
    pub fn tables(&self) -> BTreeMap<String, RecordBatch> {
        let (lake, manifest) = (self.lake(), self.snapshot());
        let read = |name: &str| lake.read_snapshot_table(&manifest, name).expect("a readable table");
        manifest.tables.iter().map(|t| (t.name.clone(), read(&t.name))).collect()
    }
}

fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let path = entry?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy_folder(&path, &target)?;
        } else {
            std::fs::copy(&path, &target)?;
        }
    }
    Ok(())
}
