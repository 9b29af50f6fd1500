-- Matches of the men's tour that two sources state, one to one: first by event, round and both names, then,
-- of those that are left, by event, round and score if that is unique in both, then by event, round and
-- winner.
WITH ours AS (
    SELECT
        match_id,
        left(event_ref, 5) || ltrim(substr(event_ref, 6), '0') AS event_key,
        round,
        score,
        lower(strip_accents(winner_name)) AS winner,
        lower(strip_accents(loser_name)) AS loser,
        match_number
    FROM tennis_match_facts WHERE tour = 'atp'
),

theirs AS (
    SELECT
        event_ref || '-' || match_number || '-' || winner_ref || '-' || loser_ref AS other_key,
        event_ref AS event_key,
        round,
        score,
        lower(strip_accents(winner_name)) AS winner,
        lower(strip_accents(loser_name)) AS loser,
        match_number
    FROM tennis_atp_other_ids_matches
),

-- Two sides may meet twice in one round of a team event: the first is the first in both.
ours_by_name AS (
    SELECT
        *,
        row_number() OVER (PARTITION BY event_key, round, winner, loser ORDER BY score, match_number, match_id) AS nth
    FROM ours
),

theirs_by_name AS (
    SELECT
        *,
        row_number() OVER (PARTITION BY event_key, round, winner, loser ORDER BY score, match_number, other_key) AS nth
    FROM theirs
),

by_name AS (
    SELECT
        o.match_id,
        t.other_key
    FROM ours_by_name AS o
    JOIN theirs_by_name AS t USING (event_key, round, winner, loser, nth)
),

ours_left AS (
    SELECT
        event_key,
        round,
        score,
        min(match_id) AS match_id
    FROM ours
    WHERE match_id NOT IN (SELECT match_id FROM by_name) GROUP BY ALL HAVING count(*) = 1
),

theirs_left AS (
    SELECT
        event_key,
        round,
        score,
        min(other_key) AS other_key
    FROM theirs
    WHERE other_key NOT IN (SELECT other_key FROM by_name) GROUP BY ALL HAVING count(*) = 1
),

by_score AS (
    SELECT * FROM by_name
    UNION ALL
    SELECT
        o.match_id,
        t.other_key
    FROM ours_left AS o JOIN theirs_left AS t USING (event_key, round, score)
),

ours_still AS (
    SELECT
        event_key,
        round,
        winner,
        min(match_id) AS match_id
    FROM ours
    WHERE match_id NOT IN (SELECT match_id FROM by_score) GROUP BY ALL HAVING count(*) = 1
),

theirs_still AS (
    SELECT
        event_key,
        round,
        winner,
        min(other_key) AS other_key
    FROM theirs
    WHERE other_key NOT IN (SELECT other_key FROM by_score) GROUP BY ALL HAVING count(*) = 1
)

SELECT
    match_id,
    other_key
FROM by_score
UNION ALL
SELECT
    o.match_id,
    t.other_key
FROM ours_still AS o JOIN theirs_still AS t USING (event_key, round, winner)
