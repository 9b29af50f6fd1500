//! Compiles the sample in: every capture below `data/sample/<source>/<date>`; folders of later captures
//! (`<source>-later`) are left out.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() {
    let root =
        Path::new(&std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../../data/sample");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut code = String::from("const CAPTURES: &[Embedded] = &[\n");
    for source in entries(&root).into_iter().filter(|path| path.is_dir() && !name(path).ends_with("-later")) {
        for capture in entries(&source) {
            let _ = writeln!(code, "    ({:?}, {:?}, &[", name(&source), name(&capture));
            for file in entries(&capture) {
                let path = file.display().to_string();
                let _ = writeln!(code, "        ({:?}, include_bytes!({path:?}).as_slice()),", name(&file));
            }
            code.push_str("    ]),\n");
        }
    }
    code.push_str("];\n");
    let out = std::env::var("OUT_DIR").expect("cargo sets it");
    #[expect(clippy::disallowed_methods, reason = "a build script writes for the compiler, not into a lake")]
    std::fs::write(Path::new(&out).join("sample.rs"), code).expect("cargo's folder can be written");
}

fn name(path: &Path) -> String {
    path.file_name().expect("an entry has a name").to_string_lossy().into_owned()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the sample is there");
    let mut entries: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be listed").path()).collect();
    entries.sort();
    entries
}
