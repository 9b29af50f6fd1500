-- Games of regular seasons and play-offs by season, week and teams, whichever source names them, and of
-- pre-seasons by id. Weeks of play-offs continue those of the regular season. A game without an id of the
-- league has one of ours: season, week, visitors and home team, which are the ids of the list, too. The
-- schedule's clock is Eastern time: daylight saving ends on the first Sunday of November, and no game is
-- played between March and July. Hours of the morning but nine are errors of its halves of the day.
WITH scheduled AS (
    SELECT
        s.game_id,
        s.season,
        CASE s.phase WHEN 'PRE' THEN 'preseason' WHEN 'REG' THEN 'regular' ELSE 'playoffs' END AS phase,
        CASE WHEN s.phase <> 'POST' THEN
            s.week ELSE least(s.week, 4) + CASE
            WHEN s.season >= 2021 THEN 18
            ELSE 17
        END END AS week,
        try_strptime(left(s.game_id, 8), '%Y%m%d') AS midnight,
        h.team_id AS home_id,
        a.team_id AS away_id,
        CASE
            WHEN s.meridiem = 'PM' OR (s.meridiem = 'AM' AND s.local_time LIKE '9:%')
                THEN
                    60
                    * (
                        TRY_CAST(split_part(s.local_time, ':', 1) AS INTEGER) % 12
                        + CASE s.meridiem WHEN 'PM' THEN 12 ELSE 0 END
                    )
                    + TRY_CAST(split_part(s.local_time, ':', 2) AS INTEGER)
        END AS clock_mins
    FROM nfl_gamecenter_schedule AS s
    JOIN nfl_spellings AS h ON h.spelling = s.home_abbr JOIN nfl_spellings AS a ON a.spelling = s.away_abbr
),

novembers AS (
    SELECT
        *,
        CAST(make_date(year(midnight), 11, 1) AS TIMESTAMP) AS november
    FROM scheduled
),

clocked AS (
    SELECT
        game_id,
        season,
        phase,
        week,
        home_id,
        away_id,
        CAST(midnight AS DATE) AS league_date,
        CASE WHEN
            month(midnight) BETWEEN 3 AND 10
            OR (month(midnight) = 11 AND midnight < november + to_days(CAST((7 - isodow(november)) AS INTEGER)))
            THEN 240
        ELSE 300 END AS behind_mins,
        midnight,
        clock_mins
    FROM novembers
),

gamecenter AS (
    SELECT
        game_id,
        season,
        phase,
        week,
        home_id,
        away_id,
        league_date,
        midnight + to_minutes(clock_mins + behind_mins) AS starts_at
    FROM clocked
),

listed AS (
    SELECT
        g.game_id,
        g.season,
        CASE WHEN g.week > CASE WHEN g.season >= 2021 THEN 18 ELSE 17 END THEN 'playoffs' ELSE 'regular' END AS phase,
        g.week,
        h.team_id AS home_id,
        a.team_id AS away_id,
        g.league_date
    FROM nfl_games_lines_games AS g
    JOIN nfl_spellings AS h ON h.spelling = g.home_name JOIN nfl_spellings AS a ON a.spelling = g.away_name
),

priced AS (
    SELECT
        m.market_id,
        m.season,
        CASE WHEN m.week > CASE WHEN m.season >= 2021 THEN 18 ELSE 17 END THEN 'playoffs' ELSE 'regular' END AS phase,
        m.week,
        h.team_id AS home_id,
        a.team_id AS away_id
    FROM nfl_market_open_close_spreads AS m
    JOIN nfl_spellings AS h ON h.spelling = m.home_abbr JOIN nfl_spellings AS a ON a.spelling = m.away_abbr
),

boarded AS (
    SELECT
        max(s.espn_id) AS espn_id,
        s.season,
        CASE s.phase_code WHEN 2 THEN 'regular' WHEN 3 THEN 'playoffs' ELSE 'preseason' END AS phase,
        CASE
            WHEN s.phase_code = 3 THEN least(s.week, 4) + CASE WHEN s.season >= 2021 THEN 18 ELSE 17 END
            ELSE s.week
        END AS week,
        max(n.team_id) FILTER (s.side = 'home') AS home_id,
        max(n.team_id) FILTER (s.side = 'away') AS away_id,
        max(s.starts_at) AS starts_at,
        max(s.venue) AS venue,
        bool_or(s.is_neutral) AS is_neutral
    FROM nfl_scoreboard_recorded_sides AS s JOIN nfl_spellings AS n ON n.spelling = s.team_abbr
    GROUP BY s.espn_id, s.season, s.phase_code, s.week
),

named AS (
    SELECT
        season,
        phase,
        week,
        home_id,
        away_id
    FROM gamecenter
    UNION
    SELECT
        season,
        phase,
        week,
        home_id,
        away_id
    FROM listed
    UNION
    SELECT
        season,
        phase,
        week,
        home_id,
        away_id
    FROM priced
    UNION
    SELECT
        season,
        phase,
        week,
        home_id,
        away_id
    FROM boarded
)

SELECT
    coalesce(g.game_id, concat_ws('_', n.season, lpad(CAST(n.week AS VARCHAR), 2, '0'), an.abbr, hn.abbr)) AS game_id,
    p.market_id,
    g.game_id AS gamecenter_id,
    l.game_id AS listed_id,
    b.espn_id,
    n.season,
    n.phase,
    n.week,
    n.home_id,
    n.away_id,
    coalesce(g.league_date, l.league_date) AS league_date,
    coalesce(g.starts_at, CAST(b.starts_at AS TIMESTAMP)) AS starts_at,
    b.venue,
    b.is_neutral
FROM named AS n
JOIN nfl_club_names AS hn
    ON
        hn.team_id = n.home_id
        AND n.season BETWEEN CAST(hn.first_season AS INTEGER) AND CAST(hn.last_season AS INTEGER)
JOIN nfl_club_names AS an
    ON
        an.team_id = n.away_id
        AND n.season BETWEEN CAST(an.first_season AS INTEGER) AND CAST(an.last_season AS INTEGER)
LEFT JOIN gamecenter AS g USING (season, phase, week, home_id, away_id)
LEFT JOIN listed AS l USING (season, phase, week, home_id, away_id)
LEFT JOIN priced AS p USING (season, phase, week, home_id, away_id)
LEFT JOIN boarded AS b USING (season, phase, week, home_id, away_id)
