-- Goals and shots by period: stated by recorded pages, else counted from shots on goal. A shoot-out is no
-- period.
WITH told AS (
    SELECT
        game_id,
        period,
        home_goals,
        away_goals,
        CASE WHEN shots_period = period THEN home_shots END AS home_shots,
        CASE WHEN shots_period = period THEN away_shots END AS away_shots,
        'stated' AS origin
    FROM nhl_api_web_recorded_periods WHERE period_type <> 'SO'
)

SELECT * FROM told
UNION ALL BY NAME
SELECT
    s.game_id,
    s.period,
    count(
        *
    ) FILTER (s.is_goal AND s.team_abbr = g.home_abbr) AS home_goals,
    count(*) FILTER (
        s.is_goal
        AND s.team_abbr = g.away_abbr
    ) AS away_goals,
    count(*) FILTER (s.team_abbr = g.home_abbr) AS home_shots,
    count(*)
    FILTER (s.team_abbr = g.away_abbr) AS away_shots,
    'counted' AS origin
FROM nhl_shots AS s JOIN nhl_games AS g USING (game_id) WHERE s.game_id NOT IN (SELECT game_id FROM told) GROUP BY ALL
