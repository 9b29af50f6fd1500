//! Isolation of readers: the process that reads a capture, and its bounds.

use std::path::PathBuf;

use fdna_ingest::DEFAULT_FILE_MIB;

use super::attempts::program_stamp;

/// Where captures are read.
#[derive(Clone, Debug, Default)]
pub enum ReaderIsolation {
    /// In this process: a panic costs the capture, an abort the run.
    #[default]
    Thread,
    /// In processes of this program, within these bounds.
    Process { program: PathBuf, bounds: ReaderBounds },
}

/// Bounds for reading one capture.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct ReaderBounds {
    /// Seconds in which one capture must be read.
    #[arg(long, global = true, hide = true, env = "FIGHTDNA_READ_SECONDS", default_value_t = 120)]
    pub read_seconds: u64,
    /// Megabytes of address space of a process that reads captures.
    #[arg(long, global = true, hide = true, env = "FIGHTDNA_READ_MEMORY_MB", default_value_t = 4096)]
    pub read_memory_mb: u64,
    /// MiB of a file of a capture, in proportion to which a table may have lines and cells. To read one of 1,300 MiB takes
    /// some 6,000 MB of memory.
    #[arg(long, global = true, hide = true, env = "FIGHTDNA_READ_FILE_MIB", default_value_t = DEFAULT_FILE_MIB)]
    pub read_file_mib: u64,
}

impl ReaderIsolation {
    /// In processes of the running program; in this one if it cannot be told which that is.
    pub fn of_this_program(bounds: ReaderBounds) -> Self {
        // This name stays right when the file is replaced during a run.
        let running = PathBuf::from("/proc/self/exe");
        let program = if running.exists() { Some(running) } else { std::env::current_exe().ok() };
        program.map_or(Self::Thread, |program| Self::Process { program, bounds })
    }

    /// The program and the bounds in which it reads.
    pub fn stamp(&self) -> String {
        match self {
            Self::Thread => format!("{}, in one process", program_stamp()),
            Self::Process { bounds, .. } => {
                format!("{}, {} s, {} MB", program_stamp(), bounds.read_seconds, bounds.read_memory_mb)
            }
        }
    }
}
