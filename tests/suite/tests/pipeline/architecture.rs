//! The directions between crates, as `cargo` itself sees them, and what each may not reach.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Normal dependencies by package, of the whole build.
#[derive(Clone, Debug, Default)]
struct Graph {
    edges: BTreeMap<String, BTreeSet<String>>,
}

/// Which of our crates each may name; what is not listed may name none.
const ALLOWED: &[(&str, &[&str])] = &[
    ("fdna-schemas", &[]),
    ("fdna-model", &[]),
    ("fdna-api", &[]),
    ("fdna-catalog", &["fdna-api", "fdna-schemas"]),
    ("fdna-lake", &["fdna-schemas"]),
    ("fdna-ingest", &["fdna-model", "fdna-schemas"]),
    ("fdna-fetch", &[]),
    ("fdna-rows", &["fdna-model", "fdna-schemas"]),
    ("fdna-normalise", &["fdna-model", "fdna-rows", "fdna-schemas"]),
    ("fdna-identity", &["fdna-model", "fdna-rows", "fdna-schemas"]),
    ("fdna-enrich", &["fdna-model", "fdna-rows", "fdna-schemas"]),
    ("fdna-dna", &["fdna-schemas"]),
    ("fdna-derive", &["fdna-dna", "fdna-model", "fdna-schemas"]),
    ("fdna-engine", &["fdna-derive", "fdna-model", "fdna-normalise", "fdna-schemas"]),
    ("fdna-ledger", &["fdna-model", "fdna-schemas"]),
    ("fdna-compare", &["fdna-schemas"]),
    ("fdna-panel", &["fdna-compare", "fdna-schemas"]),
    ("fdna-lineage", &["fdna-schemas"]),
    ("fdna-publish", &["fdna-lake", "fdna-schemas"]),
    ("fdna-export", &["fdna-lake", "fdna-schemas"]),
    ("fdna-warehouse", &["fdna-dna", "fdna-lake", "fdna-schemas"]),
    ("fdna-http", &["fdna-api"]),
    ("fdna-gateway", &["fdna-api", "fdna-http"]),
    ("fdna-valuation", &[]),
    ("fdna-leads", &["fdna-api", "fdna-gateway", "fdna-http", "fdna-picture", "fdna-valuation"]),
    ("fdna-view", &["fdna-api", "fdna-catalog", "fdna-compare", "fdna-lake", "fdna-model", "fdna-schemas"]),
    ("fdna-server", &["fdna-api", "fdna-catalog", "fdna-http", "fdna-view"]),
    ("fdna-picture", &[]),
    ("fdna-explorer", &["fdna-api", "fdna-catalog", "fdna-http", "fdna-picture", "fdna-server"]),
    ("fdna-mcp", &["fdna-api", "fdna-catalog", "fdna-http", "fdna-server"]),
    (
        "fdna-run",
        &[
            "fdna-derive",
            "fdna-enrich",
            "fdna-identity",
            "fdna-ingest",
            "fdna-lake",
            "fdna-ledger",
            "fdna-lineage",
            "fdna-model",
            "fdna-normalise",
            "fdna-panel",
            "fdna-publish",
            "fdna-rows",
            "fdna-schemas",
            "fdna-valuation",
        ],
    ),
    (
        "fdna-jobs",
        &[
            "fdna-catalog",
            "fdna-derive",
            "fdna-explorer",
            "fdna-export",
            "fdna-fetch",
            "fdna-gateway",
            "fdna-ingest",
            "fdna-lake",
            "fdna-leads",
            "fdna-ledger",
            "fdna-lineage",
            "fdna-mcp",
            "fdna-model",
            "fdna-normalise",
            "fdna-panel",
            "fdna-run",
            "fdna-schemas",
            "fdna-server",
            "fdna-synth",
        ],
    ),
    ("fdna-synth", &[]),
    ("fdna-kit", &["fdna-model"]),
    ("fdna-suite", &["fdna-jobs", "fdna-lake"]),
    (
        "fdna-bench",
        &[
            "fdna-derive",
            "fdna-dna",
            "fdna-lake",
            "fdna-model",
            "fdna-normalise",
            "fdna-panel",
            "fdna-schemas",
        ],
    ),
];

/// What must not be reached, directly or not: from, to, why.
const FORBIDDEN: &[(&str, &str, &str)] = &[
    ("fdna-catalog", "axum", "the routes are data, and know no HTTP"),
    ("fdna-view", "axum", "the read model knows no HTTP"),
    ("fdna-view", "hyper", "the read model knows no HTTP"),
    ("fdna-view", "tower", "the read model knows no HTTP"),
    ("fdna-server", "fdna-ingest", "the read path cannot derive"),
    ("fdna-server", "fdna-rows", "the read path cannot derive"),
    ("fdna-server", "fdna-derive", "the read path cannot derive"),
    ("fdna-server", "fdna-publish", "the read path cannot publish"),
    ("fdna-server", "fdna-ledger", "the read path writes no rows"),
    ("fdna-run", "axum", "what runs do knows no HTTP"),
    ("fdna-ledger", "parquet", "the ledger sees no files"),
    ("fdna-ledger", "tokio", "the ledger is pure"),
    ("fdna-dna", "fdna-model", "the engine knows no sport"),
    ("fdna-dna", "parquet", "the engine sees no files"),
    ("fdna-dna", "tokio", "the engine is pure"),
    ("fdna-derive", "parquet", "derivation sees no files"),
    ("fdna-derive", "tokio", "derivation is pure"),
    ("fdna-engine", "parquet", "the engine sees no files: Python gives it tables"),
    ("fdna-engine", "tokio", "the engine waits for nothing"),
    ("fdna-rows", "parquet", "only the lake reads and writes files"),
    ("fdna-normalise", "parquet", "only the lake reads and writes files"),
    ("fdna-identity", "parquet", "only the lake reads and writes files"),
    ("fdna-enrich", "parquet", "only the lake reads and writes files"),
    ("fdna-compare", "fdna-derive", "comparing sees published versions only"),
    ("fdna-lineage", "parquet", "only the lake reads and writes files"),
    ("fdna-panel", "fdna-derive", "a panel is a choice among published versions"),
    ("fdna-panel", "parquet", "only the lake reads and writes files"),
    ("fdna-model", "arrow", "the field's terms need no data frames"),
    ("fdna-fetch", "tokio", "fetching waits for one answer after the other"),
    ("fdna-server", "ureq", "the serving process asks nobody"),
    ("fdna-mcp", "fdna-run", "the read path cannot derive: lineage is given to it"),
    ("fdna-mcp", "duckdb", "queries run in a process of their own"),
    ("fdna-mcp", "reqwest", "the serving process asks nobody"),
    ("fdna-gateway", "fdna-lake", "the gateway sees no snapshot"),
    ("fdna-gateway", "fdna-server", "the gateway asks the server over HTTP"),
    ("fdna-gateway", "arrow", "the gateway passes bodies on as they are"),
    ("fdna-server", "sqlx", "keys are the gateway's"),
    ("fdna-server", "fdna-leads", "the read paths write nothing"),
    ("fdna-gateway", "fdna-leads", "the read paths write nothing"),
    ("fdna-leads", "fdna-lake", "leads are in their own store"),
    ("fdna-leads", "fdna-server", "a product of its own"),
    ("fdna-leads", "arrow", "properties are given to it as records"),
    ("fdna-valuation", "arrow", "valuation is a pure function of records"),
    ("fdna-valuation", "tokio", "valuation is pure"),
    ("fdna-picture", "serde", "a picture is a function of its data alone"),
    ("fdna-jobs", "duckdb", "the one binary is built without a SQL engine"),
];

/// What the lake asks an object store by, and no other crate names.
const OBJECT_STORES: [&str; 2] = ["object_store", "reqwest"];

impl Graph {
    /// As `cargo metadata` tells it for this workspace.
    fn of_workspace() -> Self {
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
        let host = host();
        // For this platform only. Packages that no default member needs may have to be downloaded.
        let args = ["metadata", "--format-version", "1", "--locked", "--filter-platform", &host];
        let args = args.into_iter().chain(["--manifest-path", root]);
        let output = Command::new(cargo).args(args).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        let packages = metadata["packages"].as_array().unwrap().iter();
        let names: BTreeMap<String, String> = packages.map(|p| (text(&p["id"]), text(&p["name"]))).collect();
        let mut graph = Self::default();
        for node in metadata["resolve"]["nodes"].as_array().unwrap() {
            let from = graph.edges.entry(names[&text(&node["id"])].clone()).or_default();
            for dep in node["deps"].as_array().unwrap() {
                let kinds = dep["dep_kinds"].as_array().unwrap();
                if kinds.iter().any(|kind| kind["kind"].is_null()) {
                    from.insert(names[&text(&dep["pkg"])].clone());
                }
            }
        }
        graph
    }

    /// By whatever way, but for the lake's own client of object stores: it is nobody else's.
    fn reaches(&self, from: &str, to: &str) -> bool {
        let (mut seen, mut next) = (BTreeSet::new(), vec![from]);
        while let Some(package) = next.pop() {
            if package == to {
                return true;
            }
            if seen.insert(package) {
                let others = self.edges.get(package).into_iter().flatten().map(String::as_str);
                next.extend(others.filter(|to| package != "fdna-lake" || !OBJECT_STORES.contains(to)));
            }
        }
        false
    }

    fn violations(&self) -> Vec<String> {
        let ours = self.edges.iter().filter(|(name, _)| name.starts_with("fdna-"));
        let edges = ours.flat_map(|(from, to)| to.iter().map(move |to| (from, to)));
        let allowed = |from: &str, to: &str| {
            ALLOWED.iter().any(|(name, targets)| *name == from && targets.contains(&to))
        };
        let named = edges
            .filter(|(from, to)| to.starts_with("fdna-") && !allowed(from, to))
            .map(|(from, to)| format!("{from} names {to}"));
        let reached = FORBIDDEN
            .iter()
            .filter(|(from, to, _)| self.reaches(from, to))
            .map(|(from, to, why)| format!("{from} reaches {to}: {why}"));
        let clients = self.edges.iter().filter(|(from, _)| from.starts_with("fdna-") && *from != "fdna-lake");
        let clients = clients.flat_map(|(from, to)| to.iter().map(move |to| (from, to)));
        let clients = clients.filter(|(_, to)| OBJECT_STORES.contains(&to.as_str()));
        let clients = clients.map(|(from, to)| format!("{from} names {to}: object stores are the lake's"));
        named.chain(reached).chain(clients).collect()
    }
}

#[test]
fn crates_name_and_reach_only_what_the_architecture_allows() {
    let graph = Graph::of_workspace();
    assert_eq!(graph.violations(), Vec::<String>::new());
    for (name, _) in ALLOWED {
        assert!(graph.edges.contains_key(*name), "{name} is in the table and not in the workspace");
    }
}

#[test]
fn a_broken_edge_is_found() {
    let graph = Graph::of_workspace();
    for (from, to) in
        [("fdna-server", "fdna-derive"), ("fdna-derive", "parquet"), ("fdna-lake", "fdna-ingest")]
    {
        let mut broken = graph.clone();
        broken.edges.get_mut(from).unwrap().insert(to.to_owned());
        assert!(!broken.violations().is_empty(), "{from} -> {to}");
    }
}

/// What is of one sport alone is in `derive`, in the metric definitions, or in a test.
#[test]
fn the_engine_has_no_word_of_fights() {
    let folder = format!("{}/../../pipeline/dna/src", env!("CARGO_MANIFEST_DIR"));
    let files = sources(folder.as_ref());
    assert!(files.len() > 15, "{files:?}");
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap_or_default().to_lowercase();
        for word in ["bout", "fighter", "fight ", "knockdown", "takedown"] {
            let found = code.match_indices(word).find(|(at, _)| !code[..*at].ends_with('a'));
            assert!(found.is_none(), "{} names `{word}`", file.display());
        }
    }
}

/// The HTTP layer is thin, and leaves columns, indexes and threads to the read model.
#[test]
fn the_server_names_no_columns_indexes_or_thread_pools_and_stays_small() {
    let folder = format!("{}/../../pipeline/server/src", env!("CARGO_MANIFEST_DIR"));
    let (mut lines, mut of_catalog, mut of_lake, mut of_streams) = (0, 0, 0, 0);
    for file in sources(folder.as_ref()).into_iter().filter(|file| !file.ends_with("tests.rs")) {
        let text = std::fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for word in ["arrow::", "rayon::", "fst::"] {
            assert!(!code.contains(word), "{}: {word}", file.display());
        }
        // The second API that it serves: one handler, whatever routes there are.
        let is_catalog = file
            .strip_prefix(&folder)
            .is_ok_and(|file| file.starts_with("catalog") || file.ends_with("catalog.rs"));
        // What is read from the lake for a request: tables as files, of all products, and why a row says what it says.
        let is_of_lake = [
            "downloads.rs",
            "csv_body.rs",
            "table_response.rs",
            "catalog/tables.rs",
            "lake_tables.rs",
            "row_explainer.rs",
            "/snapshots.rs",
        ]
        .iter()
        .any(|name| file.display().to_string().ends_with(name));
        // Streams of changes, and how many of each a client has.
        let is_of_streams = ["change_streams.rs", "stream_request.rs", "event_stream.rs", "client_slots.rs"]
            .iter()
            .any(|name| file.ends_with(name));
        let count = match (is_of_lake, is_of_streams, is_catalog) {
            (true, ..) => &mut of_lake,
            (_, true, _) => &mut of_streams,
            (_, _, true) => &mut of_catalog,
            _ => &mut lines,
        };
        *count += code.lines().count();
    }
    // With what pages beside it ask within the process.
    assert!(lines < 2700, "{lines} lines");
    assert!(of_catalog < 600, "{of_catalog} lines");
    assert!(of_lake < 950, "{of_lake} lines");
    assert!(of_streams < 550, "{of_streams} lines");
}

/// A page or a tool shows what the operations answer, and nothing that it found elsewhere.
#[test]
fn the_explorer_and_the_tools_know_the_operations_alone() {
    for name in ["explorer", "mcp"] {
        let folder = format!("{}/../../pipeline/{name}/src", env!("CARGO_MANIFEST_DIR"));
        for file in sources(folder.as_ref()) {
            let text = std::fs::read_to_string(&file).unwrap();
            for word in ["fdna_view", "fdna_schemas", "fdna_lake", "Dataset"] {
                assert!(!text.contains(word), "{}: {word}", file.display());
            }
        }
    }
}

/// Clocks, files, environment, containers whose order is chance, and generators without a seed, in the crates that must be pure.
#[test]
fn pure_crates_read_no_clock_file_or_environment() {
    let banned = [
        "std::fs",
        "std::env",
        "std::time",
        "Utc::now",
        "Local::now",
        "HashMap",
        "HashSet",
        "rand::rng",
        "thread_rng",
        "Rng::new",
        "fastrand::usize",
        "fastrand::f64",
        "fastrand::shuffle",
    ];
    let crates = ["derive", "compare", "ledger", "lineage", "model", "panel", "valuation"];
    for name in crates {
        let folder = format!("{}/../../pipeline/{name}/src", env!("CARGO_MANIFEST_DIR"));
        for file in sources(folder.as_ref()) {
            let text = std::fs::read_to_string(&file).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let found: Vec<&str> = banned.into_iter().filter(|word| code.contains(word)).collect();
            assert!(found.is_empty(), "{}: {found:?}", file.display());
        }
    }
}

/// The platform of this build, as `rustc` names it.
fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned()
}

fn sources(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    assert!(!files.is_empty(), "{}", folder.display());
    files
}
