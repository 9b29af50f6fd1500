//! Derivation as its callers see it: facts in, versions out.

mod chosen;
mod facts;
mod versions;
