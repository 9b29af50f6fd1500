-- Shots on goal that goalies faced in regular seasons, by zone about the nearer goal. It is what was shot and
-- saved, and no chance of a goal. `value` is the goalie's DNA at the end of the season, from all his captured
-- games up to it.
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

dna AS (
    SELECT * FROM nhl_goalie_dna
    QUALIFY row_number() OVER (PARTITION BY player_id, season, metric ORDER BY valid_from DESC) = 1
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
    d.value,
    d.low,
    d.high,
    d.weight,
    d.games,
    d.confidence,
    d.reasons,
    d.percentile
FROM goalies AS g JOIN league AS l USING (season, zone) LEFT JOIN nhl_players AS p USING (player_id)
JOIN dna AS d ON d.player_id = g.player_id AND d.season = g.season AND d.metric = g.zone || '_save_pct'
