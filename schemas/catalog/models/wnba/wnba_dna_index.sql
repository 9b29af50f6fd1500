-- DNA of players in short: of each season the last version of each metric, with the team of the last game of
-- it.
WITH last AS (
    SELECT
        season,
        player_id,
        player_name,
        metric,
        label,
        unit,
        value,
        low,
        high,
        pool,
        percentile,
        pool_size,
        confidence,
        games,
        valid_from
    FROM wnba_player_dna
    QUALIFY row_number() OVER (PARTITION BY season, player_id, metric ORDER BY valid_from DESC) = 1
)

SELECT
    l.season,
    l.metric,
    l.player_id,
    l.player_name,
    s.team_abbr,
    l.label,
    l.unit,
    l.value,
    l.low,
    l.high,
    l.pool,
    l.percentile,
    l.pool_size,
    l.confidence,
    l.games,
    l.valid_from
FROM last AS l LEFT JOIN wnba_player_seasons AS s USING (season, player_id)
