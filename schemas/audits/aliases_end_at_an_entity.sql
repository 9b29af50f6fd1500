-- An alias stands for an entity that exists, never for another alias, and is none itself.
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
)

SELECT a.*
FROM aliases a
LEFT JOIN entities target ON target.kind = a.kind AND target.id = a.entity_id
LEFT JOIN entities self ON self.kind = a.kind AND self.id = a.alias_id
WHERE target.id IS NULL OR self.id IS NOT NULL
