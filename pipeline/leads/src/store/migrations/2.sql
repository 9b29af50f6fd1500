-- Leads of several accounts are kept apart: a key sees those of its account. Null for a lead made before, until a server
-- that knows the key which made it gives it to that key's account.
ALTER TABLE leads ADD COLUMN account TEXT;
DROP INDEX leads_by_time;
DROP INDEX leads_by_status;
DROP INDEX leads_by_source;
CREATE INDEX leads_by_time ON leads (account, created_at, id);
CREATE INDEX leads_by_status ON leads (account, status, created_at, id);
CREATE INDEX leads_by_source ON leads (account, source, created_at, id);
CREATE INDEX leads_by_phone ON leads (phone);

-- In SQLite, wiped_at is when no byte of the lead was left in the files.
ALTER TABLE lead_tombstones ADD COLUMN account TEXT;
ALTER TABLE lead_tombstones ADD COLUMN wiped_at BIGINT;
CREATE INDEX lead_tombstones_unwiped ON lead_tombstones (erased_at) WHERE wiped_at IS NULL;

-- The answer to a request that comes again is made of that request.
ALTER TABLE lead_requests DROP COLUMN answer;

-- When a server last tried whether it can write.
INSERT INTO lead_meta (name, value) VALUES ('seen', 0);
