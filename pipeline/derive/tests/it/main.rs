//! Derivation as its callers see it: facts in, versions out.

mod facts;
mod versions;
