//! The APIs that a gateway may stand before: which requests there are, who may make them, and what needs no key.

use fdna_api::{ACCOUNT_USAGE, ApiInfo, CATALOG_API, ErrorCode, Failure, MMA_API, Plan};
use fdna_catalog::{RouteCatalog, without_prefix};

use crate::entitlement::{AmbiguousPath, MatchedOperation, OperationRouter};
use crate::headers::{CATALOG_GATEWAY_VERSION, GATEWAY_VERSION};
use crate::key::KeyProduct;
use crate::plan::{PLANS, Plans};

/// Page of the catalog that lists its routes: anyone may read it, and a key sees what it may ask for.
const LISTING: &str = "/sports";

/// The API that a gateway stands before.
#[derive(Debug)]
pub(crate) enum Product {
    Mma(OperationRouter),
    Catalog {
        catalog: &'static RouteCatalog,
        /// Plans that have its full listing.
        full: Vec<Plan>,
    },
}

impl Product {
    /// # Errors
    /// Two operations have one path, or the routes contradict one another.
    pub(crate) fn new(product: KeyProduct, plans: &Plans) -> Result<Self, AmbiguousPath> {
        Ok(match product {
            KeyProduct::Mma => Self::Mma(OperationRouter::new()?),
            KeyProduct::Catalog => {
                let catalog = RouteCatalog::get().map_err(AmbiguousPath::Routes)?;
                Self::Catalog { catalog, full: plans.with_full_catalog() }
            }
        })
    }

    pub(crate) fn api(&self) -> &'static ApiInfo {
        match self {
            Self::Mma(_) => &MMA_API,
            Self::Catalog { .. } => &CATALOG_API,
        }
    }

    /// The gateway's release before it.
    pub(crate) fn gateway_version(&self) -> &'static str {
        match self {
            Self::Mma(_) => GATEWAY_VERSION,
            Self::Catalog { .. } => CATALOG_GATEWAY_VERSION,
        }
    }

    /// Whether clients may send their key as `?key=`.
    pub(crate) fn takes_key_in_url(&self) -> bool {
        matches!(self, Self::Catalog { .. })
    }

    /// The path without a prefix that means nothing.
    fn path<'p>(&self, path: &'p str) -> &'p str {
        match self {
            Self::Mma(_) => path,
            Self::Catalog { .. } => without_prefix(path),
        }
    }

    /// The operation of a request; `None` outside the contract.
    pub(crate) fn find(&self, path: &str, query: Option<&str>) -> Option<MatchedOperation> {
        match self {
            Self::Mma(router) => router.find(path, query),
            Self::Catalog { .. } if without_prefix(path) == LISTING => {
                Some(MatchedOperation::of_anyone("sports"))
            }
            Self::Catalog { catalog, full } => {
                let route = catalog.find(path).ok()?.route;
                let plans = if route.in_narrow_listing { PLANS.to_vec() } else { full.clone() };
                Some(MatchedOperation { name: Some(route.operation), plans, includes: None })
            }
        }
    }

    /// What a path outside the contract is answered.
    pub(crate) fn no_route(&self, path: &str) -> Failure {
        let found = match self {
            Self::Mma(_) => None,
            Self::Catalog { catalog, .. } => catalog.find(path).err(),
        };
        found.unwrap_or_else(|| {
            let message = "No such route. GET /v1/mma lists every route; documentation: /docs";
            Failure::new(ErrorCode::NotFound, message)
        })
    }

    /// Pages that need no key. The listing is one where none is sent.
    pub(crate) fn is_public(&self, path: &str, has_key: bool) -> bool {
        let path = self.path(path);
        let is_page = matches!(path, "/" | "/docs" | "/openapi.json") || path.starts_with("/docs/");
        is_page || self.takes_key_in_url() && (path == "/health" || path == LISTING && !has_key)
    }

    pub(crate) fn is_account_usage(&self, path: &str) -> bool {
        self.path(path) == self.path(ACCOUNT_USAGE)
    }

    /// What is added to the query of a request: the listing shows a key what it may ask for.
    pub(crate) fn added_query(&self, path: &str, query: Option<&str>, plan: Plan) -> Option<&'static str> {
        let Self::Catalog { full, .. } = self else { return None };
        let names_listing = |query: &str| query.split('&').any(|part| part.starts_with("listing"));
        let is_narrow = without_prefix(path) == LISTING && !full.contains(&plan);
        (is_narrow && !query.is_some_and(names_listing)).then_some("listing=narrow")
    }
}
