-- Best players of each team in a game; equals stand beside each other.
WITH long AS (
    UNPIVOT (
        SELECT
            game_id,
            team_abbr,
            player_id,
            player_name,
            points,
            rebounds,
            assists
        FROM wnba_box_players WHERE has_played
    )
    ON points, rebounds, assists INTO NAME category VALUE value
)

SELECT
    game_id,
    team_abbr,
    category,
    player_id,
    player_name,
    value
FROM long WHERE value > 0
QUALIFY rank() OVER (PARTITION BY game_id, team_abbr, category ORDER BY value DESC) = 1
