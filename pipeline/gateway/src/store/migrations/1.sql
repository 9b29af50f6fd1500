-- Times are seconds since 1970. {id} and {bytes} are what each database calls them.
CREATE TABLE meta (name TEXT PRIMARY KEY, value BIGINT NOT NULL);
INSERT INTO meta (name, value) VALUES ('version', 1), ('generation', 0);

CREATE TABLE accounts (
    id {id}, name TEXT NOT NULL UNIQUE, plan TEXT NOT NULL,
    per_minute BIGINT, per_month BIGINT, created_at BIGINT NOT NULL);

CREATE TABLE keys (
    id {id}, account_id BIGINT NOT NULL REFERENCES accounts (id), digest {bytes} NOT NULL UNIQUE,
    shown TEXT NOT NULL, environment TEXT NOT NULL, created_at BIGINT NOT NULL,
    expires_at BIGINT, revoked_at BIGINT);

CREATE TABLE windows (
    account_id BIGINT NOT NULL, span TEXT NOT NULL, begins_at BIGINT NOT NULL,
    reserved BIGINT NOT NULL, granted BIGINT NOT NULL,
    PRIMARY KEY (account_id, span, begins_at));

CREATE TABLE key_usage (
    key_id BIGINT NOT NULL, month_begins_at BIGINT NOT NULL, requests BIGINT NOT NULL,
    PRIMARY KEY (key_id, month_begins_at));
