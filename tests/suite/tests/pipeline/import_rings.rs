//! Files of a crate that import one another in a ring: none of them can be understood without all others.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};

/// Files of a ring, at most.
const MAX_FILES: usize = 4;

/// Names that lead to a module from the root of its crate.
type ModulePath = Vec<String>;

/// A path of `use`, or one that begins with `crate`, `super` or `self` elsewhere.
struct Import {
    /// The module that says it, which may be inline.
    scope: ModulePath,
    path: Vec<String>,
    /// The name that it gives what it leads to.
    name: String,
    is_public: bool,
}

#[derive(Default)]
struct SourceFile {
    imports: Vec<Import>,
    /// Its modules that have files of their own.
    modules: Vec<String>,
}

/// The files of a crate by their modules.
struct CrateFiles(BTreeMap<ModulePath, SourceFile>);

/// Names that each file has from each other one.
type ImportGraph = BTreeMap<ModulePath, BTreeMap<ModulePath, BTreeSet<String>>>;

fn word(token: &TokenTree) -> Option<String> {
    if let TokenTree::Ident(word) = token { Some(word.to_string()) } else { None }
}

fn is_punct(token: &TokenTree, is: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == is)
}

fn extended(module: &[String], name: &str) -> ModulePath {
    [module, &[name.to_owned()]].concat()
}

impl SourceFile {
    /// Reads tokens: comments are none, and strings are not looked into.
    fn scan(&mut self, tokens: TokenStream, scope: &[String]) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            let rest = &tokens[at..];
            let to_semicolon = || rest.iter().position(|token| is_punct(token, ';')).unwrap_or(rest.len());
            at += match word(&rest[0]).as_deref() {
                None if is_test_attribute(rest) => end_of_item(rest),
                Some("mod") => {
                    let name = rest.get(1).and_then(word);
                    match rest.get(2) {
                        Some(TokenTree::Group(body)) => {
                            self.scan(body.stream(), &extended(scope, &name.unwrap_or_default()));
                        }
                        _ => self.modules.extend(name),
                    }
                    3
                }
                Some("use") => {
                    let mut before =
                        tokens[..at].iter().rev().skip_while(|token| matches!(token, TokenTree::Group(_)));
                    let is_public = before.next().and_then(word).as_deref() == Some("pub");
                    self.add_tree(&rest[1..to_semicolon()], &[], scope, is_public);
                    to_semicolon()
                }
                Some("crate" | "super" | "self") if rest.get(1).is_some_and(|next| is_punct(next, ':')) => {
                    let segments = rest[1..].chunks_exact(3);
                    let segments =
                        segments.take_while(|part| is_punct(&part[0], ':') && word(&part[2]).is_some());
                    let length = 1 + 3 * segments.count();
                    self.add_tree(&rest[..length], &[], scope, false);
                    length
                }
                _ => {
                    if let TokenTree::Group(group) = &rest[0] {
                        self.scan(group.stream(), scope);
                    }
                    1
                }
            };
        }
    }

    /// Adds the paths of a tree of `use`.
    fn add_tree(&mut self, tree: &[TokenTree], prefix: &[String], scope: &[String], is_public: bool) {
        let words = tree.iter().filter_map(word).take_while(|word| word != "as");
        let mut path: Vec<String> = prefix.iter().cloned().chain(words).collect();
        if let Some(TokenTree::Group(group)) = tree.last() {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            let trees = inner.split(|token| is_punct(token, ',')).filter(|tree| !tree.is_empty());
            return trees.for_each(|tree| self.add_tree(tree, &path, scope, is_public));
        }
        path.pop_if(|last| last == "self");
        let name = tree.last().and_then(word).filter(|name| name != "self").or(path.last().cloned());
        self.imports.push(Import { scope: scope.to_vec(), path, name: name.unwrap_or_default(), is_public });
    }
}

fn is_test_attribute(tokens: &[TokenTree]) -> bool {
    let attribute = tokens.get(1).map(|group| group.to_string().replace(' ', ""));
    is_punct(&tokens[0], '#') && attribute.as_deref() == Some("[cfg(test)]")
}

/// Behind the item that begins here: a semicolon, or a block that is no tree of `use`.
fn end_of_item(tokens: &[TokenTree]) -> usize {
    let is_block = |at: usize| tokens[at].to_string().starts_with('{') && !is_punct(&tokens[at - 1], ':');
    let end = (1..tokens.len()).find(|at| is_punct(&tokens[*at], ';') || is_block(*at));
    end.map_or(tokens.len(), |end| end + 1)
}

impl CrateFiles {
    /// Follows the declarations of modules from the root, those of tests aside. `text` reads a file of `src`.
    fn read(text: &dyn Fn(&str) -> String) -> Self {
        let (mut files, mut open) = (BTreeMap::new(), vec![ModulePath::new()]);
        while let Some(module) = open.pop() {
            let path = if module.is_empty() { "lib".to_owned() } else { module.join("/") };
            let mut file = SourceFile::default();
            file.scan(text(&format!("{path}.rs")).parse().unwrap(), &module);
            open.extend(file.modules.iter().map(|name| extended(&module, name)));
            files.insert(module, file);
        }
        Self(files)
    }

    /// The file that a path leads to, and what it names there; `None` of another crate.
    fn locate(&self, import: &Import) -> Option<(ModulePath, Vec<String>)> {
        let (mut module, mut rest) = (import.scope.clone(), import.path.as_slice());
        match rest.first()?.as_str() {
            "crate" => (module, rest) = (ModulePath::new(), &rest[1..]),
            "super" | "self" => {}
            child => drop(self.0.get(&extended(&module, child))?),
        }
        while let [first, others @ ..] = rest {
            match first.as_str() {
                "self" => {}
                "super" => drop(module.pop()),
                name if self.0.contains_key(&extended(&module, name)) => module.push(name.to_owned()),
                _ => break,
            }
            rest = others;
        }
        // Inline modules are in the file of the module around them.
        while !self.0.contains_key(&module) {
            module.pop();
        }
        Some((module, rest.to_vec()))
    }

    fn graph(&self) -> ImportGraph {
        let mut located = Vec::new();
        for (module, file) in &self.0 {
            let of_file =
                file.imports.iter().filter_map(|import| Some((module, import, self.locate(import)?)));
            located.extend(of_file.filter(|(_, _, (origin, _))| origin != module));
        }
        let re_exports = located.iter().filter(|(_, import, _)| import.is_public);
        let re_exports = re_exports.map(|(module, import, origin)| ((*module, &import.name), origin));
        let re_exports: BTreeMap<_, _> = re_exports.collect();
        let mut graph = ImportGraph::new();
        for (module, _, origin) in &located {
            let mut origin = origin;
            while let Some(next) = origin.1.first().and_then(|name| re_exports.get(&(&origin.0, name))) {
                origin = next;
            }
            if origin.0 != **module {
                let names = graph.entry((*module).clone()).or_default().entry(origin.0.clone()).or_default();
                names.insert(origin.1.join("::"));
            }
        }
        graph
    }
}

/// The most files of which each imports from all others, directly or not.
fn largest_ring(graph: &ImportGraph) -> BTreeSet<&ModulePath> {
    let reached = |from| {
        let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(module) = open.pop() {
            let next = graph.get(module).into_iter().flat_map(BTreeMap::keys);
            open.extend(next.filter(|next| reached.insert(*next)));
        }
        reached
    };
    let reached: BTreeMap<_, BTreeSet<_>> = graph.keys().map(|from| (from, reached(from))).collect();
    let is_back = |a: &ModulePath, b: &ModulePath| reached.get(b).is_some_and(|back| back.contains(a));
    let rings = reached.iter().map(|(a, others)| others.iter().copied().filter(|b| is_back(a, b)).collect());
    rings.max_by_key(BTreeSet::len).unwrap_or_default()
}

/// The files of a ring, and what each has from which other.
fn describe(ring: &BTreeSet<&ModulePath>, graph: &ImportGraph) -> String {
    let file = |module: &ModulePath| if module.is_empty() { "lib".to_owned() } else { module.join("/") };
    let mut text = format!("{} files import one another:", ring.len());
    for from in ring {
        for (to, names) in graph[*from].iter().filter(|(to, _)| ring.contains(to)) {
            let _ = write!(text, "\n  {} from {}: {names:?}", file(from), file(to));
        }
    }
    text
}

/// Folders of the libraries of the workspace.
fn libraries(root: &Path) -> impl Iterator<Item = PathBuf> {
    let folders = ["", "pipeline", "tests"].map(|parent| root.join(parent).read_dir().unwrap());
    let folders = folders.into_iter().flatten().map(|folder| folder.unwrap().path());
    folders.filter(|folder| folder.join("src/lib.rs").exists())
}

#[test]
fn no_ring_of_imports_has_more_than_a_few_files() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).canonicalize().unwrap();
    for library in libraries(&root) {
        let read = |file: &str| std::fs::read_to_string(library.join("src").join(file)).unwrap();
        let graph = CrateFiles::read(&read).graph();
        let ring = largest_ring(&graph);
        assert!(ring.len() <= MAX_FILES, "{}: {}", library.display(), describe(&ring, &graph));
    }
}

#[test]
fn a_ring_is_found_through_re_exports_and_inline_paths_and_not_in_comments_or_tests() {
    let text = |file: &str| match file {
        "lib.rs" => "mod a; mod b; mod c; mod d; pub use b::{self, Deep as Shown};",
        "a.rs" => "pub mod inner; use crate::Shown; #[cfg(test)] use crate::d::{D}; // use crate::d::D;",
        "a/inner.rs" => "fn f() { vec![super::super::c::C] } #[cfg(test)] mod tests { use crate::d::D; }",
        "b.rs" => "pub struct Deep(crate::c::C); mod told { use super::super::a::inner as other; }",
        "c.rs" => "use crate::a::{inner::{F}}; const TEXT: &str = \"crate::d::D\";",
        "d.rs" => "pub use crate::a::A;",
        other => unreachable!("{other}"),
    };
    let graph = CrateFiles::read(&|file| text(file).to_owned()).graph();
    let told = "2 files import one another:\n  a/inner from c: {\"C\"}\n  c from a/inner: {\"F\"}";
    assert_eq!(describe(&largest_ring(&graph), &graph), told);
}
