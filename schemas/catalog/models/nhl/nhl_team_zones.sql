-- Shots on goal of teams by area of the ice. The source names teams by number, season and phase in one word.
WITH named AS (
    SELECT
        split_part(team_season, '_', 1) AS club_id,
        split_part(team_season, '_', 2) AS season_code,
        split_part(team_season, '_', 3) AS game_type,
        area,
        shots,
        goals,
        as_of
    FROM nhl_edge_team_zones_areas
)

SELECT
    c.abbr AS team_abbr,
    substr(n.season_code, 1, 4) || '-' || substr(n.season_code, 7, 2) AS season,
    CASE n.game_type WHEN '2' THEN 'regular' ELSE 'playoffs' END AS phase,
    n.area,
    max(n.shots) AS shots,
    max(n.goals) AS goals,
    CAST(max(n.goals) AS DOUBLE) / nullif(max(n.shots), 0) AS shooting_pct,
    max(n.as_of) AS as_of
FROM named AS n JOIN nhl_club_ids AS c USING (club_id) WHERE n.game_type IN ('2', '3') GROUP BY ALL
