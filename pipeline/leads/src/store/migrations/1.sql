-- Times are microseconds since 1970, in UTC. {bytes} is what each database calls them.
CREATE TABLE lead_meta (name TEXT PRIMARY KEY, value BIGINT NOT NULL);
INSERT INTO lead_meta (name, value) VALUES ('version', 1);

-- The only table with personal data, beside the answers of lead_requests.
CREATE TABLE leads (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, email TEXT, email_folded TEXT, phone TEXT,
    status TEXT NOT NULL, source TEXT, metadata TEXT NOT NULL,
    created_at BIGINT NOT NULL, changed_at BIGINT NOT NULL, version BIGINT NOT NULL);
CREATE INDEX leads_by_time ON leads (created_at, id);
CREATE INDEX leads_by_status ON leads (status, created_at, id);
CREATE INDEX leads_by_source ON leads (source, created_at, id);
CREATE INDEX leads_by_email ON leads (email_folded);

-- Moves between statuses; key_id is null for an operator.
CREATE TABLE lead_moves (
    lead_id TEXT NOT NULL REFERENCES leads (id) ON DELETE CASCADE, version BIGINT NOT NULL,
    from_status TEXT, to_status TEXT NOT NULL, at BIGINT NOT NULL, key_id BIGINT,
    PRIMARY KEY (lead_id, version));

-- What stays of an erased lead.
CREATE TABLE lead_tombstones (id TEXT PRIMARY KEY, erased_at BIGINT NOT NULL, key_id BIGINT);

-- Creations by Idempotency-Key, of which the digest is kept. Request and answer are null once the lead is erased.
CREATE TABLE lead_requests (
    key_id BIGINT NOT NULL, digest {bytes} NOT NULL, request {bytes}, answer TEXT,
    lead_id TEXT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (key_id, digest));
CREATE INDEX lead_requests_by_lead ON lead_requests (lead_id);
CREATE INDEX lead_requests_by_time ON lead_requests (at);
