//! The gateway over sockets, in front of canonical hosts made here, well and badly behaved.

mod books;
mod common;
mod contract;
mod counting;
mod forms;
mod hosts;
mod keys;
mod lines;
mod postgres;
mod secure;
mod stores;
mod upstream;
