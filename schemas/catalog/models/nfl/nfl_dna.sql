-- Versions of players' metrics from plays and from tracking, with who the player is and the team of his
-- newest game before the day from which they hold.
WITH versions AS (
    SELECT * FROM nfl_player_dna
    UNION ALL BY NAME
    SELECT * FROM nfl_qb_tracking_dna
),

played AS (
    SELECT
        player_id,
        league_date AS day,
        season,
        team_id
    FROM nfl_observations
    UNION ALL
    SELECT
        player_id,
        week_ends_on,
        season,
        team_id
    FROM nfl_tracking_observations
),

clubs AS (
    -- A game and a week that end on one day are of the same team, but for a trade.
    SELECT * FROM played QUALIFY row_number() OVER (PARTITION BY player_id, day ORDER BY team_id) = 1
)

SELECT
    v.pool,
    v.player_id,
    i.espn_id,
    i.profile_id,
    coalesce(v.player_name, i.player_name) AS player_name,
    c.team_id,
    c.season AS team_season,
    v.metric,
    v.label,
    v.unit,
    v.direction,
    v.class,
    v.status,
    v.value,
    v.raw_value AS raw,
    v.low,
    v.high,
    v.games AS n,
    v.exposure,
    v.weight,
    v.pool_mean,
    v.confidence,
    v.reasons,
    v.percentile,
    v.pool_size,
    v.season,
    v.valid_from
FROM versions AS v LEFT JOIN nfl_players AS i USING (player_id)
ASOF LEFT JOIN clubs AS c ON c.player_id = v.player_id AND c.day < v.valid_from
