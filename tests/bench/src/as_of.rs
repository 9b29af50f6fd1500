//! As-of sums by the engine's timeline, for `as_of.py`: what each fighter and his opponents had done before the day of each
//! of his bouts, of the rounds in a lake's tables.
//!
//! `as-of ROUND_STATS.parquet BOUTS.parquet OUT.parquet`; prints the seconds of its work.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use arrow::array::{ArrayRef, AsArray as _, Date32Array, Int64Array, RecordBatch, StringArray};
use arrow::compute::concat_batches;
use arrow::datatypes::{DataType, Date32Type, Field, Int32Type, Schema};
use chrono::NaiveDate;
use fdna_dna::{Observation, SubjectHistory, SubjectId, Timeline};
use fdna_model::Count;
use fdna_schemas::MetricDefinitions;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::arrow::arrow_writer::compute_leaves;
use parquet::arrow::{ArrowWriter, ProjectionMask};
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use rayon::prelude::*;
use uuid::Uuid;

/// As the program has it.
#[cfg(feature = "jemalloc")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

const N: usize = Count::ALL.len();
/// Own counts, the opponent's, rounds and bouts.
const COLUMNS: usize = 2 * N + 2;
/// Fighters whose sums are made at a time.
const HISTORIES: usize = 512;
/// Rows that are written at a time.
const ROWS: usize = 128 << 10;

/// A fighter in a bout: his counts, and how many rounds.
struct BoutSide {
    bout: Uuid,
    date: i32,
    fighter: Uuid,
    sums: [i32; N],
    rounds: i32,
}

fn main() -> anyhow::Result<()> {
    let args: Vec<_> = std::env::args_os().skip(1).collect();
    let [rounds, bouts, out] = &args[..] else { anyhow::bail!("as-of ROUND_STATS BOUTS OUT") };
    let begun = Instant::now();
    let sides = sides(rounds.as_ref(), bouts.as_ref())?;
    write(&sides, out.as_ref())?;
    writeln!(std::io::stdout(), "{}", begun.elapsed().as_secs_f64())?;
    Ok(())
}

fn read(path: &Path, columns: &[&str]) -> anyhow::Result<RecordBatch> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path)?)?.with_batch_size(ROWS);
    let mask = ProjectionMask::columns(builder.parquet_schema(), columns.iter().copied());
    let reader = builder.with_projection(mask).build()?;
    let schema = arrow::array::RecordBatchReader::schema(&reader);
    Ok(concat_batches(&schema, &reader.collect::<Result<Vec<_>, _>>()?)?)
}

fn column<'b>(batch: &'b RecordBatch, name: &str) -> anyhow::Result<&'b ArrayRef> {
    batch.column_by_name(name).with_context(|| format!("find column {name}"))
}

fn ids(batch: &RecordBatch, name: &str) -> anyhow::Result<Vec<Uuid>> {
    let texts: &StringArray = column(batch, name)?.as_string();
    let ids = texts.iter().map(|text| Uuid::parse_str(text.unwrap_or_default()));
    Ok(ids.collect::<Result<_, _>>()?)
}

/// Both sides of every bout with rounds, oldest first: that of the lower id, then the other. Both tables are in the order of
/// bouts.
fn sides(rounds: &Path, bouts: &Path) -> anyhow::Result<Vec<BoutSide>> {
    let names: Vec<&str> = ["bout_id", "fighter_id"].into_iter().chain(Count::ALL.map(Count::name)).collect();
    let (rounds, bouts) = rayon::join(
        || read(rounds, &names),
        || read(bouts, &["bout_id", "event_date", "fighter_a_id", "fighter_b_id"]),
    );
    let (rounds, bouts) = (rounds?, bouts?);
    let counts: Vec<&[i32]> = Count::ALL
        .iter()
        .map(|count| Ok(&column(&rounds, count.name())?.as_primitive::<Int32Type>().values()[..]))
        .collect::<anyhow::Result<_>>()?;
    let (of_bout, fighters) = rayon::join(|| ids(&rounds, "bout_id"), || ids(&rounds, "fighter_id"));
    let (of_bout, fighters) = (of_bout?, fighters?);
    let pairs = ids(&bouts, "fighter_a_id")?.into_iter().zip(ids(&bouts, "fighter_b_id")?);
    let dates = column(&bouts, "event_date")?.as_primitive::<Date32Type>().values();
    let mut sides = Vec::new();
    let mut row = 0;
    for ((bout, date), pair) in ids(&bouts, "bout_id")?.into_iter().zip(dates).zip(pairs) {
        let side = |fighter| BoutSide { bout, date: *date, fighter, sums: [0; N], rounds: 0 };
        let mut both = [side(pair.0), side(pair.1)];
        while of_bout.get(row) == Some(&bout) {
            let side = &mut both[usize::from(fighters[row] != pair.0)];
            side.rounds += 1;
            side.sums.iter_mut().zip(&counts).for_each(|(sum, column)| *sum += column[row]);
            row += 1;
        }
        sides.extend(both.into_iter().filter(|side| side.rounds > 0));
    }
    anyhow::ensure!(row == of_bout.len() && sides.len().is_multiple_of(2), "the tables are not of one lake");
    sides.par_sort_by_key(|side| side.date);
    Ok(sides)
}

fn write(sides: &[BoutSide], out: &Path) -> anyhow::Result<()> {
    let mut fighters: Vec<Uuid> = sides.iter().map(|side| side.fighter).collect();
    fighters.par_sort_unstable();
    fighters.dedup();
    let rows = sides.par_iter().enumerate().map(|(row, side)| Observation {
        subject: SubjectId(
            u32::try_from(fighters.partition_point(|id| *id < side.fighter)).unwrap_or(u32::MAX),
        ),
        opponent: Some(row ^ 1),
        date: NaiveDate::from_epoch_days(side.date).unwrap_or(NaiveDate::MAX),
        pool: None,
        periods: side.rounds,
    });
    let timeline = Timeline::new(rows.collect(), 0, &MetricDefinitions::get().settings);
    let mut order: Vec<usize> =
        timeline.histories.iter().flat_map(|history| history.rows.iter().copied()).collect();
    order.par_sort_by_key(|row| (timeline.rows[*row].subject, sides[*row].date, sides[*row].bout));
    let value = |column: usize, row: usize| match column {
        _ if column < N => sides[row].sums[column],
        _ if column < 2 * N => sides[row ^ 1].sums[column - N],
        _ if column == 2 * N => sides[row].rounds,
        _ => 1,
    };
    // Fighter by fighter, so that what a column adds is still near from the column before.
    let of_some = |histories: &[SubjectHistory]| {
        let mut sums = vec![Vec::new(); COLUMNS];
        for history in histories {
            for (column, sums) in sums.iter_mut().enumerate() {
                let (mut sum, mut next) = (0, 0);
                for (_, until) in &history.versions {
                    let rows = history.rows[next..*until].iter();
                    sum += rows.map(|row| i64::from(value(column, *row))).sum::<i64>();
                    next = *until;
                    sums.push(sum);
                }
            }
        }
        sums
    };
    let some: Vec<Vec<Vec<i64>>> = timeline.histories.par_chunks(HISTORIES).map(of_some).collect();
    let whole = |column: usize| some.iter().flat_map(|sums| &sums[column]).copied().collect();
    let sums: Vec<Vec<i64>> = (0..COLUMNS).into_par_iter().map(whole).collect();
    drop(some);
    let own = Count::ALL.map(|count| count.name().to_owned()).into_iter();
    let opponents = Count::ALL.map(|count| format!("o_{}", count.name())).into_iter();
    let names: Vec<String> = own.chain(opponents).chain(["rounds".to_owned(), "bouts".to_owned()]).collect();
    let fields =
        [("fighter_id", DataType::Utf8), ("event_date", DataType::Date32), ("bout_id", DataType::Utf8)];
    let keys = fields.map(|(name, kind)| Field::new(name, kind, false)).into_iter();
    let fields = keys.chain(names.iter().map(|name| Field::new(name, DataType::Int64, false)));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let compression = Compression::ZSTD(ZstdLevel::try_new(3)?);
    let properties = WriterProperties::builder().set_compression(compression).build();
    let writer = ArrowWriter::try_new(File::create(out)?, schema.clone(), Some(properties))?;
    let (mut file, writers) = writer.into_serialized_writer()?;
    for (group, rows) in order.chunks(ROWS).enumerate() {
        let rows = || rows.iter();
        let text = |of: fn(&BoutSide) -> Uuid| {
            StringArray::from_iter_values(rows().map(|row| of(&sides[*row]).to_string()))
        };
        let column = |place: usize| -> ArrayRef {
            match place {
                0 => Arc::new(text(|side| side.fighter)),
                1 => Arc::new(Date32Array::from_iter_values(rows().map(|row| sides[*row].date))),
                2 => Arc::new(text(|side| side.bout)),
                _ => {
                    let sums = &sums[place - 3];
                    let before =
                        |row: &usize| timeline.version_before(*row).map_or(0, |version| sums[version]);
                    Arc::new(Int64Array::from_iter_values(rows().map(before)))
                }
            }
        };
        let columns = writers.create_column_writers(group)?.into_par_iter().enumerate();
        let chunks = columns.map(|(place, mut writer)| {
            for leaf in compute_leaves(schema.field(place), &column(place))? {
                writer.write(&leaf)?;
            }
            writer.close()
        });
        let chunks = chunks.collect::<Result<Vec<_>, _>>()?;
        let mut group = file.next_row_group()?;
        for chunk in chunks {
            chunk.append_to_row_group(&mut group)?;
        }
        group.close()?;
    }
    file.close()?;
    Ok(())
}
