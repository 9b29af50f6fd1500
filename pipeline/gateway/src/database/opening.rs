//! Opens the database of a store, or tells what an operator can do: one that is not there, is empty, is of another product
//! or is damaged is never taken for a new one.

use std::io::ErrorKind;
use std::path::Path;

use sqlx::any::AnyConnectOptions;
use sqlx::{AnyConnection, ConnectOptions as _, Connection as _};
use tokio::time::timeout;
use uuid::Uuid;

use super::{
    BoxError, CLOSE_TIMEOUT, CONNECT_TIMEOUT, DatabaseAddress, DatabaseKind, FaultCause, Migrations,
    SQLITE_ALONE, all_texts, fault_of, find_missing, innermost_error, prepare_connection,
};

/// SQLite takes a file with fewer bytes for an empty one.
const SMALLEST_PAGE: u64 = 512;

/// Why a store is not opened. Places are for people, without a password.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("no {place}; {made_by} makes one")]
    Missing { place: String, made_by: &'static str, source: BoxError },
    #[error("the {place} is empty or cut short; restore a backup, or delete it to begin a new one")]
    Empty { place: String },
    #[error("the {place} is a store of {found}, not of {wanted}")]
    OfAnother { place: String, found: &'static str, wanted: &'static str },
    #[error("cannot open the {place}{}", fault.advice())]
    Failed { place: String, fault: FaultCause, source: BoxError },
    #[error("the {store} has version {found}, and this program knows up to {known}; use a newer program")]
    Version { store: &'static str, found: usize, known: usize },
    #[error("cannot migrate the {store} from version {found} to {known}{hint}")]
    Migrate { store: &'static str, found: usize, known: usize, hint: &'static str, source: BoxError },
}

impl OpenError {
    /// The cause of the error that somebody can act on.
    #[must_use]
    pub fn fault(&self) -> FaultCause {
        match self {
            Self::Failed { fault, .. } => *fault,
            Self::Migrate { source, .. } => fault_of(source),
            _ => FaultCause::Other,
        }
    }
}

/// Mode of opening a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenMode {
    /// It is made, if there is none.
    Make,
    Existing,
    /// As an existing one, for whoever only reads. SQLite needs room beside the file for what processes share, and none
    /// where a process has the file for itself.
    Alone,
}

/// A store's database, whose tables are there.
#[derive(Debug)]
pub struct OpenedStore {
    pub address: DatabaseAddress,
    pub connection: AnyConnection,
    /// The version of its tables.
    pub version: usize,
}

/// Opens a store, and brings its tables to this program's version.
///
/// # Errors
/// See [`OpenError`].
pub async fn open_store(address: &str, tables: &Migrations, how: OpenMode) -> Result<OpenedStore, OpenError> {
    let mut opened = find_store(address, tables, how).await?;
    migrate_tables(&mut opened, tables).await?;
    Ok(opened)
}

/// Opens a store whose tables may be of an earlier version.
///
/// # Errors
/// See [`OpenError`].
pub async fn find_store(address: &str, tables: &Migrations, how: OpenMode) -> Result<OpenedStore, OpenError> {
    sqlx::any::install_default_drivers();
    let address = DatabaseAddress::from_text(address);
    let place = || format!("{} `{}`", tables.store, address.place);
    let missing = |source| OpenError::Missing { place: place(), made_by: tables.made_by, source };
    if address.kind == DatabaseKind::Sqlite {
        let made = match how {
            OpenMode::Make if !Path::new(&address.place).exists() => make_file(&address, tables).await,
            _ => Ok(()),
        };
        made.map_err(|error| opening_failed(place(), error))?;
        match std::fs::metadata(&address.place) {
            Ok(file) if file.is_dir() => {
                return Err(opening_failed(place(), "it is a folder"));
            }
            Ok(file) if file.len() < SMALLEST_PAGE => return Err(OpenError::Empty { place: place() }),
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => return Err(missing(error.into())),
            Err(error) => return Err(opening_failed(place(), error)),
        }
    }
    let found = async {
        let mut connection = connect_to(&address, how).await?;
        let version = tables.stored_version(&mut connection).await?;
        let others = match (address.kind, version) {
            (DatabaseKind::Sqlite, 0) => {
                all_texts(&mut connection, "SELECT name || '' FROM sqlite_schema WHERE type = 'table'")
                    .await?
            }
            _ => Vec::new(),
        };
        Ok::<_, BoxError>((connection, version, others))
    };
    let (connection, version, others) = found.await.map_err(|error| opening_failed(place(), error))?;
    if let Some(found) = tables_owner(&others) {
        return Err(OpenError::OfAnother { place: place(), found, wanted: tables.product });
    }
    if version == 0 && how != OpenMode::Make {
        return Err(missing("it has none of its tables".into()));
    }
    if version > tables.current_version() {
        return Err(OpenError::Version {
            store: tables.store,
            found: version,
            known: tables.current_version(),
        });
    }
    Ok(OpenedStore { address, connection, version })
}

/// Brings the tables to this program's version. Needs no right to create tables if they are.
///
/// # Errors
/// They cannot be, or are not what they would be.
pub async fn migrate_tables(opened: &mut OpenedStore, tables: &Migrations) -> Result<(), OpenError> {
    let OpenedStore { address, connection, version } = opened;
    let (found, known, kind) = (*version, tables.current_version(), address.kind);
    if found < known {
        let migrated = async {
            let mut transaction = connection.begin_with(kind.begin_write()).await?;
            tables.apply_pending(&mut transaction, kind).await?;
            Ok(transaction.commit().await?)
        };
        migrated.await.map_err(|error: BoxError| {
            let (store, hint) = (tables.store, tables.migrate_hint);
            OpenError::Migrate { store, found, known, hint, source: innermost_error(error) }
        })?;
        *version = known;
    }
    let place = || format!("{} `{}`", tables.store, address.place);
    let missing = find_missing(connection, tables).await.map_err(|error| opening_failed(place(), error))?;
    // An index or trigger that is gone damages no answer.
    match missing.into_iter().find(|part| part.starts_with("it has no column")) {
        Some(what) => {
            Err(OpenError::Failed { place: place(), fault: FaultCause::Damaged, source: what.into() })
        }
        None => Ok(()),
    }
}

/// Connects, so that what fails is known at once and by its cause.
///
/// # Errors
/// The database failed, or does not answer.
pub(crate) async fn connect_to(address: &DatabaseAddress, how: OpenMode) -> Result<AnyConnection, BoxError> {
    let connecting = async {
        let mut connection = address.url.parse::<AnyConnectOptions>()?.connect().await?;
        if address.kind == DatabaseKind::Sqlite && how == OpenMode::Alone {
            sqlx::raw_sql(SQLITE_ALONE).execute(&mut connection).await?;
        }
        prepare_connection(&mut connection, address.kind).await?;
        Ok::<_, BoxError>(connection)
    };
    timeout(CONNECT_TIMEOUT, connecting).await?
}

/// Makes a SQLite file for its owner alone beside its place, and puts it there once its tables are in it: no other process
/// sees a part of it, and nothing is left where there is no room.
async fn make_file(address: &DatabaseAddress, tables: &Migrations) -> Result<(), BoxError> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let place = Path::new(&address.place);
    let new = DatabaseAddress::sqlite_file(&format!("{}.new-{}", address.place, Uuid::new_v4().simple()));
    std::fs::OpenOptions::new().create_new(true).write(true).mode(0o600).open(&new.place)?;
    let made = async {
        let mut connection = connect_to(&new, OpenMode::Make).await?;
        let mut transaction = connection.begin_with(new.kind.begin_write()).await?;
        tables.apply_pending(&mut transaction, new.kind).await?;
        transaction.commit().await?;
        connection.close().await?;
        match std::fs::hard_link(&new.place, place) {
            // Another process was faster.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(()),
            // Not every file system has links.
            Err(_) => std::fs::rename(&new.place, place)?,
            Ok(()) => {}
        }
        let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
        std::fs::File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?;
        tracing::warn!("made a new {} at {}", tables.store, address.place);
        Ok(())
    };
    let made = made.await;
    for end in ["", "-wal", "-shm", "-journal"] {
        let _ = std::fs::remove_file(format!("{}{end}", new.place));
    }
    made
}

/// Product that owns these tables; `None` if there are none.
fn tables_owner(tables: &[String]) -> Option<&'static str> {
    let has = |name: &str| tables.iter().any(|table| table == name);
    match tables.is_empty() {
        true => None,
        false if has("lead_meta") => Some("leads"),
        false if has("accounts") && has("keys") => Some("keys"),
        false => Some("another program"),
    }
}

fn opening_failed(place: String, error: impl Into<BoxError>) -> OpenError {
    let error = error.into();
    OpenError::Failed { place, fault: fault_of(&error), source: innermost_error(error) }
}

/// Closes a connection that may be broken.
pub async fn close_connection(connection: AnyConnection) -> Result<(), BoxError> {
    Ok(timeout(CLOSE_TIMEOUT, connection.close()).await??)
}
