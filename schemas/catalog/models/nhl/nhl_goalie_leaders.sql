-- Goalies by rank in each statistic of a regular season: the least goals against average first, of the others
-- the greatest.
WITH long AS (
    SELECT
        season,
        'wins' AS stat,
        CAST(wins AS DOUBLE) AS value,
        -CAST(wins AS DOUBLE) AS sorted,
        * EXCLUDE (season)
    FROM nhl_goalie_seasons WHERE phase = 'regular'
    UNION ALL
    SELECT
        season,
        'save_pct',
        save_pct,
        -save_pct,
        * EXCLUDE (season)
    FROM nhl_goalie_seasons
    WHERE phase = 'regular'
    UNION ALL
    SELECT
        season,
        'gaa',
        gaa,
        gaa,
        * EXCLUDE (season)
    FROM nhl_goalie_seasons WHERE phase = 'regular'
    UNION ALL
    SELECT
        season,
        'shutouts',
        CAST(shutouts AS DOUBLE),
        -CAST(shutouts AS DOUBLE),
        * EXCLUDE (season)
    FROM nhl_goalie_seasons WHERE phase = 'regular'
)

SELECT
    season,
    stat,
    player_id,
    player_name,
    team_abbr,
    value,
    gp,
    wins,
    save_pct,
    gaa,
    shutouts,
    qualified,
    CASE
        WHEN qualified AND value IS NOT NULL
            THEN rank() OVER (PARTITION BY season, stat, qualified AND value IS NOT NULL ORDER BY sorted)
    END AS rank
FROM long
