-- No version of DNA rests on more games than the player had played before its day.
SELECT
    d.player_id,
    d.valid_from
FROM (SELECT
    player_id,
    valid_from,
    max(games) AS games
FROM nba_player_dna GROUP BY ALL) AS d
LEFT JOIN nba_box_players AS g
    ON g.player_id = d.player_id AND g.league_date < d.valid_from AND g.phase = 'regular' AND g.secs > 0
GROUP BY d.player_id, d.valid_from, d.games HAVING d.games > count(g.game_id)
