//! Requests to an object store, each waited for. Nothing here knows what an object holds.

use std::fmt;
use std::fs::File;
use std::future::Future;
use std::io::{self, ErrorKind, Read as _, Seek as _, Write as _};
use std::sync::{Arc, OnceLock, mpsc};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _};
use object_store::aws::{AmazonS3Builder, Checksum};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{
    ClientOptions, Error, ObjectStore, ObjectStoreExt as _, PutMode, PutPayload, RetryConfig, WriteMultipart,
};
use tokio::runtime::{Builder, Runtime};

/// Schemes of addresses that lead to an object store.
pub(super) const SCHEMES: [&str; 2] = ["s3://", "file://"];

/// A file larger than this, in bytes, goes up in pieces of [`PIECE`].
const IN_ONE_REQUEST: u64 = 32 << 20;

const PIECE: usize = 16 << 20;

/// Pieces of one file on their way at a time.
const PIECES_AT_A_TIME: usize = 4;

/// How long one request may take, with its answer.
const PATIENCE: Duration = Duration::from_secs(120);

/// An object store, and the prefix in it that is ours.
pub(super) struct Client {
    store: Arc<dyn ObjectStore>,
    prefix: Path,
    address: String,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("address", &self.address).finish_non_exhaustive()
    }
}

/// Name, size and age of an object.
pub(super) struct ListedObject {
    pub(super) name: String,
    pub(super) modified_at: SystemTime,
    pub(super) bytes: u64,
}

impl Client {
    /// A client for an address such as `s3://bucket/prefix`. Credentials, region and endpoint come from the environment,
    /// under the names that the tools of Amazon give them.
    pub(super) fn new(address: &str) -> io::Result<Self> {
        let invalid = |why: String| io::Error::new(ErrorKind::InvalidInput, why);
        let (scheme, rest) = address.split_once("://").unwrap_or_default();
        let (store, prefix): (Arc<dyn ObjectStore>, _) = match scheme {
            "s3" => {
                let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
                if bucket.is_empty() {
                    return Err(invalid(format!("`{address}` names no bucket: s3://BUCKET/PREFIX")));
                }
                if let Some(endpoint) = endpoint_without_tls() {
                    return Err(invalid(format!(
                        "the object store's address is {endpoint}: set AWS_ALLOW_HTTP=true to send it requests without TLS"
                    )));
                }
                // Both may be there where several programs of the process use TLS.
                let _ = rustls::crypto::ring::default_provider().install_default();
                let retry = RetryConfig { retry_timeout: PATIENCE, max_retries: 6, ..RetryConfig::default() };
                let builder = AmazonS3Builder::from_env()
                    .with_bucket_name(bucket)
                    .with_checksum_algorithm(Checksum::SHA256)
                    .with_client_options(client_options())
                    .with_retry(retry);
                let store = builder.build().map_err(|error| {
                    invalid(format!("the object store of `{address}` cannot be used: {error}"))
                })?;
                (Arc::new(store), prefix.to_owned())
            }
            "file" if rest.starts_with('/') => {
                std::fs::create_dir_all(rest)?;
                let store =
                    LocalFileSystem::new_with_prefix(rest).map_err(|error| invalid(error.to_string()))?;
                (Arc::new(store.with_fsync(true)), String::new())
            }
            _ => {
                return Err(invalid(format!("`{address}` is neither s3://BUCKET/PREFIX nor file:///FOLDER")));
            }
        };
        let prefix = Path::parse(prefix.trim_matches('/'))
            .map_err(|error| invalid(format!("`{address}` has no usable prefix: {error}")))?;
        Ok(Self { store, prefix, address: address.trim_end_matches('/').to_owned() })
    }

    /// A client for a store that is there.
    #[cfg(test)]
    pub(super) fn with_store(store: Arc<dyn ObjectStore>, address: &str) -> Self {
        Self { store, prefix: Path::default(), address: address.to_owned() }
    }

    fn path(&self, name: &str) -> Path {
        Path::from_iter(self.prefix.parts().chain(Path::from(name).parts()))
    }

    /// An error that says which request failed.
    fn failed(&self, verb: &str, name: &str, error: Error) -> io::Error {
        let kind = match &error {
            Error::NotFound { .. } => ErrorKind::NotFound,
            Error::AlreadyExists { .. } | Error::Precondition { .. } => ErrorKind::AlreadyExists,
            Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => ErrorKind::PermissionDenied,
            Error::NotImplemented { .. } | Error::NotSupported { .. } => ErrorKind::Unsupported,
            _ => ErrorKind::Other,
        };
        let text = error.to_string();
        // The address that tells machines of Amazon their role is asked last, where nothing else gives keys.
        let hint = match text.contains("//169.254.") {
            true => "; no credentials were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
            false => "",
        };
        io::Error::new(kind, format!("{verb} {}/{name} failed: {text}{hint}", self.address))
    }

    /// The object; `None` where there is none.
    pub(super) fn get(&self, name: &str) -> io::Result<Option<Bytes>> {
        let (store, path) = (Arc::clone(&self.store), self.path(name));
        match wait(async move { store.get(&path).await?.bytes().await }) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.failed("GET", name, error)),
        }
    }

    /// The objects of these names, in their order.
    pub(super) fn get_all(&self, names: Vec<String>) -> io::Result<Vec<Option<Bytes>>> {
        let work: Vec<_> = names
            .into_iter()
            .map(|name| {
                let (store, path) = (Arc::clone(&self.store), self.path(&name));
                async move {
                    match store.get(&path).await {
                        Ok(found) => found.bytes().await.map(Some).map_err(|error| (name, error)),
                        Err(Error::NotFound { .. }) => Ok(None),
                        Err(error) => Err((name, error)),
                    }
                }
            })
            .collect();
        let got = wait(async move { futures_util::stream::iter(work).buffered(8).try_collect().await });
        got.map_err(|(name, error)| self.failed("GET", &name, error))
    }

    /// Writes the object into a file, without ever holding all of it.
    pub(super) fn download(&self, name: &str, mut into: File) -> io::Result<()> {
        let (store, path) = (Arc::clone(&self.store), self.path(name));
        let done = wait(async move {
            let mut pieces = store.get(&path).await?.into_stream();
            while let Some(piece) = pieces.try_next().await? {
                into.write_all(&piece)
                    .map_err(|source| Error::Generic { store: "cache", source: source.into() })?;
            }
            Ok(())
        });
        done.map_err(|error| self.failed("GET", name, error))
    }

    /// Puts an object in place, over an older one.
    pub(super) fn put(&self, name: &str, bytes: Bytes) -> io::Result<()> {
        let (store, path) = (Arc::clone(&self.store), self.path(name));
        wait(async move { store.put(&path, bytes.into()).await })
            .map(drop)
            .map_err(|error| self.failed("PUT", name, error))
    }

    /// Puts an object in place if there is none of that name; says whether it did. An error leaves it open.
    pub(super) fn create(&self, name: &str, bytes: Bytes) -> io::Result<bool> {
        let (store, path) = (Arc::clone(&self.store), self.path(name));
        let options = PutMode::Create.into();
        match wait(async move { store.put_opts(&path, bytes.into(), options).await }) {
            Ok(_) => Ok(true),
            Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => Ok(false),
            Err(error) => Err(self.failed("PUT", name, error)),
        }
    }

    /// Puts objects in place, several at a time, and asks the store whether it has all bytes of each.
    pub(super) fn put_all(&self, objects: Vec<(String, Upload)>) -> io::Result<()> {
        let work = objects.into_iter().map(|(name, upload)| {
            let (store, path) = (Arc::clone(&self.store), self.path(&name));
            async move {
                let bytes = upload.len();
                upload.send(store.as_ref(), &path).await.map_err(|error| ("PUT", name.clone(), error))?;
                let found = store.head(&path).await.map_err(|error| ("HEAD", name.clone(), error))?;
                match found.size == bytes {
                    true => Ok(()),
                    false => {
                        let why =
                            format!("the store has {} bytes of it, of {bytes} that were sent", found.size);
                        Err(("PUT", name, Error::Generic { store: "object store", source: why.into() }))
                    }
                }
            }
        });
        let work: Vec<_> = work.collect();
        let done = wait(async move {
            futures_util::stream::iter(work).buffer_unordered(8).try_collect::<Vec<()>>().await
        });
        done.map(drop).map_err(|(verb, name, error)| self.failed(verb, &name, error))
    }

    /// When the object was written, by the clock of the store; `None` where there is none.
    pub(super) fn modified_at(&self, name: &str) -> io::Result<Option<SystemTime>> {
        let (store, path) = (Arc::clone(&self.store), self.path(name));
        match wait(async move { store.head(&path).await }) {
            Ok(found) => Ok(Some(found.last_modified.into())),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.failed("HEAD", name, error)),
        }
    }

    /// Objects below a prefix, sorted by name.
    pub(super) fn list(&self, prefix: &str) -> io::Result<Vec<ListedObject>> {
        let (store, path) = (Arc::clone(&self.store), self.path(prefix));
        let found = wait(async move { store.list(Some(&path)).try_collect::<Vec<_>>().await })
            .map_err(|error| self.failed("LIST", prefix, error))?;
        let ours = self.prefix.as_ref();
        let mut listed: Vec<_> = found
            .into_iter()
            .map(|object| ListedObject {
                name: object.location.as_ref()[ours.len()..].trim_start_matches('/').to_owned(),
                modified_at: object.last_modified.into(),
                bytes: object.size,
            })
            .collect();
        listed.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(listed)
    }

    /// Removes an object; nothing where there is none.
    pub(super) fn delete(&self, name: &str) -> io::Result<()> {
        let (store, path) = (Arc::clone(&self.store), self.path(name));
        match wait(async move { store.delete(&path).await }) {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(self.failed("DELETE", name, error)),
        }
    }
}

/// What is to become an object.
pub(super) enum Upload {
    Bytes(Bytes),
    /// All of a file of so many bytes.
    File(File, u64),
}

impl Upload {
    fn len(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::File(_, bytes) => *bytes,
        }
    }

    async fn send(self, store: &dyn ObjectStore, path: &Path) -> Result<(), Error> {
        let unread = |source: io::Error| Error::Generic { store: "cache", source: source.into() };
        let (mut file, bytes) = match self {
            Self::Bytes(bytes) => return store.put(path, bytes.into()).await.map(drop),
            Self::File(file, bytes) => (file, bytes),
        };
        file.rewind().map_err(unread)?;
        if bytes <= IN_ONE_REQUEST {
            let mut all = Vec::with_capacity(usize::try_from(bytes).unwrap_or_default());
            file.read_to_end(&mut all).map_err(unread)?;
            return store.put(path, PutPayload::from(all)).await.map(drop);
        }
        let upload = store.put_multipart(path).await?;
        let mut writer = WriteMultipart::new_with_chunk_size(upload, PIECE);
        let mut piece = vec![0; PIECE];
        loop {
            let read = file.read(&mut piece).map_err(unread)?;
            if read == 0 {
                return writer.finish().await.map(drop);
            }
            writer.wait_for_capacity(PIECES_AT_A_TIME).await?;
            writer.write(&piece[..read]);
        }
    }
}

fn allows_http() -> bool {
    std::env::var("AWS_ALLOW_HTTP").is_ok_and(|allowed| allowed.eq_ignore_ascii_case("true"))
}

fn endpoint_without_tls() -> Option<String> {
    let names = ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"];
    let endpoint = names.into_iter().find_map(|name| std::env::var(name).ok())?;
    (endpoint.starts_with("http://") && !allows_http()).then_some(endpoint)
}

fn client_options() -> ClientOptions {
    // Options that are given replace what the environment says of them.
    ClientOptions::new()
        .with_allow_http(allows_http())
        .with_connect_timeout(Duration::from_secs(10))
        .with_timeout(PATIENCE)
}

/// Does `work` on threads of its own and waits for it: callers are threads of any kind, also such as must not block in
/// a runtime of theirs.
fn wait<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> T {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    let runtime = RUNTIME.get_or_init(|| {
        let mut builder = Builder::new_multi_thread();
        let built = builder.worker_threads(2).thread_name("object-store").enable_all().build();
        built.expect("threads for requests to the object store")
    });
    let (sender, receiver) = mpsc::sync_channel(1);
    runtime.spawn(async move {
        let _ = sender.send(work.await);
    });
    receiver.recv().expect("a request to the object store ends")
}
