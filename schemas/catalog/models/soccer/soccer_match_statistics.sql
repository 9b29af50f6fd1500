-- Statistics of both teams in a match, a row each, in the order in which the source has them. What it leaves
-- empty for both teams has no row, nor have statistics that were taken before the end of a match.
WITH stated AS (
    SELECT
        b.match_id,
        b.feed_id,
        m.*
    FROM soccer_league_player_matches_matches AS m
    JOIN soccer_match_base AS b ON b.feed_id = m.source_match_id
    WHERE b.feed_id NOT IN (SELECT feed_id FROM soccer_unfinished_feeds)
),

told AS (
    SELECT
        match_id,
        feed_id,
        unnest([
            { 'seq': 1, 'stat': 'possession', 'unit': 'percent', 'home': home_possession, 'away': away_possession },
            { 'seq': 2, 'stat': 'xg', 'unit': 'goals', 'home': home_expected_goals_xg, 'away': away_expected_goals_xg },
            { 'seq': 3, 'stat': 'total_shots', 'unit': 'count', 'home': home_total_shots, 'away': away_total_shots },
            {
                'seq': 4,
                'stat': 'shots_on_target',
                'unit': 'count',
                'home': home_shots_on_target,
                'away': away_shots_on_target
            },
            { 'seq': 5, 'stat': 'big_chances', 'unit': 'count', 'home': home_big_chances, 'away': away_big_chances },
            {
                'seq': 6,
                'stat': 'big_chances_missed',
                'unit': 'count',
                'home': home_big_chances_missed,
                'away': away_big_chances_missed
            },
            {
                'seq': 7,
                'stat': 'accurate_passes',
                'unit': 'count',
                'home': home_accurate_passes,
                'away': away_accurate_passes
            },
            {
                'seq': 8,
                'stat': 'accurate_passes_pct',
                'unit': 'percent',
                'home': home_accurate_passes_pct,
                'away': away_accurate_passes_pct
            },
            {
                'seq': 9,
                'stat': 'fouls_committed',
                'unit': 'count',
                'home': home_fouls_committed,
                'away': away_fouls_committed
            },
            { 'seq': 10, 'stat': 'corners', 'unit': 'count', 'home': home_corners, 'away': away_corners },
            {
                'seq': 11, 'stat': 'xg_open_play', 'unit': 'goals', 'home': home_xg_open_play, 'away': away_xg_open_play
            },
            { 'seq': 12, 'stat': 'xg_set_play', 'unit': 'goals', 'home': home_xg_set_play, 'away': away_xg_set_play },
            {
                'seq': 13,
                'stat': 'non_penalty_xg',
                'unit': 'goals',
                'home': home_non_penalty_xg,
                'away': away_non_penalty_xg
            },
            {
                'seq': 14,
                'stat': 'xg_on_target',
                'unit': 'goals',
                'home': home_xg_on_target_xgot,
                'away': away_xg_on_target_xgot
            },
            {
                'seq': 15,
                'stat': 'shots_off_target',
                'unit': 'count',
                'home': home_shots_off_target,
                'away': away_shots_off_target
            },
            {
                'seq': 16,
                'stat': 'blocked_shots',
                'unit': 'count',
                'home': home_blocked_shots,
                'away': away_blocked_shots
            },
            {
                'seq': 17, 'stat': 'hit_woodwork', 'unit': 'count', 'home': home_hit_woodwork, 'away': away_hit_woodwork
            },
            {
                'seq': 18,
                'stat': 'shots_inside_box',
                'unit': 'count',
                'home': home_shots_inside_box,
                'away': away_shots_inside_box
            },
            {
                'seq': 19,
                'stat': 'shots_outside_box',
                'unit': 'count',
                'home': home_shots_outside_box,
                'away': away_shots_outside_box
            },
            { 'seq': 20, 'stat': 'passes', 'unit': 'count', 'home': home_passes, 'away': away_passes },
            { 'seq': 21, 'stat': 'own_half', 'unit': 'count', 'home': home_own_half, 'away': away_own_half },
            {
                'seq': 22,
                'stat': 'opposition_half',
                'unit': 'count',
                'home': home_opposition_half,
                'away': away_opposition_half
            },
            {
                'seq': 23,
                'stat': 'accurate_long_balls',
                'unit': 'count',
                'home': home_accurate_long_balls,
                'away': away_accurate_long_balls
            },
            {
                'seq': 24,
                'stat': 'accurate_long_balls_pct',
                'unit': 'percent',
                'home': home_accurate_long_balls_pct,
                'away': away_accurate_long_balls_pct
            },
            {
                'seq': 25,
                'stat': 'accurate_crosses',
                'unit': 'count',
                'home': home_accurate_crosses,
                'away': away_accurate_crosses
            },
            {
                'seq': 26,
                'stat': 'accurate_crosses_pct',
                'unit': 'percent',
                'home': home_accurate_crosses_pct,
                'away': away_accurate_crosses_pct
            },
            { 'seq': 27, 'stat': 'throws', 'unit': 'count', 'home': home_throws, 'away': away_throws },
            {
                'seq': 28, 'stat': 'touches_in_opposition_box', 'unit': 'count',
                'home': home_touches_in_opposition_box, 'away': away_touches_in_opposition_box
            },
            { 'seq': 29, 'stat': 'offsides', 'unit': 'count', 'home': home_offsides, 'away': away_offsides },
            {
                'seq': 30, 'stat': 'yellow_cards', 'unit': 'count', 'home': home_yellow_cards, 'away': away_yellow_cards
            },
            { 'seq': 31, 'stat': 'red_cards', 'unit': 'count', 'home': home_red_cards, 'away': away_red_cards },
            { 'seq': 32, 'stat': 'tackles_won', 'unit': 'count', 'home': home_tackles_won, 'away': away_tackles_won },
            {
                'seq': 33,
                'stat': 'tackles_won_pct',
                'unit': 'percent',
                'home': home_tackles_won_pct,
                'away': away_tackles_won_pct
            },
            {
                'seq': 34,
                'stat': 'interceptions',
                'unit': 'count',
                'home': home_interceptions,
                'away': away_interceptions
            },
            { 'seq': 35, 'stat': 'blocks', 'unit': 'count', 'home': home_blocks, 'away': away_blocks },
            { 'seq': 36, 'stat': 'clearances', 'unit': 'count', 'home': home_clearances, 'away': away_clearances },
            {
                'seq': 37, 'stat': 'keeper_saves', 'unit': 'count', 'home': home_keeper_saves, 'away': away_keeper_saves
            },
            { 'seq': 38, 'stat': 'duels_won', 'unit': 'count', 'home': home_duels_won, 'away': away_duels_won },
            {
                'seq': 39,
                'stat': 'ground_duels_won',
                'unit': 'count',
                'home': home_ground_duels_won,
                'away': away_ground_duels_won
            },
            {
                'seq': 40,
                'stat': 'ground_duels_won_pct',
                'unit': 'percent',
                'home': home_ground_duels_won_pct,
                'away': away_ground_duels_won_pct
            },
            {
                'seq': 41,
                'stat': 'aerial_duels_won',
                'unit': 'count',
                'home': home_aerial_duels_won,
                'away': away_aerial_duels_won
            },
            {
                'seq': 42,
                'stat': 'aerial_duels_won_pct',
                'unit': 'percent',
                'home': home_aerial_duels_won_pct,
                'away': away_aerial_duels_won_pct
            },
            {
                'seq': 43,
                'stat': 'successful_dribbles',
                'unit': 'count',
                'home': home_successful_dribbles,
                'away': away_successful_dribbles
            },
            {
                'seq': 44,
                'stat': 'successful_dribbles_pct',
                'unit': 'percent',
                'home': home_successful_dribbles_pct,
                'away': away_successful_dribbles_pct
            },
            {
                'seq': 45,
                'stat': 'distance_covered',
                'unit': 'metres',
                'home': home_distance_covered,
                'away': away_distance_covered
            },
            {
                'seq': 46,
                'stat': 'walking_distance',
                'unit': 'metres',
                'home': home_walking_distance,
                'away': away_walking_distance
            },
            {
                'seq': 47,
                'stat': 'running_distance',
                'unit': 'metres',
                'home': home_running_distance,
                'away': away_running_distance
            },
            {
                'seq': 48,
                'stat': 'sprinting_distance',
                'unit': 'metres',
                'home': home_sprinting_distance,
                'away': away_sprinting_distance
            },
            {
                'seq': 49,
                'stat': 'number_of_sprints',
                'unit': 'count',
                'home': home_number_of_sprints,
                'away': away_number_of_sprints
            },
            {
                'seq': 50,
                'stat': 'top_speed',
                'unit': 'kilometres an hour',
                'home': home_top_speed,
                'away': away_top_speed
            }
        ], recursive := true)
    FROM stated
)

SELECT
    match_id,
    feed_id AS source_match_id,
    seq,
    stat,
    unit,
    CAST(home AS DOUBLE) AS home,
    CAST(away AS DOUBLE) AS away
FROM told
WHERE home IS NOT NULL OR away IS NOT NULL
