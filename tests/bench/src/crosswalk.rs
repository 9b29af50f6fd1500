//! What the links between sources in a lake's current snapshot are worth, against an external crosswalk.
//!
//! `crosswalk LAKE CROSSWALK_FOLDER`

#[path = "crosswalk/measure.rs"]
mod measure;

use std::path::PathBuf;

use anyhow::Context as _;
use fdna_lake::Lake;
use fdna_schemas::TableReader;

#[expect(clippy::print_stdout, reason = "a bench says what it measured")]
fn main() -> anyhow::Result<()> {
    let mut args = std::env::args_os().skip(1).map(PathBuf::from);
    let (lake, crosswalk) = args.next().zip(args.next()).context("crosswalk LAKE CROSSWALK_FOLDER")?;
    let lake = Lake::open(lake);
    let current = lake.current_snapshot()?.context("no current snapshot")?;
    let table = lake.read_snapshot_table(&lake.snapshot(&current)?, "identities")?;
    let reader = TableReader::new("identities", &table);
    let keys = reader.texts("kind")?.into_iter().zip(reader.texts("source")?).zip(reader.texts("source_id")?);
    let identities = keys.zip(reader.ids("entity_id")?).map(|(((kind, source), id), entity)| {
        ((kind.to_owned(), source.to_owned(), id.to_owned()), entity.to_string())
    });
    for measured in measure::measure(&crosswalk, &identities.collect())? {
        print!("{}", measured.text());
    }
    Ok(())
}
