-- Games with the league's id: of every value the first that is known, a final state before any other. The id tells the season
-- and its phase.
WITH ordered AS (
    SELECT *, row_number() OVER (PARTITION BY game_id ORDER BY status = 3 DESC, preference, captured_at DESC) AS nth FROM nba_told_games
), games AS (
    SELECT game_id, arg_min(league_date, nth) AS league_date, arg_min(starts_at, nth) AS starts_at, arg_min(status, nth) AS status,
           arg_min(home_id, nth) AS home_id, arg_min(away_id, nth) AS away_id, arg_min(home_score, nth) AS home_score,
           arg_min(away_score, nth) AS away_score, arg_min(arena, nth) AS arena, arg_min(broadcasters, nth) AS broadcasters,
           arg_min(label, nth) AS label, coalesce(bool_or(is_neutral), false) AS is_neutral
    FROM ordered GROUP BY game_id
), sides AS (
    -- A box alone does not say who was at home.
    SELECT game_id, min(team_id) AS one, max(team_id) AS other FROM nba_team_lines GROUP BY game_id HAVING count(*) = 2
)
SELECT g.game_id, '20' || substr(g.game_id, 4, 2) || '-' || printf('%02d', (CAST(substr(g.game_id, 4, 2) AS INTEGER) + 1) % 100) AS season,
       CASE substr(g.game_id, 3, 1) WHEN '1' THEN 'preseason' WHEN '2' THEN 'regular' WHEN '3' THEN 'all_star' WHEN '4' THEN 'playoffs'
            WHEN '5' THEN 'play_in' WHEN '6' THEN 'cup_final' END AS phase,
       g.league_date, g.starts_at, CASE g.status WHEN 1 THEN 'scheduled' WHEN 2 THEN 'in_progress' ELSE 'final' END AS status,
       nullif(coalesce(g.home_id, CASE g.away_id WHEN s.one THEN s.other WHEN s.other THEN s.one END), '0') AS home_id,
       nullif(coalesce(g.away_id, CASE g.home_id WHEN s.one THEN s.other WHEN s.other THEN s.one END), '0') AS away_id,
       g.home_score, g.away_score, g.arena, g.broadcasters, g.label, g.is_neutral
FROM games AS g LEFT JOIN sides AS s USING (game_id)
