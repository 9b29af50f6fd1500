//! The ledger as its users see it: captures and runs in, rows out.

mod cron;
mod replay;
mod rows;
mod script;
mod seal;
