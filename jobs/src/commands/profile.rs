//! `fightdna fighter` and `fightdna matchup`: the profile of the explorer as text.

use std::io::IsTerminal as _;
use std::sync::Arc;

use anyhow::Context as _;
use chrono::NaiveDate;
use fdna_explorer::{TerminalError, TextStyle, fighter_text, matchup_text};
use fdna_lake::Lake;
use fdna_run::current_snapshot::NoCurrentSnapshot;
use fdna_run::exit::{ExitCode, error_with_code};
use fdna_run::product::Product;
use fdna_server::{LakeSource, LocalApi, ServingState, SnapshotSource as _};

use super::serving::system_clock;

#[derive(clap::Args)]
pub(crate) struct FighterArgs {
    /// Name, or words of it, or an id.
    #[arg(required = true, num_args = 1..)]
    name: Vec<String>,
    /// What was known before this day, such as 2015-01-03; without it, what the newest facts say.
    #[arg(long, value_name = "DATE")]
    as_of: Option<NaiveDate>,
}

#[derive(clap::Args)]
pub(crate) struct MatchupArgs {
    /// Name of the first fighter, in quotes if it has several words, or an id.
    a: String,
    /// Name of the second.
    b: String,
    /// What was known before this day, such as 2015-01-03; without it, what the newest facts say.
    #[arg(long, value_name = "DATE")]
    as_of: Option<NaiveDate>,
}

impl FighterArgs {
    /// The profile as text.
    pub(crate) fn run(&self, lake: Lake) -> anyhow::Result<String> {
        let as_of = self.as_of.map(|day| day.to_string());
        render_profile(lake, async |api| {
            fighter_text(api, &self.name.join(" "), as_of.as_deref(), text_style()).await
        })
    }
}

impl MatchupArgs {
    /// Both profiles beside each other, as text.
    pub(crate) fn run(&self, lake: Lake) -> anyhow::Result<String> {
        let as_of = self.as_of.map(|day| day.to_string());
        render_profile(lake, async |api| {
            matchup_text(api, &self.a, &self.b, as_of.as_deref(), text_style()).await
        })
    }
}

fn text_style() -> TextStyle {
    if std::io::stdout().is_terminal() { TextStyle::Blocks } else { TextStyle::Plain }
}

/// A rendering of the current snapshot.
fn render_profile(
    lake: Lake,
    tell: impl AsyncFnOnce(LocalApi) -> Result<String, TerminalError>,
) -> anyhow::Result<String> {
    ask_snapshot(lake, tell)?.map_err(|error| match error {
        TerminalError::NotFound(message) | TerminalError::Refused(message) => {
            error_with_code(ExitCode::Usage, message)
        }
        TerminalError::Ambiguous(names) => error_with_code(
            ExitCode::Usage,
            format!("several fighters have that name; give an id:\n{}", names.join("\n")),
        ),
    })
}

/// What the operations answer of the current snapshot, asked within the process.
pub(crate) fn ask_snapshot<T>(lake: Lake, ask: impl AsyncFnOnce(LocalApi) -> T) -> anyhow::Result<T> {
    let source = LakeSource::new(lake.clone());
    let id = source.current()?.ok_or_else(|| NoCurrentSnapshot::new(&lake, Product::Mma))?;
    let served = ServingState::new(None, system_clock());
    served.publish(source.load_whole(&id)?);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the runtime")?;
    Ok(runtime.block_on(ask(LocalApi::new(Arc::new(served)))))
}
