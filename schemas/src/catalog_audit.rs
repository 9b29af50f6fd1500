//! Audits of the multi-sport catalog: queries over published tables that must return no rows.

use crate::catalog_dna::{CatalogDna, DNA_VERSIONS};
use crate::catalog_files::{catalog_files, path_parts};
use crate::catalog_model::modelled_sports;

/// Folder of the audits of every table of DNA, which they call [`DNA_VERSIONS`].
const DNA: &str = "dna";

/// A query that finds what must not be. It begins with comments that say what that is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogAudit {
    pub name: String,
    pub sql: String,
}

/// Audits of a snapshot: those of the sports of which it holds tables, and for each of their tables of DNA those of DNA.
pub fn catalog_audits(holds: impl Fn(&str) -> bool) -> Vec<CatalogAudit> {
    let mut audits = Vec::new();
    for sport in modelled_sports() {
        let of_sport = catalog_files().audits.iter().map(|(path, sql)| (path_parts(path), *sql));
        let of_sport = of_sport.filter(|((of, _), sql)| *of == sport && reads_only(sql, sport, &holds));
        audits.extend(
            of_sport.map(|((_, name), sql)| CatalogAudit {
                name: format!("{sport}/{name}"),
                sql: sql.to_owned(),
            }),
        );
        for dna in CatalogDna::of_sport(sport).filter(|dna| holds(dna.name)) {
            let of_dna = catalog_files().audits.iter().map(|(path, sql)| (path_parts(path), *sql));
            audits.extend(of_dna.filter(|((of, _), _)| *of == DNA).map(|((_, name), sql)| CatalogAudit {
                name: format!("{}/{name}", dna.name),
                sql: sql.replace(DNA_VERSIONS, dna.name),
            }));
        }
    }
    audits
}

/// Whether every word of a query that may be a table of its sport is one that is held.
fn reads_only(sql: &str, sport: &str, holds: &impl Fn(&str) -> bool) -> bool {
    let mut words = sql.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    words.all(|word| !word.starts_with(&format!("{sport}_")) || holds(word))
}
