-- A version of DNA holds from the day after a final game, and one of tracking from a day by which a week of
-- games was over.
SELECT DISTINCT
    player_id,
    valid_from
FROM nfl_player_dna
WHERE valid_from NOT IN (SELECT league_date + 1 FROM nfl_games WHERE status = 'final' AND league_date IS NOT NULL)
UNION ALL
SELECT
    d.player_id,
    d.valid_from
FROM (SELECT
    player_id,
    valid_from,
    max(games) AS games
FROM nfl_qb_tracking_dna GROUP BY ALL) AS d
LEFT JOIN
    (SELECT
        season,
        week,
        max(league_date) AS ends_on
    FROM nfl_games WHERE phase = 'regular' AND status = 'final' GROUP BY season, week) AS w
    ON w.ends_on < d.valid_from
GROUP BY d.player_id, d.valid_from, d.games HAVING d.games > count(w.week)
