-- Elo ratings after the newest match, over all surfaces and by surface. Beside them the rating as of 90 days
-- before the newest event of the tour, and as of its week.
WITH rated AS (
    SELECT
        s.subject AS player_slug,
        split_part(s.pool, '_', 2) AS surface,
        count(*) AS matches,
        count(*) FILTER (WHERE c.is_then) AS matches_then,
        arg_max(s.rating_after, s.step) AS elo,
        arg_max(s.rating_after, s.step) FILTER (WHERE c.is_then) AS elo_then,
        arg_max(s.rating_after, s.step) FILTER (WHERE c.is_before) AS elo_before
    FROM tennis_player_ratings_contests AS s JOIN tennis_rating_contests AS c USING (contest, pool)
    GROUP BY ALL
)

SELECT
    y.player_slug,
    r.surface,
    y.player_id,
    y.other_id,
    y.tour,
    y.name AS player_name,
    CAST(r.matches AS INTEGER) AS matches,
    round(r.elo, 1) AS elo,
    round(r.elo_then, 1) AS elo_90_days_ago,
    round(r.elo - r.elo_then, 1) AS gain,
    CAST(r.matches - r.matches_then AS INTEGER) AS recent_matches,
    round(r.elo_before, 1) AS elo_before_newest_week
FROM rated AS r JOIN tennis_players AS y USING (player_slug)
