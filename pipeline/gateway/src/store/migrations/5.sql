-- Webhooks. Secrets are kept as they are: every message is signed with them. Times that end in _ms are milliseconds since
-- 1970 by the database's own clock.
CREATE TABLE webhook_endpoints (
    id {id}, account_id BIGINT NOT NULL REFERENCES accounts (id), product TEXT NOT NULL, sport TEXT,
    url TEXT NOT NULL, created_at BIGINT NOT NULL,
    secret {bytes} NOT NULL, previous_secret {bytes}, previous_until BIGINT,
    disabled_at BIGINT, disabled_reason TEXT,
    -- The last event that was delivered; null until the first.
    last_event_id TEXT,
    -- A message that failed and is tried again.
    message_id TEXT, message_type TEXT, message_body TEXT, attempts BIGINT NOT NULL DEFAULT 0,
    first_attempt_at BIGINT, next_attempt_ms BIGINT,
    delivered BIGINT NOT NULL DEFAULT 0, last_delivered_at BIGINT, last_attempt_at BIGINT, last_result TEXT,
    dropped_dead_letters BIGINT NOT NULL DEFAULT 0,
    -- Which gateway delivers. The epoch increases with every holder and every change of an operator.
    lease_holder TEXT, lease_epoch BIGINT NOT NULL DEFAULT 0, lease_until_ms BIGINT);

CREATE TABLE webhook_dead_letters (
    id {id}, endpoint_id BIGINT NOT NULL REFERENCES webhook_endpoints (id), message_id TEXT NOT NULL,
    message_type TEXT NOT NULL, body TEXT NOT NULL, reason TEXT NOT NULL, attempts BIGINT NOT NULL,
    first_attempt_at BIGINT NOT NULL, at BIGINT NOT NULL,
    UNIQUE (endpoint_id, message_id));
