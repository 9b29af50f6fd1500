-- Best passer, rusher, receiver and tackler of each team in a game: most yards (tackles), then touchdowns
-- (assists), then by id.
WITH lines AS (
    SELECT
        game_id,
        market_id,
        team_id,
        team_abbr,
        player_id,
        player_name,
        position,
        yards,
        touchdowns,
        attempts,
        completions,
        receptions,
        tackles,
        assists,
        CASE category
            WHEN 'passing' THEN 'passer' WHEN 'rushing' THEN 'rusher' WHEN 'receiving' THEN 'receiver'
            WHEN 'defence' THEN 'tackler'
        END AS role,
        CASE category WHEN 'defence' THEN tackles ELSE yards END AS value,
        CASE category WHEN 'defence' THEN assists ELSE touchdowns END AS second_value
    FROM nfl_box_players WHERE category IN ('passing', 'rushing', 'receiving', 'defence')
)

SELECT
    game_id,
    market_id,
    team_id,
    team_abbr,
    role,
    player_id,
    player_name,
    position,
    value,
    yards,
    touchdowns,
    attempts,
    completions,
    receptions,
    tackles,
    assists
FROM lines WHERE value IS NOT NULL
QUALIFY
    row_number() OVER (PARTITION BY game_id, team_id, role ORDER BY value DESC, second_value DESC NULLS LAST, player_id)
    = 1
