//! The APIs that a gateway may stand before: which requests there are, who may make them, and what needs no key.

use std::fmt::Debug;
use std::sync::Arc;

use fdna_api::{ACCOUNT_USAGE, ACCOUNT_WEBHOOKS, ApiInfo, CATALOG_API, ErrorCode, Failure, MMA_API, Plan};

use crate::entitlement::{AmbiguousPath, MatchedOperation, OperationRouter};
use crate::headers::{CATALOG_GATEWAY_VERSION, GATEWAY_VERSION};
use crate::key::KeyProduct;
use crate::plan::{PLANS, Plans};

/// Page of the catalog that lists its routes: anyone may read it, and a key sees what it may ask for.
const LISTING: &str = "/sports";

/// Routes of the multi-sport catalog, as the crate that has its contract tells them.
pub trait CatalogRoutes: Debug + Send + Sync {
    /// A path without a prefix that means nothing.
    fn canonical_path<'p>(&self, path: &'p str) -> &'p str;

    /// The route of a path.
    ///
    /// # Errors
    /// 404: there is none.
    fn find_route(&self, path: &str) -> Result<CatalogRouteAccess, Failure>;
}

/// A route, and who may ask for it.
#[derive(Debug, Clone, Copy)]
pub struct CatalogRouteAccess {
    /// Of the operation.
    pub name: &'static str,
    pub in_narrow_listing: bool,
    /// The lowest plan that has it, of those whose listing does.
    pub plan: Plan,
}

/// The API that canonical hosts serve.
#[derive(Debug, Clone, Default)]
pub enum ServedProduct {
    #[default]
    Mma,
    Catalog(Arc<dyn CatalogRoutes>),
}

impl ServedProduct {
    /// Product of the keys that open it.
    #[must_use]
    pub fn keys(&self) -> KeyProduct {
        match self {
            Self::Mma => KeyProduct::Mma,
            Self::Catalog(_) => KeyProduct::Catalog,
        }
    }
}

/// The API that a gateway stands before.
#[derive(Debug)]
pub(crate) enum Product {
    Mma(OperationRouter),
    Catalog {
        routes: Arc<dyn CatalogRoutes>,
        /// Plans that have its full listing.
        full: Vec<Plan>,
    },
}

impl Product {
    /// # Errors
    /// Two operations have one path.
    pub(crate) fn new(product: &ServedProduct, plans: &Plans) -> Result<Self, AmbiguousPath> {
        Ok(match product {
            ServedProduct::Mma => Self::Mma(OperationRouter::new()?),
            ServedProduct::Catalog(routes) => {
                Self::Catalog { routes: Arc::clone(routes), full: plans.with_full_catalog() }
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
    fn canonical_path<'p>(&self, path: &'p str) -> &'p str {
        match self {
            Self::Mma(_) => path,
            Self::Catalog { routes, .. } => routes.canonical_path(path),
        }
    }

    /// The operation of a request; `None` outside the contract.
    pub(crate) fn find_operation(&self, path: &str, query: Option<&str>) -> Option<MatchedOperation<'_>> {
        match self {
            Self::Mma(router) => router.find_operation(path, query),
            Self::Catalog { routes, .. } if routes.canonical_path(path) == LISTING => {
                Some(MatchedOperation::of_anyone("sports"))
            }
            Self::Catalog { routes, full } => {
                let CatalogRouteAccess { name, in_narrow_listing, plan } = routes.find_route(path).ok()?;
                let plans = if in_narrow_listing { &PLANS } else { full.as_slice() };
                let plans = &plans[plans.partition_point(|of_listing| *of_listing < plan)..];
                Some(MatchedOperation { name: Some(name), plans, includes: None })
            }
        }
    }

    /// Answer to a path outside the contract.
    pub(crate) fn no_route(&self, path: &str) -> Failure {
        let found = match self {
            Self::Mma(_) => None,
            Self::Catalog { routes, .. } => routes.find_route(path).err(),
        };
        found.unwrap_or_else(|| {
            let message = "No such route. GET /v1/mma lists every route; documentation: /docs";
            Failure::new(ErrorCode::NotFound, message)
        })
    }

    /// Pages that need no key. The listing is one where none is sent.
    pub(crate) fn is_public(&self, path: &str, has_key: bool) -> bool {
        let path = self.canonical_path(path);
        let is_page = matches!(path, "/" | "/docs" | "/openapi.json") || path.starts_with("/docs/");
        is_page || self.takes_key_in_url() && (path == "/health" || path == LISTING && !has_key)
    }

    pub(crate) fn is_account_usage(&self, path: &str) -> bool {
        self.canonical_path(path) == self.canonical_path(ACCOUNT_USAGE)
    }

    pub(crate) fn is_account_webhooks(&self, path: &str) -> bool {
        self.canonical_path(path) == self.canonical_path(ACCOUNT_WEBHOOKS)
    }

    /// Parameters added to the query of a request: the listing shows a key what it may ask for.
    pub(crate) fn added_query(&self, path: &str, query: Option<&str>, plan: Plan) -> Option<&'static str> {
        let Self::Catalog { routes, full } = self else { return None };
        let names_listing = |query: &str| query.split('&').any(|part| part.starts_with("listing"));
        let is_narrow = routes.canonical_path(path) == LISTING && !full.contains(&plan);
        (is_narrow && !query.is_some_and(names_listing)).then_some("listing=narrow")
    }
}
