-- Seasons with their games. Phase and week are those of the newest captured final; a game without a captured
-- result counts as left.
WITH newest AS (
    SELECT
        season,
        phase,
        week
    FROM nfl_games WHERE status = 'final' AND phase <> 'preseason'
    QUALIFY row_number() OVER (PARTITION BY season ORDER BY phase_order DESC, week DESC, game_id DESC) = 1
)

SELECT
    g.season,
    n.phase,
    n.week,
    min(g.league_date) AS first_dated_game_on,
    max(g.league_date) AS last_dated_game_on,
    max(g.league_date) FILTER (g.status = 'final') AS last_final_on,
    count(*) AS games,
    count(*) FILTER (g.status = 'final') AS games_played,
    count(*) - count(*) FILTER (g.status = 'final') AS games_without_result,
    count(*) FILTER (g.league_date IS NULL) AS games_without_date,
    count(*) FILTER (g.phase = 'regular') AS regular_games,
    count(*) FILTER (g.phase = 'playoffs') AS playoff_games
FROM nfl_games AS g LEFT JOIN newest AS n USING (season) WHERE g.phase <> 'preseason' GROUP BY g.season, n.phase, n.week
