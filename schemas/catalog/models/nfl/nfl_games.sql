-- Games, played or to come: one row, whichever sources name it. Overtime points are in the final of the lists
-- and in no quarter; who was level after four quarters went into overtime.
WITH told AS (
    SELECT
        g.game_id,
        lower(d.state) LIKE 'final%' AS is_final,
        lower(d.state) = 'final overtime' AS is_overtime,
        d.home_score,
        d.away_score,
        d.home_q1,
        d.home_q2,
        d.home_q3,
        d.home_q4,
        CASE WHEN lower(d.state) = 'final overtime' THEN d.home_ot END AS home_ot,
        d.away_q1,
        d.away_q2,
        d.away_q3,
        d.away_q4,
        CASE WHEN lower(d.state) = 'final overtime' THEN d.away_ot END AS away_ot,
        1 AS ord
    FROM nfl_listed_games AS g JOIN nfl_gamecenter_games AS d ON d.game_id = g.gamecenter_id
    UNION ALL
    SELECT
        g.game_id,
        l.home_score IS NOT NULL AND l.away_score IS NOT NULL,
        CASE
            WHEN
                l.home_q1 + l.home_q2 + l.home_q3 + l.home_q4 IS NOT NULL
                AND l.away_q1 + l.away_q2 + l.away_q3 + l.away_q4 IS NOT NULL
                THEN l.home_q1 + l.home_q2 + l.home_q3 + l.home_q4 = l.away_q1 + l.away_q2 + l.away_q3 + l.away_q4
        END,
        l.home_score,
        l.away_score,
        l.home_q1,
        l.home_q2,
        l.home_q3,
        l.home_q4,
        NULL,
        l.away_q1,
        l.away_q2,
        l.away_q3,
        l.away_q4,
        NULL,
        2
    FROM nfl_listed_games AS g JOIN nfl_games_lines_games AS l ON l.game_id = g.listed_id
    UNION ALL
    SELECT
        g.game_id,
        h.state = 'STATUS_FINAL',
        h.ot IS NOT NULL,
        h.score,
        a.score,
        h.q1,
        h.q2,
        h.q3,
        h.q4,
        h.ot,
        a.q1,
        a.q2,
        a.q3,
        a.q4,
        a.ot,
        3
    FROM nfl_listed_games AS g
    JOIN nfl_scoreboard_recorded_sides AS h ON h.espn_id = g.espn_id AND h.side = 'home'
    JOIN nfl_scoreboard_recorded_sides AS a ON a.espn_id = g.espn_id AND a.side = 'away'
    WHERE h.state <> 'STATUS_SCHEDULED'
),

best AS (
    SELECT * FROM told QUALIFY row_number() OVER (PARTITION BY game_id ORDER BY is_final DESC, ord) = 1
),

newest AS (
    SELECT
        g.season,
        g.week
    FROM nfl_listed_games AS g
    JOIN best AS b USING (game_id)
    WHERE b.is_final AND g.phase <> 'preseason'
    ORDER BY g.season DESC, g.week DESC LIMIT 1
),

weather AS (
    SELECT
        w.league_date,
        n.team_id AS home_id,
        w.is_neutral
    FROM nfl_games_lines_weather AS w JOIN nfl_spellings AS n ON n.spelling = w.home_name
),

props AS (
    SELECT
        l.event_id,
        h.team_id AS home_id,
        a.team_id AS away_id,
        CAST(l.starts_at AS TIMESTAMP) AS starts_at,
        CAST(CAST(l.starts_at AS TIMESTAMP) - INTERVAL 5 HOUR AS DATE) AS day
    FROM nfl_props_one_game_lines AS l
    JOIN nfl_spellings AS h ON h.spelling = l.home_abbr JOIN nfl_spellings AS a ON a.spelling = l.away_abbr
),

evented AS (
    -- The event of prices of players: the play-off or regular game of these teams in the season of its day.
    SELECT
        g.game_id,
        p.event_id,
        p.starts_at,
        p.day
    FROM props AS p
    JOIN nfl_listed_games AS g
        ON
            (g.home_id, g.away_id) = (p.home_id, p.away_id)
            AND g.season = year(p.day) - CAST(month(p.day) <= 3 AS INTEGER)
            AND (g.league_date = p.day OR (
                g.league_date IS NULL
                AND g.phase = CASE
                    WHEN (month(p.day) = 1 AND day(p.day) >= 9) OR month(p.day) = 2 THEN 'playoffs'
                    ELSE 'regular'
                END
            ))
    QUALIFY row_number() OVER (PARTITION BY g.game_id ORDER BY p.event_id) = 1
)

SELECT
    g.game_id,
    g.market_id,
    coalesce(e.event_id, g.espn_id) AS feed_id,
    CAST(g.season AS VARCHAR) AS season,
    g.phase,
    CASE g.phase WHEN 'preseason' THEN 1 WHEN 'regular' THEN 2 ELSE 3 END AS phase_order,
    g.week,
    coalesce(g.league_date, e.day) AS league_date,
    coalesce(g.starts_at, e.starts_at) AS starts_at,
    CASE WHEN b.is_final THEN 'final' WHEN b.game_id IS NOT NULL THEN 'in_progress' END AS status,
    g.home_id,
    hn.abbr AS home_abbr,
    hn.city || ' ' || hn.name AS home_name,
    b.home_score,
    b.home_q1,
    b.home_q2,
    b.home_q3,
    b.home_q4,
    b.home_ot,
    g.away_id,
    an.abbr AS away_abbr,
    an.city || ' ' || an.name AS away_name,
    b.away_score,
    b.away_q1,
    b.away_q2,
    b.away_q3,
    b.away_q4,
    b.away_ot,
    CASE
        WHEN b.is_final AND b.is_overtime THEN 'overtime'
        WHEN b.is_final AND NOT b.is_overtime THEN 'regulation'
    END AS decided_in,
    g.venue,
    coalesce(g.is_neutral, w.is_neutral) AS is_neutral,
    coalesce(g.phase <> 'preseason' AND (g.season, g.week) IN (SELECT (season, week) FROM newest), false)
        AS is_newest_week
FROM nfl_listed_games AS g
JOIN nfl_club_names AS hn
    ON
        hn.team_id = g.home_id
        AND g.season BETWEEN CAST(hn.first_season AS INTEGER) AND CAST(hn.last_season AS INTEGER)
JOIN nfl_club_names AS an
    ON
        an.team_id = g.away_id
        AND g.season BETWEEN CAST(an.first_season AS INTEGER) AND CAST(an.last_season AS INTEGER)
LEFT JOIN best AS b ON b.game_id = g.game_id
LEFT JOIN evented AS e ON e.game_id = g.game_id
LEFT JOIN weather AS w ON w.league_date = g.league_date AND w.home_id = g.home_id
