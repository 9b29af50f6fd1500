//! Compiles the contracts in: the files themselves, so that none has to be named twice, and a reader and a row of every
//! table, so that a column that is renamed or gets another type is an error of the compiler.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// What of a contract the generated code needs; `src/table.rs` has all of it.
#[derive(Deserialize)]
struct Contract {
    name: String,
    grain: String,
    meaning: String,
    #[serde(rename = "column")]
    columns: Vec<Column>,
}

#[derive(Deserialize)]
struct Column {
    name: String,
    #[serde(rename = "type")]
    kind: String,
    unit: Option<String>,
    meaning: String,
    null_means: Option<String>,
}

fn main() {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it"));
    let (tables, sources) = (files(&root.join("tables")), files(&root.join("sources")));
    let catalog = root.join("catalog");
    let (routes, catalog_sources) = (files(&catalog.join("routes")), files(&catalog.join("sources")));
    let seeds = files_of(&catalog.join("seeds"), "csv");
    let lists = [
        ("TABLES", &tables),
        ("SOURCES", &sources),
        ("CATALOG_ROUTES", &routes),
        ("CATALOG_SOURCES", &catalog_sources),
        ("CATALOG_SEEDS", &seeds),
    ];
    let lists: String = lists.into_iter().map(|(name, files)| embedded(name, files)).collect();
    let models = catalog.join("models");
    let lists = lists
        + &embedded_by_folder("CATALOG_MODELS", &models, "sql")
        + &embedded_by_folder("CATALOG_TABLES", &models, "toml")
        + &embedded_by_folder("CATALOG_DNA", &catalog.join("dna"), "toml")
        + &embedded_by_folder("CATALOG_RATINGS", &catalog.join("ratings"), "toml")
        + &embedded_by_folder("CATALOG_AUDITS", &catalog.join("audits"), "sql");
    write(&out.join("embedded.rs"), &lists);
    write(&out.join("tables.rs"), &tables.iter().map(|file| typed(file)).collect::<String>());
}

fn write(file: &Path, code: &str) {
    #[expect(clippy::disallowed_methods, reason = "a build script writes for the compiler, not into a lake")]
    std::fs::write(file, code).expect("cargo's folder can be written");
}

/// The contracts in a folder, by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    files_of(folder, "toml")
}

/// The files in a folder whose names end so, by name.
fn files_of(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = entries(folder);
    files.retain(|file| file.extension().is_some_and(|e| e == extension));
    files.sort_by_key(|file| file.file_stem().map(std::ffi::OsStr::to_os_string));
    files
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let files = std::fs::read_dir(folder).expect("the folder of contracts is there");
    files.map(|file| file.expect("its files can be listed").path()).collect()
}

/// A list of names and texts.
fn embedded(constant: &str, files: &[PathBuf]) -> String {
    list(constant, files.iter().map(|file| (stem(file), file)))
}

/// A list of the files in the folders of a folder, named by both: `nhl/nhl_games`.
fn embedded_by_folder(constant: &str, root: &Path, extension: &str) -> String {
    let mut folders = entries(root);
    folders.sort();
    let files: Vec<_> = folders
        .iter()
        .flat_map(|folder| files_of(folder, extension).into_iter().map(move |file| (stem(folder), file)))
        .collect();
    list(constant, files.iter().map(|(folder, file)| (format!("{folder}/{}", stem(file)), file)))
}

fn list<'f>(constant: &str, files: impl Iterator<Item = (String, &'f PathBuf)>) -> String {
    let mut code = format!("pub(crate) const {constant}: &[(&str, &str)] = &[\n");
    for (name, file) in files {
        let _ = writeln!(code, "    ({name:?}, include_str!({:?})),", file.display().to_string());
    }
    code + "];\n"
}

fn stem(file: &Path) -> String {
    file.file_stem().expect("a file has a name").to_string_lossy().into_owned()
}

/// Reader and row of one table.
fn typed(file: &Path) -> String {
    println!("cargo::rerun-if-changed={}", file.display());
    let text = std::fs::read_to_string(file).expect("a contract is text");
    let contract: Contract =
        toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    reader(&contract) + &row(&contract)
}

fn reader(contract: &Contract) -> String {
    let (table, type_name) = (&contract.name, camel(&contract.name));
    let mut code = format!(
        "/// Columns of `{table}`, each read when it is asked for. {}\n#[derive(Clone, Copy)]\n\
         pub struct {type_name}Reader<'a>(TableReader<'a>);\n\n\
         impl<'a> ContractReader<'a> for {type_name}Reader<'a> {{\n    const TABLE: &'static str = {table:?};\n\n    \
         fn of(batch: &'a RecordBatch) -> Self {{\n        Self(TableReader::new({table:?}, batch))\n    }}\n}}\n\n\
         impl<'a> {type_name}Reader<'a> {{\n    /// How many rows there are.\n    #[must_use]\n    \
         pub fn len(&self) -> usize {{\n        self.0.rows()\n    }}\n\n    #[must_use]\n    \
         pub fn is_empty(&self) -> bool {{\n        self.len() == 0\n    }}\n\n    /// Columns by name: those that the \
         metric definitions add.\n    #[must_use]\n    pub fn by_name(&self) -> TableReader<'a> {{\n        self.0\n    }}\n",
        doc(&contract.meaning),
    );
    for column in &contract.columns {
        let name = &column.name;
        let (method, type_name) = column.read();
        let lint = match name.as_str() {
            "new" => "    #[expect(clippy::new_ret_no_self, reason = \"a column is called so\")]\n",
            _ => "",
        };
        let _ = writeln!(
            code,
            "\n    /// {}\n    ///\n    /// # Errors\n    /// The batch does not follow the contract.\n{lint}    \
             pub fn {name}(&self) -> Result<Vec<{type_name}>, ColumnError> {{\n        self.0.{method}({name:?})\n    }}",
            column.doc(),
        );
    }
    let _ = writeln!(
        code,
        "\n    /// All rows.\n    ///\n    /// # Errors\n    /// The batch does not follow the contract.\n    \
         pub fn all_rows(&self) -> Result<Vec<{type_name}Row{}>, ColumnError> {{",
        contract.lifetime(),
    );
    for column in &contract.columns {
        let _ = writeln!(code, "        let mut {0} = self.{0}()?.into_iter();", column.name);
    }
    let _ = writeln!(code, "        let row = |()| Some({type_name}Row {{");
    for column in &contract.columns {
        let _ = writeln!(code, "            {0}: {0}.next()?,", column.name);
    }
    code + "        });\n        Ok(std::iter::repeat_n((), self.len()).map_while(row).collect())\n    }\n}\n\n"
}

fn row(contract: &Contract) -> String {
    let (table, type_name, lifetime) = (&contract.name, camel(&contract.name), contract.lifetime());
    let elided = if lifetime.is_empty() { "" } else { "<'_>" };
    let mut code = format!(
        "/// A row of `{table}`: {}.\n#[derive(Debug, Clone, Copy, PartialEq)]\npub struct {type_name}Row{lifetime} {{\n",
        doc(&contract.grain)
    );
    for column in &contract.columns {
        let _ = writeln!(code, "    /// {}\n    pub {}: {},", column.doc(), column.name, column.read().1);
    }
    let _ = writeln!(code, "}}\n\n/// Where its columns stand.\nimpl {type_name}Row{elided} {{");
    for (place, column) in contract.columns.iter().enumerate() {
        let (constant, name) = (column.name.to_uppercase(), &column.name);
        let _ = writeln!(
            code,
            "    pub const {constant}: ColumnPlace = ColumnPlace {{ name: {name:?}, place: {place} }};"
        );
    }
    let _ = writeln!(
        code,
        "}}\n\nimpl ContractRow for {type_name}Row{elided} {{\n    const TABLE: &'static str = {table:?};\n\n    \
         fn values(&self) -> Vec<ColumnValue<'_>> {{\n        vec!["
    );
    for column in &contract.columns {
        let _ = writeln!(code, "            self.{}.into(),", column.name);
    }
    code + "        ]\n    }\n}\n\n"
}

impl Contract {
    /// Rows with text borrow it.
    fn lifetime(&self) -> &'static str {
        if self.columns.iter().any(|column| column.kind == "string") { "<'a>" } else { "" }
    }
}

impl Column {
    /// Method of `TableReader` and what it gives for a row.
    fn read(&self) -> (&'static str, String) {
        let (never_null, nullable, of) = match self.kind.as_str() {
            "string" => ("texts", "strings", "&'a str"),
            "uuid" => ("ids", "uuids", "Uuid"),
            "int32" => ("counts", "int32s", "i32"),
            "int64" => ("whole_numbers", "int64s", "i64"),
            "float64" => ("numbers", "floats", "f64"),
            "bool" => ("flags", "bools", "bool"),
            "date" => ("days", "dates", "NaiveDate"),
            "instant" => ("times", "instants", "DateTime<Utc>"),
            other => panic!("column {}: no type {other}", self.name),
        };
        if self.null_means.is_some() {
            (nullable, format!("Option<{of}>"))
        } else {
            (never_null, of.to_owned())
        }
    }

    fn doc(&self) -> String {
        let unit = self.unit.as_ref().map_or(String::new(), |unit| format!(" ({unit})"));
        let null = self.null_means.as_ref().map_or(String::new(), |null| format!("; null: {null}"));
        doc(&format!("{}{unit}{null}", self.meaning))
    }
}

/// Text as documentation: brackets are no links.
fn doc(text: &str) -> String {
    ['[', ']', '<', '>', '*']
        .iter()
        .fold(text.replace('\n', " "), |text, c| text.replace(*c, &format!("\\{c}")))
}

/// `bout_listings` as `BoutListings`.
fn camel(name: &str) -> String {
    let upper = |word: &str| word[..1].to_uppercase() + &word[1..];
    name.split('_').map(upper).collect()
}
