-- A match counts after the week of its event, and each round of a draw no earlier than the one before it; no
-- version of DNA is older than its newest match.
SELECT match_id FROM tennis_matches WHERE last_day < event_week + 7
UNION ALL
SELECT a.match_id FROM tennis_matches AS a JOIN tennis_matches AS b USING (tour, event_ref)
WHERE a.round_place < b.round_place AND a.round <> 'RR' AND a.event_week = b.event_week AND a.last_day > b.last_day
UNION ALL
SELECT player_slug FROM (
    SELECT
        player_slug,
        valid_from,
        max(games) AS games
    FROM tennis_player_dna WHERE surface = 'all' GROUP BY ALL
)
JOIN (
    SELECT
        winner_slug AS player_slug,
        last_day
    FROM tennis_matches WHERE has_statistics
    UNION ALL
    SELECT
        loser_slug,
        last_day
    FROM tennis_matches WHERE has_statistics
) USING (player_slug)
GROUP BY player_slug, valid_from, games HAVING games > count(*) FILTER (last_day < valid_from)
UNION ALL
SELECT DISTINCT player_slug FROM tennis_player_dna AS d
WHERE
    NOT EXISTS (SELECT 1 FROM tennis_meetings AS m WHERE m.player_slug = d.player_slug AND m.last_day = d.valid_from - 1
    )
