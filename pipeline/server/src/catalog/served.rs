//! The routes with the snapshot that answers them, and what follows the lake's pointer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arc_swap::ArcSwapOption;
use fdna_catalog::{CatalogSnapshot, RouteCatalog};
use fdna_http::EventCounter;
use fdna_view::catalog::CatalogLake;
use fdna_view::{LoadError, error_chain};

use crate::blocking::blocking;
use crate::serving_state::TICKS_TO_RETRY;

/// The routes, and the tables that they are answered from, once there are any.
#[derive(Debug)]
pub struct ServedCatalog {
    pub(crate) routes: &'static RouteCatalog,
    snapshot: ArcSwapOption<CatalogSnapshot>,
    /// A file of the snapshot that is served turned out to be damaged, or cannot be read any more.
    is_damaged: AtomicBool,
    /// Times that one did.
    pub(crate) damaged_reads: EventCounter,
}

impl From<&'static RouteCatalog> for ServedCatalog {
    fn from(routes: &'static RouteCatalog) -> Self {
        Self::new(routes)
    }
}

impl ServedCatalog {
    /// Without data yet.
    #[must_use]
    pub fn new(routes: &'static RouteCatalog) -> Self {
        let (snapshot, is_damaged, damaged_reads) = Default::default();
        Self { routes, snapshot, is_damaged, damaged_reads }
    }

    /// Answers from this snapshot from the next request on.
    pub fn publish(&self, snapshot: CatalogSnapshot) {
        self.snapshot.store(Some(Arc::new(snapshot)));
        self.is_damaged.store(false, Ordering::Relaxed);
    }

    /// A file of this snapshot is not what it was when the snapshot was loaded: it is loaded anew.
    pub(super) fn report_damage(&self, snapshot: &Arc<CatalogSnapshot>) {
        self.damaged_reads.inc();
        if self.snapshot().is_some_and(|served| Arc::ptr_eq(&served, snapshot)) {
            self.is_damaged.store(true, Ordering::Relaxed);
        }
    }

    /// Whether that is so of the one that is served.
    pub(crate) fn is_damaged(&self) -> bool {
        self.is_damaged.load(Ordering::Relaxed)
    }

    /// The snapshot that is served now.
    #[must_use]
    pub fn snapshot(&self) -> Option<Arc<CatalogSnapshot>> {
        self.snapshot.load_full()
    }
}

/// Keeps up with a lake.
pub(super) struct CatalogWatcher {
    catalog: Arc<ServedCatalog>,
    lake: CatalogLake,
    /// What could not be loaded, why, and for how many ticks it is left alone.
    failed: Option<(String, Arc<LoadError>, u32)>,
}

impl CatalogWatcher {
    /// Decodes the tables of the snapshot that is served, so that no request has to wait for one. Requests before the end
    /// read what they need themselves.
    fn read_tables(&self) {
        let catalog = Arc::clone(&self.catalog);
        tokio::task::spawn_blocking(move || {
            let Some(snapshot) = catalog.snapshot() else { return };
            if let Err(error) = snapshot.tables.read_all() {
                tracing::error!(snapshot = %snapshot.id, problem = %error_chain(&error), "cannot read a table");
                catalog.report_damage(&snapshot);
            }
        });
    }

    pub(super) fn new(catalog: Arc<ServedCatalog>, lake: CatalogLake) -> Self {
        Self { catalog, lake, failed: None }
    }

    /// Serves the current snapshot if it is another, or is damaged. What cannot be loaded leaves what was served before.
    pub(super) async fn tick(&mut self) -> Result<(), Arc<LoadError>> {
        let lake = self.lake.clone();
        let Some(id) = blocking(move || lake.current()).await.map_err(Arc::new)? else { return Ok(()) };
        if !self.catalog.is_damaged() && self.catalog.snapshot().is_some_and(|served| served.id == id) {
            return Ok(());
        }
        if let Some((_, error, left)) = self.failed.as_mut().filter(|(bad, _, left)| *bad == id && *left > 0)
        {
            *left -= 1;
            return Err(Arc::clone(error));
        }
        let (lake, routes, wanted) = (self.lake.clone(), self.catalog.routes, id.clone());
        match blocking(move || lake.load(&wanted, routes)).await {
            Ok(snapshot) => {
                tracing::info!(snapshot = %id, "serving a new snapshot of the catalog");
                self.failed = None;
                self.catalog.publish(snapshot);
                self.read_tables();
                Ok(())
            }
            Err(error) => {
                let error = Arc::new(error);
                tracing::error!(snapshot = %id, problem = %error_chain(&*error), "what was served before stays");
                self.failed = Some((id, Arc::clone(&error), TICKS_TO_RETRY));
                Err(error)
            }
        }
    }
}
