# The dozen things that one does. `just` lists them; https://just.systems

lake := env("LAKE", "/tmp/lake")
real := env("FIGHTDNA_REAL_DATA", "../shared/data")

_default:
    @just --list

# Types and borrow checks of everything, in seconds
check:
    cargo check --tests

# The tests; some wait for clocks, so that one more than there are cores run at a time
test *ARGS:
    export NEXTEST_TEST_THREADS="$(($(nproc) + 1))"; if command -v cargo-nextest >/dev/null; then cargo nextest run --locked {{ARGS}}; else cargo test --locked {{ARGS}}; fi

# Lints as CI runs them
lint:
    cargo fmt --all --check
    cargo clippy --locked --all-targets -- -D warnings

# Licences and sources of dependencies, and those that nothing uses
deny:
    cargo deny --locked check licenses bans sources
    cargo machete

# Everything that must hold before a change lands
ci:
    bash .ci/run

# Files that are generated from the contracts
generate:
    UPDATE_EXPECT=1 cargo test --test serving -- openapi::the_checked_in_document

# The documentation's commands and links
docs:
    cargo build --bins
    python3 -B tests/contract/docs.py "${CARGO_TARGET_DIR:-target}/debug/fightdna"

# The book, as pages in docs/book
book:
    command -v mdbook >/dev/null || cargo install --locked --version 0.5.4 --no-default-features --features search mdbook
    cargo build --bin fightdna
    docs/reference "${CARGO_TARGET_DIR:-target}/debug/fightdna"
    mdbook build docs

# Accept the outputs of snapshot tests
accept:
    INSTA_UPDATE=always cargo test --no-fail-fast --test pipeline --test serving -- acceptance api compat dna

# A lake of the sample, and a server over it
serve:
    cargo run --bin fightdna -- run --lake {{lake}}
    cargo run --bin fightdna -- serve --lake {{lake}}

# The contract from outside: generated clients, lints, schemathesis, the page /docs in a browser
contract:
    cargo build --bins
    tests/contract/run "${CARGO_TARGET_DIR:-target}/debug/fightdna" {{lake}}

# Every route of the multi-sport catalog
contract-catalog:
    cargo build --bin fightdna
    tests/contract/catalog "${CARGO_TARGET_DIR:-target}/debug/fightdna"

# DNA and panels by Sail, and by Apache Spark where SPARK_HOME names it
contract-connect:
    cargo build --bins
    tests/contract/connect "${CARGO_TARGET_DIR:-target}/debug/fightdna" {{lake}}

# A lake in an object store, over the wire
contract-object-store:
    cargo build --bin fightdna
    tests/contract/object_store "${CARGO_TARGET_DIR:-target}/debug/fightdna"

# Tables as engines read them: over HTTP, as Delta tables, by their Croissant document
contract-engines:
    cargo build --bin fightdna
    tests/contract/engines "${CARGO_TARGET_DIR:-target}/debug/fightdna" {{lake}}

# The engine as a Python library: builds its wheel and holds what it derives against the lake's tables
contract-engine-wheel:
    tests/contract/engine_wheel {{lake}}

# The same on all real captures
contract-real:
    cargo build --bins
    tests/contract/real "${CARGO_TARGET_DIR:-target}/debug/fightdna" {{real}} {{lake}}-real

# Webhooks of a gateway that is killed again and again, judged by the specification's library
contract-webhooks:
    cargo build --bin fightdna
    tests/contract/webhooks "${CARGO_TARGET_DIR:-target}/debug/fightdna"

# All that somebody waits for, beside what is installed of its peers, in one table
bench:
    cargo build --release --bins
    tools/build-sql --release
    python3 tests/bench/all.py

# Audits and the SQL oracle, with the library of DuckDB that DUCKDB_LIB_DIR names or the Python registry has
warehouse:
    DUCKDB_LIB_DIR="${DUCKDB_LIB_DIR:-$(tools/duckdb-lib)}" cargo test --locked -p fdna-warehouse

# Wheel, .deb, image and parts lists into a folder, each installed and used; not in CI, which would need a release build
release folder="target/packages":
    packages/release {{folder}}
    packages/test {{folder}}
