-- What a source said of a bout or an event holds from one capture until the next that says otherwise: the
-- spans of one source neither overlap nor run backwards, and only the last is open.
WITH spans AS (
    SELECT
        'bout' AS kind,
        bout_id AS id,
        source,
        from_at,
        until_at,
        last_seen_at
    FROM bout_listings
    UNION ALL
    SELECT
        'event',
        event_id,
        source,
        from_at,
        until_at,
        last_seen_at
    FROM event_listings
),

followed AS (
    SELECT
        *,
        lead(from_at) OVER (PARTITION BY kind, id, source ORDER BY from_at) AS next_from
    FROM spans
)

SELECT
    kind,
    id,
    source
FROM followed
WHERE
    last_seen_at < from_at
    OR until_at <= last_seen_at
    OR (next_from IS NOT NULL AND (until_at IS NULL OR until_at > next_from))
