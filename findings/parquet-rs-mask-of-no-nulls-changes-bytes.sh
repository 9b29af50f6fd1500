#!/usr/bin/env bash
# The Rust crate parquet (59.1.0 and 60.1.0) writes other bytes for two arrays that compare equal: one that has a validity mask in
# which nothing is null, as a slice of an array with nulls elsewhere has, and one that has no mask. Readers see the same rows. Who
# names files by their digest, or compares snapshots byte by byte, gets another file whenever the same rows come in other slices.
#
# Needs cargo with rustc 1.88 or later, and the Rust registry; Linux. Prints what it saw; fails if that has changed.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
export CARGO_TARGET_DIR="$work/target"
mkdir src
cat > src/main.rs <<'RS'
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use std::sync::Arc;

fn write(column: ArrayRef) -> Vec<u8> {
    let rows = RecordBatch::try_from_iter_with_nullable([("v", column, true)]).unwrap();
    let mut writer = ArrowWriter::try_new(Vec::new(), rows.schema(), None).unwrap();
    writer.write(&rows).unwrap();
    writer.into_inner().unwrap()
}

fn main() {
    let values = || (0..62_642_u32).map(|row| Some((row % 7).to_string()));
    let plain: StringArray = values().collect();
    let behind_a_null: StringArray = std::iter::once(None).chain(values()).collect();
    let masked = behind_a_null.slice(1, plain.len());
    assert!(plain.nulls().is_none() && masked.nulls().is_some_and(|nulls| nulls.null_count() == 0));
    assert_eq!(plain, masked);
    let (plain, masked) = (write(Arc::new(plain)), write(Arc::new(masked)));
    println!("{} bytes without a mask, {} with one: {}", plain.len(), masked.len(), if plain == masked { "same" } else { "other" });
}
RS
for version in 59.1.0 60.1.0; do
    cat > Cargo.toml <<TOML
[package]
name = "mask"
version = "0.1.0"
edition = "2021"

[dependencies]
arrow-array = "=$version"
parquet = { version = "=$version", default-features = false, features = ["arrow"] }
TOML
    rm -f Cargo.lock
    echo "$version: $(cargo run --quiet)" | tee -a seen.txt
done
[ "$(sed 's/.* //' seen.txt | xargs)" = "other other" ]
echo "as described"
