-- What was known of a team before a game: its results of the season and the last five of any season, days
-- since the last game, and reports of injuries for the game. Only games before it count; results that were
-- not captured count as unknown.
WITH views AS (
    SELECT
        t.*,
        CAST(t.season AS INTEGER) * 10000 + t.phase_order * 100 + t.week AS ord
    FROM nfl_team_games AS t WHERE t.phase <> 'preseason'
),

told AS (
    SELECT
        *,
        count(*) FILTER (result = 'W') OVER before AS before_w,
        count(*) FILTER (result = 'L') OVER before AS before_l,
        count(*) FILTER (result = 'T') OVER before AS before_t,
        count(*) OVER before AS games_before,
        count(result) OVER before AS results_before,
        sum(points_for) OVER before AS before_points_for,
        sum(points_against) OVER before AS before_points_against
    FROM views WINDOW
        before AS (PARTITION BY season, team_id ORDER BY ord ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
),

rested AS (
    SELECT
        *,
        lag(league_date) OVER whole AS last_game_on,
        lag(season) OVER whole AS last_season,
        string_agg(coalesce(result, '?'), '')
            OVER (PARTITION BY team_id ORDER BY ord ROWS BETWEEN 5 PRECEDING AND 1 PRECEDING) AS last5
    FROM told WINDOW whole AS (PARTITION BY team_id ORDER BY ord)
),

injured AS (
    SELECT
        season,
        week,
        team_id,
        count(*) AS reported,
        count(*) FILTER (game_status = 'Out') AS out,
        count(*) FILTER (game_status = 'Doubtful') AS doubtful,
        count(*) FILTER (game_status = 'Questionable') AS questionable
    FROM nfl_injuries GROUP BY season, week, team_id
)

SELECT
    r.game_id,
    r.market_id,
    r.feed_id,
    r.is_home,
    r.team_id,
    r.team_abbr,
    r.opponent_id,
    CASE WHEN r.games_before = r.results_before THEN r.before_w END AS before_w,
    CASE WHEN r.games_before = r.results_before THEN r.before_l END AS before_l,
    CASE WHEN r.games_before = r.results_before THEN r.before_t END AS before_t,
    CASE WHEN r.games_before = r.results_before THEN coalesce(r.before_points_for, 0) END AS before_points_for,
    CASE WHEN r.games_before = r.results_before THEN coalesce(r.before_points_against, 0) END AS before_points_against,
    CASE WHEN length(r.last5) = 5 AND r.last5 NOT LIKE '%?%' THEN r.last5 END AS last5,
    CASE WHEN r.last_season = r.season THEN r.league_date - r.last_game_on END AS rest_days,
    i.reported AS injuries_reported,
    i.out AS injuries_out,
    i.doubtful AS injuries_doubtful,
    i.questionable AS injuries_questionable
FROM rested AS r LEFT JOIN injured AS i USING (season, week, team_id)
