-- Players of a season by rank in each statistic; who has none of it, or nothing stated, is left out.
WITH long AS (
    UNPIVOT (SELECT
        season,
        player_id,
        CAST(passing_yards AS DOUBLE) AS passing_yards,
        CAST(passing_touchdowns AS DOUBLE) AS passing_touchdowns,
        CAST(interceptions_thrown AS DOUBLE) AS interceptions_thrown,
        CAST(completions AS DOUBLE) AS completions,
        CAST(pass_attempts AS DOUBLE) AS pass_attempts,
        CAST(rushing_yards AS DOUBLE) AS rushing_yards,
        CAST(rushing_touchdowns AS DOUBLE) AS rushing_touchdowns,
        CAST(carries AS DOUBLE) AS carries,
        CAST(receptions AS DOUBLE) AS receptions,
        CAST(receiving_yards AS DOUBLE) AS receiving_yards,
        CAST(receiving_touchdowns AS DOUBLE) AS receiving_touchdowns,
        CAST(targets AS DOUBLE) AS targets,
        CAST(tackles AS DOUBLE) AS tackles,
        sacks,
        CAST(interceptions AS DOUBLE) AS interceptions,
        CAST(forced_fumbles AS DOUBLE) AS forced_fumbles,
        CAST(field_goals_made AS DOUBLE) AS field_goals_made,
        CAST(extra_points_made AS DOUBLE) AS extra_points_made
    FROM nfl_player_totals)
    ON passing_yards,
    passing_touchdowns,
    interceptions_thrown,
    completions,
    pass_attempts,
    rushing_yards,
    rushing_touchdowns,
    carries,
    receptions, receiving_yards, receiving_touchdowns, targets, tackles, sacks, interceptions, forced_fumbles,
    field_goals_made, extra_points_made INTO NAME stat VALUE value
)

SELECT
    l.season,
    l.stat,
    CAST(rank() OVER (PARTITION BY l.season, l.stat ORDER BY l.value DESC) AS INTEGER) AS rank,
    l.player_id,
    t.player_name,
    t.position,
    t.team_id,
    l.value,
    t.games
FROM long AS l JOIN nfl_player_totals AS t USING (season, player_id) WHERE l.value <> 0
