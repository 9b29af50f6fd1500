-- No version of a player's DNA or splits rests on more games than he had played before its day; one of the minor
-- leagues on no more than were over.
WITH versions AS (
    SELECT
        'pitching' AS role,
        player_id,
        valid_from,
        max(games) AS games
    FROM mlb_pitcher_dna GROUP BY ALL
    UNION ALL
    SELECT
        'pitching',
        player_id,
        valid_from,
        max(games)
    FROM mlb_pitcher_ground_dna GROUP BY ALL
    UNION ALL
    SELECT
        'batting',
        player_id,
        valid_from,
        max(games)
    FROM mlb_batter_dna GROUP BY ALL
    UNION ALL
    SELECT
        pool,
        player_id,
        valid_from,
        max(games)
    FROM mlb_minor_batter_dna GROUP BY ALL
    UNION ALL
    SELECT
        role,
        player_id,
        valid_from,
        games
    FROM mlb_player_splits
),

played AS (
    SELECT
        role,
        player_id,
        league_date AS last_day,
        game_id
    FROM mlb_gamelog
    UNION
    SELECT
        level,
        batter_id,
        last_day,
        game_id
    FROM mlb_minor_appearances WHERE is_appearance
)

SELECT
    v.role,
    v.player_id,
    v.valid_from
FROM versions AS v
LEFT JOIN played AS g ON (g.role, g.player_id) = (v.role, v.player_id) AND g.last_day < v.valid_from
GROUP BY v.role, v.player_id, v.valid_from, v.games HAVING v.games > count(g.game_id)
