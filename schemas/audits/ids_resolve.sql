-- Every id leads to its entity; the winner and whoever has statistics fought the bout; the two fighters
-- of a bout are different, and fighter a has the lower id.
SELECT
    'bouts: event' AS what,
    bout_id,
    event_id AS id
FROM bouts WHERE event_id NOT IN (SELECT event_id FROM events)
UNION ALL
SELECT
    'bouts: fighter a',
    bout_id,
    fighter_a_id
FROM bouts WHERE fighter_a_id NOT IN (SELECT fighter_id FROM fighters)
UNION ALL
SELECT
    'bouts: fighter b',
    bout_id,
    fighter_b_id
FROM bouts WHERE fighter_b_id NOT IN (SELECT fighter_id FROM fighters)
UNION ALL
SELECT
    'bouts: order of ids',
    bout_id,
    fighter_a_id
FROM bouts WHERE fighter_a_id >= fighter_b_id
UNION ALL
SELECT
    'results: bout',
    bout_id,
    NULL
FROM results WHERE bout_id NOT IN (SELECT bout_id FROM bouts)
UNION ALL
SELECT
    'scorecards: bout',
    bout_id,
    NULL
FROM scorecards WHERE bout_id NOT IN (SELECT bout_id FROM bouts)
UNION ALL
SELECT
    'results: winner',
    bout_id,
    winner_id
FROM results JOIN bouts USING (bout_id)
WHERE (outcome = 'win') <> (winner_id IS NOT NULL) OR winner_id NOT IN (fighter_a_id, fighter_b_id)
UNION ALL
SELECT DISTINCT
    'round_stats: fighter',
    r.bout_id,
    r.fighter_id
FROM round_stats r LEFT JOIN bouts b USING (bout_id)
WHERE b.bout_id IS NULL OR r.fighter_id NOT IN (b.fighter_a_id, b.fighter_b_id)
UNION ALL
SELECT DISTINCT
    'dna_versions: fighter',
    NULL,
    fighter_id
FROM dna_versions WHERE fighter_id NOT IN (SELECT fighter_id FROM fighters)
UNION ALL
SELECT
    'results: event of a bout',
    bout_id,
    event_id
FROM bouts JOIN events USING (event_id) WHERE bouts.event_date <> events.event_date
