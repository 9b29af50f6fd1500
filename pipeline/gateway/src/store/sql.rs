//! The store's statements, in the SQL that both databases speak.

use chrono::{DateTime, Utc};
use fdna_api::Plan;

use super::database::{Database, Durability, Value};
use super::{Account, Ask, BoxError, Key, NewKey, Register, Settlement, Store, StoreError, Usage};
use crate::counter::{Grant, portion_of};
use crate::key::{Environment, KeyDigest};
use crate::plan::{Custom, plan_named};
use crate::window::{Span, Window};

/// Version of the tables.
const VERSION: i64 = 1;

/// `{id}` and `{bytes}` are what each database calls them. Times are seconds since 1970.
const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value BIGINT NOT NULL);
    INSERT INTO meta (name, value) VALUES ('version', 1), ('generation', 0) ON CONFLICT DO NOTHING;
    CREATE TABLE IF NOT EXISTS accounts (
        id {id}, name TEXT NOT NULL UNIQUE, plan TEXT NOT NULL,
        per_minute BIGINT, per_month BIGINT, created_at BIGINT NOT NULL);
    CREATE TABLE IF NOT EXISTS keys (
        id {id}, account_id BIGINT NOT NULL REFERENCES accounts (id), digest {bytes} NOT NULL UNIQUE,
        shown TEXT NOT NULL, environment TEXT NOT NULL, created_at BIGINT NOT NULL,
        expires_at BIGINT, revoked_at BIGINT);
    CREATE TABLE IF NOT EXISTS windows (
        account_id BIGINT NOT NULL, span TEXT NOT NULL, begins_at BIGINT NOT NULL,
        reserved BIGINT NOT NULL, granted BIGINT NOT NULL,
        PRIMARY KEY (account_id, span, begins_at));
    CREATE TABLE IF NOT EXISTS key_usage (
        key_id BIGINT NOT NULL, month_begins_at BIGINT NOT NULL, requests BIGINT NOT NULL,
        PRIMARY KEY (key_id, month_begins_at));";

/// The portion is [`portion_of`], of what the row holds at that moment. Parameters: account, span, begin, the portion
/// of a new row, limit, the most that is wanted.
const RESERVE: &str = "
    INSERT INTO windows (account_id, span, begins_at, reserved, granted) VALUES ($1, $2, $3, $4, $4)
    ON CONFLICT (account_id, span, begins_at) DO UPDATE SET
        granted = CASE WHEN windows.reserved >= $5 THEN 0 WHEN ($5 - windows.reserved) / 4 < 1 THEN 1
            WHEN ($5 - windows.reserved) / 4 < $6 THEN ($5 - windows.reserved) / 4 ELSE $6 END,
        reserved = windows.reserved + CASE WHEN windows.reserved >= $5 THEN 0
            WHEN ($5 - windows.reserved) / 4 < 1 THEN 1
            WHEN ($5 - windows.reserved) / 4 < $6 THEN ($5 - windows.reserved) / 4 ELSE $6 END
    RETURNING reserved, granted";

const RETURN: &str = "
    UPDATE windows SET reserved = reserved - $1 WHERE account_id = $2 AND span = $3 AND begins_at = $4";

const COUNT: &str = "
    INSERT INTO key_usage (key_id, month_begins_at, requests) VALUES ($1, $2, $3)
    ON CONFLICT (key_id, month_begins_at) DO UPDATE SET requests = key_usage.requests + $3";

const FORGET: &str = "DELETE FROM windows WHERE span = 'minute' AND begins_at < $1";

const CHANGED: &str = "UPDATE meta SET value = value + 1 WHERE name = 'generation'";

const ACCOUNTS: &str = "SELECT id, name, plan, per_minute, per_month, created_at FROM accounts ORDER BY id";

const KEYS: &str = "
    SELECT id, account_id, digest, shown, environment, created_at, expires_at, revoked_at FROM keys ORDER BY id";

/// A store in a database.
#[derive(Debug)]
pub struct SqlStore<D> {
    database: D,
}

impl<D: Database> SqlStore<D> {
    /// Makes the tables where they are missing.
    ///
    /// # Errors
    /// They cannot be made, or are of a later version of this program.
    pub fn new(database: D) -> Result<Self, StoreError> {
        let mut store = Self { database };
        store.within("make the tables", Durability::Now, |database| {
            database.batch(D::LOCK)?;
            database.batch(&TABLES.replace("{id}", D::ID).replace("{bytes}", D::BYTES))
        })?;
        let found = store.meta("SELECT value FROM meta WHERE name = 'version'")?;
        if found > VERSION {
            return Err(StoreError::Version { found, known: VERSION });
        }
        Ok(store)
    }

    /// All of it or nothing.
    fn within<T>(
        &mut self,
        doing: &'static str,
        durability: Durability,
        work: impl FnOnce(&mut D) -> Result<T, BoxError>,
    ) -> Result<T, StoreError> {
        let database = &mut self.database;
        let begun = database.begin(durability);
        let done = begun.and_then(|()| work(database)).and_then(|done| database.commit().map(|()| done));
        if done.is_err() {
            database.rollback();
        }
        done.map_err(|source| StoreError::Ask { doing, source })
    }

    fn query(
        &mut self,
        doing: &'static str,
        sql: &'static str,
        values: &[Value],
    ) -> Result<Vec<Vec<Value>>, StoreError> {
        self.database.query(sql, values).map_err(|source| StoreError::Ask { doing, source })
    }

    fn meta(&mut self, sql: &'static str) -> Result<i64, StoreError> {
        let rows = self.query("read what it is", sql, &[])?;
        let row = rows.first().ok_or(StoreError::Strange { what: "meta" })?;
        number(row, 0).ok_or(StoreError::Strange { what: "meta" })
    }
}

impl<D: Database> Store for SqlStore<D> {
    fn generation(&mut self) -> Result<i64, StoreError> {
        self.meta("SELECT value FROM meta WHERE name = 'generation'")
    }

    fn register(&mut self) -> Result<Register, StoreError> {
        // The generation first: what changes in between is seen again at the next look.
        let generation = self.generation()?;
        let accounts = self.query("read the accounts", ACCOUNTS, &[])?;
        let keys = self.query("read the keys", KEYS, &[])?;
        let accounts =
            accounts.iter().map(|row| account(row).ok_or(StoreError::Strange { what: "an account" }));
        let keys = keys.iter().map(|row| key(row).ok_or(StoreError::Strange { what: "a key" }));
        Ok(Register {
            generation,
            accounts: accounts.collect::<Result<_, _>>()?,
            keys: keys.collect::<Result<_, _>>()?,
        })
    }

    fn reserve(&mut self, asks: &[Ask]) -> Result<Vec<Grant>, StoreError> {
        let is_month = |ask: &Ask| ask.wanted.window.span == Span::Month;
        let durability = if asks.iter().any(is_month) { Durability::Now } else { Durability::Soon };
        // In one order everywhere, so that two gateways never wait for each other.
        let mut order: Vec<usize> = (0..asks.len()).collect();
        order.sort_by_key(|i| (asks[*i].account_id, asks[*i].wanted.window));
        let grants = self.within("reserve", durability, |database| {
            let grants = order.iter().map(|i| Ok((*i, reserve(database, &asks[*i])?)));
            grants.collect::<Result<Vec<(usize, Grant)>, BoxError>>()
        });
        let mut grants = grants?;
        grants.sort_by_key(|(place, _)| *place);
        Ok(grants.into_iter().map(|(_, grant)| grant).collect())
    }

    fn settle(&mut self, settlement: &Settlement) -> Result<(), StoreError> {
        let mut settlement = settlement.clone();
        settlement.unused.sort_by_key(|(account, unused)| (*account, unused.window));
        settlement.used.sort_unstable();
        self.within("settle", Durability::Soon, |database| {
            for (account, unused) in &settlement.unused {
                let window = unused.window;
                let values = [
                    signed(unused.count).into(),
                    (*account).into(),
                    span(window).into(),
                    window.begins_at().into(),
                ];
                database.query(RETURN, &values)?;
            }
            for (key, month, requests) in &settlement.used {
                database.query(COUNT, &[(*key).into(), month.begins_at().into(), (*requests).into()])?;
            }
            if let Some(before) = settlement.forget_before {
                database.query(FORGET, &[before.timestamp().into()])?;
            }
            Ok(())
        })
    }

    fn open_account(
        &mut self,
        name: &str,
        plan: Plan,
        custom: Custom,
        now: DateTime<Utc>,
    ) -> Result<Account, StoreError> {
        let [per_minute, per_month] = own_numbers(custom);
        let values = [name.into(), plan.name().into(), per_minute, per_month, now.timestamp().into()];
        let rows = self.within("open an account", Durability::Now, |database| {
            database.query(
                "INSERT INTO accounts (name, plan, per_minute, per_month, created_at) VALUES ($1, $2, $3, $4, $5)
                 ON CONFLICT (name) DO NOTHING",
                &values,
            )?;
            database.query(CHANGED, &[])?;
            database.query(
                "SELECT id, name, plan, per_minute, per_month, created_at FROM accounts WHERE name = $1",
                &values[..1],
            )
        })?;
        rows.first().and_then(|row| account(row)).ok_or(StoreError::Strange { what: "an account" })
    }

    fn change_plan(&mut self, account_id: i64, plan: Plan, custom: Custom) -> Result<(), StoreError> {
        let [per_minute, per_month] = own_numbers(custom);
        let values = [plan.name().into(), per_minute, per_month, account_id.into()];
        self.within("change a plan", Durability::Now, |database| {
            database.query(
                "UPDATE accounts SET plan = $1, per_minute = $2, per_month = $3 WHERE id = $4",
                &values,
            )?;
            database.query(CHANGED, &[]).map(drop)
        })
    }

    fn add_key(
        &mut self,
        key: &NewKey,
        now: DateTime<Utc>,
        ends: Option<(i64, DateTime<Utc>)>,
    ) -> Result<Key, StoreError> {
        let digest = Value::Bytes(key.digest.0.to_vec());
        let (shown, environment) = (key.shown.as_str().into(), key.environment.name().into());
        let values = [key.account_id.into(), digest, shown, environment, now.timestamp().into()];
        let rows = self.within("keep a key", Durability::Now, |database| {
            if let Some((other, at)) = ends {
                // A key that ends earlier than this keeps its end.
                database.query(
                    "UPDATE keys SET expires_at = $1 WHERE id = $2 AND (expires_at IS NULL OR expires_at > $1)",
                    &[at.timestamp().into(), other.into()],
                )?;
            }
            database.query(CHANGED, &[])?;
            database.query(
                "INSERT INTO keys (account_id, digest, shown, environment, created_at) VALUES ($1, $2, $3, $4, $5)
                 RETURNING id",
                &values,
            )
        })?;
        let id = rows.first().and_then(|row| number(row, 0)).ok_or(StoreError::Strange { what: "a key" })?;
        let NewKey { account_id, digest, shown, environment } = key.clone();
        let (expires_at, revoked_at) = (None, None);
        Ok(Key { id, account_id, digest, shown, environment, created_at: now, expires_at, revoked_at })
    }

    fn revoke_key(&mut self, key_id: i64, now: DateTime<Utc>) -> Result<(), StoreError> {
        self.within("revoke a key", Durability::Now, |database| {
            let values = [now.timestamp().into(), key_id.into()];
            database
                .query("UPDATE keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL", &values)?;
            database.query(CHANGED, &[]).map(drop)
        })
    }

    fn usage(&mut self, account_id: i64, month: Window) -> Result<Usage, StoreError> {
        let values = [account_id.into(), month.begins_at().into()];
        let used = self.query(
            "read usage",
            "SELECT k.id, u.requests FROM keys k JOIN key_usage u ON u.key_id = k.id
             WHERE k.account_id = $1 AND u.month_begins_at = $2 ORDER BY k.id",
            &values,
        )?;
        let reserved = self.query(
            "read usage",
            "SELECT reserved FROM windows WHERE account_id = $1 AND begins_at = $2 AND span = 'month'",
            &values,
        )?;
        let requests = used.iter().filter_map(|row| Some((number(row, 0)?, unsigned(number(row, 1)?))));
        let reserved = reserved.first().and_then(|row| number(row, 0)).map_or(0, unsigned);
        Ok(Usage { requests: requests.collect(), reserved })
    }
}

fn reserve<D: Database>(database: &mut D, ask: &Ask) -> Result<Grant, BoxError> {
    let crate::counter::Wanted { window, limit, portion } = ask.wanted;
    let first = portion_of(0, limit, portion);
    let values = [
        ask.account_id.into(),
        span(window).into(),
        window.begins_at().into(),
        signed(first).into(),
        signed(limit).into(),
        signed(portion).into(),
    ];
    let rows = database.query(RESERVE, &values)?;
    let row = rows.first().ok_or("no row came back")?;
    let of = |at: usize| number(row, at).map(unsigned).ok_or("no number came back");
    Ok(Grant { window, granted: of(1)?, reserved: of(0)? })
}

fn own_numbers(custom: Custom) -> [Value; 2] {
    [custom.per_minute, custom.per_month].map(|number| number.map(signed).into())
}

fn span(window: Window) -> &'static str {
    match window.span {
        Span::Minute => "minute",
        Span::Month => "month",
    }
}

fn account(row: &[Value]) -> Option<Account> {
    let limit = |at: usize| number(row, at).map(unsigned);
    Some(Account {
        id: number(row, 0)?,
        name: text(row, 1)?,
        plan: plan_named(&text(row, 2)?)?,
        custom: Custom { per_minute: limit(3), per_month: limit(4) },
        created_at: time(row, 5)?,
    })
}

fn key(row: &[Value]) -> Option<Key> {
    let digest = match row.get(2)? {
        Value::Bytes(bytes) => KeyDigest(bytes.as_slice().try_into().ok()?),
        _ => return None,
    };
    Some(Key {
        id: number(row, 0)?,
        account_id: number(row, 1)?,
        digest,
        shown: text(row, 3)?,
        environment: Environment::named(&text(row, 4)?)?,
        created_at: time(row, 5)?,
        expires_at: time(row, 6),
        revoked_at: time(row, 7),
    })
}

fn number(row: &[Value], at: usize) -> Option<i64> {
    if let Some(Value::Number(number)) = row.get(at) { Some(*number) } else { None }
}

fn text(row: &[Value], at: usize) -> Option<String> {
    if let Some(Value::Text(text)) = row.get(at) { Some(text.clone()) } else { None }
}

fn time(row: &[Value], at: usize) -> Option<DateTime<Utc>> {
    number(row, at).and_then(|secs| DateTime::from_timestamp(secs, 0))
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}
