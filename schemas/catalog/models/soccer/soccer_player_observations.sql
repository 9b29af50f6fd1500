-- What DNA of players is made of: a row for each player and league match that he played in, in the pool of
-- his position. Cups are left out, since the source has those of few clubs, and goalkeepers have no metrics.
-- Expected goals are counted in ten thousandths, since the engine sums whole numbers.
SELECT
    p.player_slug,
    p.player_code,
    f.position,
    l.season,
    l.match_date,
    l.minutes_played * 60 AS played_secs,
    l.goals,
    l.total_shots,
    CAST(round(l.xg * 10000) AS INTEGER) AS xg_e4,
    CAST(round(l.xa * 10000) AS INTEGER) AS xa_e4,
    l.touches_opposition_box,
    l.chances_created,
    l.final_third_passes,
    l.successful_dribbles,
    l.tackles_won,
    l.interceptions,
    l.recoveries,
    l.clearances,
    l.duels_won,
    l.duels_lost
FROM soccer_player_lines AS l
JOIN soccer_competitions AS k ON k.slug = l.competition AND k.code IS NOT NULL AND k.country IS NOT NULL
JOIN soccer_players AS p ON p.player_code = l.player_code
JOIN (SELECT DISTINCT
    season,
    player_code,
    position
FROM soccer_feed_players) AS f
    ON f.season = l.season AND f.player_code = l.player_code
WHERE l.minutes_played > 0 AND f.position IN ('defender', 'midfielder', 'forward')
