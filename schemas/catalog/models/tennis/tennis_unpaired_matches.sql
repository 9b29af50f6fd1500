-- Matches of the men's tour in seasons that two sources hold which only one of them states, or the two state
-- so differently that they were not paired.
WITH seasons AS (SELECT DISTINCT left(event_ref, 4) AS season FROM tennis_atp_other_ids_matches)

SELECT
    'atp-matches' AS source,
    m.match_id AS source_key,
    m.season,
    m.event_name,
    m.round,
    m.winner_name,
    m.loser_name,
    m.score
FROM tennis_match_facts AS m SEMI JOIN seasons USING (season)
WHERE m.tour = 'atp' AND m.match_id NOT IN (SELECT match_id FROM tennis_match_pairs)
UNION ALL
SELECT
    'atp-other-ids',
    event_ref || '-' || match_number || '-' || winner_ref || '-' || loser_ref,
    left(event_ref, 4),
    event_name,
    round,
    winner_name,
    loser_name,
    score
FROM tennis_atp_other_ids_matches
WHERE
    event_ref
    || '-'
    || match_number
    || '-'
    || winner_ref
    || '-'
    || loser_ref NOT IN (SELECT other_key FROM tennis_match_pairs
    )
