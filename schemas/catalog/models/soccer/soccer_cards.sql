-- Cards of matches, of `incidents` or of open events.
WITH stated AS (
    SELECT
        match_id,
        source_match_id,
        seq,
        minute,
        added_minute,
        team,
        player_name,
        kind,
        reason
    FROM soccer_incident_facts WHERE kind IN ('yellow', 'red')
    UNION ALL
    SELECT
        match_id,
        source_match_id,
        seq,
        minute,
        NULL,
        team,
        player_name,
        kind,
        NULL
    FROM soccer_open_facts
    WHERE kind IN ('yellow', 'red')
)

SELECT
    match_id,
    source_match_id,
    CAST(row_number() OVER (PARTITION BY match_id ORDER BY seq) AS INTEGER) AS seq,
    minute,
    added_minute,
    team,
    player_name,
    kind,
    reason
FROM stated
