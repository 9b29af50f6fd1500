-- Stretches during which the same players of a team were on court, with its points in them. Where a rotation
-- was recorded it counts alone.
WITH times AS (
    SELECT t.* FROM nba_court_times AS t JOIN nba_lineup_methods AS m USING (game_id, method)
),

cuts AS (
    SELECT
        game_id,
        team_id,
        begins,
        lead(begins) OVER (PARTITION BY game_id, team_id ORDER BY begins) AS until
    FROM (SELECT
        game_id,
        team_id,
        from_secs AS begins
    FROM times
    UNION
    SELECT
        game_id,
        team_id,
        to_secs
    FROM times)
),

on_court AS (
    SELECT
        c.game_id,
        c.team_id,
        c.begins,
        c.until,
        t.player_id,
        coalesce(l.player_name, n.player_name) AS player_name
    FROM cuts AS c
    JOIN
        times AS t
        ON (t.game_id, t.team_id) = (c.game_id, c.team_id) AND t.from_secs <= c.begins AND t.to_secs >= c.until
    LEFT JOIN nba_player_lines AS l ON (l.game_id, l.player_id) = (c.game_id, t.player_id)
    LEFT JOIN nba_players AS n ON n.player_id = t.player_id
    WHERE c.until IS NOT NULL
),

fives AS (
    SELECT
        game_id,
        team_id,
        begins,
        until,
        list({ id: player_id, name: player_name } ORDER BY player_id) AS five,
        count(*) AS players
    FROM on_court
    GROUP BY ALL
),

scored AS (
    SELECT
        p.game_id,
        p.team_id,
        CASE WHEN p.period <= 4 THEN p.period * 720 ELSE 2880 + (p.period - 4) * 300 END - p.clock_secs AS begins,
        CASE
            WHEN p.category = 'made shot' THEN p.shot_value
            WHEN p.category = 'free throw' AND NOT starts_with(p.text, 'MISS') THEN 1 ELSE 0
        END AS points
    FROM nba_plays AS p
)

SELECT
    f.game_id,
    f.team_id,
    c.abbr AS team_abbr,
    CAST(row_number() OVER (PARTITION BY f.game_id, f.team_id ORDER BY f.begins) AS INTEGER) AS stint,
    f.begins AS from_secs,
    f.until AS to_secs,
    f.until - f.begins AS secs,
    f.players,
    f.five,
    CASE
        WHEN f.game_id IN (SELECT game_id FROM nba_plays)
            THEN CAST(coalesce(sum(s.points), 0) AS INTEGER)
    END AS points
FROM fives AS f LEFT JOIN nba_clubs AS c USING (team_id)
LEFT JOIN scored AS s ON s.game_id = f.game_id AND s.team_id = f.team_id AND s.begins > f.begins AND s.begins <= f.until
GROUP BY f.game_id, f.team_id, c.abbr, f.begins, f.until, f.players, f.five
