-- Pitches by what batters did with them. A swing at a bunt is no swing here. A row whose type of pitch is
-- none of two capitals, such as a time, is no pitch: its count has four balls.
SELECT
    game_id,
    season,
    batter_id,
    pitcher_id,
    pitch_type,
    pitch_name,
    velocity,
    spin,
    exit_speed,
    launch_angle,
    stated_xwoba,
    CAST(
        description IN ('swinging_strike', 'swinging_strike_blocked', 'foul_tip', 'foul')
        OR description LIKE 'hit_into_play%' AS INTEGER
    ) AS swing,
    CAST(description IN ('swinging_strike', 'swinging_strike_blocked', 'foul_tip') AS INTEGER) AS miss,
    CAST(description = 'called_strike' AS INTEGER) AS called,
    CAST(result_type = 'X' AS INTEGER) AS in_play
FROM mlb_statcast_pitches WHERE pitch_type IS NULL OR regexp_full_match(pitch_type, '[A-Z]{2}')
