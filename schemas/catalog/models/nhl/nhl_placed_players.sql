-- Boxes of players, each with the game at its place: a game begins with its away skaters, and goalies have no
-- position. A file that has fewer boxes than games, or in which one team does not stand where its game is, gives
-- no rows at all: a line must never be another game's. Boxes of games that are not listed, or not yet, are left
-- out.
WITH marked AS (
    SELECT
        *,
        position IS NULL AS is_goalie,
        home_away = 'away' AND position IS NOT NULL AS is_away_skater
    FROM nhl_boxes_players
),

turns AS (
    SELECT
        *,
        is_away_skater AND NOT lag(is_away_skater, 1, false) OVER (PARTITION BY file_season ORDER BY line) AS begins
    FROM marked
),

placed AS MATERIALIZED (
    SELECT
        *,
        CAST(
            sum(CAST(begins AS INTEGER))
                OVER (PARTITION BY file_season ORDER BY line ROWS UNBOUNDED PRECEDING)
            AS BIGINT
        )
            AS place
    FROM turns
),

joined AS MATERIALIZED (
    SELECT
        b.*,
        g.game_id,
        g.home_abbr,
        g.away_abbr,
        coalesce(b.team_abbr = CASE b.home_away WHEN 'home' THEN g.home_abbr ELSE g.away_abbr END, false) AS agrees
    FROM placed AS b JOIN nhl_placed_games AS g USING (file_season, place)
)

SELECT * FROM joined
WHERE
    file_season NOT IN (SELECT file_season FROM joined WHERE NOT agrees)
    AND file_season IN (
        SELECT b.file_season FROM (SELECT
            file_season,
            max(place) AS n
        FROM placed GROUP BY ALL) AS b
        JOIN (SELECT
            file_season,
            max(place) AS n
        FROM nhl_placed_games GROUP BY ALL) AS g USING (file_season)
        WHERE b.n >= g.n
    )
