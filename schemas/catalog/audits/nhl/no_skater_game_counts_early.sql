-- No version of DNA rests on more games than the skater had played before its day.
SELECT
    d.player_id,
    d.valid_from
FROM (SELECT
    player_id,
    valid_from,
    max(games) AS games
FROM nhl_skater_dna GROUP BY ALL) AS d
LEFT JOIN nhl_skater_games AS g
    ON g.player_id = d.player_id AND g.league_date < d.valid_from AND g.phase = 'regular'
GROUP BY d.player_id, d.valid_from, d.games HAVING d.games > count(g.game_id)
