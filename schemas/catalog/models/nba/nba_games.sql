-- Games, played or to come. One without an id of the league has one of ours: day, visitors and home team.
WITH own AS (
    SELECT
        own_id AS game_id,
        season,
        'regular' AS phase,
        min(league_date) AS league_date,
        min(starts_at) AS starts_at,
        CASE WHEN max(home_score) IS NULL THEN 'scheduled' ELSE 'final' END AS status,
        min(home_id) AS home_id,
        min(away_id) AS away_id,
        max(home_score) AS home_score,
        max(away_score) AS away_score,
        min(arena) AS arena
    FROM nba_fixture_games
    WHERE
        listed_id IS NULL AND season NOT IN (
            SELECT season FROM nba_listed_games WHERE phase = 'regular' GROUP BY season
            HAVING count(*) > 1000
        )
    GROUP BY own_id, season
),

dated AS (
    SELECT
        listed_id AS game_id,
        min(starts_at) AS starts_at,
        min(league_date) AS league_date,
        min(arena) AS arena,
        max(home_score) AS home_score,
        max(away_score) AS away_score
    FROM nba_fixture_games WHERE listed_id IS NOT NULL GROUP BY listed_id
),

games AS (
    SELECT
        g.* EXCLUDE (league_date, starts_at, arena, status, home_score, away_score),
        coalesce(g.league_date, d.league_date) AS league_date,
        coalesce(g.starts_at, d.starts_at) AS starts_at,
        coalesce(g.arena, d.arena) AS arena,
        CASE WHEN g.status = 'scheduled' AND d.home_score IS NOT NULL THEN 'final' ELSE g.status END AS status,
        coalesce(g.home_score, d.home_score) AS home_score,
        coalesce(g.away_score, d.away_score) AS away_score
    FROM nba_listed_games AS g LEFT JOIN dated AS d USING (game_id)
    UNION ALL BY NAME
    SELECT * FROM own
)

SELECT
    g.game_id,
    g.season,
    g.phase,
    CASE g.phase
        WHEN 'playoffs' THEN 1 WHEN 'play_in' THEN 2 WHEN 'regular' THEN 3 WHEN 'cup_final' THEN 4 WHEN
            'all_star'
            THEN 5
        ELSE 6
    END AS phase_order,
    g.league_date,
    g.starts_at,
    g.status,
    g.home_id,
    h.abbr AS home_abbr,
    h.city || ' ' || h.name AS home_name,
    coalesce(g.home_score, hl.points) AS home_score,
    g.away_id,
    a.abbr AS away_abbr,
    a.city || ' ' || a.name AS away_name,
    coalesce(g.away_score, al.points) AS away_score,
    CASE WHEN g.phase = 'cup_final' THEN true ELSE g.is_neutral END AS is_neutral,
    g.arena,
    g.broadcasters,
    g.label
FROM games AS g
LEFT JOIN nba_clubs AS h ON h.team_id = g.home_id LEFT JOIN nba_clubs AS a ON a.team_id = g.away_id
LEFT JOIN nba_team_lines AS hl ON hl.game_id = g.game_id AND hl.team_id = g.home_id
LEFT JOIN nba_team_lines AS al ON al.game_id = g.game_id AND al.team_id = g.away_id
