-- Skaters by season: sums of their lines, divided once.
WITH lines AS (
    SELECT
        *,
        row_number() OVER (PARTITION BY player_id, season, phase ORDER BY league_date DESC, game_id DESC) AS nth
    FROM nhl_skater_games WHERE phase IN ('regular', 'playoffs')
),

sums AS (
    SELECT
        player_id,
        season,
        phase,
        max(player_name) FILTER (nth = 1) AS player_name,
        max(team_abbr)
        FILTER (nth = 1) AS team_abbr,
        count(*) AS gp,
        sum(goals) AS goals,
        sum(assists) AS assists,
        sum(points) AS points,
        sum(plus_minus) AS plus_minus,
        sum(pim) AS pim,
        sum(shots_on_goal) AS shots_on_goal,
        sum(hits) AS hits,
        sum(blocked_shots) AS blocked_shots,
        sum(power_play_goals) AS power_play_goals,
        sum(toi_secs) AS toi_secs
    FROM lines GROUP BY ALL
)

SELECT
    *,
    CAST(goals AS DOUBLE) / gp AS goals_per_game,
    CAST(points AS DOUBLE) / gp AS points_per_game,
    CAST(toi_secs AS DOUBLE) / gp AS toi_per_game_secs,
    CAST(goals * 3600 AS DOUBLE) / nullif(toi_secs, 0) AS goals_per_60,
    CAST(points * 3600 AS DOUBLE) / nullif(toi_secs, 0) AS points_per_60,
    CAST(shots_on_goal * 3600 AS DOUBLE) / nullif(toi_secs, 0) AS shots_per_60,
    CAST(goals AS DOUBLE) / nullif(shots_on_goal, 0) AS shooting_pct
FROM sums
