-- The three stars of games.
WITH listed AS (
    SELECT *, row_number() OVER (PARTITION BY game_id, star ORDER BY captured_at DESC, file, line) AS nth FROM nhl_boxes_stars
)
SELECT s.game_id, s.star, s.player_id, p.name AS player_name, s.team_abbr
FROM listed AS s LEFT JOIN nhl_players AS p USING (player_id) WHERE s.nth = 1
