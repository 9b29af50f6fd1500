-- Players of a season in the order of each column by which they may be sorted.
WITH long AS (
    UNPIVOT (SELECT
        season,
        player_id,
        CAST(games AS DOUBLE) AS games,
        minutes,
        CAST(points AS DOUBLE) AS points,
        CAST(rebounds AS DOUBLE) AS rebounds,
        CAST(assists AS DOUBLE) AS assists,
        CAST(steals AS DOUBLE) AS steals,
        CAST(blocks AS DOUBLE) AS blocks,
        CAST(turnovers AS DOUBLE) AS turnovers,
        CAST(threes AS DOUBLE) AS threes,
        points_per_game,
        rebounds_per_game,
        assists_per_game,
        points_per_36,
        true_shooting,
        usage_share
    FROM wnba_player_seasons)
    ON games,
    minutes,
    points,
    rebounds,
    assists,
    steals,
    blocks,
    turnovers,
    threes,
    points_per_game,
    rebounds_per_game,
    assists_per_game,
    points_per_36, true_shooting, usage_share INTO NAME sorted_by VALUE value
)

SELECT
    l.season,
    l.sorted_by,
    row_number() OVER (PARTITION BY l.season, l.sorted_by ORDER BY l.value DESC, l.player_id) AS place,
    p.* EXCLUDE (season)
FROM long AS l JOIN wnba_player_seasons AS p USING (season, player_id)
