//! `fightdna synth`: makes the synthetic sample that is checked in under `data/sample`.
//!
//! The sample imitates the statistics source closely enough that every stage can be run and
//! tested without a real capture: same six files, same headers, same oddities. Nothing in it is
//! about a real person. It is a pure function of a seed, without floating point or a dependency
//! that could change it, so that anyone can make the same bytes again.
//!
//! The oddities it reproduces are listed in [`edge_cases::QUIRKS`], the rows that are wrong on
//! purpose in [`edge_cases::BAD_ROWS`].

mod calendar;
mod cards;
mod csv;
mod data_errors;
mod early;
pub mod edge_cases;
mod endings;
mod fighters;
mod files;
mod later;
mod league;
mod leagues;
mod media;
mod names;
mod random;
mod round_rows;
mod rounds;
mod rules;
mod schedule;
mod scorecards;
mod script;
mod style;
mod world;

#[cfg(test)]
mod tests;

pub use leagues::catalog_captures;

/// The seed of the checked-in sample.
pub const SAMPLE_SEED: u64 = 20_251_101;
/// The capture date that goes with [`generate_sample`], a folder name under `data/sample/statsdb`.
pub const CAPTURE: &str = "2025-11-01";
/// The capture date that goes with [`generate_later`], under `data/sample/statsdb-later`.
pub const LATER_CAPTURE: &str = "2025-12-01";

/// One generated file: name and content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleFile {
    pub name: &'static str,
    pub content: String,
}

/// One capture of the sample: files of a source on a day.
pub struct SampleCapture {
    pub source: &'static str,
    /// Date of the capture, the name of its folder.
    pub date: &'static str,
    /// Not part of the sample that is compiled in: for trying out what a later capture changes.
    pub is_later: bool,
    pub files: Vec<SampleFile>,
}

impl SampleCapture {
    /// Its folder below `data/sample`.
    pub fn folder(&self) -> String {
        let later = if self.is_later { "-later" } else { "" };
        format!("{}{later}/{}", self.source, self.date)
    }
}

/// All captures of the sample, of all sources, in the order in which they are taken in.
pub fn sample_captures(seed: u64) -> Vec<SampleCapture> {
    let talk = media::MediaFiles::new(seed);
    let first = |source, files| SampleCapture { source, date: CAPTURE, is_later: false, files };
    let later = |source, date, files| SampleCapture { source, date, is_later: true, files };
    let feed =
        |state| vec![SampleFile { name: "scoreboard.json", content: schedule::scoreboard_json(seed, state) }];
    vec![
        first("statsdb", generate_sample(seed)),
        first("feed", feed(schedule::ScheduleState::Announced)),
        first("rankings", vec![talk.ranking_file()]),
        first("images", vec![talk.image_file()]),
        first("articles", talk.article_files().into()),
        first("wire", talk.wire_files().into()),
        first("videos", vec![talk.video_file()]),
        later("feed", "2025-11-15", feed(schedule::ScheduleState::Changed)),
        later("feed", "2025-11-21", feed(schedule::ScheduleState::Moved)),
        later("statsdb", LATER_CAPTURE, generate_later(seed)),
    ]
}

/// Makes the sample capture of the statistics source: the six CSV files. Pure and deterministic:
/// same seed, same bytes on every machine.
pub fn generate_sample(seed: u64) -> Vec<SampleFile> {
    write_files(&world::build_world(seed))
}

/// Makes a capture of the same world a month later: one more event, a result overturned,
/// statistics published late, a rename, a reach filled in, a nickname gone.
pub fn generate_later(seed: u64) -> Vec<SampleFile> {
    let mut world = world::build_world(seed);
    later::pass_a_month(&mut world, seed);
    write_files(&world)
}

/// A capture of the statistics source that is `scale` times as large as the real history of 2025-11-02: 752 events, some
/// 8,500 bouts and 4,448 fighters a time. One league after another is handed over, the rows of one file at a time, without
/// the header where the file has one already.
///
/// # Errors
/// Those of `write`.
pub fn write_scaled_capture<E>(
    seed: u64,
    scale: usize,
    mut write: impl FnMut(&'static str, &str) -> Result<(), E>,
) -> Result<(), E> {
    for number in 0..scale {
        for file in write_files(&league::make_league(seed, number)) {
            let rows = match file.content.split_once('\n') {
                Some((_, rows)) if number > 0 => rows,
                _ => &file.content,
            };
            write(file.name, rows)?;
        }
    }
    Ok(())
}

fn write_files(world: &world::World) -> Vec<SampleFile> {
    let file = |name, content| SampleFile { name, content };
    vec![
        file("ufc_event_details.csv", files::event_details(world)),
        file("ufc_fight_details.csv", files::fight_details(world)),
        file("ufc_fight_results.csv", files::fight_results(world)),
        file("ufc_fight_stats.csv", files::fight_stats(world)),
        file("ufc_fighter_details.csv", files::fighter_details(world)),
        file("ufc_fighter_tott.csv", files::fighter_tott(world)),
    ]
}
