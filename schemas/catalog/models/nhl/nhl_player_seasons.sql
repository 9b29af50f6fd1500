-- Skaters and goalies together: what one kind has not is null for the other.
SELECT * FROM nhl_skater_seasons
UNION ALL BY NAME
SELECT * FROM nhl_goalie_seasons
