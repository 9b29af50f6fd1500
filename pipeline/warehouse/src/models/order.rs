//! The order of models: each behind those that it reads, which its text names.

use std::collections::BTreeSet;

use fdna_schemas::{CatalogDna, CatalogModel, CatalogRating};

use crate::WarehouseError;

/// A step that makes tables of earlier ones.
#[derive(Clone, Copy)]
pub(super) enum ModelStep {
    Select(CatalogModel),
    Dna(&'static CatalogDna),
    Rating(&'static CatalogRating),
}

impl ModelStep {
    /// Those of a sport.
    pub(super) fn of_sport(sport: &str) -> Vec<Self> {
        let selects = CatalogModel::of_sport(sport).map(Self::Select);
        let ratings = CatalogRating::of_sport(sport).map(Self::Rating);
        selects.chain(CatalogDna::of_sport(sport).map(Self::Dna)).chain(ratings).collect()
    }

    fn name(self) -> &'static str {
        match self {
            Self::Select(model) => model.name,
            Self::Dna(dna) => dna.name,
            Self::Rating(rating) => rating.name,
        }
    }

    /// Names of the tables that it makes.
    pub(super) fn tables(self) -> impl Iterator<Item = String> {
        match self {
            Self::Select(model) => vec![model.name.to_owned()],
            Self::Dna(dna) => dna.snapshot_tables().map(|table| table.name).collect(),
            Self::Rating(rating) => rating.snapshot_tables().map(|table| table.name).into(),
        }
        .into_iter()
    }

    /// Words of which some are names of tables that it reads.
    pub(super) fn referenced_words(self) -> BTreeSet<&'static str> {
        match self {
            Self::Select(model) => sql_words(model.sql).collect(),
            Self::Dna(dna) => BTreeSet::from([dna.observations()]),
            Self::Rating(rating) => BTreeSet::from([rating.file.contests.as_str()]),
        }
    }
}

/// The steps, each behind what it reads; by name where that leaves a choice.
pub(super) fn by_what_they_read(steps: Vec<ModelStep>) -> Result<Vec<ModelStep>, WarehouseError> {
    let names: BTreeSet<String> = steps.iter().flat_map(|step| step.tables()).collect();
    let reads = |step: ModelStep| -> BTreeSet<String> {
        let words = step.referenced_words().into_iter().map(str::to_owned);
        let mut reads: BTreeSet<String> = words.filter(|word| names.contains(word)).collect();
        step.tables().for_each(|own| _ = reads.remove(&own));
        reads
    };
    let mut waiting: Vec<_> = steps.into_iter().map(|step| (step, reads(step))).collect();
    waiting.sort_by_key(|(step, _)| step.name());
    let (mut ordered, mut done) = (Vec::new(), BTreeSet::new());
    while !waiting.is_empty() {
        let Some(next) = waiting.iter().position(|(_, reads)| reads.is_subset(&done)) else {
            let names: Vec<&str> = waiting.iter().map(|(step, _)| step.name()).collect();
            return Err(WarehouseError::Cycle { models: names.join(", ") });
        };
        let (step, _) = waiting.remove(next);
        done.extend(step.tables());
        ordered.push(step);
    }
    Ok(ordered)
}

/// Words of SQL, without those of comments.
fn sql_words(sql: &str) -> impl Iterator<Item = &str> {
    let code = sql.lines().map(|line| line.split("--").next().unwrap_or_default());
    code.flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(models: &[(&'static str, &'static str)]) -> Result<Vec<&'static str>, String> {
        let select = |(name, sql): &(&'static str, &'static str)| {
            ModelStep::Select(CatalogModel { sport: "x", name, sql })
        };
        let ordered =
            by_what_they_read(models.iter().map(select).collect()).map_err(|error| error.to_string())?;
        Ok(ordered.iter().map(|step| step.name()).collect())
    }

    #[test]
    fn a_model_runs_behind_what_it_reads_and_a_comment_reads_nothing() {
        let models = [("a", "-- not c\nSELECT * FROM b"), ("b", "SELECT 1"), ("c", "SELECT * FROM a, b")];
        assert_eq!(ordered(&models).unwrap(), ["b", "a", "c"]);
        let circle = ordered(&[("a", "SELECT * FROM b"), ("b", "SELECT * FROM a")]);
        assert!(circle.unwrap_err().contains("a, b"));
    }
}
