-- Standings, with the newest recorded official table of the season beside them. A season that is listed and
-- has no final game yet shows the table of the season before it, and says so.
WITH upcoming AS (
    SELECT season FROM nhl_listed_seasons
    WHERE season NOT IN (
        SELECT season FROM nhl_season_standings) AND season IN (
        SELECT season FROM nhl_team_games
        WHERE phase = 'regular'
    )
),

before AS (
    SELECT
        u.season,
        max(t.season) AS prior
    FROM upcoming AS u
    JOIN nhl_season_standings AS t ON t.season < u.season
    GROUP BY ALL
),

tables AS (
    SELECT
        season AS shown_in,
        false AS is_prior_season_final,
        *
    FROM nhl_season_standings
    UNION ALL
    SELECT
        b.season,
        true,
        t.*
    FROM before AS b JOIN nhl_season_standings AS t ON t.season = b.prior
),

recorded AS (
    SELECT
        season_code,
        game_type,
        team_abbr,
        as_of,
        points,
        1 AS preference
    FROM nhl_api_web_recorded_standings
    UNION ALL
    SELECT
        season_code,
        game_type,
        team_abbr,
        as_of,
        points,
        2
    FROM nhl_api_web_examples_standings
),

official AS (
    SELECT
        substr(season_code, 1, 4) || '-' || substr(season_code, 7, 2) AS season,
        team_abbr,
        as_of,
        points,
        row_number() OVER (PARTITION BY season_code, team_abbr ORDER BY as_of DESC, preference) AS nth
    FROM recorded WHERE game_type = '2' AND points IS NOT NULL
)

SELECT
    t.* EXCLUDE (shown_in, season),
    t.shown_in AS season,
    coalesce(n.name, c.name) AS team_name,
    c.conference,
    c.division,
    o.as_of AS official_as_of,
    o.points AS official_points
FROM tables AS t LEFT JOIN nhl_clubs AS c ON c.abbr = t.team_abbr
LEFT JOIN nhl_renamed AS n ON n.abbr = t.team_abbr AND t.season >= n.from_season
LEFT JOIN official AS o ON o.season = t.season AND o.team_abbr = t.team_abbr AND o.nth = 1
