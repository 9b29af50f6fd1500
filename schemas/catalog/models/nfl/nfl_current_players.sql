-- Players of the newest season of weekly lines, each with his weeks, injury reports and places in depth
-- charts.
WITH newest AS (
    SELECT max(season) AS season FROM nfl_player_weeks WHERE week IS NOT NULL
),

weeks AS (
    SELECT
        coalesce(w.player_id, w.profile_id) AS player_key,
        max(w.player_id) AS player_id,
        max(w.profile_id) AS profile_id,
        max(w.player_name) AS player_name,
        max(w.position) AS position,
        arg_max(w.team_id, w.week) AS team_id,
        list({
            week: w.week, team: w.team_id, opponent: w.opponent, passing_yards: w.passing_yards,
            passing_touchdowns: w.passing_touchdowns, interceptions: w.interceptions_thrown, carries: w.carries,
            rushing_yards: w.rushing_yards, rushing_touchdowns: w.rushing_touchdowns, targets: w.targets,
            receptions: w.receptions, receiving_yards: w.receiving_yards, receiving_touchdowns: w.receiving_touchdowns,
            touches: w.touches, fumbles: w.fumbles, field_goals_made: w.field_goals_made,
            extra_points_made: w.extra_points_made
        } ORDER BY w.week) AS weeks
    FROM nfl_player_weeks AS w JOIN newest USING (season) WHERE w.week IS NOT NULL GROUP BY 1
),

injuries AS (
    SELECT
        i.player_id AS player_key,
        max(i.player_name) AS player_name,
        max(i.position) AS position,
        arg_max(i.team_id, (i.week, i.team_id)) AS team_id,
        list(
            {
                week: i.week, team: i.team_id, game_injury: i.game_injury, game_status: i.game_status,
                practice_injury: i.practice_injury, practice_status: i.practice_status
            } ORDER BY i.week, i.team_id
        ) AS injuries
    FROM nfl_injuries AS i JOIN newest USING (season) GROUP BY i.player_id
),

depth AS (
    SELECT
        d.player_key,
        max(d.player_name) AS player_name,
        arg_max(d.position, (d.last_seen_on, d.position)) AS position,
        arg_max(d.team_id, (d.last_seen_on, d.team_id)) AS team_id,
        max(d.espn_id) AS espn_id,
        list({
            team: d.team_id, position: d.position, rank: d.rank, last_seen_on: d.last_seen_on,
            is_in_whole_chart: d.is_in_whole_chart
        }
        ORDER BY d.last_seen_on DESC, d.team_id, d.position, d.slot) AS depth
    FROM nfl_depth_charts AS d JOIN newest USING (season) GROUP BY d.player_key
),

keys AS (
    SELECT player_key FROM weeks
    UNION
    SELECT player_key FROM injuries
    UNION
    SELECT player_key FROM depth
)

SELECT
    n.season,
    k.player_key,
    CASE WHEN k.player_key LIKE '00-%' THEN k.player_key END AS player_id,
    coalesce(w.profile_id, p.profile_id) AS profile_id,
    coalesce(p.espn_id, d.espn_id) AS espn_id,
    coalesce(p.player_name, w.player_name, i.player_name, d.player_name) AS player_name,
    coalesce(w.position, p.position, i.position, d.position) AS position,
    coalesce(d.team_id, i.team_id, w.team_id) AS team_id,
    w.weeks,
    i.injuries,
    d.depth
FROM keys AS k CROSS JOIN newest AS n
LEFT JOIN weeks AS w USING (player_key)
LEFT JOIN injuries AS i USING (player_key)
LEFT JOIN depth AS d USING (player_key)
LEFT JOIN nfl_players AS p ON p.player_id = k.player_key
