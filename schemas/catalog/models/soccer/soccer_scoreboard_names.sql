-- Names of teams on recorded scoreboards, with the country of the league.
SELECT
    home_name AS name,
    country
FROM soccer_scoreboard_matches
UNION
SELECT
    away_name,
    country
FROM soccer_scoreboard_matches
