-- Games as each source tells them, by the league's id; those of Retrosheet, which states none, by its own.
-- Its runs follow from the plays, and are null where these do not make a whole game.
SELECT
    g.game_ref AS game_id,
    g.game_ref AS retro_id,
    CAST(year(g.league_date) AS VARCHAR) AS season,
    'regular' AS phase,
    g.league_date,
    CAST(NULL AS TIMESTAMP) AS starts_at,
    g.local_start,
    TRY_CAST(regexp_extract(g.game_number, '^[0-9]') AS INTEGER) AS game_number,
    'final' AS status,
    h.team_id AS home_id,
    a.team_id AS away_id,
    CASE WHEN g.is_whole THEN g.home_runs END AS home_score,
    CASE WHEN g.is_whole THEN g.visitor_runs END AS away_score,
    CASE WHEN g.is_whole THEN g.home_hits END AS home_hits,
    CASE WHEN g.is_whole THEN g.visitor_hits END AS away_hits,
    CASE
        WHEN g.is_whole THEN g.home_errors
    END AS home_errors,
    CASE
        WHEN g.is_whole
            THEN g.visitor_errors
    END AS away_errors,
    p.venue,
    g.sky AS weather,
    nullif(g.temperature_f, 0) AS temperature_f,
    CASE WHEN g.wind_mph >= 0 THEN concat_ws(', ', g.wind_mph || ' mph', g.wind_direction) END AS wind,
    nullif(g.attendance, 0) AS attendance,
    nullif(g.minutes, 0) AS minutes,
    NOT g.is_whole AS is_partial,
    g.partial_reason,
    g.shortened AS shortened_reason,
    CAST(NULL AS VARCHAR) AS home_probable_id,
    CAST(NULL AS VARCHAR) AS home_probable_name,
    CAST(NULL AS VARCHAR) AS away_probable_id,
    CAST(NULL AS VARCHAR) AS away_probable_name,
    CAST(NULL AS VARCHAR) AS label,
    1 AS preference,
    'retrosheet' AS source
FROM mlb_retrosheet_games AS g JOIN mlb_clubs AS h ON h.retro_code = g.home_code JOIN mlb_clubs AS a
    ON a.retro_code = g.visitor_code
LEFT JOIN mlb_parks AS p USING (site)
UNION ALL
SELECT
    game_ref,
    NULL,
    season,
    CASE game_type
        WHEN 'R' THEN 'regular' WHEN 'A' THEN 'all_star' WHEN 'S' THEN 'preseason'
        ELSE 'playoffs'
    END,
    league_date,
    starts_at,
    NULL,
    game_number,
    CASE status
        WHEN 'Final' THEN 'final' WHEN 'Live' THEN 'in_progress'
        ELSE 'scheduled'
    END,
    home_ref,
    away_ref,
    home_score,
    away_score,
    home_hits,
    away_hits,
    home_errors,
    away_errors,
    venue,
    weather,
    temperature_f,
    wind,
    attendance,
    minutes,
    false,
    NULL,
    NULL,
    home_probable_ref,
    home_probable_name,
    away_probable_ref,
    away_probable_name,
    NULL,
    2,
    'feed'
FROM (
    SELECT * EXCLUDE (file, line, captured_at) FROM mlb_statsapi_recorded_feed_games
    UNION ALL BY NAME
    SELECT * EXCLUDE (file, line, captured_at) FROM mlb_statsapi_mock_2022_feed_games
)
UNION ALL
SELECT
    game_ref,
    NULL,
    season,
    CASE game_type
        WHEN 'R' THEN 'regular' WHEN 'A' THEN 'all_star' WHEN 'S' THEN 'preseason'
        ELSE 'playoffs'
    END,
    league_date,
    starts_at,
    NULL,
    game_number,
    CASE
        WHEN status_detail IN ('Postponed', 'Cancelled') THEN lower(status_detail)
        WHEN status = 'Final' THEN 'final' WHEN status = 'Live' THEN 'in_progress' ELSE 'scheduled'
    END,
    home_ref,
    away_ref,
    home_score,
    away_score,
    NULL,
    NULL,
    NULL,
    NULL,
    venue,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    false,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    coalesce(description, series),
    3,
    'schedule'
FROM mlb_statsapi_recorded_schedule
UNION ALL
-- A game that was put off stands there by each of its days: the newest one is that on which it was played.
SELECT
    game_ref,
    NULL,
    CAST(year(league_date) AS VARCHAR),
    'regular',
    league_date,
    NULL,
    NULL,
    NULL,
    CASE WHEN home_score IS NULL OR away_score IS NULL THEN 'scheduled' ELSE 'final' END,
    home_ref,
    away_ref,
    home_score,
    away_score,
    home_hits,
    away_hits,
    home_errors,
    away_errors,
    venue,
    weather,
    temperature_f,
    NULL,
    attendance,
    minutes,
    false,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    4,
    'season_list'
FROM (
    SELECT * FROM mlb_statsapi_season_2025_games
    QUALIFY
        row_number() OVER (PARTITION BY game_ref ORDER BY league_date DESC, captured_at DESC, file DESC, line DESC) = 1
)
UNION ALL
SELECT
    s.game_ref,
    NULL,
    s.season,
    CASE s.season_type WHEN 1 THEN 'preseason' WHEN 2 THEN 'regular' ELSE 'playoffs' END,
    s.league_date,
    s.starts_at,
    NULL,
    NULL,
    CASE s.status
        WHEN 'STATUS_FINAL' THEN 'final' WHEN 'STATUS_IN_PROGRESS' THEN 'in_progress'
        ELSE 'scheduled'
    END,
    h.team_id,
    a.team_id,
    CASE WHEN s.status <> 'STATUS_SCHEDULED' THEN s.home_score END,
    CASE
        WHEN s.status <> 'STATUS_SCHEDULED' THEN s.away_score
    END,
    CASE
        WHEN s.status <> 'STATUS_SCHEDULED'
            THEN s.home_hits
    END,
    CASE
        WHEN s.status <> 'STATUS_SCHEDULED' THEN s.away_hits
    END,
    CASE
        WHEN s.status <> 'STATUS_SCHEDULED'
            THEN s.home_errors
    END,
    CASE WHEN s.status <> 'STATUS_SCHEDULED' THEN s.away_errors END,
    s.venue,
    NULL,
    NULL,
    NULL,
    CASE WHEN s.status = 'STATUS_FINAL' THEN nullif(s.attendance, 0) END,
    NULL,
    false,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    5,
    'scoreboard'
FROM (SELECT
    game_ref,
    season,
    season_type,
    league_date,
    starts_at,
    status,
    venue,
    attendance,
    CASE first_side WHEN 'home' THEN first_abbr ELSE second_abbr END AS home_abbr,
    CASE first_side WHEN 'home' THEN second_abbr ELSE first_abbr END AS away_abbr,
    CASE first_side WHEN 'home' THEN first_score ELSE second_score END AS home_score,
    CASE first_side WHEN 'home' THEN second_score ELSE first_score END AS away_score,
    CASE first_side WHEN 'home' THEN first_hits ELSE second_hits END AS home_hits,
    CASE first_side WHEN 'home' THEN second_hits ELSE first_hits END AS away_hits,
    CASE first_side WHEN 'home' THEN first_errors ELSE second_errors END AS home_errors,
    CASE first_side WHEN 'home' THEN second_errors ELSE first_errors END AS away_errors
FROM mlb_scoreboard_recorded_games WHERE first_side <> second_side) AS s
JOIN mlb_clubs AS h ON h.espn_abbr = s.home_abbr JOIN mlb_clubs AS a ON a.espn_abbr = s.away_abbr
UNION ALL
-- Games of which the line-ups alone are captured.
SELECT
    game_ref,
    NULL,
    CAST(year(league_date) AS VARCHAR),
    'regular',
    league_date,
    NULL,
    NULL,
    NULL,
    CASE status WHEN 'Final' THEN 'final' WHEN 'Live' THEN 'in_progress' ELSE 'scheduled' END,
    h.team_id,
    a.team_id,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    false,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    6,
    'lineups'
FROM (
    SELECT
        game_ref,
        league_date,
        status,
        home_code,
        away_code
    FROM mlb_lineups_2026_home_batters
    UNION
    SELECT
        game_ref,
        league_date,
        status,
        home_code,
        away_code
    FROM mlb_lineups_2026_away_batters
) AS l
JOIN mlb_clubs AS h ON list_contains([h.abbr, h.espn_abbr, h.other_abbr], l.home_code)
JOIN mlb_clubs AS a ON list_contains([a.abbr, a.espn_abbr, a.other_abbr], l.away_code)
