-- What a key of leads may do; null for all.
ALTER TABLE keys ADD COLUMN scopes TEXT;
