-- Who wore a number in a game. A number that two of a team have is nobody's.
SELECT
    game_id,
    team_abbr,
    sweater_number,
    min(player_id) AS player_id,
    min(player_name) AS player_name,
    min(position) AS position
FROM nhl_player_games WHERE sweater_number IS NOT NULL GROUP BY game_id, team_abbr, sweater_number HAVING count(*) = 1
