-- No version of an umpire's DNA rests on more games than he had called before its day.
SELECT
    d.umpire_id,
    d.valid_from
FROM (SELECT
    umpire_id,
    valid_from,
    max(games) AS games
FROM mlb_umpire_dna GROUP BY ALL) AS d
LEFT JOIN mlb_umpires AS g ON g.umpire_id = d.umpire_id AND g.league_date < d.valid_from
GROUP BY d.umpire_id, d.valid_from, d.games HAVING d.games > count(g.game_id)
