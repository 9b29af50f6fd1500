//! Lists the contracts of tables and sources, so that each is compiled in and none has to be named twice.

use std::fmt::Write as _;
use std::path::Path;

fn main() {
    let root = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let out = std::env::var("OUT_DIR").expect("cargo sets it");
    let mut code = String::new();
    for (constant, folder) in [("TABLES", "tables"), ("SOURCES", "sources")] {
        let path = Path::new(&root).join(folder);
        println!("cargo::rerun-if-changed={}", path.display());
        let files = std::fs::read_dir(&path).expect("the folder of contracts is there");
        let mut files: Vec<_> = files.map(|file| file.expect("its files can be listed").path()).collect();
        files.retain(|file| file.extension().is_some_and(|e| e == "toml"));
        files.sort_by_key(|file| file.file_stem().map(std::ffi::OsStr::to_os_string));
        let _ = writeln!(code, "pub(crate) const {constant}: &[(&str, &str)] = &[");
        for file in files {
            let name = file.file_stem().expect("a file has a name").to_string_lossy();
            let _ = writeln!(code, "    ({name:?}, include_str!({:?})),", file.display().to_string());
        }
        let _ = writeln!(code, "];");
    }
    #[expect(clippy::disallowed_methods, reason = "a build script writes for the compiler, not into a lake")]
    std::fs::write(Path::new(&out).join("embedded.rs"), code).expect("cargo's folder can be written");
}
