-- Checks on soccer data. Every check has a row of its sum, `all`, which is there when nothing was found too,
-- and a row for each competition and season in which it found something.
WITH checks (check_name) AS (
    VALUES ('score_conflict_league_player_matches'), ('score_conflict_incidents'), ('score_conflict_scoreboard'),
    ('day_conflict_league_player_matches'),
    ('team_spelt_twice'),
    ('result_missing'),
    ('result_of_incidents'),
    ('match_listed_twice'),
    ('match_listed_both_ways'),
    ('met_twice_on_a_day'),
    ('score_contradicts_itself'),
    ('shoot_out_after_a_win'), ('goals_do_not_add_up'),
    ('shoot_out_without_winner'), ('statistics_of_unfinished_match'), ('team_not_linked'), ('league_not_listed')
),

results_until AS (
    SELECT
        competition,
        season,
        max(match_date) AS until
    FROM soccer_match_base
    WHERE home_leagues IS NOT NULL
    GROUP BY ALL
),

spelt AS (
    SELECT
        l.competition,
        l.season,
        n.team,
        string_agg(DISTINCT l.name, ' / ' ORDER BY l.name) AS spellings
    FROM (
        SELECT
            competition,
            season,
            home_name AS name,
            coalesce(country, '') AS context
        FROM soccer_listed_matches
        UNION
        SELECT
            competition,
            season,
            away_name,
            coalesce(country, '')
        FROM soccer_listed_matches
    ) AS l
    JOIN soccer_team_aliases AS n ON n.name = l.name AND n.context = l.context AND NOT n.is_nation
    GROUP BY ALL HAVING count(DISTINCT l.name) > 1
),

goals AS (
    SELECT
        m.match_id,
        m.competition,
        m.season,
        m.home_score + m.away_score AS stated,
        count(*) AS captured
    FROM soccer_goals AS g JOIN soccer_matches AS m ON m.match_id = g.match_id
    GROUP BY ALL
),

findings AS (
    SELECT
        'score_conflict_league_player_matches' AS check_name,
        competition,
        season,
        match_id AS what
    FROM soccer_match_base
    WHERE home_leagues <> home_feed OR away_leagues <> away_feed
    UNION ALL
    SELECT
        'score_conflict_incidents',
        competition,
        season,
        match_id
    FROM soccer_match_base
    WHERE home_leagues <> home_incidents OR away_leagues <> away_incidents
    UNION ALL
    SELECT
        'score_conflict_scoreboard',
        competition,
        season,
        match_id
    FROM soccer_match_base
    WHERE home_leagues <> home_board OR away_leagues <> away_board
    UNION ALL
    SELECT
        'day_conflict_league_player_matches',
        competition,
        season,
        match_id
    FROM soccer_match_base
    WHERE phase IS NOT NULL AND feed_date <> match_date
    UNION ALL
    SELECT
        'team_spelt_twice',
        competition,
        season,
        spellings
    FROM spelt
    UNION ALL
    SELECT
        'result_missing',
        b.competition,
        b.season,
        b.match_id
    FROM soccer_match_base AS b JOIN results_until AS u ON u.competition = b.competition AND u.season = b.season
    WHERE b.home_score IS NULL AND b.stated_status IS NULL AND b.match_date <= u.until
    UNION ALL
    SELECT
        'result_of_incidents',
        competition,
        season,
        match_id
    FROM soccer_match_base
    WHERE phase IS NOT NULL AND home_leagues IS NULL AND home_incidents IS NOT NULL
    UNION ALL
    SELECT
        'match_listed_twice',
        competition,
        season,
        home_name || ' v ' || away_name
    FROM soccer_listed_matches
    WHERE phase = 'regular' GROUP BY ALL HAVING count(*) > 1
    UNION ALL
    SELECT
        'match_listed_both_ways',
        a.competition,
        a.season,
        a.match_id
    FROM soccer_international_matches AS a
    JOIN
        soccer_international_matches AS b
        ON b.match_date = a.match_date AND b.home_slug = a.away_slug AND b.away_slug = a.home_slug
    UNION ALL
    SELECT
        'met_twice_on_a_day',
        competition,
        season,
        match_id
    FROM soccer_international_matches
    WHERE n_of_day > 1
    UNION ALL
    SELECT
        'score_contradicts_itself',
        competition,
        season,
        home_name || ' v ' || away_name || ' ' || match_date
    FROM soccer_listed_matches
    WHERE
        home_et < home_ft OR away_et < away_ft OR home_ft < home_ht OR away_ft < away_ht
        OR (home_ft IS NULL) <> (away_ft IS NULL) OR (home_et IS NULL) <> (away_et IS NULL)
    UNION ALL
    SELECT
        'shoot_out_after_a_win',
        competition,
        season,
        match_id
    FROM soccer_international_matches
    WHERE winner_name IS NOT NULL AND home_score <> away_score
    UNION ALL
    SELECT
        'shoot_out_after_a_win',
        competition,
        season,
        match_id
    FROM soccer_match_base
    WHERE has_shootout AND home_score <> away_score
    UNION ALL
    SELECT
        'goals_do_not_add_up',
        competition,
        season,
        match_id
    FROM goals WHERE stated <> captured
    UNION ALL
    SELECT
        'shoot_out_without_winner',
        competition,
        season,
        match_id
    FROM soccer_match_base
    WHERE has_shootout AND home_penalties IS NULL
    UNION ALL
    SELECT
        'statistics_of_unfinished_match',
        competition,
        season,
        match_id
    FROM soccer_unfinished_feeds
    UNION ALL
    SELECT
        'team_not_linked',
        competition,
        season,
        name
    FROM soccer_incident_teams WHERE NOT is_linked
    UNION ALL
    SELECT
        'league_not_listed',
        'feed-' || regexp_extract(event_uid, 'l:(\d+)', 1),
        CAST(season_year AS VARCHAR),
        event_id
    FROM soccer_scoreboard_recorded_events
    WHERE
        regexp_extract(event_uid, 'l:(\d+)', 1) NOT IN (
            SELECT feed_id FROM soccer_competitions WHERE feed_id IS NOT NULL
        )
),

counted AS (
    SELECT
        check_name,
        competition || coalesce(' ' || season, '') AS subject,
        count(*) AS n,
        array_to_string(list(
            what
            ORDER BY what
        )[1:5
        ], '; ') AS note
    FROM findings GROUP BY ALL
)

SELECT
    c.check_name AS "check",
    'all' AS subject,
    CASE WHEN count(n.n) = 0 THEN 'ok' ELSE 'found' END AS state,
    CAST(coalesce(sum(n.n), 0) AS INTEGER) AS n_rows,
    CAST(NULL AS VARCHAR) AS note
FROM checks AS c LEFT JOIN counted AS n ON n.check_name = c.check_name
GROUP BY c.check_name
UNION ALL
SELECT
    check_name,
    subject,
    'found',
    CAST(n AS INTEGER),
    note
FROM counted
