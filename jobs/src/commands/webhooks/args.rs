//! The command line of `fightdna webhooks`, and the options that a gateway has, too.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Subcommand, ValueEnum};
use fdna_gateway::key::KeyProduct;
use fdna_gateway::webhooks::{DeliveryTimeouts, ReceiverPolicy, SenderOptions};

use crate::commands::key_store::StorePlace;

#[derive(clap::Args)]
pub(crate) struct WebhooksArgs {
    #[command(flatten)]
    pub(super) place: StorePlace,
    /// Who does it, for the log of key actions. Default: the user of the system.
    #[arg(long, value_name = "NAME")]
    pub(super) by: Option<String>,
    #[command(subcommand)]
    pub(super) command: WebhooksCommand,
}

/// An API whose changes are sent.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(super) enum ProductArg {
    /// The MMA API.
    #[default]
    Mma,
    /// A sport of the multi-sport catalog.
    Catalog,
    /// Leads of the account, without personal data.
    Leads,
}

impl From<ProductArg> for KeyProduct {
    fn from(product: ProductArg) -> Self {
        match product {
            ProductArg::Mma => Self::Mma,
            ProductArg::Catalog => Self::Catalog,
            ProductArg::Leads => Self::Leads,
        }
    }
}

#[derive(Subcommand)]
pub(super) enum WebhooksCommand {
    /// Add an endpoint, and print its secret: it is shown this once. It is sent what is published from then on.
    Add(AddArgs),
    /// List endpoints, with their state and last delivery.
    List {
        /// Of this account alone.
        #[arg(long)]
        account: Option<String>,
    },
    /// Remove an endpoint and its dead letters.
    Remove {
        /// Its number.
        endpoint: i64,
    },
    /// Give an endpoint a new secret, and print it: it is shown this once. For a while, messages are signed with both.
    RotateSecret {
        /// Its number.
        endpoint: i64,
        /// Hours for which messages are signed with the old secret, too.
        #[arg(long, default_value_t = 24)]
        overlap_hours: u32,
    },
    /// Deliver to an endpoint again, behind the last event that was delivered; a message that failed is tried first.
    Enable {
        /// Its number.
        endpoint: i64,
    },
    /// Deliver nothing to an endpoint until it is enabled.
    Disable {
        /// Its number.
        endpoint: i64,
    },
    /// Send a signed message of type `ping` to an endpoint, once. Exit code 69 if it is not taken.
    Test {
        /// Its number.
        endpoint: i64,
        #[command(flatten)]
        receivers: ReceiverArgs,
    },
    /// List messages that were given up, with the reason; with --json, with their bodies.
    DeadLetters {
        /// Of this endpoint alone.
        endpoint: Option<i64>,
    },
    /// Deliver again, or skip: from behind an event, or from now on. Messages have the same ids as before.
    Replay {
        /// Its number.
        endpoint: i64,
        /// Everything behind this event is sent: SNAPSHOT:NUMBER, or SNAPSHOT:end.
        #[arg(long, value_name = "EVENT_ID", required_unless_present = "from_current")]
        from: Option<String>,
        /// What is published from now on is sent, and nothing before.
        #[arg(long, conflicts_with = "from")]
        from_current: bool,
    },
}

#[derive(clap::Args)]
pub(super) struct AddArgs {
    /// Whose changes are sent.
    #[arg(long)]
    pub(super) account: String,
    /// Where they are sent, as https://HOST/PATH.
    #[arg(long)]
    pub(super) url: String,
    /// The API whose changes are sent.
    #[arg(long, value_enum, default_value_t)]
    pub(super) product: ProductArg,
    /// Key of the sport, for --product catalog.
    #[arg(long, value_name = "KEY")]
    pub(super) sport: Option<String>,
    #[command(flatten)]
    pub(super) receivers: ReceiverArgs,
}

/// Which receivers are allowed, and how they are trusted.
#[derive(clap::Args)]
pub(crate) struct ReceiverArgs {
    /// Allow receivers of webhooks without encryption. For tests.
    #[arg(long)]
    webhook_allow_http: bool,
    /// Allow receivers of webhooks whose address is private, loopback, or another that is not public: whoever may add an
    /// endpoint can then reach what this machine can.
    #[arg(long)]
    webhook_allow_private: bool,
    /// Authorities in PEM that receivers of webhooks are trusted by, and no other. Default: the system's.
    #[arg(long, value_name = "FILE")]
    webhook_ca: Option<PathBuf>,
    /// Time for a receiver of a webhook to answer, such as `15s`.
    #[arg(long, value_name = "TIME", value_parser = parse_delay, default_value = "15s")]
    webhook_timeout: Duration,
}

impl ReceiverArgs {
    pub(super) fn policy(&self) -> ReceiverPolicy {
        ReceiverPolicy { allow_http: self.webhook_allow_http, allow_private: self.webhook_allow_private }
    }

    pub(crate) fn sender_options(&self) -> SenderOptions {
        let total = self.webhook_timeout;
        let connect = DeliveryTimeouts::default().connect.min(total);
        SenderOptions {
            policy: self.policy(),
            timeouts: DeliveryTimeouts { connect, total },
            authorities: self.webhook_ca.clone(),
        }
    }
}

/// The longest time of an option.
const MAX_HOURS: u64 = 24 * 7;

/// A number with `ms`, `s`, `m` (minutes) or `h`.
pub(crate) fn parse_delay(text: &str) -> Result<Duration, String> {
    let wrong = || format!("not a number with ms, s, m (minutes) or h, above 0 and up to {MAX_HOURS}h");
    let unit = text.trim_start_matches(|character: char| character.is_ascii_digit());
    let number: u64 = text.strip_suffix(unit).unwrap_or_default().parse().map_err(|_| wrong())?;
    let seconds = |of: u64| number.checked_mul(of).map(Duration::from_secs);
    let delay = match unit {
        "ms" => Some(Duration::from_millis(number)),
        "s" => seconds(1),
        "m" => seconds(60),
        "h" => seconds(3600),
        _ => None,
    };
    let is_allowed = |delay: &Duration| !delay.is_zero() && *delay <= Duration::from_secs(MAX_HOURS * 3600);
    delay.filter(is_allowed).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delay_is_a_number_with_a_unit() {
        for (text, millis) in [("250ms", 250), ("5s", 5_000), ("30m", 1_800_000), ("168h", 604_800_000)] {
            assert_eq!(parse_delay(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "5", "s", "0s", "-1s", "1d", "1.5s", "169h", "99999999999999999999h", "5 s"] {
            assert!(parse_delay(text).is_err(), "{text}");
        }
    }
}
