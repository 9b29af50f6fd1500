//! Audits: queries over a snapshot that must return no rows.

use std::borrow::Cow;

use fdna_schemas::CatalogAudit;

use crate::rows::Rows;

/// A query that finds what must not be. Its file begins with comments that say what that is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audit {
    pub name: Cow<'static, str>,
    pub sql: Cow<'static, str>,
}

impl From<CatalogAudit> for Audit {
    fn from(CatalogAudit { name, sql }: CatalogAudit) -> Self {
        Self { name: name.into(), sql: sql.into() }
    }
}

/// Result of an audit.
#[derive(Debug, Clone)]
pub struct Finding {
    pub audit: Audit,
    /// Violating rows; empty where all is well.
    pub rows: Rows,
}

impl Audit {
    /// The rule that must hold, from the comments at its head.
    #[must_use]
    pub fn meaning(&self) -> String {
        let comments = self.sql.lines().map_while(|line| line.strip_prefix("--"));
        comments.map(str::trim).collect::<Vec<_>>().join(" ")
    }
}

macro_rules! audits {
    ($($name:literal),+ $(,)?) => {
        &[$(Audit {
            name: Cow::Borrowed($name),
            sql: Cow::Borrowed(include_str!(concat!("../../../schemas/audits/", $name, ".sql"))),
        }),+]
    };
}

/// All audits of Fight DNA, by name.
pub const AUDITS: &[Audit] = audits!(
    "aliases_end_at_an_entity",
    "control_is_known_for_both_or_null",
    "counts_agree",
    "identities_are_one_to_one",
    "ids_resolve",
    "images_served_are_licensed",
    "listings_follow_one_another",
    "mentions_resolve",
    "percentiles_have_a_pool",
    "profiles_add_up",
    "ratings_follow_one_another",
    "shares_sum_to_one",
    "shrinkage_is_what_it_says",
    "sides_are_drawn_by_chance",
    "value_is_null_unless_ok",
    "versions_are_contiguous",
    "versions_follow_the_bouts",
    "zero_denominator_is_null",
);

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_file_is_an_audit_with_a_meaning_and_they_stand_in_order() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../schemas/audits");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let files: BTreeSet<String> =
            files.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
        let names: Vec<&str> = AUDITS.iter().map(|audit| &*audit.name).collect();
        assert_eq!(names, files.iter().map(String::as_str).collect::<Vec<_>>());
        for audit in AUDITS {
            assert!(audit.meaning().len() > 20, "{}", audit.name);
        }
    }
}
