//! The program as its operator runs it: captures in, snapshots and the ledger out, also after bad input and kills.

mod acceptance;
mod architecture;
mod backfill;
mod backfill_ratios;
mod backup;
mod captures;
mod compat;
mod content;
mod engines;
mod error_texts;
mod every_command;
mod faults;
mod fetch;
mod foundations;
mod hostile;
mod import_rings;
mod judging;
mod layouts;
mod ledger;
mod lineage;
mod operating;
mod over_time;
mod schedule_over_time;
mod units;
