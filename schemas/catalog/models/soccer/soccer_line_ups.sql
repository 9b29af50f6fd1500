-- Line-ups: players with minutes of `league-player-matches`, starting line-ups of `incidents`, and players of
-- open matches. Of `incidents` the match is known by season and teams alone. A match has those of one source.
WITH feed AS (
    SELECT
        l.match_id,
        l.source_match_id,
        CASE
            WHEN l.team = l.home_slug THEN 'home'
            WHEN l.team = l.away_slug THEN 'away'
        END AS side,
        l.team,
        p.name AS player_name,
        p.player_slug,
        p.position,
        CAST(NULL AS INTEGER) AS shirt_number,
        l.is_starter,
        l.minutes_played AS minutes,
        l.goals,
        l.assists,
        l.xg,
        'league-player-matches' AS source,
        1 AS rank,
        p.player_code AS place
    FROM soccer_player_lines AS l JOIN soccer_players AS p ON p.player_code = l.player_code
),

old_games AS (
    SELECT
        i.file,
        i.season_code,
        i.game_id,
        min(n.team) FILTER (WHERE i.side = 'home') AS home_slug,
        min(n.team)
        FILTER (WHERE i.side = 'away') AS away_slug
    FROM soccer_incidents_lineups AS i
    JOIN soccer_team_aliases AS n ON n.name = i.team_name AND n.context = 'ENG' AND NOT n.is_nation
    GROUP BY ALL
),

old AS (
    SELECT
        b.match_id,
        b.source_match_id,
        i.side,
        CASE i.side WHEN 'home' THEN b.home_slug ELSE b.away_slug END AS team,
        i.player_name,
        NULL,
        NULL,
        i.shirt_number,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        'incidents',
        2,
        lpad(CAST(i.line AS VARCHAR), 8, '0')
    FROM soccer_incidents_lineups AS i
    JOIN old_games AS g ON g.file = i.file AND g.game_id = i.game_id
    JOIN soccer_competitions AS c ON c.code = 'en.1'
    JOIN soccer_match_base AS b
        ON
            b.competition = c.slug AND b.home_slug = g.home_slug AND b.away_slug = g.away_slug
            AND b.season = '20' || left(i.season_code, 2) || '-' || right(i.season_code, 2)
    WHERE i.side IN ('home', 'away')
),

open_players AS (
    SELECT
        b.match_id,
        b.source_match_id,
        CASE WHEN n.team = b.home_slug THEN 'home' ELSE 'away' END,
        n.team,
        o.player_name,
        NULL,
        NULL,
        o.shirt_number,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        'events-open',
        3,
        lpad(CAST(o.line AS VARCHAR), 8, '0')
    FROM soccer_events_open_lineups AS o
    JOIN soccer_match_base AS b ON b.open_id = o.source_match_id
    JOIN soccer_team_aliases AS n ON n.name = o.team_name AND n.team IN (b.home_slug, b.away_slug) AND NOT n.is_nation
    QUALIFY row_number() OVER (PARTITION BY o.source_match_id, o.line ORDER BY n.context DESC) = 1
),

everyone AS (
    SELECT * FROM feed
    UNION ALL
    SELECT * FROM old
    UNION ALL
    SELECT * FROM open_players
)

SELECT
    match_id,
    source_match_id,
    CAST(row_number() OVER (
        PARTITION BY
            match_id ORDER BY
            side DESC NULLS LAST, is_starter DESC NULLS LAST,
            minutes DESC NULLS LAST, place
    ) AS INTEGER) AS seq,
    side,
    team,
    player_name,
    player_slug,
    position,
    shirt_number,
    is_starter,
    minutes,
    goals,
    assists,
    xg,
    source
FROM everyone
QUALIFY rank = min(rank) OVER (PARTITION BY match_id)
