//! The catalog's document, and the page that shows it.

use std::sync::LazyLock;

use axum::body::Body;
use axum::http::Response;
use axum::http::request::Parts;
use fdna_catalog::RouteCatalog;

use crate::docs::{Fixed, HTML};

pub(super) fn document(head: &Parts) -> Response<Body> {
    static GIVEN: LazyLock<Fixed> = LazyLock::new(|| {
        let text = RouteCatalog::get().map(|catalog| fdna_catalog::document(catalog).to_string());
        Fixed::new("application/json", text.unwrap_or_default())
    });
    GIVEN.answer(head)
}

pub(super) fn page(head: &Parts) -> Response<Body> {
    static GIVEN: LazyLock<Fixed> =
        LazyLock::new(|| Fixed::new(HTML, RouteCatalog::get().map(RouteCatalog::docs).unwrap_or_default()));
    GIVEN.page(head)
}
