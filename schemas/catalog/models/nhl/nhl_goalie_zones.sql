-- Shots on goal that goalies faced in regular seasons, by zone about the nearer goal. It is what was shot and
-- saved, and no chance of a goal. No zone tells goalies apart (see `nhl_goalie_dna.toml`), so that none has a
-- value; its columns stay for those who read them.
WITH league AS (
    SELECT
        season,
        zone,
        count(*) AS shots,
        count(*) FILTER (NOT is_goal) AS saves
    FROM nhl_shots_by_zone GROUP BY ALL
),

goalies AS (
    SELECT
        player_id,
        season,
        zone,
        count(*) AS shots,
        count(*) FILTER (NOT is_goal) AS saves
    FROM nhl_shots_by_zone
    GROUP BY ALL
),

played AS (
    SELECT
        player_id,
        season,
        sum(count(DISTINCT game_id)) OVER (PARTITION BY player_id ORDER BY season) AS games
    FROM nhl_shots_by_zone GROUP BY player_id, season
)

SELECT
    g.player_id,
    p.name AS player_name,
    g.season,
    g.zone,
    g.shots,
    g.saves,
    CAST(g.saves AS DOUBLE) / g.shots AS save_pct,
    CAST(l.saves AS DOUBLE) / l.shots AS league_save_pct,
    CAST(g.saves * l.shots - l.saves * g.shots AS DOUBLE) / (g.shots * l.shots) AS diff,
    CAST(NULL AS DOUBLE) AS value,
    CAST(NULL AS DOUBLE) AS low,
    CAST(NULL AS DOUBLE) AS high,
    CAST(NULL AS DOUBLE) AS weight,
    CAST(n.games AS INTEGER) AS games,
    'insufficient' AS confidence,
    '["withdrawn"]' AS reasons,
    CAST(NULL AS DOUBLE) AS percentile
FROM goalies AS g
JOIN league AS l USING (season, zone)
JOIN played AS n USING (player_id, season)
LEFT JOIN nhl_players AS p USING (player_id)
