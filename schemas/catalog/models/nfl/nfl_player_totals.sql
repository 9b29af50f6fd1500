-- Totals of players by season and statistic: of 2018 and 2019 from box scores of the regular season (targets
-- from plays), else from the line of the season, or the sum of its weeks where the list has none of the
-- season.
WITH boxes AS (
    SELECT
        season,
        player_id,
        max(position) AS position,
        max(player_name) AS player_name,
        arg_max(team_id, (league_date, game_id)) AS team_id,
        count(DISTINCT game_id) AS games,
        sum(yards) FILTER (category = 'passing') AS passing_yards,
        sum(touchdowns) FILTER (category = 'passing') AS passing_touchdowns,
        sum(interceptions_thrown) FILTER (category = 'passing') AS interceptions_thrown,
        sum(completions) FILTER (category = 'passing') AS completions,
        sum(attempts) FILTER (category = 'passing') AS pass_attempts,
        sum(yards) FILTER (category = 'rushing') AS rushing_yards,
        sum(touchdowns) FILTER (category = 'rushing') AS rushing_touchdowns,
        sum(attempts) FILTER (category = 'rushing') AS carries,
        sum(receptions) FILTER (category = 'receiving') AS receptions,
        sum(yards) FILTER (category = 'receiving') AS receiving_yards,
        sum(touchdowns) FILTER (category = 'receiving') AS receiving_touchdowns,
        sum(tackles) FILTER (category = 'defence') AS tackles,
        CAST(sum(CAST(2 * sacks AS INTEGER)) FILTER (category = 'defence') AS DOUBLE) / 2 AS sacks,
        sum(interceptions) FILTER (category = 'defence') AS interceptions,
        sum(forced_fumbles) FILTER (category = 'defence') AS forced_fumbles,
        sum(field_goals_made) FILTER (category = 'kicking') AS field_goals_made,
        sum(extra_points_made) FILTER (category = 'kicking') AS extra_points_made
    FROM nfl_box_players WHERE phase = 'regular' GROUP BY season, player_id
),

aimed AS (
    SELECT
        g.season,
        s.player_id,
        count(*) AS targets
    FROM nfl_gamecenter_play_stats AS s
    JOIN nfl_games AS g USING (game_id)
    WHERE s.stat_id = 115 AND g.phase = 'regular' GROUP BY g.season, s.player_id
),

spans AS (
    SELECT
        season,
        bool_or(week IS NULL) AS has_total
    FROM nfl_player_weeks GROUP BY season
),

weekly AS (
    SELECT
        w.season,
        coalesce(max(w.player_id), w.profile_id) AS player_id,
        max(w.position) AS position,
        max(w.player_name) AS player_name,
        arg_max(w.team_id, coalesce(w.week, 0)) AS team_id,
        CASE WHEN bool_or(w.week IS NOT NULL) THEN count(*) END AS games,
        sum(w.passing_yards) AS passing_yards,
        sum(w.passing_touchdowns) AS passing_touchdowns,
        sum(w.interceptions_thrown) AS interceptions_thrown,
        sum(w.rushing_yards) AS rushing_yards,
        sum(w.rushing_touchdowns) AS rushing_touchdowns,
        sum(w.carries) AS carries,
        sum(w.receptions) AS receptions,
        sum(w.receiving_yards) AS receiving_yards,
        sum(w.receiving_touchdowns) AS receiving_touchdowns,
        sum(w.targets) AS targets,
        sum(w.field_goals_made) AS field_goals_made,
        sum(w.extra_points_made) AS extra_points_made
    FROM nfl_player_weeks AS w JOIN spans AS s USING (season)
    WHERE s.has_total = (w.week IS NULL) AND w.season NOT IN (SELECT season FROM boxes)
    GROUP BY w.season, w.profile_id
)

SELECT
    b.*,
    a.targets
FROM boxes AS b LEFT JOIN aimed AS a USING (season, player_id)
UNION ALL BY NAME
SELECT * FROM weekly
