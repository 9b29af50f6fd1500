//! The order of models: each behind those that it reads, which its text names.

use std::collections::BTreeSet;

use fdna_schemas::CatalogModel;

use crate::WarehouseError;

/// The models, each behind what it reads; by name where that leaves a choice.
pub(super) fn by_what_they_read(models: &[CatalogModel]) -> Result<Vec<CatalogModel>, WarehouseError> {
    let mut waiting: Vec<(CatalogModel, BTreeSet<&str>)> = models
        .iter()
        .map(|model| {
            let words: BTreeSet<&str> = words(model.sql).collect();
            let others = models.iter().map(|other| other.name).filter(|name| *name != model.name);
            (*model, others.filter(|name| words.contains(name)).collect())
        })
        .collect();
    waiting.sort_by_key(|(model, _)| model.name);
    let (mut ordered, mut done) = (Vec::new(), BTreeSet::new());
    while !waiting.is_empty() {
        let Some(next) = waiting.iter().position(|(_, reads)| reads.is_subset(&done)) else {
            let names: Vec<&str> = waiting.iter().map(|(model, _)| model.name).collect();
            return Err(WarehouseError::Cycle { models: names.join(", ") });
        };
        let (model, _) = waiting.remove(next);
        done.insert(model.name);
        ordered.push(model);
    }
    Ok(ordered)
}

/// Words of SQL, without those of comments.
fn words(sql: &str) -> impl Iterator<Item = &str> {
    let code = sql.lines().map(|line| line.split("--").next().unwrap_or_default());
    code.flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(models: &[(&'static str, &'static str)]) -> Result<Vec<&'static str>, String> {
        let models: Vec<_> =
            models.iter().map(|(name, sql)| CatalogModel { sport: "x", name, sql }).collect();
        let ordered = by_what_they_read(&models).map_err(|error| error.to_string())?;
        Ok(ordered.iter().map(|model| model.name).collect())
    }

    #[test]
    fn a_model_runs_behind_what_it_reads_and_a_comment_reads_nothing() {
        let models = [("a", "-- not c\nSELECT * FROM b"), ("b", "SELECT 1"), ("c", "SELECT * FROM a, b")];
        assert_eq!(ordered(&models).unwrap(), ["b", "a", "c"]);
        let circle = ordered(&[("a", "SELECT * FROM b"), ("b", "SELECT * FROM a")]);
        assert!(circle.unwrap_err().contains("a, b"));
    }
}
