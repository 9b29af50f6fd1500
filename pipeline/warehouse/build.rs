//! Finds the library of the SQL engine, unless it is compiled in (`bundled-engine`). The program looks for it beside
//! itself first, so that both can be moved together.
//!
//! 1. the folder that `DUCKDB_LIB_DIR` names,
//! 2. `engine/` in the root of the repository,
//! 3. with the feature `download-engine`, the release that the crate `libduckdb-sys` pins, if its sha256 stands in
//!    `engine.sha256`,
//! 4. the folders of the system.

use std::env;
use std::path::{Path, PathBuf};

const HELP: &str = "set DUCKDB_LIB_DIR to a folder with libduckdb 2.0, or unpack a release of it into `engine/` in the root of \
                    the repository; `tools/build-sql` does so and builds the program; `--features download-engine` downloads \
                    it; `--features bundled-engine` compiles it, which takes half an hour";

const NAMES: [&str; 3] = ["libduckdb.so", "libduckdb.dylib", "duckdb.lib"];

fn main() {
    println!("cargo:rerun-if-env-changed=DUCKDB_LIB_DIR");
    if env::var_os("CARGO_FEATURE_BUNDLED_ENGINE").is_some() {
        return;
    }
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../engine");
    println!("cargo:rerun-if-changed={}", own.display());
    let folder = if let Some(folder) = env::var_os("DUCKDB_LIB_DIR").map(PathBuf::from) {
        assert!(
            library(&folder).is_some(),
            "no library of DuckDB in DUCKDB_LIB_DIR, `{}`: {HELP}",
            folder.display()
        );
        folder
    } else if library(&own).is_some() {
        own.canonicalize().unwrap_or(own)
    } else if let Some(folder) = env::var_os("DEP_DUCKDB_INCLUDE").map(PathBuf::from) {
        check_download(&folder);
        folder
    } else if let Some(folder) = system_folders().find(|folder| library(folder).is_some()) {
        folder
    } else {
        panic!("no library of DuckDB: {HELP}");
    };
    println!("cargo:rustc-link-search=native={}", folder.display());
    if env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "unix") {
        println!("cargo:rustc-link-arg=-Wl,-rpath,$ORIGIN,-rpath,{}", folder.display());
        // The wheel's library has symbols of the interpreter that it names as its dependency.
        println!("cargo:rustc-link-arg=-Wl,--allow-shlib-undefined");
    }
}

fn library(folder: &Path) -> Option<PathBuf> {
    NAMES.iter().map(|name| folder.join(name)).find(|path| path.is_file())
}

/// Where a linker looks by itself.
fn system_folders() -> impl Iterator<Item = PathBuf> {
    let arch = env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    let folders = ["/usr/local/lib", "/opt/homebrew/lib", "/usr/lib", "/usr/lib64"].map(PathBuf::from);
    folders.into_iter().chain([PathBuf::from(format!("/usr/lib/{arch}-linux-gnu"))])
}

#[cfg(not(feature = "download-engine"))]
fn check_download(_folder: &Path) {}

/// The download is the release that was measured when its sha256 was written down.
#[cfg(feature = "download-engine")]
fn check_download(folder: &Path) {
    use sha2::Digest as _;
    let path =
        library(folder).unwrap_or_else(|| panic!("the download has no library in `{}`", folder.display()));
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("read `{}`: {error}", path.display()));
    let digest: String = sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    println!("cargo:rerun-if-changed=engine.sha256");
    let pinned =
        include_str!("engine.sha256").lines().any(|line| line.split_whitespace().next() == Some(&*digest));
    assert!(
        pinned,
        "the downloaded `{}` has the sha256 {digest}, which is not in `pipeline/warehouse/engine.sha256`: compare it with the \
         release's own, then add it there",
        path.display()
    );
}
