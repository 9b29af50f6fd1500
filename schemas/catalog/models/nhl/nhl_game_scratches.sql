-- Players who were with their teams and did not play: from boxes, else from recorded pages.
WITH recorded AS (
    SELECT
        game_id,
        player_id,
        first_name,
        last_name
    FROM nhl_api_web_recorded_home_scratches
    UNION ALL
    SELECT
        game_id,
        player_id,
        first_name,
        last_name
    FROM nhl_api_web_recorded_away_scratches
),

told AS (
    SELECT
        game_id,
        player_id,
        first_name,
        last_name
    FROM nhl_boxes_scratches
    UNION ALL
    SELECT
        game_id,
        player_id,
        first_name,
        last_name
    FROM recorded
    WHERE game_id NOT IN (SELECT game_id FROM nhl_boxes_scratches)
)

SELECT
    game_id,
    player_id,
    max(trim(concat_ws(' ', first_name, last_name))) AS player_name
FROM told GROUP BY ALL
