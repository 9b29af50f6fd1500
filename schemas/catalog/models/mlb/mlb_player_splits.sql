-- What stands beside DNA of batters and pitchers as context: turns at bat of regular games with plays by the hand of
-- the other, by park, and at home and away, all captured before each day, beside those of all players in the same
-- split. No value of DNA is adjusted by them. Who bats only because he pitches is no batter. A turn counts for the
-- batter who ended it: of 181,494 of 2019 that is another than the line at bat charges in 14.
WITH turns AS (
    SELECT
        p.game_id,
        g.last_day,
        p.batter_id,
        p.pitcher_id,
        p.half,
        coalesce(m.venue, 'not_stated') AS park,
        CAST(p.event = 'strikeout' AS INTEGER) AS strikeout,
        CAST(p.event IN ('walk', 'intentional_walk') AS INTEGER) AS walk,
        CAST(p.event = 'home_run' AS INTEGER) AS home_run
    FROM mlb_plays AS p JOIN mlb_game_ends AS g USING (game_id) JOIN mlb_games AS m USING (game_id)
    WHERE
        g.phase = 'regular'
        AND p.event IN (
            'field_out', 'strikeout', 'single', 'walk', 'double', 'home_run', 'force_out', 'hit_by_pitch', 'error',
            'triple', 'intentional_walk', 'fielders_choice', 'catcher_interference'
        )
),

hands AS (
    SELECT
        player_id,
        CASE throws WHEN 'R' THEN 'right' WHEN 'L' THEN 'left' END AS throws,
        CASE bats WHEN 'R' THEN 'right' WHEN 'L' THEN 'left' WHEN 'B' THEN 'both' WHEN 'S' THEN 'both' END AS bats
    FROM mlb_players
),

sides AS (
    SELECT
        t.*,
        'batting' AS role,
        t.batter_id AS player_id,
        CASE t.half WHEN 'bottom' THEN 'home' ELSE 'away' END AS ground,
        coalesce(h.throws, 'not_stated') AS opponent_hand
    FROM turns AS t JOIN mlb_batter_observations AS b ON (b.player_id, b.game_id) = (t.batter_id, t.game_id)
    LEFT JOIN hands AS h ON h.player_id = t.pitcher_id
    UNION ALL
    SELECT
        t.*,
        'pitching' AS role,
        t.pitcher_id AS player_id,
        CASE t.half WHEN 'top' THEN 'home' ELSE 'away' END AS ground,
        coalesce(h.bats, 'not_stated') AS opponent_hand
    FROM turns AS t LEFT JOIN hands AS h ON h.player_id = t.batter_id
    WHERE t.pitcher_id IS NOT NULL
),

days AS (
    SELECT
        role,
        player_id,
        split,
        split_value,
        last_day,
        game_id,
        count(*) AS plate_appearances,
        sum(strikeout) AS strikeouts,
        sum(walk) AS walks,
        sum(home_run) AS home_runs
    FROM sides UNPIVOT (split_value FOR split IN (opponent_hand, park, ground))
    GROUP BY ALL
),

-- Those before and on the day of a game count from the next day on.
counted AS (
    SELECT
        role,
        player_id,
        split,
        split_value,
        last_day,
        count(*) OVER own AS games,
        sum(plate_appearances) OVER own AS plate_appearances,
        sum(strikeouts) OVER own AS strikeouts,
        sum(walks) OVER own AS walks,
        sum(home_runs) OVER own AS home_runs,
        sum(plate_appearances) OVER everybody AS all_plate_appearances,
        sum(strikeouts) OVER everybody AS all_strikeouts,
        sum(walks) OVER everybody AS all_walks,
        sum(home_runs) OVER everybody AS all_home_runs
    FROM days
    WINDOW
        own AS (PARTITION BY role, player_id, split, split_value ORDER BY last_day),
        everybody AS (PARTITION BY role, split, split_value ORDER BY last_day)
)

SELECT DISTINCT
    c.role,
    c.player_id,
    n.player_name,
    c.split,
    c.split_value,
    c.last_day + 1 AS valid_from,
    c.games,
    c.plate_appearances,
    c.strikeouts,
    c.walks,
    c.home_runs,
    c.all_plate_appearances,
    c.strikeouts / c.plate_appearances AS strikeout_share,
    c.all_strikeouts / c.all_plate_appearances AS all_strikeout_share,
    c.walks / c.plate_appearances AS walk_share,
    c.all_walks / c.all_plate_appearances AS all_walk_share,
    c.home_runs / c.plate_appearances AS home_run_share,
    c.all_home_runs / c.all_plate_appearances AS all_home_run_share
FROM counted AS c LEFT JOIN mlb_players AS n USING (player_id)
