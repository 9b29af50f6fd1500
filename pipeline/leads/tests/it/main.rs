//! The store on both databases, the server over sockets, and what is left when it is killed.

mod changes;
mod common;
mod damage;
mod http;
mod imports;
mod kill;
mod measure;
mod model;
#[path = "../../../gateway/tests/it/postgres_server.rs"]
#[allow(dead_code, reason = "the gateway's tests use more of it")]
mod postgres_server;
mod properties;
mod search;
mod store;
mod tables;
mod webhooks;
