//! Where the engine's library is: named by `DUCKDB_LIB_DIR`, unless it is compiled in (`bundled-engine`). The program
//! looks for it beside itself first, so that both can be moved together.

use std::env;
use std::path::Path;

const HELP: &str = "set DUCKDB_LIB_DIR to a folder with libduckdb 2.0.1: an unpacked release of DuckDB, or what \
                    `tests/tools/duckdb-lib` prints; or build with `--features bundled-engine`, which compiles it";

fn main() {
    println!("cargo:rerun-if-env-changed=DUCKDB_LIB_DIR");
    if env::var_os("CARGO_FEATURE_BUNDLED_ENGINE").is_some() {
        return;
    }
    let Some(folder) = env::var_os("DUCKDB_LIB_DIR") else {
        println!("cargo:warning=the SQL engine is linked as the system has it; to name another, {HELP}");
        return;
    };
    let folder = Path::new(&folder);
    let names = ["libduckdb.so", "libduckdb.dylib", "duckdb.lib"];
    assert!(
        names.iter().any(|name| folder.join(name).is_file()),
        "no library of DuckDB in `{}`: {HELP}",
        folder.display()
    );
    let target = env::var("CARGO_CFG_TARGET_FAMILY").unwrap_or_default();
    if target == "unix" {
        println!("cargo:rustc-link-arg=-Wl,-rpath,$ORIGIN,-rpath,{}", folder.display());
        // The wheel's library has symbols of the interpreter that it names as its dependency.
        println!("cargo:rustc-link-arg=-Wl,--allow-shlib-undefined");
    }
}
