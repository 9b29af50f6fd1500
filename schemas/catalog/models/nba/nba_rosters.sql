-- Players of teams in a season, as listed: of the league's own feed before a list of all teams. A rookie has
-- no year of experience.
WITH told AS (
    SELECT
        1 AS preference,
        team_id,
        first_year || '-' || printf('%02d', (TRY_CAST(first_year AS INTEGER) + 1) % 100) AS season,
        player_id,
        player_name,
        number,
        position,
        height_in,
        weight_lb,
        born_on,
        experience,
        school,
        acquired
    FROM nba_stats_recorded_rosters WHERE regexp_full_match(first_year, '[0-9]{4}')
    UNION ALL
    SELECT
        2,
        team_id,
        season,
        player_id,
        player_name,
        number,
        position,
        height_in,
        weight_lb,
        born_on,
        experience,
        school,
        acquired
    FROM nba_season_2023_26_rosters
)

SELECT
    r.team_id,
    r.season,
    r.player_id,
    c.abbr AS team_abbr,
    r.player_name,
    r.number,
    r.position,
    r.height_in,
    r.weight_lb,
    r.born_on,
    CASE WHEN r.experience = 'R' THEN 0 ELSE TRY_CAST(r.experience AS INTEGER) END AS experience_years,
    r.school,
    r.acquired
FROM told AS r JOIN nba_clubs AS c USING (team_id)
QUALIFY row_number() OVER (PARTITION BY r.team_id, r.season, r.player_id ORDER BY r.preference) = 1
