-- Every match of every source, once, with the scores that each states. `leagues` counts before the others,
-- since days in `league-player-matches` are in part those of the reverse fixture: its matches, and those of
-- `incidents`, are joined by competition, season and teams where such a match is listed once, never by day.
-- Awarded matches are results. Goals of one side alone are no score.
WITH named AS (
    SELECT
        l.*,
        h.team AS home_slug,
        a.team AS away_slug
    FROM soccer_listed_matches AS l
    JOIN soccer_team_aliases AS h ON h.name = l.home_name AND h.context = coalesce(l.country, '') AND NOT h.is_nation
    JOIN soccer_team_aliases AS a ON a.name = l.away_name AND a.context = coalesce(l.country, '') AND NOT a.is_nation
),

-- A row that is there twice is one match; the one with a score stays.
leagues AS (
    SELECT
        *,
        count(*) OVER (PARTITION BY competition, season, home_slug, away_slug) AS n_pair,
        row_number() OVER (
            PARTITION BY
                competition, season, home_slug, away_slug ORDER BY
                phase <> 'regular',
                match_date, line
        ) AS n_of_pair
    FROM named
    QUALIFY row_number() OVER (
        PARTITION BY competition, season, match_date, home_slug, away_slug
        ORDER BY home_ft IS NULL, file, line
    ) = 1
),

incidents AS (
    SELECT
        g.*,
        h.team AS home_slug,
        a.team AS away_slug
    FROM soccer_incident_games AS g
    JOIN soccer_incident_teams AS h ON h.competition = g.competition AND h.season = g.season AND h.name = g.home_name
    JOIN soccer_incident_teams AS a ON a.competition = g.competition AND a.season = g.season AND a.name = g.away_name
    QUALIFY row_number() OVER (PARTITION BY g.competition, g.season, h.team, a.team ORDER BY g.match_date, g.file) = 1
),

feed AS (
    -- Days of some league matches are those of the reverse fixture: of the two the later one is never early.
    SELECT
        f.* REPLACE (CASE WHEN k.country IS NOT NULL AND k.code IS NOT NULL THEN max(f.kick_off_day) OVER (
            PARTITION BY f.competition, f.season, least(h.team, a.team), greatest(h.team, a.team)
        ) ELSE f.kick_off_day END AS kick_off_day),
        h.team AS home_slug,
        a.team AS away_slug,
        f.kick_off_day AS stated_day
    FROM soccer_feed_matches AS f
    LEFT JOIN
        (SELECT
            slug,
            max(country) AS country,
            max(code) AS code
        FROM soccer_competitions GROUP BY slug) AS k
        ON k.slug = f.competition
    JOIN soccer_team_aliases AS h ON h.name = f.home_name AND h.context = coalesce(f.country, '') AND NOT h.is_nation
    JOIN soccer_team_aliases AS a ON a.name = f.away_name AND a.context = coalesce(f.country, '') AND NOT a.is_nation
    QUALIFY row_number() OVER (PARTITION BY f.competition, f.season, h.team, a.team ORDER BY f.source_match_id) = 1
),

board AS (
    SELECT
        b.*,
        h.team AS home_slug,
        a.team AS away_slug
    FROM soccer_scoreboard_matches AS b
    JOIN soccer_team_aliases AS h ON h.name = b.home_name AND h.context = coalesce(b.country, '') AND NOT h.is_nation
    JOIN soccer_team_aliases AS a ON a.name = b.away_name AND a.context = coalesce(b.country, '') AND NOT a.is_nation
    QUALIFY row_number() OVER (PARTITION BY b.competition, b.season, h.team, a.team ORDER BY b.event_id) = 1
),

open_matches AS (
    SELECT
        o.source_match_id,
        c.slug AS competition,
        c.name AS competition_name,
        o.season,
        CAST(o.match_date AS DATE) AS match_date,
        h.team AS home_slug,
        a.team AS away_slug
    FROM soccer_open_matches AS o
    JOIN soccer_competitions AS c ON c.code = o.competition_code
    JOIN soccer_team_aliases AS h ON h.name = o.home_name AND h.context = coalesce(c.country, '') AND NOT h.is_nation
    JOIN soccer_team_aliases AS a ON a.name = o.away_name AND a.context = coalesce(c.country, '') AND NOT a.is_nation
    WHERE o.source_match_id IN (SELECT source_match_id FROM soccer_events_open_events)
),

-- Of a pair that meets more than once the first regular match is the one that other sources mean.
pairs AS (
    SELECT
        competition,
        season,
        home_slug,
        away_slug
    FROM leagues
    UNION
    SELECT
        competition,
        season,
        home_slug,
        away_slug
    FROM incidents
    UNION
    SELECT
        competition,
        season,
        home_slug,
        away_slug
    FROM feed
    UNION
    SELECT
        competition,
        season,
        home_slug,
        away_slug
    FROM board
    UNION
    SELECT
        competition,
        season,
        home_slug,
        away_slug
    FROM open_matches
),

clubs AS (
    SELECT
        p.competition,
        coalesce(
            l.competition_name, i.competition_name, f.competition_name, b.competition_name,
            o.competition_name
        ) AS competition_name,
        p.season,
        l.phase,
        l.round,
        coalesce(
            l.match_date, i.match_date, o.match_date, f.kick_off_day,
            b.match_date
        ) AS match_date,
        l.kick_off,
        l.status AS stated_status,
        p.home_slug,
        p.away_slug,
        l.home_ht,
        l.away_ht,
        l.home_et IS NOT NULL AS has_extra_time,
        l.home_penalties IS NOT NULL AS has_shootout,
        CASE WHEN l.home_penalties <> l.away_penalties THEN l.home_penalties END AS home_penalties,
        CASE WHEN l.home_penalties <> l.away_penalties THEN l.away_penalties END AS away_penalties,
        CASE WHEN l.home_et + l.away_et IS NOT NULL THEN l.home_et WHEN l.away_ft IS NOT NULL THEN l.home_ft END
            AS home_leagues,
        CASE WHEN l.home_et + l.away_et IS NOT NULL THEN l.away_et WHEN l.home_ft IS NOT NULL THEN l.away_ft END
            AS away_leagues,
        CASE WHEN i.away_score IS NOT NULL THEN i.home_score END AS home_incidents,
        CASE WHEN i.home_score IS NOT NULL THEN i.away_score END AS away_incidents,
        CASE WHEN f.away_score IS NOT NULL THEN f.home_score END AS home_feed,
        CASE WHEN f.home_score IS NOT NULL THEN f.away_score END AS away_feed,
        CASE WHEN b.away_score IS NOT NULL THEN b.home_score END AS home_board,
        CASE WHEN b.home_score IS NOT NULL THEN b.away_score END AS away_board,
        i.venue,
        i.city,
        coalesce(i.attendance, nullif(b.attendance, 0)) AS attendance,
        i.referee,
        l.line AS league_line,
        f.source_match_id AS feed_id,
        b.event_id AS board_id,
        o.source_match_id AS open_id,
        i.file AS incidents_file,
        i.home_name AS incidents_home,
        i.away_name AS incidents_away,
        i.match_date AS incidents_date,
        f.stated_day AS feed_date,
        coalesce(l.n_of_pair, 1) AS n_of_pair
    FROM pairs AS p
    LEFT JOIN leagues AS l USING (competition, season, home_slug, away_slug)
    LEFT JOIN incidents AS i
        ON
            i.competition = p.competition AND i.season = p.season AND i.home_slug = p.home_slug
            AND i.away_slug = p.away_slug AND coalesce(l.n_of_pair, 1) = 1
    LEFT JOIN feed AS f
        ON
            f.competition = p.competition AND f.season = p.season AND f.home_slug = p.home_slug
            AND f.away_slug = p.away_slug AND coalesce(l.n_of_pair, 1) = 1
    LEFT JOIN board AS b
        ON
            b.competition = p.competition AND b.season = p.season AND b.home_slug = p.home_slug
            AND b.away_slug = p.away_slug AND coalesce(l.n_of_pair, 1) = 1
    LEFT JOIN open_matches AS o
        ON
            o.competition = p.competition AND o.season = p.season AND o.home_slug = p.home_slug
            AND o.away_slug = p.away_slug AND coalesce(l.n_of_pair, 1) = 1
    WHERE p.home_slug <> p.away_slug
)

SELECT
    competition
    || '-'
    || season
    || '-'
    || CAST(match_date AS VARCHAR)
    || '-'
    || home_slug
    || '-'
    || away_slug AS match_id,
    coalesce(feed_id, board_id, open_id) AS source_match_id,
    *,
    coalesce(home_leagues, home_incidents, home_feed, home_board) AS home_score,
    coalesce(away_leagues, away_incidents, away_feed, away_board) AS away_score
FROM clubs
WHERE match_date IS NOT NULL
