-- The three stars of games, from boxes, else from recorded pages.
WITH pages AS (
    SELECT DISTINCT
        game_id,
        star1_id,
        star1_name,
        star1_team_abbr,
        star2_id,
        star2_name,
        star2_team_abbr,
        star3_id,
        star3_name,
        star3_team_abbr,
        captured_at
    FROM nhl_api_web_recorded_goals
    WHERE game_state IN ('OFF', 'FINAL')
),

told AS (
    SELECT
        1 AS preference,
        game_id,
        star,
        player_id,
        CAST(NULL AS VARCHAR) AS name,
        team_abbr,
        captured_at,
        file,
        line
    FROM nhl_boxes_stars
    UNION ALL
    SELECT
        2,
        game_id,
        1,
        star1_id,
        star1_name,
        star1_team_abbr,
        captured_at,
        '',
        0
    FROM pages
    UNION ALL
    SELECT
        2,
        game_id,
        2,
        star2_id,
        star2_name,
        star2_team_abbr,
        captured_at,
        '',
        0
    FROM pages
    UNION ALL
    SELECT
        2,
        game_id,
        3,
        star3_id,
        star3_name,
        star3_team_abbr,
        captured_at,
        '',
        0
    FROM pages
),

listed AS (
    SELECT
        *,
        row_number() OVER (PARTITION BY game_id, star ORDER BY preference, captured_at DESC, file, line) AS nth
    FROM told WHERE player_id IS NOT NULL
)

SELECT
    s.game_id,
    s.star,
    s.player_id,
    coalesce(p.name, s.name) AS player_name,
    s.team_abbr
FROM listed AS s LEFT JOIN nhl_players AS p USING (player_id) WHERE s.nth = 1
