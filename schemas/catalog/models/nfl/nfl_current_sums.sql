-- Sums of the weekly lines of the newest season of them.
WITH newest AS (
    SELECT max(season) AS season FROM nfl_player_weeks WHERE week IS NOT NULL
)

SELECT
    w.season,
    w.profile_id,
    max(w.player_id) AS player_id,
    max(w.player_name) AS player_name,
    max(w.position) AS position,
    arg_max(w.team_id, w.week) AS team_id,
    count(*) AS weeks,
    max(w.week) AS last_week,
    sum(w.passing_yards) AS passing_yards,
    sum(w.passing_touchdowns) AS passing_touchdowns,
    sum(w.interceptions_thrown) AS interceptions,
    sum(w.rushing_yards) AS rushing_yards,
    sum(w.rushing_touchdowns) AS rushing_touchdowns,
    sum(w.carries) AS carries,
    sum(w.receptions) AS receptions,
    sum(w.receiving_yards) AS receiving_yards,
    sum(w.receiving_touchdowns) AS receiving_touchdowns,
    sum(w.targets) AS targets,
    sum(w.touches) AS touches,
    sum(w.fumbles) AS fumbles,
    sum(w.field_goals_made) AS field_goals_made,
    sum(w.extra_points_made) AS extra_points_made
FROM nfl_player_weeks AS w JOIN newest USING (season) WHERE w.week IS NOT NULL GROUP BY w.season, w.profile_id
