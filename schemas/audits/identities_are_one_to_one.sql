-- A source id stands for an entity that exists, and no two ids of one source for the same one.
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

unresolved AS (
    SELECT
        i.kind,
        i.source,
        i.source_id,
        'no such entity' AS what
    FROM identities i LEFT JOIN entities e ON e.kind = i.kind AND e.id = i.entity_id
    WHERE e.id IS NULL
),

shared AS (
    SELECT
        kind,
        source,
        min(source_id) AS source_id,
        'several ids of one source' AS what
    FROM identities WHERE source IN ('statsdb', 'feed')
    GROUP BY kind, source, entity_id HAVING count(*) > 1
)

SELECT * FROM unresolved
UNION ALL
SELECT * FROM shared
