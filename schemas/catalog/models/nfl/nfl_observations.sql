-- What DNA of players is made of: a row for each player with a statistic in a regular game, from the
-- statistic ids of its plays. Gains of 20 yards by pass and of 10 by run are explosive.
WITH acted AS (
    SELECT
        s.game_id,
        s.player_id,
        s.stat_id,
        CAST(s.yards AS INTEGER) AS yards
    FROM nfl_gamecenter_play_stats AS s WHERE s.player_id <> '0'
),

clubs AS (
    SELECT
        game_id,
        player_id,
        min(team_id) AS team_id
    FROM nfl_box_players GROUP BY game_id, player_id
),

sums AS (
    SELECT
        game_id,
        player_id,
        count(*) FILTER (stat_id IN (14, 15, 16, 19)) AS attempts,
        count(*) FILTER (stat_id IN (15, 16)) AS completions,
        count(*) FILTER (stat_id = 19) AS interceptions,
        count(*) FILTER (stat_id = 16) AS passing_touchdowns,
        count(*) FILTER (stat_id = 20) AS sacks,
        count(*) FILTER (stat_id IN (14, 15, 16, 19, 20)) AS dropbacks,
        coalesce(sum(yards) FILTER (stat_id IN (15, 16)), 0) AS passing_yards,
        count(*) FILTER (stat_id IN (15, 16) AND yards >= 20) AS explosive_passes,
        count(*) FILTER (stat_id IN (10, 11)) AS carries,
        coalesce(sum(yards) FILTER (stat_id IN (10, 11, 12, 13)), 0) AS rushing_yards,
        count(*) FILTER (stat_id IN (10, 11) AND yards >= 10) AS explosive_runs,
        count(*) FILTER (stat_id IN (10, 11) AND yards <= 0) AS stuffed_runs,
        count(*) FILTER (stat_id = 115) AS targets,
        count(*) FILTER (stat_id IN (21, 22)) AS receptions,
        coalesce(sum(yards) FILTER (stat_id IN (21, 22, 23, 24)), 0) AS receiving_yards,
        coalesce(sum(yards) FILTER (stat_id = 113), 0) AS yards_after_catch,
        count(*) FILTER (stat_id IN (21, 22) AND yards >= 20) AS explosive_receptions
    FROM acted GROUP BY game_id, player_id
)

SELECT
    s.player_id,
    p.player_name,
    g.season,
    g.league_date,
    s.game_id,
    c.team_id,
    CASE p.position WHEN 'FB' THEN 'RB' ELSE p.position END AS position,
    1 AS games,
    s.* EXCLUDE (game_id, player_id),
    s.carries + s.receptions AS touches,
    s.rushing_yards + s.receiving_yards AS touch_yards
FROM sums AS s JOIN nfl_games AS g USING (game_id) JOIN nfl_players AS p USING (player_id)
LEFT JOIN clubs AS c USING (game_id, player_id)
WHERE g.phase = 'regular' AND g.league_date IS NOT NULL
