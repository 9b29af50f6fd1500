-- Minor-league games: those of schedules, and those of which plate appearances are captured, whose source
-- states neither score nor status.
WITH appearances AS (
    SELECT
        game_id,
        min(league_date) AS league_date,
        min(level) AS feed_level,
        min(home_id) AS home_id,
        min(home_name) AS home_name,
        min(away_id) AS away_id,
        min(away_name) AS away_name,
        count(*) AS rows
    FROM mlb_milb_pbp_appearances GROUP BY game_id
),

all_games AS (
    SELECT
        s.* EXCLUDE (file_level),
        coalesce(h.level, a.level, CASE WHEN s.file_level <> 'a' THEN s.file_level END) AS level,
        h.org_id AS home_org_id,
        h.org_abbr AS home_org_abbr,
        a.org_id AS away_org_id,
        a.org_abbr AS away_org_abbr
    FROM mlb_minor_starts AS s
    LEFT JOIN mlb_minor_teams AS h ON (h.season, h.team_id) = (s.season, s.home_id)
    LEFT JOIN mlb_minor_teams AS a ON (a.season, a.team_id) = (s.season, s.away_id)
    UNION ALL BY NAME
    SELECT
        p.game_id,
        CAST(year(p.league_date) AS VARCHAR) AS season,
        CAST(NULL AS VARCHAR) AS phase,
        p.league_date,
        p.home_id,
        p.home_name,
        p.away_id,
        p.away_name,
        l.level
    FROM appearances AS p LEFT JOIN mlb_minor_levels_by_id AS l USING (feed_level)
    WHERE p.game_id NOT IN (SELECT game_id FROM mlb_minor_starts)
)

SELECT
    g.*,
    p.game_id IS NOT NULL AS has_appearances,
    coalesce(bool_or(g.status = 'final') OVER (PARTITION BY g.league_date), false) AS has_results
FROM all_games AS g LEFT JOIN appearances AS p USING (game_id)
