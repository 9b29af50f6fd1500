-- Games, played or to come. Where both say something the box counts before the schedule, whose own days are those of UTC:
-- the day of a game is that of its start in New York, as in all 2,798 games that both have.
WITH listed AS (
    SELECT coalesce(b.game_id, s.game_id) AS game_id, coalesce(b.season_code, s.season_code) AS season_code,
           coalesce(b.game_type, s.game_type) AS game_type, coalesce(b.game_date, s.league_date) AS league_date,
           s.starts_at, coalesce(b.game_state, s.game_state) AS state,
           coalesce(b.home_abbr, s.home_abbr) AS home_abbr, coalesce(b.away_abbr, s.away_abbr) AS away_abbr,
           coalesce(b.home_score, s.home_score) AS home_score, coalesce(b.away_score, s.away_score) AS away_score,
           coalesce(b.venue, s.venue) AS venue, s.series_letter, s.playoff_round, s.series_game_number
    FROM nhl_boxes_games AS b FULL JOIN nhl_boxes_schedule AS s USING (game_id)
)
SELECT g.game_id, substr(g.season_code, 1, 4) || '-' || substr(g.season_code, 7, 2) AS season,
       CASE g.game_type WHEN 'R' THEN 'regular' WHEN 'P' THEN 'playoffs' WHEN 'PR' THEN 'preseason' ELSE 'all_star' END AS phase,
       g.league_date, g.starts_at,
       CASE WHEN g.state IN ('OFF', 'FINAL') THEN 'final' WHEN g.state IN ('LIVE', 'CRIT') THEN 'in_progress'
            WHEN g.state IN ('FUT', 'PRE') THEN 'scheduled' END AS status,
       g.home_abbr, h.name AS home_name, CASE WHEN g.state IN ('OFF', 'FINAL') THEN g.home_score END AS home_score,
       l.home_shots AS home_shots,
       g.away_abbr, a.name AS away_name, CASE WHEN g.state IN ('OFF', 'FINAL') THEN g.away_score END AS away_score,
       l.away_shots AS away_shots,
       d.decided_in, g.venue, g.series_letter, g.playoff_round, g.series_game_number
FROM listed AS g
LEFT JOIN nhl_clubs AS h ON h.abbr = g.home_abbr LEFT JOIN nhl_clubs AS a ON a.abbr = g.away_abbr
LEFT JOIN nhl_boxes_linescores AS l ON l.game_id = g.game_id
LEFT JOIN nhl_decided AS d ON d.game_id = g.game_id
WHERE g.league_date IS NOT NULL
