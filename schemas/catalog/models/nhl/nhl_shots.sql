-- Shots on goal. The source has some twice, line for line: of those the first counts.
WITH first AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY game_id, period, team_abbr, x, y, shot_type, is_goal, goalie_id
            ORDER BY file, line
        ) AS copy
    FROM nhl_shots_shots
)

SELECT
    game_id,
    row_number() OVER (PARTITION BY game_id ORDER BY file, line) AS seq,
    period,
    team_abbr,
    x,
    y,
    shot_type,
    is_goal,
    goalie_id,
    goalie_name
FROM first WHERE copy = 1
