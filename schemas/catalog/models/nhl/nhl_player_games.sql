-- Skaters and goalies together: what one kind has not is null for the other.
SELECT * FROM nhl_skater_games
UNION ALL BY NAME
SELECT
    *,
    'G' AS position
FROM nhl_goalie_games
