//! Migrations of the tables of the key store.

use crate::database::Migrations;

pub(super) const TABLES: Migrations = Migrations {
    store: "key store",
    product: "keys",
    made_by: "`fightdna keys --keys … issue`",
    migrate_hint: ": whoever owns the database can, with `fightdna keys migrate`",
    meta: "meta",
    texts: &[
        include_str!("migrations/1.sql"),
        include_str!("migrations/2.sql"),
        include_str!("migrations/3.sql"),
        include_str!("migrations/4.sql"),
        include_str!("migrations/5.sql"),
    ],
};
