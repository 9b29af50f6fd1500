//! The Model Context Protocol over what is served: seven tools that read and never write, over standard input and output or
//! over HTTP without sessions.
//!
//! ```text
//! tool_file   the tools as `tools.toml` declares them        call      from a call of a tool to an answer or a refusal
//! tools       the same with schemas, as they are listed      ask       questions to the operations
//! bounds      an answer of at most so many bytes             entities  fighters by name, events by `next` and `latest`
//! questions   what `sql` takes, and who runs it              catalog   search in the multi-sport catalog
//! refusal     why there is no answer                         server    the protocol's server; standard input and output
//! tool_context   what all connections share              http      a key, origins, bodies of bounded size
//! ```
//!
//! It asks the operations of the API within the process and passes their answers on as they are. SQL, which none of them
//! takes, is run by a [`QueryRunner`] that whoever starts it gives.

mod ask;
mod bounds;
mod call;
mod catalog;
mod entities;
mod http;
mod questions;
mod refusal;
mod server;
mod tool_context;
mod tool_file;
mod tools;

pub use bounds::MAX_BYTES;
pub use fdna_api::ErrorCode;
pub use http::{HttpOptions, serve_http};
pub use questions::{LakeName, QueryRows, QueryRunner, SqlQuestion};
pub use refusal::Refusal;
pub use server::{McpServer, serve_stdio};
pub use tool_context::ServedLakes;
