-- Fixtures without the league's id. The league's day is that of the start eight hours before UTC: games begin
-- between noon and half past eleven in the evening of New York. A fixture is the listed game of its teams a
-- day or less away; of a season whose schedule the league lists, one that matches no game is none, since
-- games are moved.
WITH fixtures AS (
    SELECT
        f.*,
        h.team_id AS home_id,
        a.team_id AS away_id,
        CAST(f.starts_at - INTERVAL 8 HOUR AS DATE) AS league_date,
        f.first_year || '-' || substr(CAST(TRY_CAST(f.first_year AS INTEGER) + 1 AS VARCHAR), 3, 2) AS season
    FROM nba_schedule_utc_fixtures AS f
    JOIN nba_club_names AS h ON h.spelling = f.home_name JOIN nba_club_names AS a ON a.spelling = f.away_name
    WHERE regexp_full_match(f.first_year, '[0-9]{4}')
)

SELECT
    f.season,
    f.league_date,
    f.starts_at,
    f.home_id,
    f.away_id,
    f.arena,
    g.game_id AS listed_id,
    lower(CAST(f.league_date AS VARCHAR) || '-' || a.abbr || '-' || h.abbr) AS own_id,
    TRY_CAST(nullif(regexp_extract(f.result, '^([0-9]+) - ([0-9]+)$', 1), '') AS INTEGER) AS home_score,
    TRY_CAST(nullif(regexp_extract(f.result, '^([0-9]+) - ([0-9]+)$', 2), '') AS INTEGER) AS away_score
FROM fixtures AS f
JOIN nba_clubs AS h ON h.team_id = f.home_id JOIN nba_clubs AS a ON a.team_id = f.away_id
LEFT JOIN nba_listed_games AS g
    ON
        (g.season, g.home_id, g.away_id) = (f.season, f.home_id, f.away_id)
        AND abs(date_diff('day', g.league_date, f.league_date)) <= 1
QUALIFY
    row_number()
        OVER (
            PARTITION BY f.first_year, f.match_number
            ORDER BY abs(date_diff('day', g.league_date, f.league_date)), g.game_id
        )
    = 1
