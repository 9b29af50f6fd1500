-- Boxes of teams, each with the game at its place. A file of which one team does not stand where its game is
-- gives no rows at all: a box must never be another game's.
WITH placed AS (
    SELECT
        *,
        (row_number() OVER (PARTITION BY file_season ORDER BY line) + 1) // 2 AS place
    FROM nhl_boxes_teams
),

joined AS (
    SELECT
        b.*,
        g.game_id,
        g.home_abbr,
        g.away_abbr,
        coalesce(
            b.team_abbr = CASE b.home_away WHEN 'home' THEN g.home_abbr ELSE g.away_abbr END
            AND b.goals = CASE b.home_away WHEN 'home' THEN g.home_score ELSE g.away_score END, false
        ) AS agrees
    FROM placed AS b LEFT JOIN nhl_placed_games AS g USING (file_season, place)
)

SELECT * FROM joined
WHERE
    file_season NOT IN (SELECT file_season FROM joined WHERE NOT agrees)
    AND file_season IN (
        SELECT t.file_season FROM (SELECT
            file_season,
            count(*) AS n
        FROM joined GROUP BY ALL) AS t
        JOIN (SELECT
            file_season,
            count(*) AS n
        FROM nhl_placed_games GROUP BY ALL) AS g USING (file_season)
        WHERE t.n = 2 * g.n
    )
