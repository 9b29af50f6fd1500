-- Everybody who has a line, a season or a place in a roster, by the newest name.
WITH told AS (
    SELECT
        player_id,
        player_name,
        season,
        1 AS preference
    FROM nba_rosters
    UNION ALL
    SELECT
        player_id,
        player_name,
        season,
        2
    FROM nba_player_seasons
    UNION ALL
    SELECT
        player_id,
        player_name,
        season,
        3
    FROM nba_box_players
)

SELECT
    player_id,
    player_name,
    season AS newest_season
FROM told WHERE player_name IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY player_id ORDER BY season DESC, preference, player_name) = 1
