-- The club of each player of captured plate appearances: the one of the two that was in the most of his
-- games; where two were in as many, the one that the index of players names; else none. No appearance states
-- a side.
WITH players AS (
    SELECT DISTINCT
        batter_id AS player_id,
        game_id
    FROM mlb_milb_pbp_appearances
    UNION
    SELECT DISTINCT
        pitcher_id,
        game_id
    FROM mlb_milb_pbp_appearances
),

sides AS (
    SELECT
        game_id,
        home_id AS team_id,
        home_name AS team_name
    FROM mlb_milb_pbp_appearances
    UNION
    SELECT
        game_id,
        away_id,
        away_name
    FROM mlb_milb_pbp_appearances
),

counted AS (
    SELECT
        p.player_id,
        s.team_id,
        min(s.team_name) AS team_name,
        count(DISTINCT p.game_id) AS games
    FROM players AS p JOIN sides AS s USING (game_id) GROUP BY p.player_id, s.team_id
),

most AS (
    SELECT
        c.*,
        coalesce(i.team_name = c.team_name, false) AS is_listed
    FROM counted AS c
    LEFT JOIN mlb_milb_pbp_players AS i USING (player_id)
    QUALIFY rank() OVER (PARTITION BY c.player_id ORDER BY c.games DESC, is_listed DESC) = 1
)

SELECT
    player_id,
    min(team_id) AS team_id,
    min(team_name) AS team_name
FROM most GROUP BY player_id HAVING count(*) = 1
