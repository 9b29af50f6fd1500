-- Closing spread and total of games. A book that is a consensus is none, and what a list of means has of both
-- is a mean as well: it names no book. A line without a listed game keeps its teams and its day.
WITH told AS (
    SELECT
        starts_at,
        home_team,
        away_team,
        home_spread,
        total,
        CASE WHEN bookmaker NOT LIKE '%consensus%' THEN bookmaker END AS bookmaker,
        event_id,
        'closing' AS line_kind,
        captured_at
    FROM (SELECT
        *,
        CAST(NULL AS VARCHAR) AS bookmaker
    FROM nba_season_2023_26_closing_lines)
    UNION ALL BY NAME
    SELECT
        starts_at,
        home_team,
        away_team,
        home_spread,
        total,
        CASE WHEN bookmaker NOT LIKE '%consensus%' THEN bookmaker END AS bookmaker,
        bookmaker || '-' || strftime(starts_at, '%Y%m%d%H%M') || '-' || home_team AS event_id,
        'captured' AS line_kind,
        captured_at
    FROM nba_season_2023_26_game_odds
),

dated AS (
    SELECT
        t.*,
        CAST(t.starts_at - INTERVAL 8 HOUR AS DATE) AS league_date,
        h.team_id AS home_id,
        a.team_id AS away_id
    FROM told AS t
    LEFT JOIN nba_club_names AS h ON h.spelling = t.home_team
    LEFT JOIN nba_club_names AS a ON a.spelling = t.away_team
)

SELECT
    d.event_id AS price_id,
    d.league_date,
    coalesce(
        g.season, CAST(year(d.league_date - INTERVAL 8 MONTH) AS VARCHAR) || '-'
        || printf('%02d', (year(d.league_date - INTERVAL 8 MONTH) + 1) % 100)
    ) AS season,
    d.starts_at,
    g.game_id,
    d.home_id,
    h.abbr AS home_abbr,
    d.home_team AS home_name,
    d.away_id,
    a.abbr AS away_abbr,
    d.away_team AS away_name,
    d.line_kind,
    d.bookmaker,
    d.bookmaker IS NULL AS is_mean,
    d.home_spread,
    d.total
FROM dated AS d
LEFT JOIN nba_clubs AS h ON h.team_id = d.home_id LEFT JOIN nba_clubs AS a ON a.team_id = d.away_id
LEFT JOIN
    nba_games AS g
    ON (g.home_id, g.away_id) = (d.home_id, d.away_id) AND abs(date_diff('day', g.league_date, d.league_date)) <= 1
WHERE d.home_spread IS NOT NULL OR d.total IS NOT NULL
QUALIFY
    row_number() OVER (PARTITION BY d.event_id ORDER BY abs(date_diff('day', g.league_date, d.league_date)), g.game_id)
    = 1
