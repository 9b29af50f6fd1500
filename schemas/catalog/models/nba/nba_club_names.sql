-- Every name under which a source may write a club.
SELECT
    city || ' ' || name AS spelling,
    team_id
FROM nba_clubs
UNION
SELECT
    spelling,
    team_id
FROM nba_spellings
