-- Statistics of both teams in a match, a row each, in the order in which the source has them. What it leaves empty for
-- both teams has no row, nor have statistics that were taken before the end of a match.
WITH stated AS (
    SELECT b.match_id, b.feed_id, m.*
    FROM soccer_league_player_matches_matches AS m
    JOIN soccer_match_base AS b ON b.feed_id = m.source_match_id
    WHERE b.feed_id NOT IN (SELECT feed_id FROM soccer_unfinished_feeds)
),
long AS (
              SELECT match_id, feed_id, 1 AS seq, 'possession' AS stat, 'percent' AS unit,
                  CAST(home_possession AS DOUBLE) AS home, CAST(away_possession AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 2 AS seq, 'xg' AS stat, 'goals' AS unit,
        CAST(home_expected_goals_xg AS DOUBLE) AS home, CAST(away_expected_goals_xg AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 3 AS seq, 'total_shots' AS stat, 'count' AS unit,
        CAST(home_total_shots AS DOUBLE) AS home, CAST(away_total_shots AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 4 AS seq, 'shots_on_target' AS stat, 'count' AS unit,
        CAST(home_shots_on_target AS DOUBLE) AS home, CAST(away_shots_on_target AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 5 AS seq, 'big_chances' AS stat, 'count' AS unit,
        CAST(home_big_chances AS DOUBLE) AS home, CAST(away_big_chances AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 6 AS seq, 'big_chances_missed' AS stat, 'count' AS unit,
        CAST(home_big_chances_missed AS DOUBLE) AS home, CAST(away_big_chances_missed AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 7 AS seq, 'accurate_passes' AS stat, 'count' AS unit,
        CAST(home_accurate_passes AS DOUBLE) AS home, CAST(away_accurate_passes AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 8 AS seq, 'accurate_passes_pct' AS stat, 'percent' AS unit,
        CAST(home_accurate_passes_pct AS DOUBLE) AS home, CAST(away_accurate_passes_pct AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 9 AS seq, 'fouls_committed' AS stat, 'count' AS unit,
        CAST(home_fouls_committed AS DOUBLE) AS home, CAST(away_fouls_committed AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 10 AS seq, 'corners' AS stat, 'count' AS unit,
        CAST(home_corners AS DOUBLE) AS home, CAST(away_corners AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 11 AS seq, 'xg_open_play' AS stat, 'goals' AS unit,
        CAST(home_xg_open_play AS DOUBLE) AS home, CAST(away_xg_open_play AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 12 AS seq, 'xg_set_play' AS stat, 'goals' AS unit,
        CAST(home_xg_set_play AS DOUBLE) AS home, CAST(away_xg_set_play AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 13 AS seq, 'non_penalty_xg' AS stat, 'goals' AS unit,
        CAST(home_non_penalty_xg AS DOUBLE) AS home, CAST(away_non_penalty_xg AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 14 AS seq, 'xg_on_target' AS stat, 'goals' AS unit,
        CAST(home_xg_on_target_xgot AS DOUBLE) AS home, CAST(away_xg_on_target_xgot AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 15 AS seq, 'shots_off_target' AS stat, 'count' AS unit,
        CAST(home_shots_off_target AS DOUBLE) AS home, CAST(away_shots_off_target AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 16 AS seq, 'blocked_shots' AS stat, 'count' AS unit,
        CAST(home_blocked_shots AS DOUBLE) AS home, CAST(away_blocked_shots AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 17 AS seq, 'hit_woodwork' AS stat, 'count' AS unit,
        CAST(home_hit_woodwork AS DOUBLE) AS home, CAST(away_hit_woodwork AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 18 AS seq, 'shots_inside_box' AS stat, 'count' AS unit,
        CAST(home_shots_inside_box AS DOUBLE) AS home, CAST(away_shots_inside_box AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 19 AS seq, 'shots_outside_box' AS stat, 'count' AS unit,
        CAST(home_shots_outside_box AS DOUBLE) AS home, CAST(away_shots_outside_box AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 20 AS seq, 'passes' AS stat, 'count' AS unit,
        CAST(home_passes AS DOUBLE) AS home, CAST(away_passes AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 21 AS seq, 'own_half' AS stat, 'count' AS unit,
        CAST(home_own_half AS DOUBLE) AS home, CAST(away_own_half AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 22 AS seq, 'opposition_half' AS stat, 'count' AS unit,
        CAST(home_opposition_half AS DOUBLE) AS home, CAST(away_opposition_half AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 23 AS seq, 'accurate_long_balls' AS stat, 'count' AS unit,
        CAST(home_accurate_long_balls AS DOUBLE) AS home, CAST(away_accurate_long_balls AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 24 AS seq, 'accurate_long_balls_pct' AS stat, 'percent' AS unit,
        CAST(home_accurate_long_balls_pct AS DOUBLE) AS home, CAST(away_accurate_long_balls_pct AS DOUBLE) AS away
        FROM stated
    UNION ALL SELECT match_id, feed_id, 25 AS seq, 'accurate_crosses' AS stat, 'count' AS unit,
        CAST(home_accurate_crosses AS DOUBLE) AS home, CAST(away_accurate_crosses AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 26 AS seq, 'accurate_crosses_pct' AS stat, 'percent' AS unit,
        CAST(home_accurate_crosses_pct AS DOUBLE) AS home, CAST(away_accurate_crosses_pct AS DOUBLE) AS away
        FROM stated
    UNION ALL SELECT match_id, feed_id, 27 AS seq, 'throws' AS stat, 'count' AS unit,
        CAST(home_throws AS DOUBLE) AS home, CAST(away_throws AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 28 AS seq, 'touches_in_opposition_box' AS stat, 'count' AS unit,
        CAST(home_touches_in_opposition_box AS DOUBLE) AS home, CAST(away_touches_in_opposition_box AS DOUBLE) AS away
        FROM stated
    UNION ALL SELECT match_id, feed_id, 29 AS seq, 'offsides' AS stat, 'count' AS unit,
        CAST(home_offsides AS DOUBLE) AS home, CAST(away_offsides AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 30 AS seq, 'yellow_cards' AS stat, 'count' AS unit,
        CAST(home_yellow_cards AS DOUBLE) AS home, CAST(away_yellow_cards AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 31 AS seq, 'red_cards' AS stat, 'count' AS unit,
        CAST(home_red_cards AS DOUBLE) AS home, CAST(away_red_cards AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 32 AS seq, 'tackles_won' AS stat, 'count' AS unit,
        CAST(home_tackles_won AS DOUBLE) AS home, CAST(away_tackles_won AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 33 AS seq, 'tackles_won_pct' AS stat, 'percent' AS unit,
        CAST(home_tackles_won_pct AS DOUBLE) AS home, CAST(away_tackles_won_pct AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 34 AS seq, 'interceptions' AS stat, 'count' AS unit,
        CAST(home_interceptions AS DOUBLE) AS home, CAST(away_interceptions AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 35 AS seq, 'blocks' AS stat, 'count' AS unit,
        CAST(home_blocks AS DOUBLE) AS home, CAST(away_blocks AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 36 AS seq, 'clearances' AS stat, 'count' AS unit,
        CAST(home_clearances AS DOUBLE) AS home, CAST(away_clearances AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 37 AS seq, 'keeper_saves' AS stat, 'count' AS unit,
        CAST(home_keeper_saves AS DOUBLE) AS home, CAST(away_keeper_saves AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 38 AS seq, 'duels_won' AS stat, 'count' AS unit,
        CAST(home_duels_won AS DOUBLE) AS home, CAST(away_duels_won AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 39 AS seq, 'ground_duels_won' AS stat, 'count' AS unit,
        CAST(home_ground_duels_won AS DOUBLE) AS home, CAST(away_ground_duels_won AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 40 AS seq, 'ground_duels_won_pct' AS stat, 'percent' AS unit,
        CAST(home_ground_duels_won_pct AS DOUBLE) AS home, CAST(away_ground_duels_won_pct AS DOUBLE) AS away
        FROM stated
    UNION ALL SELECT match_id, feed_id, 41 AS seq, 'aerial_duels_won' AS stat, 'count' AS unit,
        CAST(home_aerial_duels_won AS DOUBLE) AS home, CAST(away_aerial_duels_won AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 42 AS seq, 'aerial_duels_won_pct' AS stat, 'percent' AS unit,
        CAST(home_aerial_duels_won_pct AS DOUBLE) AS home, CAST(away_aerial_duels_won_pct AS DOUBLE) AS away
        FROM stated
    UNION ALL SELECT match_id, feed_id, 43 AS seq, 'successful_dribbles' AS stat, 'count' AS unit,
        CAST(home_successful_dribbles AS DOUBLE) AS home, CAST(away_successful_dribbles AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 44 AS seq, 'successful_dribbles_pct' AS stat, 'percent' AS unit,
        CAST(home_successful_dribbles_pct AS DOUBLE) AS home, CAST(away_successful_dribbles_pct AS DOUBLE) AS away
        FROM stated
    UNION ALL SELECT match_id, feed_id, 45 AS seq, 'distance_covered' AS stat, 'metres' AS unit,
        CAST(home_distance_covered AS DOUBLE) AS home, CAST(away_distance_covered AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 46 AS seq, 'walking_distance' AS stat, 'metres' AS unit,
        CAST(home_walking_distance AS DOUBLE) AS home, CAST(away_walking_distance AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 47 AS seq, 'running_distance' AS stat, 'metres' AS unit,
        CAST(home_running_distance AS DOUBLE) AS home, CAST(away_running_distance AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 48 AS seq, 'sprinting_distance' AS stat, 'metres' AS unit,
        CAST(home_sprinting_distance AS DOUBLE) AS home, CAST(away_sprinting_distance AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 49 AS seq, 'number_of_sprints' AS stat, 'count' AS unit,
        CAST(home_number_of_sprints AS DOUBLE) AS home, CAST(away_number_of_sprints AS DOUBLE) AS away FROM stated
    UNION ALL SELECT match_id, feed_id, 50 AS seq, 'top_speed' AS stat, 'kilometres an hour' AS unit,
        CAST(home_top_speed AS DOUBLE) AS home, CAST(away_top_speed AS DOUBLE) AS away FROM stated
)
SELECT match_id, feed_id AS source_match_id, CAST(seq AS INTEGER) AS seq, stat, unit, home, away
FROM long
WHERE home IS NOT NULL OR away IS NOT NULL
