-- Plays of games in order. A play without a place has no coordinates, and the score stands as it was after
-- the play before.
WITH scored AS (
    SELECT
        *,
        last_value(home_score IGNORE NULLS) OVER so_far AS home_so_far,
        last_value(away_score IGNORE NULLS) OVER so_far AS away_so_far
    FROM nba_stats_recorded_plays
    WINDOW so_far AS (PARTITION BY game_id ORDER BY seq ROWS UNBOUNDED PRECEDING)
)

SELECT
    p.game_id,
    p.seq,
    p.period,
    p.clock_secs,
    nullif(p.team_id, '0') AS team_id,
    c.abbr AS team_abbr,
    nullif(p.player_id, '0') AS player_id,
    nullif(p.player_name, '') AS player_name,
    nullif(lower(p.category), '') AS category,
    nullif(p.subcategory, '') AS subcategory,
    nullif(p.text, '') AS text,
    CASE WHEN p.is_field_goal THEN p.shot_result = 'Made' END AS is_made,
    CASE WHEN p.is_field_goal THEN p.shot_value END AS shot_value,
    CASE WHEN p.is_field_goal THEN p.distance_ft END AS distance_ft,
    CASE WHEN p.is_field_goal THEN p.x END AS x,
    CASE WHEN p.is_field_goal THEN p.y END AS y,
    p.home_so_far AS home_score,
    p.away_so_far AS away_score
FROM scored AS p LEFT JOIN nba_clubs AS c USING (team_id)
