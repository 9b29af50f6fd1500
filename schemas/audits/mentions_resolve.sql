-- Whoever and whatever is mentioned exists, and so does what mentions them.
WITH entities AS (
    SELECT
        'fighter' AS kind,
        fighter_id AS id
    FROM fighters
    UNION ALL
    SELECT
        'event',
        event_id
    FROM events
    UNION ALL
    SELECT
        'bout',
        bout_id
    FROM bouts
),

items AS (
    SELECT
        'article' AS kind,
        slug AS id
    FROM articles
    UNION ALL
    SELECT
        'wire',
        CAST(wire_id AS VARCHAR)
    FROM wire
    UNION ALL
    SELECT
        'video',
        video_id
    FROM videos
)

SELECT m.*
FROM mentions m
LEFT JOIN entities e ON e.kind = m.entity_kind AND e.id = m.entity_id
LEFT JOIN items i ON i.kind = m.item_kind AND i.id = m.item_id
WHERE e.id IS NULL OR i.id IS NULL
