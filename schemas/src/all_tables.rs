//! The contracts of all tables of this build.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::definitions::MetricDefinitions;
use crate::embedded;
use crate::table::{Table, TableError};

/// All table contracts of this build.
#[derive(Debug)]
pub struct Tables {
    mma: BTreeMap<String, Table>,
    /// Facts and published tables of the multi-sport catalog; parsed where they are asked for.
    catalog: LazyLock<BTreeMap<String, Table>>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut mma = BTreeMap::new();
    for (name, text) in embedded::TABLES {
        let mut table =
            Table::parse(name, text).unwrap_or_else(|error| panic!("embedded contract {name}: {error:?}"));
        table.columns.extend(MetricDefinitions::get().columns_of(name));
        mma.insert(table.name.clone(), table);
    }
    Tables { mma, catalog: LazyLock::new(catalog_tables) }
});

fn catalog_tables() -> BTreeMap<String, Table> {
    let mut tables = crate::catalog_source::facts_tables();
    tables.extend(crate::catalog_model::published_tables());
    tables.extend(crate::catalog_dna::dna_tables());
    tables.extend(crate::catalog_rating::rating_tables());
    tables
}

impl Tables {
    /// The contracts compiled into this binary; each is checked by a test, so this cannot fail at run time.
    #[must_use]
    pub fn get() -> &'static Self {
        &TABLES
    }

    /// # Errors
    /// No table of that name has a contract.
    pub fn table(&self, name: &str) -> Result<&Table, TableError> {
        let found = self.mma.get(name).or_else(|| self.catalog.get(name));
        found.ok_or_else(|| TableError::Unknown(name.to_owned()))
    }

    /// All contracts of Fight DNA, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Table> {
        self.mma.values()
    }

    /// All contracts of the multi-sport catalog, by name: facts and published tables.
    pub fn catalog_tables(&self) -> impl Iterator<Item = &Table> {
        self.catalog.values()
    }

    /// Those of them that snapshots hold.
    pub fn published_by_catalog(&self) -> impl Iterator<Item = &Table> {
        self.catalog_tables().filter(|table| table.stage.starts_with("catalog/"))
    }

    /// The data dictionary as Markdown: every table and column with type, unit and meaning.
    #[must_use]
    pub fn to_dictionary(&self) -> String {
        let head = "# Data dictionary\n\nGenerated from `schemas/tables` and `schemas/metrics` by \
                    `fightdna dictionary`; do not edit.\n";
        head.to_owned() + &describe_tables(self.iter())
    }

    /// The same of what snapshots of the multi-sport catalog hold.
    #[must_use]
    pub fn catalog_dictionary(&self) -> String {
        let head = "# Data dictionary of the multi-sport catalog\n\nGenerated from `schemas/catalog` by \
                    `fightdna dictionary --catalog`; do not edit.\n";
        head.to_owned() + &describe_tables(self.published_by_catalog())
    }
}

/// Tables as Markdown, column by column.
fn describe_tables<'t>(tables: impl Iterator<Item = &'t Table>) -> String {
    use std::fmt::Write as _;
    let mut out = String::new();
    for table in tables {
        let _ = writeln!(
            out,
            "\n## {} (version {}, {})\n\n{} Grain: {}. Key: {}.\n\n| column | type | unit | meaning | null means |\n|---|---|---|---|---|",
            table.name,
            table.version,
            table.stage,
            table.meaning,
            table.grain,
            table.key.join(", ")
        );
        for c in &table.columns {
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} | {} |",
                c.name,
                c.kind.name(),
                c.unit.as_deref().unwrap_or(""),
                c.meaning,
                c.null_means.as_deref().unwrap_or("never null")
            );
        }
    }
    out
}
