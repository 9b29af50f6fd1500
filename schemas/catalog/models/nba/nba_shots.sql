-- Shots from the field in order: of games with plays all of them, else those of players with a recorded
-- chart. The zone is the chart's word.
WITH told AS (
    SELECT
        1 AS preference,
        p.game_id,
        p.seq,
        p.team_id,
        p.player_id,
        p.player_name,
        p.period,
        p.clock_secs,
        p.x,
        p.y,
        p.distance_ft,
        lower(p.subcategory) AS shot_type,
        p.is_made,
        p.shot_value,
        true AS has_all_shots
    FROM nba_plays AS p WHERE p.is_made IS NOT NULL
    UNION ALL BY NAME
    SELECT
        2 AS preference,
        game_id,
        seq,
        team_id,
        player_id,
        player_name,
        period,
        minutes_left * 60 + seconds_left AS clock_secs,
        x,
        y,
        distance_ft,
        lower(shot_type) AS shot_type,
        is_made,
        CASE left(value_text, 1) WHEN '3' THEN 3 WHEN '2' THEN 2 END AS shot_value,
        zone,
        zone_area,
        false AS has_all_shots
    FROM nba_stats_recorded_shots
)

SELECT
    t.game_id,
    t.seq,
    t.team_id,
    c.abbr AS team_abbr,
    t.player_id,
    t.player_name,
    t.period,
    t.clock_secs,
    t.x,
    t.y,
    t.distance_ft,
    t.zone,
    t.zone_area,
    t.shot_type,
    t.is_made,
    t.shot_value,
    t.has_all_shots
FROM told AS t LEFT JOIN nba_clubs AS c USING (team_id)
WHERE t.player_id IS NOT NULL AND (t.preference = 1 OR t.game_id NOT IN (SELECT game_id FROM nba_plays))
