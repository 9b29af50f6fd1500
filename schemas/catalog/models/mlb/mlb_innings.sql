-- Innings of games: walked from the plays of Retrosheet, or as the league's feed states them. A side that did
-- not bat has no runs.
WITH walked AS (
    SELECT
        h.game_ref,
        h.inning,
        max(h.runs) FILTER (h.side = 1) AS home_runs,
        max(h.hits) FILTER (h.side = 1) AS home_hits,
        max(h.errors) FILTER (h.side = 0) AS home_errors,
        max(h.runs) FILTER (h.side = 0) AS away_runs,
        max(h.hits) FILTER (h.side = 0) AS away_hits,
        max(h.errors) FILTER (h.side = 1) AS away_errors
    FROM
        mlb_retrosheet_halves AS h JOIN mlb_retrosheet_games AS g USING (game_ref) WHERE g.is_whole GROUP BY h.game_ref,
    h.inning
)

SELECT
    game_ref AS game_id,
    inning,
    home_runs,
    home_hits,
    home_errors,
    away_runs,
    away_hits,
    away_errors
FROM walked
UNION ALL
SELECT
    game_ref,
    inning,
    home_runs,
    home_hits,
    home_errors,
    away_runs,
    away_hits,
    away_errors
FROM mlb_statsapi_recorded_feed_innings
UNION ALL
SELECT
    game_ref,
    inning,
    home_runs,
    home_hits,
    home_errors,
    away_runs,
    away_hits,
    away_errors
FROM mlb_statsapi_mock_2022_feed_innings
