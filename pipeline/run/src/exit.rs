//! Exit codes: what cron and a person at three in the morning can act on.

use fdna_lake::LakeError;
use fdna_publish::PublishError;

use crate::current_snapshot::NoCurrentSnapshot;

/// Documented exit codes; the numbers are those of `sysexits.h` where it has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitCode {
    /// 0: done.
    Done,
    /// 0: there was nothing to do, and nothing was changed.
    NothingToDo,
    /// 1: a failure of our own.
    Failed,
    /// 2: the command line is wrong.
    Usage,
    /// 65: the data cannot be used; the message and the run report say which.
    BadData,
    /// 69: a source, the lake, or a store of keys or leads cannot be read.
    Unavailable,
    /// 73: the lake, a store of keys or leads, or the server's log cannot be written.
    CannotWrite,
    /// 75: another run is at work; nothing was changed, try later.
    Locked,
    /// 76: something is held until a person accepts it: a snapshot, or a capture that looks cut.
    Held,
    /// 79: `status --check` found something that a person should look at; no number of `sysexits.h`.
    Attention,
}

impl ExitCode {
    #[must_use]
    pub fn as_u8(self) -> u8 {
        match self {
            Self::Done | Self::NothingToDo => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::BadData => 65,
            Self::Unavailable => 69,
            Self::CannotWrite => 73,
            Self::Locked => 75,
            Self::Held => 76,
            Self::Attention => 79,
        }
    }
}

impl ExitCode {
    /// The failure of this number, such as another call of this program ended with.
    #[must_use]
    pub fn from_number(number: i32) -> Option<Self> {
        let all = [
            Self::Failed,
            Self::Usage,
            Self::BadData,
            Self::Unavailable,
            Self::CannotWrite,
            Self::Locked,
            Self::Held,
            Self::Attention,
        ];
        all.into_iter().find(|code| number == i32::from(code.as_u8()))
    }
}

/// An error with a code that nothing below can know.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct CodedError {
    pub code: ExitCode,
    pub message: String,
}

pub fn error_with_code(code: ExitCode, message: impl Into<String>) -> anyhow::Error {
    anyhow::Error::new(CodedError { code, message: message.into() })
}

/// The code for an error, from the innermost cause that has one.
#[must_use]
pub fn exit_code(error: &anyhow::Error) -> ExitCode {
    let of_cause = |cause: &(dyn std::error::Error + 'static)| {
        let coded = cause.downcast_ref::<CodedError>().map(|e| e.code);
        let nothing = cause.downcast_ref::<NoCurrentSnapshot>().map(|_| ExitCode::Unavailable);
        let lake = cause.downcast_ref::<LakeError>().map(of_lake);
        let publish = cause.downcast_ref::<PublishError>().map(|_| ExitCode::BadData);
        let ingest = cause.downcast_ref::<fdna_ingest::IngestError>().map(|_| ExitCode::BadData);
        let panel = cause.downcast_ref::<fdna_panel::PanelError>().map(|_| ExitCode::BadData);
        let decision = cause.downcast_ref::<fdna_identity::DecisionError>().map(|_| ExitCode::BadData);
        coded.or(nothing).or(lake).or(publish).or(ingest).or(panel).or(decision)
    };
    error.chain().find_map(of_cause).unwrap_or(ExitCode::Failed)
}

fn of_lake(error: &LakeError) -> ExitCode {
    match error {
        LakeError::Locked { .. } => ExitCode::Locked,
        LakeError::Write { .. }
        | LakeError::CreateFolder { .. }
        | LakeError::SyncFolder { .. }
        | LakeError::Rename { .. }
        | LakeError::Remove { .. }
        | LakeError::Lock { .. } => ExitCode::CannotWrite,
        LakeError::Read { .. } | LakeError::List { .. } | LakeError::Gone { .. } => ExitCode::Unavailable,
        LakeError::NoSnapshot { .. } | LakeError::NoRun { .. } | LakeError::NoCapture { .. } => {
            ExitCode::Usage
        }
        _ => ExitCode::BadData,
    }
}
