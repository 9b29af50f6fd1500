-- DNA of both teams of a match, from league matches before its day.
SELECT
    s.match_id,
    s.source_match_id,
    s.side,
    s.team_slug,
    d.metric,
    d.label,
    d.unit,
    d.direction,
    d.class,
    d.valid_from,
    d.status,
    d.value,
    d.raw_value,
    d.low,
    d.high,
    d.weight,
    d.pool_mean,
    d.games,
    d.confidence,
    d.percentile,
    d.pool_size
FROM soccer_preview_sides AS s
JOIN soccer_team_dna AS d ON d.team_slug = s.team_slug AND d.pool = 'all' AND d.valid_from <= s.match_date
QUALIFY row_number() OVER (PARTITION BY s.match_id, s.side, d.metric ORDER BY d.valid_from DESC) = 1
