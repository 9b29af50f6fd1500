-- Bytes of table files that were sent, and an account's own limit of them in a month.
ALTER TABLE accounts ADD COLUMN download_bytes_per_month BIGINT;
ALTER TABLE key_usage_by_day ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
-- Gateways add these rows up every second.
CREATE INDEX key_downloads_by_day ON key_usage_by_day (day_begins_at) WHERE bytes > 0;
