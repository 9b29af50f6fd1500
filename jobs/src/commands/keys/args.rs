//! The command line of `fightdna keys`.

use chrono::{DateTime, Months, NaiveDate, NaiveTime, TimeDelta, Utc};
use clap::{Subcommand, ValueEnum};
use fdna_gateway::key::KeyProduct;
use fdna_gateway::plan::{CustomLimits, PLANS, Plan, plan_named};
use fdna_gateway::scope::KeyScope;

use crate::commands::key_store::StoreArgs;

#[derive(clap::Args)]
pub(crate) struct KeysArgs {
    #[command(flatten)]
    pub(super) store: StoreArgs,
    /// Who does it, for the log of key actions. Default: the user of the system.
    #[arg(long, value_name = "NAME")]
    pub(super) by: Option<String>,
    #[command(subcommand)]
    pub(super) command: KeysCommand,
}

/// An API with keys of its own.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(super) enum ProductArg {
    /// The MMA API.
    #[default]
    Mma,
    /// The multi-sport catalog.
    Catalog,
    /// Leads, to which the plan of the account does not apply.
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
pub(super) enum KeysCommand {
    /// Issue a key, and print its secret: it is shown this once. The account is opened if there is none.
    Issue {
        #[command(flatten)]
        terms: TermsArgs,
        /// The API that it opens.
        #[arg(long, value_enum, default_value_t)]
        product: ProductArg,
        /// What a key of leads may do: create, read, write (change), erase. Default: all of it.
        #[arg(long = "scope", value_name = "SCOPES", value_delimiter = ',')]
        scopes: Vec<KeyScope>,
        /// A key for tests: it counts as any other.
        #[arg(long)]
        test: bool,
        /// What the key is for, in lists and logs.
        #[arg(long, value_name = "TEXT")]
        label: Option<String>,
        /// From when on it is not valid: YYYY-MM-DD (its first moment, UTC), an RFC 3339 time, or a number of
        /// hours, days, weeks, months or years from now, as 12h, 90d, 6w, 3m, 1y.
        #[arg(long, value_name = "DATE|DURATION", value_parser = parse_expiry)]
        expires: Option<KeyExpiry>,
    },
    /// Put an account on another plan; its keys stay, and what it used this month too.
    Plan(TermsArgs),
    /// List keys, with when they were last used.
    List {
        /// Of this account alone.
        #[arg(long)]
        account: Option<String>,
    },
    /// Issue a key in place of another, which stays valid for a while. It has the same label and scopes.
    Rotate {
        /// Its number, its beginning, or the whole of it; `-` reads it from standard input.
        key: String,
        /// Hours for which the old key stays valid.
        #[arg(long, default_value_t = 24)]
        overlap_hours: u32,
        /// From when on the new key is not valid, as for issue.
        #[arg(long, value_name = "DATE|DURATION", value_parser = parse_expiry)]
        expires: Option<KeyExpiry>,
    },
    /// End a key now: within a second, on every gateway that reaches its store.
    Revoke {
        /// Its number, its beginning, or the whole of it; `-` reads it from standard input.
        key: String,
    },
    /// Refuse a key, or all keys of an account, until it is resumed.
    Suspend {
        /// An account, or a key as for revoke.
        who: String,
    },
    /// End a suspension.
    Resume {
        /// An account, or a key as for revoke.
        who: String,
    },
    /// Who did what to keys and accounts, and when. Nothing is ever taken out of it.
    Log {
        /// Of this account alone.
        #[arg(long)]
        account: Option<String>,
    },
    /// What an account used in a month.
    Usage {
        /// An account, or one of its keys as for revoke.
        who: String,
        /// YYYY-MM; this month without.
        #[arg(long, value_parser = parse_month)]
        month: Option<NaiveDate>,
    },
    /// Requests that counted, by day of UTC, key and operation.
    Export {
        /// The first day, YYYY-MM-DD.
        #[arg(long)]
        from: NaiveDate,
        /// The last day, YYYY-MM-DD.
        #[arg(long)]
        to: NaiveDate,
        #[arg(long, value_enum, default_value_t = ExportFormat::Csv)]
        format: ExportFormat,
    },
    /// Bring the store's tables to this program's version, as every command does that may change them.
    Migrate,
    /// Check the store: its pages and indexes, its tables, and that every row can be read. Exit code 65 if anything is wrong.
    Verify,
}

/// How usage is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ExportFormat {
    Csv,
    Json,
}

#[derive(clap::Args)]
pub(super) struct TermsArgs {
    /// Whose key it is; limits and usage belong to the account.
    #[arg(long)]
    pub(super) account: String,
    /// developer, pro, ultra, scale or enterprise.
    #[arg(long, value_parser = parse_plan)]
    pub(super) plan: Plan,
    /// Requests per minute of the account's own, in place of the plan's.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    per_minute: Option<u64>,
    /// Requests per month of the account's own, in place of the plan's.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    per_month: Option<u64>,
    /// Bytes of table files per month of the account's own, in place of the plan's.
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u64).range(1..))]
    download_bytes_per_month: Option<u64>,
}

impl TermsArgs {
    pub(super) fn custom_limits(&self) -> CustomLimits {
        let Self { per_minute, per_month, download_bytes_per_month, .. } = *self;
        CustomLimits { per_minute, per_month, download_bytes_per_month }
    }
}

/// A moment, or a time from now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyExpiry {
    At(DateTime<Utc>),
    In(TimeDelta),
    InMonths(Months),
}

impl KeyExpiry {
    /// The moment, of a command that was given now; the end of all times where that is beyond them.
    pub(super) fn instant_after(self, now: DateTime<Utc>) -> DateTime<Utc> {
        let at = match self {
            Self::At(at) => Some(at),
            Self::In(time) => now.checked_add_signed(time),
            Self::InMonths(months) => now.checked_add_months(months),
        };
        at.unwrap_or(DateTime::<Utc>::MAX_UTC)
    }
}

fn parse_expiry(text: &str) -> Result<KeyExpiry, String> {
    let wrong = || "not YYYY-MM-DD, an RFC 3339 time, or a number with h, d, w, m (months) or y".to_owned();
    if let Ok(day) = text.parse::<NaiveDate>() {
        return Ok(KeyExpiry::At(day.and_time(NaiveTime::MIN).and_utc()));
    }
    if let Ok(at) = DateTime::parse_from_rfc3339(text) {
        return Ok(KeyExpiry::At(at.to_utc()));
    }
    let (number, unit) = text.split_at_checked(text.len().saturating_sub(1)).ok_or_else(wrong)?;
    let number: u32 = number.parse().map_err(|_| wrong())?;
    match unit {
        "h" => Ok(KeyExpiry::In(TimeDelta::hours(number.into()))),
        "d" => Ok(KeyExpiry::In(TimeDelta::days(number.into()))),
        "w" => Ok(KeyExpiry::In(TimeDelta::days(i64::from(number) * 7))),
        "m" => Ok(KeyExpiry::InMonths(Months::new(number))),
        "y" => number.checked_mul(12).map(Months::new).map(KeyExpiry::InMonths).ok_or_else(wrong),
        _ => Err(wrong()),
    }
}

fn parse_plan(name: &str) -> Result<Plan, String> {
    plan_named(name).ok_or_else(|| format!("not one of {}", PLANS.map(Plan::name).join(", ")))
}

fn parse_month(text: &str) -> Result<NaiveDate, String> {
    format!("{text}-01").parse().map_err(|_| "not a month as YYYY-MM".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(text: &str) -> Option<String> {
        let now = "2026-01-31T12:00:00Z".parse().unwrap();
        parse_expiry(text).ok().map(|expires| expires.instant_after(now).format("%FT%TZ").to_string())
    }

    #[test]
    fn an_end_is_a_date_a_time_or_a_duration() {
        for (text, at) in [
            ("2026-12-31", "2026-12-31T00:00:00Z"),
            ("2026-12-31T08:00:00+02:00", "2026-12-31T06:00:00Z"),
            ("12h", "2026-02-01T00:00:00Z"),
            ("90d", "2026-05-01T12:00:00Z"),
            ("2w", "2026-02-14T12:00:00Z"),
            ("1m", "2026-02-28T12:00:00Z"),
            ("1y", "2027-01-31T12:00:00Z"),
        ] {
            assert_eq!(ends(text).as_deref(), Some(at), "{text}");
        }
        for text in ["", "d", "1", "-1d", "1.5d", "1s", "tomorrow", "2026-13-01", "5ü", "4294967295y"] {
            assert_eq!(ends(text), None, "{text}");
        }
    }
}
