-- What each source tells of games: when a game began, the league's day, or the day in UTC, which for an
-- evening is the day after. The list of all games has the league's day, in all games whose start another
-- source names; that of quarters the day in UTC.
SELECT
    1 AS preference,
    game_id,
    CAST(NULL AS VARCHAR) AS season,
    starts_at,
    CAST(NULL AS DATE) AS league_date,
    CAST(NULL AS DATE) AS utc_day,
    phase,
    CASE WHEN home_score IS NOT NULL THEN 'final' ELSE 'scheduled' END AS status,
    home_abbr,
    away_abbr,
    home_score,
    away_score,
    venue,
    broadcasters,
    CAST(NULL AS VARCHAR) AS round,
    CAST(NULL AS INTEGER) AS series_game,
    captured_at
FROM wnba_schedule_2026_games
UNION ALL BY NAME
SELECT
    2 AS preference,
    game_id,
    season,
    starts_at,
    phase,
    CASE WHEN home_score IS NOT NULL THEN 'final' ELSE 'scheduled' END AS status,
    home_abbr,
    away_abbr,
    home_score,
    away_score,
    venue,
    round,
    series_game,
    captured_at
FROM wnba_schedule_2026_playoffs
UNION ALL BY NAME
SELECT
    3 AS preference,
    game_id,
    season,
    starts_at,
    CASE status
        WHEN 'STATUS_FINAL' THEN 'final' WHEN 'STATUS_POSTPONED' THEN 'postponed' WHEN
            'STATUS_CANCELED'
            THEN 'cancelled'
        WHEN 'STATUS_SCHEDULED' THEN 'scheduled' ELSE 'in_progress'
    END AS status,
    home_abbr,
    away_abbr,
    CASE WHEN status = 'STATUS_FINAL' THEN home_score END AS home_score,
    CASE WHEN status = 'STATUS_FINAL' THEN away_score END AS away_score,
    venue,
    captured_at
FROM wnba_games_quarters_games
UNION ALL BY NAME
SELECT
    4 AS preference,
    game_id,
    starts_at,
    CASE WHEN home_score IS NOT NULL THEN 'final' ELSE 'scheduled' END AS status,
    home_abbr,
    away_abbr,
    home_score,
    away_score,
    captured_at
FROM wnba_line_capture_season_games
UNION ALL BY NAME
SELECT
    5 AS preference,
    s.game_id,
    s.utc_day,
    'final' AS status,
    h.abbr AS home_abbr,
    a.abbr AS away_abbr,
    s.home_score,
    s.away_score,
    s.venue,
    s.captured_at
FROM wnba_wehoop_boxes_scores AS s
JOIN wnba_clubs AS h ON h.city || ' ' || h.name = s.home_name
JOIN wnba_clubs AS a ON a.city || ' ' || a.name = s.away_name
UNION ALL BY NAME
-- A game of no points to none was not played, or stands in the list once more with its result.
SELECT
    6 AS preference,
    game_id,
    season,
    league_date,
    CASE WHEN home_score + away_score > 0 THEN 'final' END AS status,
    home_abbr,
    away_abbr,
    CASE WHEN home_score + away_score > 0 THEN home_score END AS home_score,
    CASE WHEN home_score + away_score > 0 THEN away_score END AS away_score,
    captured_at
FROM wnba_line_capture_games
UNION ALL BY NAME
SELECT
    7 AS preference,
    s.game_id,
    s.starts_at,
    CASE s.phase WHEN 'regular-season' THEN NULL WHEN 'post-season' THEN 'playoffs' ELSE s.phase END AS phase,
    CASE s.status WHEN 1 THEN 'scheduled' END AS status,
    h.abbr AS home_abbr,
    a.abbr AS away_abbr,
    s.venue,
    s.captured_at
FROM wnba_oddsapi_2026_schedule AS s
LEFT JOIN wnba_clubs AS h ON h.code = s.home_code LEFT JOIN wnba_clubs AS a ON a.code = s.away_code
