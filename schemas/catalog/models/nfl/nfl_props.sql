-- Prices of players of one game: over and under of a line, or one price of an event that happens or not. The
-- bookmaker is not named. A price whose line is missing stands without.
WITH named AS (
    SELECT
        p.*,
        g.game_id,
        g.market_id,
        g.season,
        g.home_id,
        g.away_id,
        regexp_replace(lower(strip_accents(p.player_name)), '( jr\.?| sr\.?| ii| iii| iv|[^a-z])', '', 'g') AS name_key
    FROM nfl_props_one_game_props AS p JOIN nfl_games AS g ON g.feed_id = p.event_id
),

listed AS (
    SELECT DISTINCT
        r.season,
        r.team_id,
        r.player_id,
        regexp_replace(lower(strip_accents(r.player_name)), '( jr\.?| sr\.?| ii| iii| iv|[^a-z])', '', 'g') AS name_key
    FROM nfl_depth_charts AS r WHERE r.player_id IS NOT NULL
),

linked AS (
    SELECT
        n.event_id,
        n.player_key,
        min(l.player_id) AS player_id,
        min(l.team_id) AS team_id
    FROM named AS n
    JOIN listed AS l ON l.season = n.season AND l.name_key = n.name_key AND l.team_id IN (n.home_id, n.away_id)
    GROUP BY n.event_id, n.player_key HAVING count(DISTINCT(l.player_id, l.team_id)) = 1
)

SELECT
    n.game_id,
    n.market_id,
    n.event_id AS feed_id,
    n.player_key,
    l.player_id,
    n.player_name,
    l.team_id,
    CASE n.stat
        WHEN 'firstTouchdown' THEN 'first_touchdown' ELSE n.stat
    END AS stat,
    n.label,
    n.price_line AS line,
    n.over AS over_american,
    n.under AS under_american,
    n.yes AS yes_american,
    n.no AS no_american,
    CAST(NULL AS VARCHAR) AS book
FROM named AS n LEFT JOIN linked AS l USING (event_id, player_key)
