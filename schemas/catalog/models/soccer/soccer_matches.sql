-- Matches of clubs and national teams, played or to come. A match without a score is `no_result` unless a
-- source says more: nobody knows whether it is to come or was not captured.
WITH facts AS (
    SELECT
        match_id,
        count(*) AS n
    FROM (
        SELECT match_id FROM soccer_goals
        UNION ALL
        SELECT match_id FROM soccer_cards
        UNION ALL
        SELECT match_id
        FROM soccer_substitutions
    ) GROUP BY match_id
),

everything AS (
    SELECT
        match_id,
        source_match_id,
        competition,
        competition_name,
        season,
        phase,
        round,
        match_date,
        kick_off,
        CASE
            WHEN home_score IS NOT NULL AND stated_status = 'awarded' THEN 'awarded' WHEN
                home_score IS NOT NULL
                THEN 'final'
            WHEN stated_status IS NOT NULL THEN stated_status ELSE 'no_result'
        END AS status,
        home_slug,
        home_score,
        CASE WHEN home_score IS NOT NULL THEN home_ht END AS home_half_time,
        home_penalties,
        away_slug,
        away_score,
        CASE WHEN home_score IS NOT NULL THEN away_ht END AS away_half_time,
        away_penalties,
        CASE
            WHEN home_score IS NULL THEN NULL WHEN has_shootout THEN 'shootout' WHEN has_extra_time THEN 'extra_time'
            WHEN phase = 'regular' OR home_leagues IS NOT NULL THEN 'regulation'
        END AS decided_in,
        CAST(NULL AS VARCHAR) AS shootout_winner,
        CAST(NULL AS BOOLEAN) AS is_neutral,
        venue,
        city,
        attendance,
        referee,
        CASE
            WHEN home_leagues IS NOT NULL THEN 'leagues' WHEN home_incidents IS NOT NULL THEN 'incidents'
            WHEN home_feed IS NOT NULL THEN 'league-player-matches'
            WHEN home_board IS NOT NULL THEN 'scoreboard-recorded'
        END AS score_source
    FROM soccer_match_base
    UNION ALL
    SELECT
        match_id,
        NULL,
        competition,
        competition_name,
        season,
        NULL,
        NULL,
        match_date,
        NULL,
        CASE WHEN home_score IS NULL THEN 'no_result' ELSE 'final' END,
        home_slug,
        home_score,
        NULL,
        NULL,
        away_slug,
        away_score,
        NULL,
        NULL,
        CASE WHEN winner_name IS NOT NULL THEN 'shootout' END,
        CASE winner_name WHEN home_name THEN home_slug WHEN away_name THEN away_slug END,
        is_neutral,
        NULL,
        city,
        NULL,
        NULL,
        CASE WHEN home_score IS NOT NULL THEN 'internationals' END
    FROM soccer_international_matches
)

SELECT
    e.match_id,
    e.source_match_id,
    e.competition,
    e.competition_name,
    e.season,
    e.phase,
    e.round,
    e.match_date,
    e.kick_off,
    e.status,
    e.home_slug,
    h.name AS home_name,
    e.home_score,
    e.home_half_time,
    e.home_penalties,
    e.away_slug,
    a.name AS away_name,
    e.away_score,
    e.away_half_time,
    e.away_penalties,
    e.decided_in,
    coalesce(e.shootout_winner, CASE
        WHEN e.home_penalties > e.away_penalties THEN e.home_slug
        WHEN e.home_penalties < e.away_penalties THEN e.away_slug
    END) AS shootout_winner,
    e.is_neutral,
    e.venue,
    e.city,
    e.attendance,
    e.referee,
    e.score_source,
    CAST(coalesce(f.n, 0) AS INTEGER) AS minute_facts
FROM everything AS e
JOIN soccer_team_names AS h ON h.team = e.home_slug
JOIN soccer_team_names AS a ON a.team = e.away_slug
LEFT JOIN facts AS f ON f.match_id = e.match_id
