//! The catalog as a server sees it: files of routes and tables in, listings and answers out.

mod answers;
mod changes;
mod routes;
