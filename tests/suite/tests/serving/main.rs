//! What clients see: answers, the OpenAPI document, the gateway, the pages.

mod api;
mod dna;
mod explorer;
mod gateway;
mod leads;
mod openapi;
mod pages;
mod serve;
mod specification;
