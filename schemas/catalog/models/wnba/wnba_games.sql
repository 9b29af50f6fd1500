-- Games, played or to come: of every value the first that is known, a final state before any other. Where no
-- source says what kind of game it was, the days of the season do: who is no club of the league plays no
-- league game.
WITH ordered AS (
    SELECT
        *,
        row_number()
            OVER (
                PARTITION BY game_id
                ORDER BY coalesce(status, '') = 'final' DESC, status IS NULL, preference, captured_at DESC
            )
            AS nth
    FROM wnba_source_games
),

games AS (
    SELECT
        game_id,
        arg_min(season, nth) AS season,
        arg_min(starts_at, nth) AS starts_at,
        arg_min(league_date, nth) AS league_date,
        arg_min(utc_day, nth) AS utc_day,
        arg_min(phase, nth) AS phase,
        coalesce(arg_min(status, nth), 'unknown') AS status,
        arg_min(home_abbr, nth) AS home_abbr,
        arg_min(away_abbr, nth) AS away_abbr,
        arg_min(home_score, nth) FILTER (away_score IS NOT NULL) AS home_score,
        arg_min(away_score, nth) FILTER (home_score IS NOT NULL) AS away_score,
        arg_min(venue, nth) AS venue,
        arg_min(broadcasters, nth) AS broadcasters,
        arg_min(round, nth) AS round,
        arg_min(series_game, nth) AS series_game
    FROM ordered GROUP BY game_id
),

dated AS (
    SELECT
        *,
        coalesce(CAST(starts_at - INTERVAL 8 HOUR AS DATE), league_date, utc_day) AS day,
        CASE
            WHEN league_date IS NOT NULL OR starts_at IS NOT NULL THEN 'league' WHEN utc_day IS NOT NULL THEN 'utc'
        END AS day_rule
    FROM games
)

SELECT
    g.game_id,
    coalesce(g.season, CAST(year(g.day) AS VARCHAR)) AS season,
    CASE
        WHEN h.abbr IS NULL OR a.abbr IS NULL THEN CASE WHEN g.day < s.regular_from THEN 'preseason' ELSE 'all_star' END
        WHEN g.phase IN ('playoffs', 'preseason') THEN g.phase
        WHEN
            g.day - s.cup_final_on BETWEEN 0 AND 1
            AND g.home_abbr IN (s.cup_home, s.cup_away)
            AND g.away_abbr IN (s.cup_home, s.cup_away)
            THEN 'cup_final'
        WHEN g.day < s.regular_from THEN 'preseason' WHEN g.day < s.playoffs_from THEN 'regular' WHEN
            g.day <= s.ends_on + 1
            THEN 'playoffs'
    END AS phase,
    g.day AS league_date,
    g.day_rule,
    g.starts_at,
    g.status,
    g.home_abbr,
    h.team_id AS home_id,
    h.city || ' ' || h.name AS home_name,
    CASE WHEN g.status = 'final' THEN g.home_score END AS home_score,
    g.away_abbr,
    a.team_id AS away_id,
    a.city || ' ' || a.name AS away_name,
    CASE WHEN g.status = 'final' THEN g.away_score END AS away_score,
    coalesce(g.venue, i.venue) AS venue,
    i.attendance,
    g.broadcasters,
    g.round,
    g.series_game
FROM dated AS g
LEFT JOIN (
    SELECT
        season,
        CAST(regular_from AS DATE) AS regular_from,
        CAST(playoffs_from AS DATE) AS playoffs_from,
        CAST(ends_on AS DATE) AS ends_on,
        CAST(cup_final_on AS DATE) AS cup_final_on,
        cup_home,
        cup_away
    FROM wnba_seasons
) AS s
    ON s.season = coalesce(g.season, CAST(year(g.day) AS VARCHAR))
LEFT JOIN wnba_clubs AS h ON h.abbr = g.home_abbr LEFT JOIN wnba_clubs AS a ON a.abbr = g.away_abbr
LEFT JOIN
    (SELECT
        game_id,
        venue,
        nullif(attendance, 0) AS attendance
    FROM wnba_line_capture_game_info) AS i
    USING (game_id)
WHERE g.home_abbr IS NOT NULL AND g.away_abbr IS NOT NULL AND g.day IS NOT NULL
