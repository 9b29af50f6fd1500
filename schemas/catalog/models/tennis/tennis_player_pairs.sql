-- Ids of the tour for players of the main source: those that paired matches give them most often, each once.
WITH seen AS (
    SELECT
        m.winner_ref AS ref,
        o.winner_ref AS other,
        m.match_id
    FROM tennis_match_pairs AS p
    JOIN tennis_match_facts AS m USING (match_id)
    JOIN tennis_atp_other_ids_matches AS o
        ON o.event_ref || '-' || o.match_number || '-' || o.winner_ref || '-' || o.loser_ref = p.other_key
    UNION ALL
    SELECT
        m.loser_ref,
        o.loser_ref,
        m.match_id
    FROM tennis_match_pairs AS p
    JOIN tennis_match_facts AS m USING (match_id)
    JOIN tennis_atp_other_ids_matches AS o
        ON o.event_ref || '-' || o.match_number || '-' || o.winner_ref || '-' || o.loser_ref = p.other_key
),

counted AS (
    SELECT
        ref,
        other,
        count(*) AS n
    FROM seen GROUP BY ALL
)

SELECT
    'atp-' || ref AS player_id,
    other AS other_id
FROM counted
QUALIFY
    row_number() OVER (PARTITION BY ref ORDER BY n DESC, other) = 1
    AND row_number() OVER (PARTITION BY other ORDER BY n DESC, ref) = 1
