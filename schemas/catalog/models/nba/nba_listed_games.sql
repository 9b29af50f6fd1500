-- Games with the league's id: of every value the first that is known, a final state before any other. The id
-- tells the season and its phase; what has none of that form is no game of the league. Which team was at home
-- is said by the first source that knows: where another calls the same team the visitors, as logs of neutral
-- ground do, its word does not count.
WITH ordered AS (
    SELECT
        *,
        row_number() OVER (PARTITION BY game_id ORDER BY status = 3 DESC, preference, captured_at DESC) AS nth
    FROM nba_source_games
),

games AS (
    SELECT
        game_id,
        arg_min(league_date, nth) AS league_date,
        arg_min(starts_at, nth) AS starts_at,
        arg_min(status, nth) AS status,
        arg_min(home_id, nth) AS told_home_id,
        arg_min(away_id, nth) AS told_away_id,
        told_home_id = told_away_id
        AND min(nth) FILTER (away_id IS NOT NULL) < min(nth) FILTER (home_id IS NOT NULL) AS is_away,
        CASE WHEN is_away IS NOT TRUE THEN told_home_id END AS home_id,
        CASE WHEN is_away OR (told_home_id IS DISTINCT FROM told_away_id) THEN told_away_id END AS away_id,
        arg_min(home_score, nth) FILTER (away_score IS NOT NULL) AS home_score,
        arg_min(away_score, nth) FILTER (home_score IS NOT NULL) AS away_score,
        arg_min(arena, nth) AS arena,
        arg_min(broadcasters, nth) AS broadcasters,
        arg_min(label, nth) AS label,
        bool_or(is_neutral) AS is_neutral
    FROM ordered WHERE regexp_full_match(game_id, '00[1-6][0-9]{7}') GROUP BY game_id
),

teams AS (
    SELECT
        game_id,
        team_id
    FROM nba_team_lines
    UNION
    SELECT
        game_id,
        home_id
    FROM ordered
    UNION
    SELECT
        game_id,
        away_id
    FROM ordered
),

sides AS (
    -- A box alone does not say who was at home.
    SELECT
        game_id,
        min(team_id) AS one,
        max(team_id) AS other
    FROM teams GROUP BY game_id HAVING count(team_id) = 2
)

SELECT
    g.game_id,
    '20'
    || substr(g.game_id, 4, 2)
    || '-'
    || printf('%02d', (TRY_CAST(substr(g.game_id, 4, 2) AS INTEGER) + 1) % 100) AS season,
    CASE substr(
        g.game_id, 3, 1)
        WHEN '1' THEN 'preseason' WHEN '2' THEN 'regular' WHEN '3' THEN 'all_star' WHEN '4' THEN 'playoffs'
        WHEN '5' THEN 'play_in' WHEN '6' THEN 'cup_final'
    END AS phase,
    g.league_date,
    g.starts_at,
    CASE g.status WHEN 1 THEN 'scheduled' WHEN 2 THEN 'in_progress' ELSE 'final' END AS status,
    nullif(coalesce(g.home_id, CASE g.away_id WHEN s.one THEN s.other WHEN s.other THEN s.one END), '0') AS home_id,
    nullif(coalesce(g.away_id, CASE g.home_id WHEN s.one THEN s.other WHEN s.other THEN s.one END), '0') AS away_id,
    g.home_score,
    g.away_score,
    g.arena,
    g.broadcasters,
    g.label,
    g.is_neutral
FROM games AS g LEFT JOIN sides AS s USING (game_id)
