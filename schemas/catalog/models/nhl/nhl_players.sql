-- Players: full names from rosters and the list of goalies, else the short ones of boxes; the newest team
-- that names them. A place on the ice that tells more counts before a newer one that tells less, and a number
-- counts in the team that gave it.
WITH seen AS (
    SELECT
        player_id,
        season || '-09-01' AS seen_on,
        season,
        name,
        1 AS quality,
        position,
        sweater_number,
        team_abbr
    FROM nhl_rosters
    UNION ALL
    SELECT
        player_id,
        CAST(league_date AS VARCHAR),
        season,
        player_name,
        3,
        position,
        sweater_number,
        team_abbr
    FROM nhl_skater_games
    UNION ALL
    SELECT
        player_id,
        CAST(league_date AS VARCHAR),
        season,
        player_name,
        3,
        'G',
        sweater_number,
        team_abbr
    FROM nhl_goalie_games
    UNION ALL
    SELECT
        player_id,
        NULL,
        NULL,
        name,
        2,
        'G',
        NULL,
        NULL
    FROM nhl_shots_goalies
),

named AS (
    SELECT
        player_id,
        name,
        row_number() OVER (PARTITION BY player_id ORDER BY quality, seen_on DESC NULLS LAST, name) AS nth
    FROM seen WHERE name IS NOT NULL
),

ordered AS (
    SELECT
        player_id,
        position,
        sweater_number,
        team_abbr,
        season,
        row_number() OVER (
            PARTITION BY
                player_id ORDER BY
                season DESC NULLS LAST, quality DESC,
                seen_on DESC NULLS LAST, team_abbr, sweater_number
        ) AS nth
    FROM seen
),

placed AS (
    SELECT
        player_id,
        coalesce(arg_min(position, nth) FILTER (position <> 'F'), arg_min(position, nth)) AS position,
        arg_min(team_abbr, nth) AS team_abbr,
        arg_min(season, nth) AS season,
        arg_min(struct_pack(number := sweater_number, team := team_abbr), nth) FILTER (sweater_number IS NOT NULL)
            AS numbered
    FROM ordered GROUP BY player_id
)

SELECT
    p.player_id,
    n.name,
    p.position,
    CASE
        WHEN p.numbered.team = p.team_abbr THEN p.numbered.number
    END AS sweater_number,
    p.team_abbr,
    coalesce(c.catches, g.catches) AS catches,
    p.season AS last_season
FROM placed AS p LEFT JOIN named AS n ON n.player_id = p.player_id AND n.nth = 1
LEFT JOIN nhl_shots_catches AS c ON c.player_id = p.player_id
LEFT JOIN nhl_shots_goalies AS g ON g.player_id = p.player_id
