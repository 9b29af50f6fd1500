-- Score and players on the pitch at each minute with a goal, a card or a substitution. Who is on the pitch
-- follows from the starting line-up, substitutions and red cards; only events of open matches have the
-- line-up in the same names.
WITH facts AS (
    SELECT
        match_id,
        source_match_id,
        seq,
        minute,
        added_minute,
        side,
        team,
        kind,
        coalesce(
            player_name,
            player_out
        ) AS player_name,
        player_in,
        false AS is_open
    FROM soccer_incident_facts
    UNION ALL
    SELECT
        match_id,
        source_match_id,
        seq,
        minute,
        NULL,
        side,
        team,
        kind,
        player_name,
        player_in,
        true
    FROM soccer_open_facts
),

scored AS (
    SELECT
        *,
        count(*) FILTER (WHERE side = 'home' AND kind IN ('goal', 'own_goal', 'penalty')) OVER so_far AS home_score,
        count(*) FILTER (WHERE side = 'away' AND kind IN ('goal', 'own_goal', 'penalty')) OVER so_far AS away_score
    FROM facts
    WHERE kind IN ('goal', 'own_goal', 'penalty', 'yellow', 'red', 'substitution')
    WINDOW so_far AS (PARTITION BY match_id ORDER BY seq)
),

starters AS (
    SELECT
        b.match_id,
        CASE WHEN n.team = b.home_slug THEN 'home' ELSE 'away' END AS side,
        unnest([
            e.starter_1, e.starter_2, e.starter_3, e.starter_4, e.starter_5, e.starter_6, e.starter_7,
            e.starter_8, e.starter_9, e.starter_10, e.starter_11
        ]) AS name
    FROM soccer_events_open_events AS e
    JOIN soccer_match_base AS b ON b.open_id = e.source_match_id
    JOIN soccer_team_aliases AS n ON n.name = e.team_name AND n.team IN (b.home_slug, b.away_slug) AND NOT n.is_nation
    WHERE e.kind = 'Starting XI'
    QUALIFY row_number() OVER (PARTITION BY e.source_match_id, e.seq ORDER BY n.context DESC) = 1
),

came AS (
    SELECT
        match_id,
        side,
        name,
        0 AS from_seq
    FROM starters WHERE name IS NOT NULL
    UNION
    SELECT
        match_id,
        side,
        player_in,
        seq
    FROM facts WHERE is_open AND kind = 'substitution' AND player_in IS NOT NULL
),

went AS (
    SELECT
        match_id,
        side,
        player_name AS name,
        min(seq) AS to_seq
    FROM facts WHERE
        is_open
        AND kind IN ('substitution', 'red')
    GROUP BY ALL
),

pitch AS (
    SELECT
        s.match_id,
        s.seq,
        list(c.name ORDER BY c.name) FILTER (WHERE c.side = 'home') AS home_players,
        list(c.name ORDER BY c.name) FILTER (WHERE c.side = 'away') AS away_players
    FROM scored AS s
    JOIN came AS c ON c.match_id = s.match_id AND c.from_seq <= s.seq
    LEFT JOIN went AS w ON w.match_id = c.match_id AND w.side = c.side AND w.name = c.name
    WHERE w.to_seq IS NULL OR w.to_seq > s.seq
    GROUP BY s.match_id, s.seq
)

SELECT
    s.match_id,
    s.source_match_id,
    CAST(row_number() OVER (PARTITION BY s.match_id ORDER BY s.seq) AS INTEGER) AS seq,
    s.minute,
    s.added_minute,
    s.kind,
    s.team,
    s.player_name,
    s.player_in,
    CAST(s.home_score AS INTEGER) AS home_score,
    CAST(s.away_score AS INTEGER) AS away_score,
    p.home_players,
    p.away_players
FROM scored AS s
LEFT JOIN pitch AS p ON p.match_id = s.match_id AND p.seq = s.seq
