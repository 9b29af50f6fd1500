//! Real captures. They are not part of the repository: without them these tests pass over themselves and say so, and
//! on CI they fail.

mod real_asked;
mod real_changes;
mod real_content;
mod real_declared;
mod real_dna;
mod real_facts;
mod real_history;
mod real_html;
mod real_judging;
mod real_layouts;
mod real_ledger;
mod real_links;
mod real_schedule;
mod two_captures;
