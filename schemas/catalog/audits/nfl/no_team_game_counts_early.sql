-- No version of DNA of teams rests on more games than the team had played before its day.
SELECT
    d.team_id,
    d.valid_from
FROM (SELECT
    team_id,
    valid_from,
    max(games) AS games
FROM nfl_team_dna GROUP BY ALL) AS d
LEFT JOIN nfl_team_games AS g
    ON g.team_id = d.team_id AND g.league_date < d.valid_from AND g.phase = 'regular' AND g.status = 'final'
GROUP BY d.team_id, d.valid_from, d.games HAVING d.games > count(g.game_id)
