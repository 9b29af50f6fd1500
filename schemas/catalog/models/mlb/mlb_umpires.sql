-- Plate umpires of games with strikeouts and batters, and the umpire's own share before the game, drawn
-- towards the mean of all umpires. Games of Retrosheet name umpires by its own ids, which no map leads to the
-- league's: they have no own share.
WITH counted AS (
    SELECT
        game_id,
        sum(strikeouts) AS strikeouts,
        sum(batters_faced) AS batters_faced
    FROM mlb_pitching_lines
    GROUP BY game_id
),

placed AS (
    SELECT
        game_id,
        max(umpire_id) FILTER (place = 1) AS umpire_id,
        max(umpire_name) FILTER (place = 1) AS umpire_name,
        '[' || string_agg('{"position":"' || position || '","umpire_id":"' || umpire_id || '"}', ',' ORDER BY place)
        FILTER (place > 1) || ']' AS others
    FROM mlb_game_officials GROUP BY game_id
),

told AS (
    SELECT
        game_id,
        league_date,
        umpire_id,
        umpire_name,
        strikeouts,
        batters_faced,
        CAST(NULL AS VARCHAR) AS others,
        1 AS preference
    FROM mlb_props_pitcher_umpires
    UNION ALL
    SELECT
        p.game_id,
        g.league_date,
        p.umpire_id,
        p.umpire_name,
        c.strikeouts,
        c.batters_faced,
        p.others,
        2
    FROM placed AS p
    JOIN mlb_games AS g USING (game_id)
    LEFT JOIN counted AS c USING (game_id)
    WHERE p.umpire_id IS NOT NULL
    UNION ALL
    SELECT
        game_ref,
        league_date,
        umpire_ref,
        umpire_name,
        NULL,
        NULL,
        NULL,
        3
    FROM mlb_club_notes_2025_umpires
),

games AS (
    SELECT * FROM told QUALIFY row_number() OVER (PARTITION BY game_id ORDER BY preference) = 1
),

own AS (
    SELECT
        g.game_id,
        d.value,
        d.raw_value,
        d.weight,
        d.games,
        d.confidence
    FROM games AS g JOIN mlb_umpire_dna AS d
        ON
            d.umpire_id = g.umpire_id AND d.metric = 'strikeout_share'
            AND d.valid_from <= g.league_date
    QUALIFY row_number() OVER (PARTITION BY g.game_id ORDER BY d.valid_from DESC) = 1
)

SELECT
    g.game_id,
    g.league_date,
    g.umpire_id,
    g.umpire_name,
    CAST(g.strikeouts AS INTEGER) AS strikeouts,
    CAST(g.batters_faced AS INTEGER) AS batters_faced,
    CASE WHEN g.batters_faced > 0 THEN CAST(g.strikeouts AS DOUBLE) / g.batters_faced END AS strikeout_share,
    o.value AS own_share,
    o.raw_value AS own_raw_share,
    o.weight AS own_weight,
    o.games AS own_games,
    o.confidence AS own_confidence,
    g.others
FROM games AS g LEFT JOIN own AS o USING (game_id)
