-- What each source tells of games of which it knows the league's id.
WITH sided AS (
    SELECT
        game_id,
        team_id,
        league_date,
        matchup,
        points,
        points - plus_minus AS points_against,
        captured_at,
        1 AS preference
    FROM nba_stats_recorded_team_games
),

players AS (
    SELECT
        game_id,
        team_id,
        min(league_date) AS league_date,
        min(matchup) AS matchup,
        sum(points) AS points,
        max(captured_at) AS captured_at
    FROM nba_season_2023_26_player_logs GROUP BY game_id, team_id
),

logged AS (
    SELECT
        game_id,
        league_date,
        captured_at,
        preference,
        contains(matchup, ' vs. ') AS is_home,
        team_id,
        points,
        points_against
    FROM sided
    UNION ALL
    SELECT
        p.game_id,
        p.league_date,
        p.captured_at,
        2,
        contains(p.matchup, ' vs. '),
        p.team_id,
        p.points,
        o.points
    FROM players AS p JOIN players AS o ON o.game_id = p.game_id AND o.team_id <> p.team_id
),

agreed AS (
    -- On neutral ground a log calls both teams the home team, or neither.
    SELECT
        *,
        min(team_id) OVER of_game AS one,
        max(team_id) OVER of_game AS other,
        count(*) OVER of_game = 2 AS has_both,
        count(*) OVER (PARTITION BY game_id, preference) = 1
        OR count(*) FILTER (is_home) OVER (PARTITION BY game_id, preference) = 1
            AS tells_sides
    FROM logged
    WINDOW of_game AS (PARTITION BY game_id, preference)
),

boxes AS (
    -- The visitors stand first, as they do in all 547 of its games whose home team another source names.
    SELECT
        game_id,
        max(league_date) AS league_date,
        max(captured_at) AS captured_at,
        arg_min(team_id, line) AS away_id
    FROM nba_boxscores_daily_lines GROUP BY game_id
)

SELECT
    game_id,
    1 AS preference,
    league_date,
    CAST(NULL AS TIMESTAMP) AS starts_at,
    3 AS status,
    home_id,
    away_id,
    CAST(NULL AS INTEGER) AS home_score,
    CAST(NULL AS INTEGER) AS away_score,
    CAST(NULL AS VARCHAR) AS arena,
    CAST(NULL AS VARCHAR) AS broadcasters,
    CAST(NULL AS VARCHAR) AS label,
    captured_at
FROM nba_stats_recorded_summaries WHERE status = 3
UNION ALL BY NAME
SELECT
    game_id,
    2 AS preference,
    league_date,
    starts_at,
    status,
    home_id,
    away_id,
    CASE WHEN status = 3 THEN home_score END AS home_score,
    CASE WHEN status = 3 THEN away_score END AS away_score,
    nullif(label, '') AS label,
    captured_at
FROM nba_stats_recorded_scoreboard
UNION ALL BY NAME
SELECT
    l.game_id,
    2 + l.preference AS preference,
    l.league_date,
    3 AS status,
    CASE WHEN l.tells_sides AND l.is_home THEN l.team_id END AS home_id,
    CASE WHEN l.tells_sides AND NOT l.is_home THEN l.team_id END AS away_id,
    CASE WHEN l.tells_sides THEN CASE WHEN l.is_home THEN l.points ELSE l.points_against END END AS home_score,
    CASE WHEN l.tells_sides THEN CASE WHEN l.is_home THEN l.points_against ELSE l.points END END AS away_score,
    CASE WHEN NOT l.tells_sides THEN true END AS is_neutral,
    l.captured_at
FROM agreed AS l
UNION ALL BY NAME
-- Of neutral ground a schedule may still say who is listed as the home team.
SELECT DISTINCT
    l.game_id,
    7 AS preference,
    l.league_date,
    3 AS status,
    l.one AS home_id,
    l.other AS away_id,
    l.captured_at
FROM agreed AS l WHERE NOT l.tells_sides AND l.has_both
UNION ALL BY NAME
SELECT
    game_id,
    5 AS preference,
    league_date,
    starts_at,
    status,
    home_id,
    away_id,
    arena,
    nullif(broadcasters, '') AS broadcasters,
    coalesce(label, subtype) AS label,
    captured_at
FROM nba_season_2023_26_schedule
UNION ALL BY NAME
SELECT
    game_id,
    6 AS preference,
    league_date,
    3 AS status,
    away_id,
    captured_at
FROM boxes
