-- No version of DNA rests on more games than the goalie had played before its day.
SELECT
    d.player_id,
    d.valid_from
FROM (SELECT
    player_id,
    valid_from,
    max(games) AS games
FROM nhl_goalie_dna GROUP BY ALL) AS d
LEFT JOIN nhl_goalie_games AS g ON g.player_id = d.player_id AND g.league_date < d.valid_from
GROUP BY d.player_id, d.valid_from, d.games HAVING d.games > count(g.game_id)
