-- Batters of tracked games by season, in the order of each value by which they may be sorted.
WITH sums AS (
    SELECT
        season,
        batter_id AS player_id,
        count(DISTINCT game_id) AS games,
        count(*) AS pitches,
        sum(coalesce(in_play, 0)) AS batted,
        count(exit_speed) FILTER (in_play = 1) AS measured,
        sum(CAST(round(10 * exit_speed) AS BIGINT)) FILTER (in_play = 1) AS exit_speed_e1,
        max(exit_speed) FILTER (in_play = 1) AS exit_speed_max,
        count(*) FILTER (in_play = 1 AND exit_speed >= 95) AS hard_hit,
        sum(CAST(round(launch_angle) AS BIGINT)) FILTER (in_play = 1) AS angles,
        count(launch_angle) FILTER (in_play = 1) AS angled,
        sum(swing) AS swings,
        sum(miss) AS misses,
        sum(CAST(round(1000 * stated_xwoba) AS BIGINT)) FILTER (in_play = 1) AS xwoba_e3,
        count(stated_xwoba) FILTER (in_play = 1) AS estimated
    FROM mlb_pitch_counts GROUP BY season, batter_id
),

rates AS (
    SELECT
        season,
        player_id,
        games,
        pitches,
        batted,
        exit_speed_e1 / 10.0 / nullif(measured, 0) AS exit_speed_mean,
        exit_speed_max,
        CAST(hard_hit AS DOUBLE) / nullif(measured, 0) AS hard_hit_share,
        CAST(angles AS DOUBLE) / nullif(angled, 0) AS launch_angle,
        CAST(misses AS DOUBLE) / nullif(swings, 0) AS whiff_share,
        xwoba_e3 / 1000.0 / nullif(estimated, 0) AS xwoba_mean
    FROM sums
),

long AS (
    SELECT
        season,
        player_id,
        unnest(
            [
                'exit_speed_mean',
                'exit_speed_max',
                'hard_hit_share',
                'launch_angle',
                'whiff_share',
                'xwoba_mean',
                'batted',
                'pitches'
            ]
        )
            AS sorted_by,
        unnest(
            [
                exit_speed_mean, exit_speed_max, hard_hit_share, launch_angle, whiff_share, xwoba_mean, batted, pitches
            ]::DOUBLE[]
        ) AS value
    FROM rates
)

SELECT
    l.season,
    l.sorted_by,
    CAST(
        row_number() OVER (PARTITION BY l.season, l.sorted_by ORDER BY l.value DESC NULLS LAST, r.player_id) AS INTEGER
    ) AS place,
    r.player_id,
    coalesce(i.player_name, m.name) AS player_name,
    r.* EXCLUDE (season, player_id)
FROM long AS l JOIN rates AS r USING (season, player_id) LEFT JOIN mlb_players AS i ON i.player_id = r.player_id
LEFT JOIN mlb_minor_players AS m ON m.player_id = r.player_id
