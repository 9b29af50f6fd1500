-- What DNA of pitchers is made of: a row for each pitcher and regular game in which he faced a batter.
-- Starters and relievers are one pool, since most of the lines name no role. They do not state who was hit
-- by a pitch, a bunt or a catcher's interference either: whoever neither struck out nor walked nor hit a
-- home run counts as a ball in play. Logs state no day on which a suspended game went on: theirs counts.
WITH lines AS (
    SELECT
        p.player_id,
        g.season,
        g.last_day,
        p.batters_faced,
        p.strikeouts,
        p.walks,
        p.home_runs,
        p.hits
    FROM mlb_pitching_lines AS p JOIN mlb_game_ends AS g USING (game_id) WHERE g.phase = 'regular'
    UNION ALL
    SELECT
        l.player_id,
        l.season,
        greatest(l.league_date, g.last_day),
        l.batters_faced,
        l.strikeouts,
        l.walks,
        l.home_runs,
        l.hits
    FROM mlb_props_batter_pitcher_logs AS l
    LEFT JOIN mlb_game_ends AS g USING (game_id)
    ANTI JOIN mlb_pitching_lines AS p ON (p.player_id, p.game_id) = (l.player_id, l.game_id)
    WHERE coalesce(g.phase, 'regular') = 'regular'
)

SELECT
    l.player_id,
    coalesce(n.player_name, l.player_id) AS player_name,
    l.season,
    'pitchers' AS pool,
    l.last_day,
    l.batters_faced,
    l.strikeouts,
    l.walks,
    l.home_runs,
    l.hits - l.home_runs AS hits_in_play,
    l.batters_faced - l.strikeouts - l.walks - l.home_runs AS balls_in_play
FROM lines AS l LEFT JOIN mlb_players AS n USING (player_id)
WHERE l.batters_faced > 0
