-- Lists are searched by person and name, and sorted by change. Names are compared byte by byte, whatever collation a
-- database has; those of earlier versions are folded when the store is opened.
ALTER TABLE leads ADD COLUMN name_folded {bytes};
DROP INDEX leads_by_email;
DROP INDEX leads_by_phone;
CREATE INDEX leads_by_email ON leads (email_folded, account, id);
CREATE INDEX leads_by_phone ON leads (phone, account, id);
CREATE INDEX leads_by_name ON leads (account, name_folded);
CREATE INDEX leads_by_change ON leads (account, changed_at, id);
CREATE INDEX leads_unfolded ON leads (id) WHERE name_folded IS NULL;

-- Leads that a request made; the ids of several follow the first.
ALTER TABLE lead_requests ADD COLUMN leads BIGINT NOT NULL DEFAULT 1;

-- Who did what, and when: what is told of changes, and an audit. Never personal data. account is that of the leads, key_id and
-- command are who did it. is_change is 1 where a lead was created, changed or erased; seq numbers those of an account, once they
-- are committed. lead_id is null once the lead is erased, but in the entry of the erasure.
CREATE TABLE lead_events (
    row_id {id}, at BIGINT NOT NULL, action TEXT NOT NULL, is_change BIGINT NOT NULL, account TEXT, key_id BIGINT, command TEXT,
    lead_id TEXT, leads BIGINT NOT NULL, request_id TEXT, seq BIGINT);
CREATE INDEX lead_events_by_lead ON lead_events (lead_id) WHERE lead_id IS NOT NULL;
CREATE INDEX lead_events_by_seq ON lead_events (account, seq) WHERE seq IS NOT NULL;
CREATE INDEX lead_events_unnumbered ON lead_events (row_id) WHERE seq IS NULL AND is_change = 1;

-- Of each account, the last number of a change, and the last that retention took.
CREATE TABLE lead_feeds (account TEXT PRIMARY KEY, last BIGINT NOT NULL, forgotten BIGINT NOT NULL);

-- Whoever numbers changes locks this row.
INSERT INTO lead_meta (name, value) VALUES ('numbering', 0);

-- Records of files that were imported under a name. The digest is null once the lead is erased.
CREATE TABLE lead_imports (
    account TEXT NOT NULL, batch TEXT NOT NULL, record BIGINT NOT NULL, digest {bytes}, lead_id TEXT NOT NULL, at BIGINT NOT NULL,
    PRIMARY KEY (account, batch, record));
CREATE INDEX lead_imports_by_lead ON lead_imports (lead_id);
