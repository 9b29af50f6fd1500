-- Names of clubs by season, of every source that states them, the best first. Retrosheet keeps the city under
-- which a club was founded or once played: since 2005 its Angels are Los Angeles', to 2015 "of Anaheim".
SELECT
    team_ref AS team_id,
    season,
    name,
    abbr,
    venue,
    1 AS preference
FROM mlb_statsapi_recorded_teams
UNION ALL
SELECT
    team_ref,
    season,
    name,
    abbr,
    venue,
    2
FROM mlb_statsapi_recorded_team_pages
UNION ALL
SELECT
    team_ref,
    season,
    team_name,
    NULL,
    NULL,
    3
FROM mlb_statsapi_season_2025_teams
UNION ALL
SELECT
    c.team_id,
    CAST(t.year AS VARCHAR),
    CASE WHEN t.club_code = 'ANA' AND t.year >= 2005 THEN c.city ELSE t.city END || ' ' || t.nickname
    || CASE WHEN t.club_code = 'ANA' AND t.year BETWEEN 2005 AND 2015 THEN ' of Anaheim' ELSE '' END,
    NULL,
    NULL,
    4
FROM mlb_retrosheet_clubs AS t JOIN mlb_clubs AS c ON c.retro_code = t.club_code
