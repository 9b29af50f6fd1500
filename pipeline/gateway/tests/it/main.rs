//! The gateway over sockets, in front of canonical hosts made here, well and badly behaved.

mod accounting;
mod catalog;
mod change_stream;
mod common;
mod connections;
mod contract;
mod counting;
mod damage;
mod downloads;
mod forms;
mod hosts;
mod keys;
mod postgres;
mod postgres_server;
mod protocol;
mod receiver;
mod secure;
mod stores;
mod streams;
mod upstream;
mod webhook_faults;
mod webhook_fixture;
mod webhook_receivers;
mod webhook_stores;
mod webhooks;
