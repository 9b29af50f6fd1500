//! Under systemd: says when the server is ready, what it serves, that it lives and that it ends. Elsewhere, nothing.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use fdna_server::{AccessLog, ServerState};
use sd_notify::NotifyState;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{oneshot, watch};

/// Tells that a server is ready when it is, what it does, and for ever, twice in the watchdog's time, that the thread
/// lives that this runs on.
pub(crate) async fn notify_alive(ready: oneshot::Receiver<()>, status: &str) -> Infallible {
    if ready.await.is_ok() {
        send_states(&[NotifyState::Ready, NotifyState::Status(status)]);
    }
    let Some(every) = watchdog_interval() else { return std::future::pending().await };
    loop {
        tokio::time::sleep(every).await;
        send_states(&[NotifyState::Watchdog]);
    }
}

/// Interval of systemd's watchdog.
fn watchdog_interval() -> Option<Duration> {
    sd_notify::watchdog_enabled().map(|time| time / 2)
}

/// Tells for ever what the server's state is, and that it lives.
pub(crate) async fn notify_state(mut state: watch::Receiver<ServerState>) -> Infallible {
    let every = watchdog_interval();
    let mut is_ready = false;
    loop {
        let now = state.borrow_and_update().clone();
        send_states(&[NotifyState::Status(&status_text(&now))]);
        // Who waits for the first snapshot waits as long as that takes, and answers that there is none.
        if (now.snapshot_id.is_some() || now.is_waiting) && !is_ready {
            is_ready = true;
            send_states(&[NotifyState::Ready]);
        }
        if now.is_leaving {
            notify_stopping();
        }
        loop {
            match tokio::time::timeout(every.unwrap_or(Duration::MAX), state.changed()).await {
                Err(_) => send_states(&[NotifyState::Watchdog]),
                Ok(Ok(())) => break,
                // The server is gone, and with it this task in a moment.
                Ok(Err(_)) => std::future::pending().await,
            }
        }
    }
}

/// The end has begun.
pub(crate) fn notify_stopping() {
    send_states(&[NotifyState::Stopping]);
}

/// Opens the log anew at every SIGHUP, as logrotate sends it. Without a log, SIGHUP does nothing.
pub(crate) fn reopen_on_hangup(log: Option<Arc<AccessLog>>) -> anyhow::Result<()> {
    on_hangup(move || log.iter().for_each(|log| log.reopen_file()))
}

/// Does this at every SIGHUP.
pub(crate) fn on_hangup(act: impl Fn() + Send + 'static) -> anyhow::Result<()> {
    let mut hangup = signal(SignalKind::hangup()).context("cannot watch for SIGHUP")?;
    tokio::spawn(async move {
        while hangup.recv().await.is_some() {
            act();
        }
    });
    Ok(())
}

fn status_text(state: &ServerState) -> String {
    let serving = match &state.snapshot_id {
        _ if state.is_leaving => "finishing requests".to_owned(),
        Some(id) => format!("serving snapshot {id}"),
        None if state.is_waiting => "waiting for the first snapshot".to_owned(),
        None => "loading the first snapshot".to_owned(),
    };
    match &state.problem {
        Some(problem) => format!("{serving}; {problem}").replace('\n', " "),
        None => serving,
    }
}

fn send_states(states: &[NotifyState]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!(%error, "failed to tell systemd");
    }
}
