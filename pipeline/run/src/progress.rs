//! A spinner or a bar on a terminal; log lines otherwise.

use std::io::IsTerminal as _;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

pub struct RunProgress(Option<ProgressBar>);

impl RunProgress {
    /// On a terminal and not told to be quiet: a spinner on standard error.
    pub fn new(quiet: bool) -> Self {
        let wanted = !quiet && std::io::stderr().is_terminal();
        Self(wanted.then(|| {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        }))
    }

    /// As [`Self::new`], but a bar for this many steps.
    pub fn with_steps(quiet: bool, steps: usize) -> Self {
        let Self(bar) = Self::new(quiet);
        Self(bar.inspect(|bar| {
            bar.set_length(steps as u64);
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {bar:40} {pos}/{len} {elapsed}")
            {
                bar.set_style(style);
            }
        }))
    }

    /// Counts a finished step; from any thread.
    pub fn advance(&self) {
        if let Some(bar) = &self.0 {
            bar.inc(1);
        }
    }

    pub fn show_message(&self, what: &str) {
        match &self.0 {
            Some(bar) => bar.set_message(what.to_owned()),
            None => tracing::info!("{what}"),
        }
    }

    pub fn finish(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
