-- Games of another publisher's scoreboard, with the league's ids where day and both teams lead to one game
-- alone. Others keep the publisher's id behind its name, since the two number games alike.
WITH sides AS (
    SELECT
        *,
        CASE side1 WHEN 'home' THEN abbr1 ELSE abbr2 END AS home,
        CASE side1 WHEN 'home' THEN abbr2 ELSE abbr1 END AS away,
        CASE side1
            WHEN 'home' THEN score1 ELSE score2
        END AS home_score,
        CASE side1
            WHEN 'home' THEN score2
            ELSE score1
        END AS away_score
    FROM nhl_scoreboard_recorded_games WHERE side1 <> side2
),

spelt AS (
    SELECT
        s.* EXCLUDE (home, away),
        coalesce(h.abbr, s.home) AS home_abbr,
        coalesce(a.abbr, s.away) AS away_abbr
    FROM sides AS s
    LEFT JOIN nhl_spellings AS h ON h.spelling = s.home
    LEFT JOIN nhl_spellings AS a ON a.spelling = s.away
),

known AS (
    SELECT
        league_date,
        home_abbr,
        away_abbr,
        min(game_id) AS game_id
    FROM nhl_source_games
    GROUP BY ALL HAVING count(DISTINCT game_id) = 1
)

SELECT
    6 AS preference,
    s.captured_at,
    coalesce(k.game_id, 'espn-' || s.source_id) AS game_id,
    CAST(s.end_year - 1 AS VARCHAR) || '-' || substr(CAST(s.end_year AS VARCHAR), 3, 2) AS season,
    CASE s.game_type WHEN '1' THEN 'preseason' WHEN '2' THEN 'regular' WHEN '3' THEN 'playoffs' ELSE 'other' END
        AS phase,
    league_date,
    s.starts_at,
    CASE s.status_name
        WHEN 'STATUS_FINAL' THEN 'final' WHEN 'STATUS_IN_PROGRESS' THEN 'in_progress'
        WHEN 'STATUS_END_PERIOD' THEN 'in_progress'
        WHEN 'STATUS_SCHEDULED' THEN 'scheduled' WHEN 'STATUS_POSTPONED' THEN 'postponed'
        WHEN 'STATUS_CANCELED' THEN 'cancelled'
    END AS status,
    home_abbr,
    away_abbr,
    s.home_score,
    s.away_score,
    s.venue,
    CASE
        WHEN s.status_name <> 'STATUS_FINAL' THEN NULL WHEN s.overtime_word LIKE '%OT%' THEN 'overtime'
        WHEN s.overtime_word LIKE '%SO%' THEN 'shootout' WHEN s.overtime_word IS NULL THEN 'regulation'
    END AS ended_in
FROM spelt AS s LEFT JOIN known AS k USING (league_date, home_abbr, away_abbr)
