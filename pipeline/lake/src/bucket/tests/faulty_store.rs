//! A store of which one request goes wrong.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore, PutMode,
    PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It is not done, and says so.
    Fail,
    /// It is done, and the answer is lost.
    LoseAnswer,
    /// Half of the bytes arrive, without a condition, and the answer is lost. Of an entry of the log nothing arrives: a
    /// store that tears what it creates under a condition can hold no log.
    Tear,
    /// It is done twice; the second answer arrives.
    Repeat,
    /// It is not done, which the answer says, and is done all the same after the next request.
    Delay,
    /// Conditions are not kept, by no request.
    NoConditions,
}

impl Fault {
    pub(super) const ALL: [Self; 5] = [Self::Fail, Self::LoseAnswer, Self::Tear, Self::Repeat, Self::Delay];
}

type Late = (Path, PutPayload, PutOptions);

#[derive(Debug)]
pub(super) struct FaultyStore {
    inner: Arc<InMemory>,
    fault: Fault,
    at: usize,
    count: AtomicUsize,
    seen: Mutex<Vec<String>>,
    late: Mutex<Option<Late>>,
}

fn lost() -> Error {
    Error::Generic { store: "faulty", source: "no answer".into() }
}

impl FaultyStore {
    pub(super) fn new(inner: Arc<InMemory>, fault: Fault, at: usize) -> Self {
        Self { inner, fault, at, count: AtomicUsize::new(0), seen: Mutex::default(), late: Mutex::default() }
    }

    pub(super) fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }

    pub(super) fn was_reached(&self) -> bool {
        self.count.load(Ordering::SeqCst) > self.at
    }

    /// Does what is late.
    pub(super) fn settle(&self) {
        if let Some((path, payload, options)) = self.late.lock().unwrap().take() {
            let _ = futures_executor::block_on(self.inner.put_opts(&path, payload, options));
        }
    }

    fn meet(&self, verb: &str, path: impl fmt::Display) -> Option<Fault> {
        self.seen.lock().unwrap().push(format!("{verb} {path}"));
        let is_due = self.count.fetch_add(1, Ordering::SeqCst) == self.at;
        is_due.then_some(self.fault).filter(|fault| *fault != Fault::NoConditions)
    }
}

impl fmt::Display for FaultyStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a faulty store")
    }
}

#[async_trait::async_trait]
impl ObjectStore for FaultyStore {
    async fn put_opts(&self, path: &Path, payload: PutPayload, mut options: PutOptions) -> Result<PutResult> {
        let late = self.late.lock().unwrap().take();
        let is_log = path.as_ref().starts_with("log/");
        let met = self.meet("PUT", path);
        if self.fault == Fault::NoConditions {
            options.mode = PutMode::Overwrite;
        }
        let done = match met {
            None | Some(Fault::NoConditions) => self.inner.put_opts(path, payload, options).await,
            Some(Fault::Fail) => Err(lost()),
            Some(Fault::LoseAnswer) => {
                let _ = self.inner.put_opts(path, payload, options).await;
                Err(lost())
            }
            Some(Fault::Tear) => {
                if !is_log {
                    let bytes: bytes::Bytes = payload.into();
                    let half = bytes.slice(..bytes.len() / 2);
                    let _ = self.inner.put_opts(path, half.into(), PutOptions::default()).await;
                }
                Err(lost())
            }
            Some(Fault::Repeat) => {
                let _ = self.inner.put_opts(path, payload.clone(), options.clone()).await;
                self.inner.put_opts(path, payload, options).await
            }
            Some(Fault::Delay) => {
                *self.late.lock().unwrap() = Some((path.clone(), payload, options));
                Err(lost())
            }
        };
        if let Some((path, payload, options)) = late {
            let _ = self.inner.put_opts(&path, payload, options).await;
        }
        done
    }

    async fn put_multipart_opts(
        &self,
        path: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.inner.put_multipart_opts(path, options).await
    }

    async fn get_opts(&self, path: &Path, options: GetOptions) -> Result<GetResult> {
        match self.meet("GET", path) {
            Some(_) => Err(lost()),
            None => self.inner.get_opts(path, options).await,
        }
    }

    fn delete_stream(&self, paths: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        match self.meet("DELETE", "") {
            Some(_) => futures_util::stream::once(async { Err(lost()) }).boxed(),
            None => self.inner.delete_stream(paths),
        }
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        match self.meet("LIST", prefix.cloned().unwrap_or_default()) {
            Some(_) => futures_util::stream::once(async { Err(lost()) }).boxed(),
            None => self.inner.list(prefix),
        }
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.inner.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.inner.copy_opts(from, to, options).await
    }
}
