-- Earlier league games of both clubs of a game, newest first.
SELECT
    g.game_id,
    CAST(row_number() OVER (PARTITION BY g.game_id ORDER BY e.league_date DESC, e.game_id DESC) AS INTEGER) AS seq,
    e.game_id AS earlier_game_id,
    e.season,
    e.league_date,
    e.home_abbr,
    e.home_score,
    e.away_abbr,
    e.away_score
FROM wnba_games AS g JOIN wnba_games AS e
    ON
        least(e.home_abbr, e.away_abbr) = least(g.home_abbr, g.away_abbr)
        AND greatest(e.home_abbr, e.away_abbr) = greatest(g.home_abbr, g.away_abbr)
        AND e.league_date < g.league_date
WHERE
    e.status = 'final'
    AND e.home_score IS NOT NULL
    AND e.phase IN ('regular', 'playoffs')
    AND g.phase IN ('regular', 'playoffs')
QUALIFY row_number() OVER (PARTITION BY g.game_id ORDER BY e.league_date DESC, e.game_id DESC) <= 10
