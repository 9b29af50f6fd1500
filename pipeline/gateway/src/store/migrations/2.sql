-- Labels, suspension, usage by day and operation, flushes that count once, and who did what to keys.
ALTER TABLE accounts ADD COLUMN suspended_at BIGINT;
ALTER TABLE keys ADD COLUMN label TEXT;
ALTER TABLE keys ADD COLUMN suspended_at BIGINT;

-- `key_usage` stays: the months, or parts of months, that version 1 counted, which knew of no days.
CREATE TABLE key_usage_by_day (
    key_id BIGINT NOT NULL, day_begins_at BIGINT NOT NULL, operation TEXT NOT NULL,
    requests BIGINT NOT NULL, last_at BIGINT NOT NULL,
    PRIMARY KEY (key_id, day_begins_at, operation));

-- The last flush of each gateway that was applied, so that a flush which is sent again is applied once.
CREATE TABLE flushes (gateway TEXT PRIMARY KEY, number BIGINT NOT NULL, at BIGINT NOT NULL);

CREATE TABLE key_actions (
    id {id}, at BIGINT NOT NULL, by_whom TEXT NOT NULL, action TEXT NOT NULL,
    account_id BIGINT NOT NULL, key_id BIGINT, detail TEXT);
{append_only}
