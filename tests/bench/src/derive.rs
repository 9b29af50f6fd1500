//! How long derivation takes: every version of a lake's facts, and the tables made of them, in memory.
//!
//! `derive LAKE [ROUNDS]` — medians over the rounds, after one that is not counted.

use std::time::Instant;

use anyhow::Context as _;
use arrow::array::RecordBatch;
use fdna_lake::Lake;
use fdna_model::{Facts, FactsAsOf};
use fdna_normalise::FACTS_TABLES;
use fdna_schemas::MetricDefinitions;

#[expect(clippy::print_stdout, reason = "a bench says what it measured")]
fn main() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1);
    let lake = args.next().context("derive LAKE [ROUNDS]")?;
    let rounds: usize = args.next().map_or(Ok(5), |n| n.parse()).context("read the number of rounds")?;
    let facts = facts(&Lake::open(std::path::Path::new(&lake)))?;
    let as_of = facts.bouts().last().and_then(|b| b.date.succ_opt()).context("find a bout")?;
    let (mut derive, mut tables) = (Vec::new(), Vec::new());
    for round in 0..=rounds {
        let begun = Instant::now();
        let derived = fdna_derive::derive_tables(FactsAsOf::cut_at(&facts, as_of), MetricDefinitions::get())?;
        let between = Instant::now();
        let made = fdna_derive::to_tables(&derived, MetricDefinitions::get())?;
        if round == 0 {
            let rows: usize = made.iter().map(|(_, batch)| batch.num_rows()).sum();
            let ok = derived.metrics.iter().flat_map(|m| &m.states).filter(|s| s.interval.is_some()).count();
            println!(
                "{} versions x {} metrics, {ok} intervals, {rows} rows in {} tables, {} threads",
                derived.versions.len(),
                derived.metrics.len(),
                made.len(),
                std::thread::available_parallelism()?
            );
        } else {
            derive.push((between - begun).as_secs_f64());
            tables.push(between.elapsed().as_secs_f64());
        }
    }
    println!("derive {:.3} s, tables {:.3} s (medians of {rounds})", median(derive), median(tables));
    Ok(())
}

/// Facts of the current snapshot.
fn facts(lake: &Lake) -> anyhow::Result<Facts> {
    let id = lake.current_snapshot()?.context("no current snapshot")?;
    let manifest = lake.snapshot(&id)?;
    let read = |name| -> anyhow::Result<(&str, RecordBatch)> {
        Ok((name, lake.read_snapshot_table(&manifest, name)?))
    };
    let tables = FACTS_TABLES.into_iter().map(read).collect::<anyhow::Result<Vec<_>>>()?;
    Ok(fdna_normalise::read_facts(|name| tables.iter().find(|(n, _)| *n == name).map(|(_, batch)| batch))?)
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds.get(seconds.len() / 2).copied().unwrap_or(f64::NAN)
}
