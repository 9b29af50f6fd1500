-- Players of teams by season. Lists of a season are named by the year in which it ends; lists of a day belong
-- to the season that holds the day, and tell forwards apart from defenders only, so that they count where
-- there is no list of the season.
WITH of_days AS (
    SELECT
        *,
        CAST(year(as_of) - CASE WHEN month(as_of) < 7 THEN 1 ELSE 0 END AS INTEGER) AS begins
    FROM nhl_odds_2025_26_rosters
),

told AS (
    SELECT
        1 AS preference,
        team_abbr,
        CAST(
            TRY_CAST(file_season AS INTEGER) - 1 AS VARCHAR) || '-' || substr(
            file_season,
            3, 2
        ) AS season,
        player_id,
        full_name AS name,
        position,
        sweater_number,
        CAST(NULL AS DATE) AS as_of,
        file,
        line
    FROM nhl_boxes_rosters WHERE regexp_full_match(file_season, '[0-9]{4}')
    UNION ALL
    SELECT
        2,
        team_abbr,
        CAST(begins AS VARCHAR) || '-' || substr(CAST(begins + 1 AS VARCHAR), 3, 2),
        player_id,
        name,
        position,
        NULL,
        as_of,
        file,
        line
    FROM of_days
),

chosen AS (
    SELECT
        *,
        min(preference) OVER (PARTITION BY season) AS preferred,
        max(as_of) OVER (PARTITION BY season, preference) AS newest
    FROM told
),

listed AS (
    SELECT
        *,
        row_number() OVER (PARTITION BY team_abbr, season, player_id ORDER BY file, line) AS nth
    FROM chosen WHERE preference = preferred AND as_of IS NOT DISTINCT FROM newest
)

SELECT
    team_abbr,
    season,
    player_id,
    name,
    position,
    sweater_number,
    as_of
FROM listed WHERE nth = 1
