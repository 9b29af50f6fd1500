//! A run of the models of a sport: of the tables, those are made whose inputs changed, and what they read.

use std::collections::{BTreeMap, BTreeSet};

use duckdb::Connection;
use fdna_lake::Fingerprint;
use fdna_schemas::{CatalogSeed, CatalogSource, Table, Tables, corrections_table, set_aside_table};

use super::order::{self, ModelStep};
use super::published_rows::{self, TableRows};
use super::request::{FactsFile, ModelsRequest, RowSelection};
use super::reuse::{EarlierTables, ModelsState, TableState};
use super::row_origin::SportFacts;
use super::set_aside::{OF_FACTS, RefusedRows};
use super::sql::{check_key, make_seed};
use super::{dna, merge, rating};
use crate::WarehouseError;
use crate::settings::{confine_to, quote_name};

/// What a table is made by.
enum TableMaker {
    Facts(&'static CatalogSource, Table),
    Corrections,
    Seed(CatalogSeed),
    Step(ModelStep),
}

pub(super) struct SportRun<'a> {
    facts: SportFacts<'a>,
    files: &'a [FactsFile<'a>],
    selection: RowSelection,
    corrections: Table,
    makers: BTreeMap<String, TableMaker>,
    /// Each behind what it reads.
    steps: Vec<ModelStep>,
    pub(super) earlier: Option<EarlierTables>,
    pub(super) refused: RefusedRows,
    state: ModelsState,
    /// Tables that the engine has.
    made: BTreeSet<String>,
    /// Tables whose keys are sound, since the rows that contradict one another were taken out.
    judged: BTreeSet<&'static str>,
}

impl<'a> SportRun<'a> {
    pub(super) fn new(
        connection: &'a Connection,
        sport: &'a str,
        request: &'a ModelsRequest,
        files: &'a [FactsFile<'a>],
        selection: RowSelection,
        state: ModelsState,
    ) -> Result<Self, WarehouseError> {
        let corrections = corrections_table(sport);
        let steps = order::by_what_they_read(ModelStep::of_sport(sport))?;
        let mut makers = BTreeMap::from([(corrections.name.clone(), TableMaker::Corrections)]);
        for source in CatalogSource::all().filter(|source| source.sport == sport) {
            let tables = source.facts_tables().into_iter();
            makers.extend(tables.map(|(name, table)| (name.to_owned(), TableMaker::Facts(source, table))));
        }
        makers
            .extend(CatalogSeed::of_sport(sport).map(|seed| (seed.name.to_owned(), TableMaker::Seed(seed))));
        let of_step = |step: ModelStep| step.tables().map(move |name| (name, TableMaker::Step(step)));
        makers.extend(steps.iter().copied().flat_map(of_step));
        Ok(Self {
            facts: SportFacts { connection, sport, captures: &request.facts },
            files,
            selection,
            corrections,
            makers,
            steps,
            earlier: None,
            refused: RefusedRows::default(),
            state,
            made: BTreeSet::new(),
            judged: BTreeSet::new(),
        })
    }

    /// Makes every table that is not known to be what it was.
    pub(super) fn make_tables(&mut self) -> Result<(), WarehouseError> {
        let files = self.files.iter().map(|file| file.path.clone());
        let files: Vec<String> = files.chain(self.earlier.iter().flat_map(EarlierTables::paths)).collect();
        confine_to(self.facts.connection, &files)?;
        self.digest_facts();
        if self.earlier.is_none() {
            // The origin of a row that cannot be published is looked for in the facts of all.
            let names: Vec<String> = self.makers.keys().cloned().collect();
            names.iter().try_for_each(|name| self.ensure_facts(name))?;
        }
        for step in self.steps.clone() {
            let inputs = self.digest_inputs(step);
            let same = |name: String| {
                let state = self.earlier.as_ref()?.same_table(&name, &inputs)?.clone();
                Some((name, state))
            };
            match step.tables().map(same).collect::<Option<Vec<_>>>() {
                Some(same) => self.state.tables.extend(same),
                None => self.run_step(step)?,
            }
        }
        self.make_table_of_others()
    }

    /// The tables that are of facts alone.
    fn digest_facts(&mut self) {
        let mut several = Fingerprint::builder("corrections");
        let mut states = BTreeMap::new();
        for (name, maker) in &self.makers {
            let TableMaker::Facts(source, _) = maker else { continue };
            let digest = self.digest_files(name, &source.digest());
            if self.files_of(name).len() > 1 {
                several = several.with_digest(name, &digest);
            }
            states.insert(name.clone(), TableState::of_inputs(digest));
        }
        let set_aside = self.digest_files(OF_FACTS, "");
        states.insert(set_aside_table(self.facts.sport).name, TableState::of_inputs(set_aside));
        let corrections = several.build().to_string();
        states.insert(self.corrections.name.clone(), TableState::of_inputs(corrections));
        self.state.tables = states;
    }

    fn digest_files(&self, table: &str, contract: &str) -> String {
        let builder = Fingerprint::builder("facts").with_digest("contract", contract);
        let add = |builder: fdna_lake::FingerprintBuilder, file: &FactsFile<'_>| {
            let captured = file.captured;
            let builder = builder.with_text(&captured.source, &captured.capture);
            builder.with_text("at", captured.captured_at.to_rfc3339()).with_digest("file", &file.sha256)
        };
        self.files_of(table).into_iter().fold(builder, add).build().to_string()
    }

    fn files_of(&self, table: &str) -> Vec<&'a FactsFile<'a>> {
        self.files.iter().filter(|file| file.table == table).collect()
    }

    /// The tables that a step reads. Seeds are part of the models.
    fn inputs_of(&self, step: ModelStep) -> BTreeSet<String> {
        let own: BTreeSet<String> = step.tables().collect();
        let words = step.referenced_words().into_iter().map(str::to_owned);
        words.filter(|word| self.makers.contains_key(word) && !own.contains(word)).collect()
    }

    fn digest_inputs(&self, step: ModelStep) -> String {
        let mut digest = Fingerprint::builder("model");
        for name in self.inputs_of(step) {
            if let Some(table) = self.state.tables.get(&name) {
                digest = digest.with_digest(&name, &table.content);
            }
        }
        digest.build().to_string()
    }

    fn run_step(&mut self, step: ModelStep) -> Result<(), WarehouseError> {
        for input in self.inputs_of(step) {
            self.ensure_table(&input)?;
        }
        let connection = self.facts.connection;
        match step {
            ModelStep::Select(model) => {
                let sql = format!("CREATE TABLE {} AS {}", quote_name(model.name), model.sql);
                let failed = |source| self.facts.explain_failure(model.name, source);
                connection.execute_batch(&sql).map_err(failed)?;
                // Before any model reads it: what contradicts itself would be counted twice elsewhere.
                if let Some(table) = self.contract(model.name) {
                    self.refused.take_out(&self.facts, table)?;
                    self.judged.insert(&table.name);
                }
            }
            ModelStep::Dna(dna) => dna::make_tables(connection, dna)?,
            ModelStep::Rating(rating) => rating::make_tables(connection, rating)?,
        }
        let inputs = self.digest_inputs(step);
        for name in step.tables() {
            let state = TableState::read_table(connection, &name, self.contract(&name), inputs.clone())?;
            self.state.tables.insert(name.clone(), state);
            self.made.insert(name);
        }
        Ok(())
    }

    /// Gives the engine a table that a model reads: as it was published, or made again.
    fn ensure_table(&mut self, name: &str) -> Result<(), WarehouseError> {
        let Some(TableMaker::Step(step)) = self.makers.get(name) else { return self.ensure_facts(name) };
        let step = *step;
        if self.made.contains(name) {
            return Ok(());
        }
        let connection = self.facts.connection;
        let earlier = self.earlier.as_ref();
        if !earlier.map_or(Ok(false), |earlier| earlier.load_table(connection, name))? {
            return self.run_step(step);
        }
        self.made.insert(name.to_owned());
        Ok(())
    }

    /// Makes a table that no model makes.
    fn ensure_facts(&mut self, name: &str) -> Result<(), WarehouseError> {
        let maker = self.makers.get(name).filter(|_| !self.made.contains(name));
        let connection = self.facts.connection;
        match maker {
            None | Some(TableMaker::Step(_)) => return Ok(()),
            Some(TableMaker::Facts(source, table)) => {
                merge::make_facts_table(connection, source, table, &self.files_of(name), self.selection)?;
            }
            Some(TableMaker::Corrections) => self.make_corrections()?,
            Some(TableMaker::Seed(seed)) => make_seed(connection, *seed)?,
        }
        self.made.insert(name.to_owned());
        Ok(())
    }

    fn make_corrections(&self) -> Result<(), WarehouseError> {
        merge::no_corrections(self.facts.connection, &self.corrections)?;
        for (name, maker) in &self.makers {
            let TableMaker::Facts(source, table) = maker else { continue };
            let files = self.files_of(name);
            merge::add_corrections(self.facts.connection, source, table, &files, &self.corrections)?;
        }
        Ok(())
    }

    /// Tables that no model makes: of facts, corrections, and rows set aside.
    fn make_table_of_others(&mut self) -> Result<(), WarehouseError> {
        let set_aside = set_aside_table(self.facts.sport);
        if self.is_changed(&self.corrections.name) {
            self.ensure_facts(&self.corrections.name.clone())?;
        }
        if self.is_changed(&set_aside.name) {
            self.refused.make_table(self.facts.connection, self.files, &set_aside)?;
            self.made.insert(set_aside.name);
        }
        Ok(())
    }

    fn is_changed(&self, table: &str) -> bool {
        let state = self.state.tables.get(table);
        !self.earlier.as_ref().zip(state).is_some_and(|(earlier, state)| earlier.has_content(table, state))
    }

    fn contract(&self, name: &str) -> Option<&'static Table> {
        self.published_tables().find(|table| table.name == name)
    }

    fn published_tables(&self) -> impl Iterator<Item = &'static Table> + use<> {
        let stage = format!("catalog/{}", self.facts.sport);
        Tables::get().catalog_tables().filter(move |table| table.stage == stage)
    }

    pub(super) fn publish_tables<E: From<WarehouseError>>(
        self,
        publish: &mut impl FnMut(&'static Table, Option<&mut TableRows<'_>>) -> Result<(), E>,
    ) -> Result<Option<ModelsState>, E> {
        for table in self.published_tables() {
            if !self.is_changed(&table.name) {
                publish(table, None)?;
                continue;
            }
            if !self.judged.contains(&*table.name) {
                check_key(self.facts.connection, table)?;
            }
            published_rows::read_rows(&self.facts, table, &mut |table, rows| publish(table, Some(rows)))?;
        }
        Ok(self.refused.is_empty().then_some(self.state))
    }
}
