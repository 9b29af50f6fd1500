//! The texts of errors are sentences: each says what failed, so that it reads well alone and at any place of a chain.

use std::path::{Path, PathBuf};

/// Verbs that tell somebody to do what failed (`read the lake`), where "cannot" goes before them.
const ORDERS: [&str; 24] = [
    "accept",
    "build",
    "connect",
    "create",
    "decode",
    "encode",
    "fetch",
    "find",
    "keep",
    "list",
    "load",
    "lock",
    "make",
    "open",
    "publish",
    "read",
    "remove",
    "rename",
    "run",
    "start",
    "take",
    "trust",
    "understand",
    "write",
];

/// Texts begin so in sources: of errors, and of what a step of the program adds to one.
const BEGINNINGS: [&str; 4] =
    ["#[error(\"", ".context(\"", ".with_context(|| format!(\"", "error_with_code(ExitCode::Usage, \""];

/// The longest line that a person reads at a glance.
const LONGEST: usize = 300;

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries
        .flat_map(|path| match path.is_dir() {
            true => sources(&path),
            false => Vec::from_iter(path.extension().is_some_and(|end| end == "rs").then_some(path)),
        })
        .collect()
}

/// Texts of errors in a source, up to the quote that ends them.
fn texts(source: &str) -> impl Iterator<Item = &str> {
    BEGINNINGS.iter().flat_map(|beginning| {
        let found = source.match_indices(beginning);
        found.filter_map(|(at, _)| source[at + beginning.len()..].split('"').next())
    })
}

fn is_sentence(text: &str) -> bool {
    let first = text.split([' ', '`']).next().unwrap_or_default();
    !ORDERS.contains(&first) && text.len() <= LONGEST
}

#[test]
fn texts_of_errors_are_sentences() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut seen = 0;
    for folder in ["jobs/src", "pipeline", "schemas/src"] {
        for file in sources(&root.join(folder)) {
            let source = std::fs::read_to_string(&file).expect("a source");
            for text in texts(&source) {
                assert!(is_sentence(text), "{}: `{text}` is an order, or too long", file.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 250, "{seen} texts");
}

#[test]
fn an_order_is_found() {
    let source = "#[error(\"read `{path}`\")] x.context(\"cannot read it\")";
    let (orders, sentences): (Vec<_>, Vec<_>) = texts(source).partition(|text| !is_sentence(text));
    assert_eq!((orders, sentences), (vec!["read `{path}`"], vec!["cannot read it"]));
}
