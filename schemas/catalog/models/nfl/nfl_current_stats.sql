-- Totals of players in the newest season of weekly lines, once for each total by which they can be ordered;
-- who has none of it is left out there.
WITH long AS (
    UNPIVOT (SELECT
        profile_id,
        CAST(passing_yards AS BIGINT) AS passing_yards,
        CAST(passing_touchdowns AS BIGINT) AS passing_touchdowns,
        CAST(interceptions AS BIGINT) AS interceptions,
        CAST(rushing_yards AS BIGINT) AS rushing_yards,
        CAST(rushing_touchdowns AS BIGINT) AS rushing_touchdowns,
        CAST(carries AS BIGINT) AS carries,
        CAST(receptions AS BIGINT) AS receptions,
        CAST(receiving_yards AS BIGINT) AS receiving_yards,
        CAST(receiving_touchdowns AS BIGINT) AS receiving_touchdowns,
        CAST(targets AS BIGINT) AS targets,
        CAST(touches AS BIGINT) AS touches,
        CAST(fumbles AS BIGINT) AS fumbles,
        CAST(field_goals_made AS BIGINT) AS field_goals_made,
        CAST(extra_points_made AS BIGINT) AS extra_points_made
    FROM nfl_current_sums)
    ON passing_yards,
    passing_touchdowns,
    interceptions,
    rushing_yards,
    rushing_touchdowns,
    carries,
    receptions,
    receiving_yards,
    receiving_touchdowns, targets, touches, fumbles, field_goals_made, extra_points_made INTO NAME sorted_by VALUE total
)

SELECT
    l.sorted_by,
    CAST(row_number() OVER (PARTITION BY l.sorted_by ORDER BY l.total DESC, s.player_name, s.profile_id) AS INTEGER)
        AS place,
    s.*
FROM long AS l JOIN nfl_current_sums AS s USING (profile_id)
