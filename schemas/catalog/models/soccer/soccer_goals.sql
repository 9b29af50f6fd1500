-- Goals of matches: of `incidents`, else of the file of Premier League goals, of internationals, or of open
-- events. A running score is that of the source; of internationals and events it is counted, where every goal
-- has its minute.
WITH pl AS (
    SELECT
        b.match_id,
        b.source_match_id,
        b.home_slug,
        b.away_slug,
        g.*,
        n.team AS scorer_team
    FROM soccer_incidents_pl_goals AS g
    JOIN
        soccer_team_aliases AS h
        ON h.name = trim(split_part(g.game_text, ' vs. ', 1)) AND h.context = 'ENG' AND NOT h.is_nation
    JOIN soccer_team_aliases AS a
        ON
            a.name = trim(regexp_replace(split_part(g.game_text, ' vs. ', 2), '\s+\d+:\d+$', ''))
            AND a.context = 'ENG' AND NOT a.is_nation
    JOIN soccer_competitions AS c ON c.code = 'en.1'
    JOIN soccer_match_base AS b
        ON b.competition = c.slug AND b.season = left(
            g.season_years,
            4
        ) || '-' || right(g.season_years, 2
        )
        AND b.home_slug = h.team AND b.away_slug = a.team AND b.incidents_file IS NULL
    LEFT JOIN soccer_team_aliases AS n ON n.name = g.team_name AND n.context = 'ENG' AND NOT n.is_nation
),

nations AS (
    SELECT
        m.match_id,
        g.line,
        g.minute,
        g.player_name,
        g.is_own_goal,
        g.is_penalty,
        n.team,
        m.home_slug,
        m.away_slug,
        bool_and(g.minute IS NOT NULL) OVER (PARTITION BY m.match_id) AS is_timed,
        count(*) FILTER (WHERE n.team = m.home_slug) OVER so_far AS home_goals,
        count(*) FILTER (WHERE n.team = m.away_slug) OVER so_far AS away_goals,
        row_number() OVER (PARTITION BY m.match_id ORDER BY g.minute NULLS LAST, g.line) AS seq
    FROM soccer_internationals_goals AS g
    JOIN soccer_international_matches AS m
        ON
            m.match_date = g.match_date AND m.home_name = g.home_name
            AND m.away_name = g.away_name AND m.n_of_day = 1
    LEFT JOIN soccer_team_aliases AS n ON n.name = g.team_name AND n.is_nation
    WINDOW so_far AS (PARTITION BY m.match_id ORDER BY g.minute NULLS LAST, g.line)
)

SELECT
    match_id,
    source_match_id,
    CAST(row_number() OVER (PARTITION BY match_id ORDER BY seq) AS INTEGER) AS seq,
    minute,
    added_minute,
    team,
    player_name,
    assist_name,
    kind,
    home_score_then AS home_score,
    away_score_then AS away_score
FROM soccer_incident_facts WHERE kind IN ('goal', 'own_goal', 'penalty')
UNION ALL
SELECT
    match_id,
    source_match_id,
    CAST(row_number() OVER (
        PARTITION BY
            match_id ORDER BY
            home_score + away_score,
            line
    ) AS INTEGER),
    TRY_CAST(regexp_extract(minute_text, '^(\d+)', 1) AS INTEGER),
    TRY_CAST(nullif(regexp_extract(
        minute_text,
        '^\d+\+(\d+)', 1
    ), '') AS INTEGER),
    CASE WHEN scorer_team IN (home_slug, away_slug) THEN scorer_team END,
    player_name,
    NULL,
    NULL,
    home_score,
    away_score
FROM pl
UNION ALL
SELECT
    match_id,
    NULL,
    CAST(seq AS INTEGER),
    minute,
    NULL,
    team,
    player_name,
    NULL,
    CASE WHEN is_own_goal THEN 'own_goal' WHEN is_penalty THEN 'penalty' ELSE 'goal' END,
    CASE WHEN is_timed THEN CAST(home_goals AS INTEGER) END,
    CASE WHEN is_timed THEN CAST(away_goals AS INTEGER) END
FROM nations
UNION ALL
SELECT
    match_id,
    source_match_id,
    CAST(row_number() OVER goals AS INTEGER),
    minute,
    NULL,
    team,
    player_name,
    NULL,
    kind,
    CAST(count(*) FILTER (WHERE side = 'home') OVER goals AS INTEGER),
    CAST(count(*) FILTER (WHERE side = 'away')
        OVER goals
    AS INTEGER)
FROM soccer_open_facts WHERE kind IN ('goal', 'own_goal', 'penalty')
WINDOW goals AS (PARTITION BY match_id ORDER BY seq)
