-- For each table and season the final league games that have it, and their share.
WITH finals AS (
    SELECT
        season,
        game_id
    FROM wnba_games WHERE status = 'final' AND phase IN ('regular', 'playoffs')
),

totals AS (
    SELECT
        season,
        count(*) AS finals
    FROM finals GROUP BY season
),

held AS (
    SELECT
        'box scores' AS content,
        game_id
    FROM wnba_box_teams
    UNION
    SELECT
        'quarters',
        game_id
    FROM wnba_periods
    UNION
    SELECT
        'officials',
        game_id
    FROM wnba_info
    UNION
    SELECT
        'time-outs',
        game_id
    FROM wnba_line_capture_timeouts
    UNION
    SELECT
        'live states',
        game_id
    FROM wnba_live_states
    UNION
    SELECT
        'shots of some players',
        game_id
    FROM wnba_shots
    UNION
    SELECT
        'start times',
        game_id
    FROM wnba_games WHERE starts_at IS NOT NULL
)

SELECT
    t.season,
    h.content,
    count(*) AS games,
    t.finals,
    CAST(count(*) AS DOUBLE) / t.finals AS share
FROM held AS h JOIN finals AS f USING (game_id) JOIN totals AS t USING (season) GROUP BY t.season, h.content, t.finals
